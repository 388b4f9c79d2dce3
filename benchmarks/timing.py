"""Measures whether the time of an AI player's move reveals its cards: into `results/timing.md`, by `make timing`.

Random players sit beside a searching one at tables of a whole service. The number of legal moves of each of its
decisions is compared, by Spearman's rank correlation, with the time until its move, as recorded and as a stream saw it.
"""

import argparse
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.host import Host, service, store
from benchmarks.machine import commit, processor
from events.times import millis
from games import GAMES
from games.kernel import MoveSet
from projections.history import TableHistory
from service.levels import LEVELS
from worker.bot import Bot
from worker.client import Api

RESULTS = Path(__file__).parent / "results" / "timing.md"
COUNTED = 10_000
WARM_UP, WARM = (
    "tomahawk",
    4,
)  # a short game, and tables of it: each worker starts its player's process with the first move
Row = tuple[int, int, int]  # of a decision: its legal moves, and the milliseconds until its move by record and stream


class Follower:
    """The times (Unix, in milliseconds) at which a stream of a table brought each version."""

    def __init__(self, api: Api, table: str) -> None:
        self.table, self.seen_ms = table, dict[int, int]()
        self._api = api

    def follow(self) -> None:
        """Follows the table until its game is over."""
        for frame in self._api.stream(f"/v1/tables/{self.table}/events"):
            if frame and "version" in frame.data:
                self.seen_ms.setdefault(frame.data["version"], time.time_ns() // 1_000_000)


def played(host: Host, game: str, level: str, tables: int) -> Iterator[Row]:
    """Plays so many tables at once to their ends; yields the decisions of the searching player."""
    api = Api(host.url)
    api.sign_up("timing", bot=True)
    seats = [{"kind": "me"}, {"kind": "ai", "level": level}, *[{"kind": "ai", "level": "greedy"}] * 9]
    asked = {"game": game, "seats": seats[: min(GAMES[game].players)]}
    stop, bot = threading.Event(), Bot(Api(host.url, api.token), LEVELS["uniform"])
    playing = threading.Thread(target=bot.run, args=(stop,), daemon=True)
    followers = [Follower(Api(host.url, api.token), api.post("/v1/tables", asked)["id"]) for _ in range(tables)]
    playing.start()
    with ThreadPoolExecutor(tables) as threads:
        list(threads.map(Follower.follow, followers))
    stop.set()
    handler = host.handler()
    for each in followers:
        yield from decisions(handler.history(each.table), each.seen_ms)


def decisions(history: TableHistory, seen_ms: Mapping[int, int]) -> Iterator[Row]:
    """Yields the decisions of seat 2 at a table with a choice."""
    before = None
    for event in history.events:
        if event.envelope.by.get("seat") == 2 and event.envelope.batch[0] == event.version:
            before = history.at(event.version - 1, before)
            opened = before.decision_of(2)
            moves = number_of(before.game.legal_moves(before.state, 2))
            if opened and moves > 1:
                since = millis(opened.since)
                yield moves, millis(event.envelope.at) - since, seen_ms[event.version] - since


def number_of(listed: Sequence[Any]) -> int:
    """Returns the number of legal moves, up to `COUNTED`; an entry of the list may stand for many."""
    each = (entry.expansions() if isinstance(entry, MoveSet) else (entry,) for entry in listed)
    return sum(1 for _ in islice(chain.from_iterable(each), COUNTED))


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Returns the rank correlation, 0 if one side is constant."""
    left, right = (ranks(side) for side in zip(*pairs, strict=True))
    middle = mean(left)
    square = [sum((value - middle) ** 2 for value in side) for side in (left, right)]
    product = sum((one - middle) * (other - middle) for one, other in zip(left, right, strict=True))
    return product / (square[0] * square[1]) ** 0.5 if all(square) else 0.0


def ranks(values: Sequence[float]) -> list[float]:
    """Returns the rank of each value; equal values share their mean rank."""
    ordered, at = sorted(values), dict[float, float]()
    for value in ordered:
        first = bisect_left(ordered, value)
        at.setdefault(value, (first + bisect_right(ordered, value, first) - 1) / 2)
    return [at[value] for value in values]


class Found(NamedTuple):
    """The correlations of a game's decisions."""

    game: str
    rows: list[Row]

    def line(self) -> str:
        """The row of the table."""
        recorded, live = (spearman([(row[0], row[at]) for row in self.rows]) for at in (1, 2))
        waits = [row[2] for row in self.rows]
        late = sum(row[1] > 1000 for row in self.rows) / len(self.rows)
        return f"| {self.game} | {len(self.rows)} | {recorded:+.3f} | {live:+.3f} | {median(waits):.0f} | {late:.1%} |"


def measured(game: str, count: int, level: str, tables: int, release_ms: int) -> Found:
    """Plays a game until so many decisions are known."""
    rows: list[Row] = []
    with ExitStack() as stack:
        url = stack.enter_context(store())
        limits = {"OPEN_TABLES": "1000000", "AI_SEATS": "1000000", "AI_RELEASE_MS": str(release_ms)}
        named = {f"WINTERCOUNT_{name}": value for name, value in limits.items()}
        host = stack.enter_context(service(url, "dispatch", "worker", "worker", **named))
        list(played(host, WARM_UP, level, WARM))
        with tqdm(total=count, desc=game) as bar:
            while len(rows) < count:
                rows += played(host, game, level, tables)
                bar.update(len(rows) - bar.n)
    return Found(game, rows[:count])


def report(found: Sequence[Found], asked: Any) -> str:
    """Everything as Markdown."""
    return "\n".join(
        [
            "# What the time of a move tells",
            "",
            f"Written by `make timing`: moves of the level `{asked.level}`, {asked.tables} tables at once, with",
            f"`WINTERCOUNT_AI_RELEASE_MS={asked.release_ms}`. Spearman's correlation of the number of legal moves",
            "with the time from the opening of the decision to the move, as the log and as a stream has it.",
            "",
            f"- processor: {processor()}",
            f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M UTC}, commit {commit()}",
            "",
            "| game | moves | recorded | live | median ms, live | later than 1 s |",
            "| --- | --- | --- | --- | --- | --- |",
            *(each.line() for each in found),
            "",
        ]
    )


def main() -> None:
    """Measures, prints and writes down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--count", type=int, default=2000, help="moves of each game")
    parser.add_argument("--level", default="skilled")
    parser.add_argument("--tables", type=int, default=10, help="played at once")
    parser.add_argument("--release-ms", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=RESULTS)
    asked = parser.parse_args()
    found: list[Found] = []
    for game in asked.games:
        found.append(measured(game, asked.count, asked.level, asked.tables, asked.release_ms))
        asked.output.write_text(report(found, asked))
    print(report(found, asked))


if __name__ == "__main__":
    main()
