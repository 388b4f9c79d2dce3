"""How much AI players of each level lose by a decision: `python -m benchmarks.losses`.

Games of two seats of one level are played, and their decisions evaluated as a quick analysis does. Each game is a line
of `benchmarks/results/losses.jsonl`; a later run evaluates what is missing there. The figures are the mean loss of a
decision, with an interval from samples of the games, and the share of sure losses.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.chances import resampled
from benchmarks.matches import Deal, Table, has_choice
from games import GAMES
from service.levels import LEVELS
from worker.ai_process import budget
from worker.analysis.evaluating import Evaluation, Position, evaluate
from worker.analysis.finished import EFFORTS, QUICK, TakenDecision, question_of
from worker.players import choose

RECORD = Path(__file__).parent / "results" / "losses.jsonl"
NAMES = ("uniform", "greedy", "expert")

Row = dict[str, Any]


def evaluations(slug: str, name: str, deal: int, one_in: int = 1, scale: float = 1.0) -> Iterator[Evaluation]:
    """Yields the evaluations of every `one_in`-th decision with a choice of a game of two seats.

    `scale` is the part of its iterations that a searching player may use.
    """
    game, level, table, seen = GAMES[slug], LEVELS[name], Table(GAMES[slug], 2, {}, Deal(f"losses-{deal}")), 0
    while seats := game.to_act(table.state):
        seat, before, number = seats[0], table.state, len(table.feeds[0])
        position = Position(game, game.view(before, seat), tuple(table.feeds[seat - 1]))
        seed = hashlib.sha256(f"losses|{slug}|{name}|{deal}|{number}".encode()).hexdigest()
        made = choose((level.player, level.version), *position, seed, int(budget(name, slug) * scale)).move
        table.play(seat, made)
        if has_choice(game, before, seat):
            seen += 1
            if (seen + deal) % one_in == 0:
                decision = TakenDecision(number, seat, made, position, table.state)
                yield evaluate(question_of(f"{slug}|{name}|{deal}", decision, EFFORTS[QUICK]))


def record() -> list[Row]:
    """Returns what was evaluated so far."""
    return [json.loads(line) for line in RECORD.read_text().splitlines()] if RECORD.exists() else []


def measure(slug: str, name: str, asked: argparse.Namespace) -> None:
    """Evaluates games of a level, except those of earlier runs."""
    known = {row["deal"] for row in record() if (row["game"], row["level"]) == (slug, name)}
    for deal in tqdm([deal for deal in range(asked.n) if deal not in known], desc=f"{slug}, {name}"):
        found = list(evaluations(slug, name, deal, asked.one_in, asked.scale))
        row = {"game": slug, "level": name, "deal": deal, "losses": [each.loss.mean for each in found]}
        row["sure"] = [each.loss.mean for each in found if each.is_sure]
        with RECORD.open("a") as file:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


def mean_of(rows: Sequence[Row]) -> float:
    """Returns the mean loss of a decision."""
    return sum(sum(row["losses"]) for row in rows) / sum(len(row["losses"]) for row in rows)


def told(rows: Sequence[Row]) -> Iterator[str]:
    """Yields a line of figures for each game and level."""
    for slug in GAMES:
        for name in NAMES:
            if found := [row for row in rows if (row["game"], row["level"]) == (slug, name)]:
                low, high = resampled(found, mean_of, 1)
                count, sure = (sum(len(row[what]) for row in found) for what in ("losses", "sure"))
                figures = f"{mean_of(found):.2f} ({low:.2f} to {high:.2f}) | {sure / count:.0%}"
                yield f"| {slug} | {name} | {len(found)} | {count} | {figures} |"


def main() -> None:
    """Evaluates what is missing, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--levels", nargs="+", default=list(NAMES), choices=list(LEVELS))
    parser.add_argument("--n", type=int, default=20, help="games of each level")
    parser.add_argument("--one-in", type=int, default=1, help="evaluate one decision of so many")
    parser.add_argument("--scale", type=float, default=1.0, help="part of its iterations that an expert uses")
    asked = parser.parse_args()
    for slug in asked.games:
        for name in asked.levels:
            measure(slug, name, asked)
    print(*told(record()), sep="\n")


if __name__ == "__main__":
    main()
