"""How far from perfect the AI levels are in endings that can be solved: `python -m benchmarks.endings`.

Games of two `greedy` players are played. Of each, the longest ending that is solved within `PLAYS` is taken: the seat
that decides first imagines `WORLDS` worlds, each as likely as another, and its best response to `greedy` in them is
worked out exactly, as is what each level makes of the same worlds. Each ending is a line of `endings.jsonl` in
`benchmarks/results`; a later run solves what is missing there, and writes its table in `strength.md` beside it.
"""

import argparse
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import msgspec
from tqdm import tqdm

from benchmarks.chances import resampled
from benchmarks.matches import Deal, Table, has_choice
from benchmarks.solving import Ending, Policy, TooLarge, World
from games import GAMES
from games.beliefs import worlds_of
from games.kernel import AnyGame
from service.levels import LEVELS
from worker.ai_process import budget
from worker.analysis.evaluating import results_of
from worker.players import chance_of, choose

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "benchmarks" / "results" / "endings.jsonl"
PAGE = ROOT / "benchmarks" / "results" / "strength.md"
BEGIN, END = "<!-- endings: begin -->", "<!-- endings: end -->"
OPPONENT = "greedy"
WORLDS = 100
PLAYS = 20_000  # that a best response may take to work out
LONGEST = 24  # decisions from the end, of both seats
DIGITS = 6  # of a margin: sums of likelihoods are not exact

Row = dict[str, Any]


class Moment(NamedTuple):
    """A decision, and what its seat knows: a state, the seat, and its feed."""

    state: Any
    seat: int
    feed: tuple[Any, ...]


class Solved(NamedTuple):
    """An ending, the worlds that its seat imagines, and its best response there as a margin."""

    ending: Ending
    moment: Moment
    worlds: list[World]
    best: float
    length: int


def policy_of(level: str, game: AnyGame) -> Policy:
    """A level as a player who always makes the same move of what it knows: its luck follows from that."""
    found, iterations, made = LEVELS[level], budget(level, game.slug), dict[str, Any]()

    def move(view: Any, feed: Sequence[Any]) -> Any:
        known = hashlib.sha256(msgspec.json.encode((level, view, feed))).hexdigest()
        if known not in made:
            made[known] = choose((found.player, found.version), game, view, feed, known, iterations).move
        return made[known]

    return move


def moments(game: AnyGame, deal: int, plays: Policy) -> list[Moment]:
    """The decisions of a game of two."""
    table, found = Table(game, 2, {}, Deal(f"endings-{deal}")), []
    while seats := game.to_act(table.state):
        seat = seats[0]
        found.append(Moment(table.state, seat, tuple(table.feeds[seat - 1])))
        table.play(seat, plays(game.view(table.state, seat), table.feeds[seat - 1]))
    return found


def worlds_at(game: AnyGame, moment: Moment, deal: int) -> list[World]:
    """The worlds that a seat imagines, those that are alike as one."""
    chance = chance_of(random.Random(deal))
    drawn = list(worlds_of(game, game.view(moment.state, moment.seat), moment.feed, chance, WORLDS))
    alike, counts = {repr(state): state for state in drawn}, Counter(map(repr, drawn))
    return [World(count / WORLDS, alike[told]) for told, count in counts.items()]


def longest(game: AnyGame, deal: int, plays: Policy) -> Solved | None:
    """The longest ending of a game that is solved and leaves its seat a choice; None if there is none."""
    found = None
    for length, moment in enumerate(reversed(moments(game, deal, plays)[-LONGEST:]), 1):
        try:
            solved = solve(game, moment, plays, deal, length)
        except TooLarge:
            break
        found = solved if has_choice(game, moment.state, moment.seat) else found
    return found


def solve(game: AnyGame, moment: Moment, plays: Policy, deal: int, length: int) -> Solved:
    """The best response at a moment; raises `TooLarge`."""
    ending = Ending(game, moment.seat, plays, lambda state: results_of(game, state)[moment.seat - 1].margin, PLAYS)
    worlds = worlds_at(game, moment, deal)
    return Solved(ending, moment, worlds, ending.best(worlds), length)


def row_of(game: AnyGame, deal: int) -> Row:
    """A line of the record: what the best response, one who sees all cards, and each level come to, as margins.

    All are None where a game has no ending that is small enough.
    """
    plays = policy_of(OPPONENT, game)
    solved = longest(game, deal, plays)
    if solved is None:
        return {"game": game.slug, "deal": deal, "length": None}
    ending, moment, worlds = solved.ending, solved.moment, solved.worlds
    return {
        "game": game.slug,
        "deal": deal,
        "length": solved.length,
        "worlds": len(worlds),
        "best": round(solved.best, DIGITS),
        "sees": round(sum(world.weight * ending.best([World(1.0, world.state)]) for world in worlds), DIGITS),
        "levels": {
            named(level, game.slug): round(ending.of(policy_of(level, game), moment.feed, worlds), DIGITS)
            for level in LEVELS
        },
    }


def named(level: str, game: str) -> str:
    """A level with the version of its player and its iterations there, whose figures are those of no other."""
    return f"{level} {LEVELS[level].version} {budget(level, game)}"


def record() -> list[Row]:
    """What was solved so far, for the players as they are now."""
    rows = [json.loads(line) for line in RECORD.read_text().splitlines()] if RECORD.exists() else []
    return [
        row
        for row in rows
        if not row["length"] or {named(level, row["game"]) for level in LEVELS} <= row["levels"].keys()
    ]


def with_interval(values: Sequence[float]) -> str:
    """A mean and the 95 % of it, by samples drawn with replacement."""
    low, high = resampled(values, fmean, len(values))
    return f"{fmean(values):.2f} ({low:.2f} to {high:.2f})"


def told(rows: Sequence[Row]) -> Iterator[str]:
    """Lines of the page: what each level leaves to its best response, game by game."""
    yield "| game | endings | decisions, worlds (median) | level | behind the best response (95 %) | played perfectly |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for slug in GAMES:
        if found := [row for row in rows if row["game"] == slug and row["length"]]:
            yield from _told_of(slug, found)


def _told_of(slug: str, rows: Sequence[Row]) -> Iterator[str]:
    size = f"{median(row['length'] for row in rows):.0f}, {median(row['worlds'] for row in rows):.0f}"
    for name in LEVELS:
        behind = [row["best"] - row["levels"][named(name, slug)] for row in rows]
        perfect = sum(gap < 10**-DIGITS for gap in behind)
        yield f"| {slug} | {len(rows)} | {size} | {name} | {with_interval(behind)} | {perfect} of {len(rows)} |"
    ahead = [row["sees"] - row["best"] for row in rows]
    yield f"| {slug} | {len(rows)} | {size} | one who sees all cards | ahead by {with_interval(ahead)} | |"


def write(rows: Sequence[Row]) -> None:
    """Writes the table into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text("\n".join([before + BEGIN, "", *told(rows), "", END + after]), encoding="utf-8")


def main() -> None:
    """Solves what is missing, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--n", type=int, default=100, help="games of which an ending is solved, those before included")
    asked = parser.parse_args()
    done = {(row["game"], row["deal"]) for row in record()}
    with RECORD.open("a") as file:
        for slug in asked.games:
            for deal in tqdm(range(asked.n), desc=slug):
                if (slug, deal) not in done:
                    file.write(json.dumps(row_of(GAMES[slug], deal), separators=(",", ":")) + "\n")
                    file.flush()
    write(record())


if __name__ == "__main__":
    main()
