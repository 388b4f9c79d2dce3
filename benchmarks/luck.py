"""How much of the results of AI players is luck that can be told: `python -m benchmarks.luck`.

Two seats of known levels play, and the luck of each game is told with one seat's choices left uncorrected and with none
left (`worker/analysis/luck.py`). Every game is a line of `benchmarks/results/luck.jsonl`; a later run plays what is
missing there. For each correction the figures say: the mean of the luck taken off, with its 99 % interval, which has to
hold 0; and by how much the adjusted results scatter less than the raw ones. Any share of the luck may be taken off, as
its mean is 0: the last ratio is that with the share that fits other games best, each half of the games being adjusted
by the share of the other half (a control variate with its coefficient; Lavenberg and Welch 1981).
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, linear_regression, quantiles, stdev
from time import process_time
from typing import Any

from tqdm import tqdm

from benchmarks.matches import Deal, Table
from games import GAMES
from service.levels import LEVELS
from worker.analysis.luck import WORLDS, Course, Luck, Turn, luck_by_event
from worker.analysis.playing_on import KNOWN
from worker.players import choose

RECORD = Path(__file__).parent / "results" / "luck.jsonl"
CORRECTED: Mapping[str, tuple[str, ...]] = {  # what is taken off the margin of seat 1
    "chance": ("chance",),
    "chance and the choices of seat 2": ("chance", "others"),
    "chance and all choices": ("chance", "own", "others"),
}
Z = 2.576  # standard errors of a 99 % interval
RESAMPLED = 1000


def main() -> None:
    """Plays what is missing, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    known = [name for name, level in LEVELS.items() if (level.player, level.version) in KNOWN]
    parser.add_argument("--levels", nargs=2, default=["greedy", "greedy"], choices=known)
    parser.add_argument("--n", type=int, default=100, help="games, those played before included")
    parser.add_argument("--worlds", type=int, default=WORLDS)
    asked = parser.parse_args()
    for game in asked.games:
        wanted = [key(game, asked.levels, asked.worlds, number) for number in range(asked.n)]
        done = {json.dumps(row["of"]) for row in record()}
        with RECORD.open("a") as file:
            for of in tqdm([of for of in wanted if json.dumps(of) not in done], desc=game):
                file.write(json.dumps(line(of)) + "\n")
                file.flush()
        names = {json.dumps(of) for of in wanted}
        print(*summary(game, [row for row in record() if json.dumps(row["of"]) in names]), sep="\n")


Line = dict[str, Any]  # a game told


def key(game: str, levels: Sequence[str], worlds: int, number: int) -> Line:
    """What tells the games told apart."""
    return {
        "game": game,
        "levels": list(levels),
        "by": [LEVELS[name].version for name in levels],
        "worlds": worlds,
        "n": number,
    }


def record() -> list[Line]:
    """The games told so far."""
    return [json.loads(text) for text in RECORD.read_text().splitlines()] if RECORD.exists() else []


def line(of: Line) -> Line:
    """A game played and told."""
    began = process_time()
    course = played(of["game"], of["levels"], f"luck-{of['n']}")
    between = process_time()
    *_, luck = luck_by_event(course, of["worlds"])
    if not isinstance(luck, Luck):
        raise TypeError("the whole comes last")
    row = luck.seats[0]
    parts = {name: getattr(row, name).mean for name in ("expected", "chance", "own", "others")}
    return {"of": of, "margin": row.margin, **parts, "s": [between - began, process_time() - between]}


def played(slug: str, levels: Sequence[str], seed: str) -> Course:
    """A game of these levels as a course of moves."""
    game, players = GAMES[slug], tuple([(LEVELS[name].player, LEVELS[name].version) for name in levels])
    table = Table(game, len(levels), {}, Deal(seed))
    turns: list[Turn] = []
    while seats := game.to_act(table.state):
        before, feeds = table.state, tuple(map(tuple, table.feeds))
        luck = hashlib.sha256(f"{seed}|{levels}|{len(turns)}".encode()).hexdigest()
        move = choose(players[seats[0] - 1], game, game.view(before, seats[0]), feeds[seats[0] - 1], luck).move
        table.play(seats[0], move)
        turns.append(Turn(len(turns) + 1, seats[0], move, before, feeds, table.state))
    return Course(seed, game, turns[0].before.options, players, tuple(turns))


def summary(game: str, rows: Sequence[Line]) -> Iterator[str]:
    """The figures of so many games, as rows of a table."""
    margins = [row["margin"] for row in rows]
    cost = fmean([row["s"][1] for row in rows])
    levels = " against ".join(rows[0]["of"]["levels"])
    for name, parts in CORRECTED.items():
        luck = [sum([row[part] for part in parts]) for row in rows]
        games = list(zip(margins, luck, strict=True))
        error = Z * stdev(luck) / len(luck) ** 0.5
        whole = [(margin, margin - found) for margin, found in games]
        shares, fitted = adjusted_by_others(games)
        yield (
            f"| {game} | {levels} | {len(rows)} | {name} | {fmean(luck):.2f} ± {error:.2f} | {told(whole)} "
            f"| {shares[0]:.2f}, {shares[1]:.2f} | {told(fitted)} | {cost:.1f} s |"
        )


def adjusted_by_others(games: Sequence[tuple[float, float]]) -> tuple[list[float], list[tuple[float, float]]]:
    """Of margins and luck: the share of the luck that fits each half best, and margins beside adjusted ones.

    A half is adjusted by the share of the other half, which knows nothing of its luck: so the mean stays.
    """
    halves = [games[::2], games[1::2]]
    shares = [linear_regression([luck for _, luck in half], [margin for margin, _ in half]).slope for half in halves]
    found = []
    for half, share in zip(halves, reversed(shares), strict=True):
        found.extend([(margin, margin - share * luck) for margin, luck in half])
    return shares, found


def told(pairs: Sequence[tuple[float, float]]) -> str:
    """The ratio of raw and adjusted results with its 95 % interval, by resampling."""
    chance = random.Random(0)
    again = sorted([ratio(chance.choices(pairs, k=len(pairs))) for _ in range(RESAMPLED)])
    low, *_, high = quantiles(again, n=40)
    return f"{ratio(pairs):.2f} ({low:.2f} to {high:.2f})"


def ratio(pairs: Sequence[tuple[float, float]]) -> float:
    """The standard deviation of adjusted results by that of the raw ones."""
    raw, adjusted = zip(*pairs, strict=True)
    return float(stdev(adjusted) / stdev(raw))


if __name__ == "__main__":
    main()
