"""How much AI players of each level lose by a decision: `python -m benchmarks.losses`, for the names of losses.

Games of two seats of one level are played; every third decision with a choice is evaluated as a quick analysis does.
Each is a line of `benchmarks/results/losses.jsonl`; a later run evaluates what is missing there.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.chances import resampled
from benchmarks.matches import Deal, Table, has_choice
from games import GAMES
from service.levels import LEVELS
from worker.analysis.evaluating import Position, evaluate
from worker.analysis.finished import EFFORTS, PERCENTILES, QUICK
from worker.players import choose

RECORD = Path(__file__).parent / "results" / "losses.jsonl"
NAMES = ("uniform", "novice", "greedy")
LOOK_AHEAD = ("novice", "greedy")  # whose losses name those of people: who plays at random loses more at once
ONE_IN = 3


def positions(slug: str, name: str, deal: int) -> Iterator[tuple[Position, Any, int]]:
    """Decisions with a choice of a game of two, the move that the level made, and their number."""
    game, level = GAMES[slug], LEVELS[name]
    table, moves = Table(game, 2, {}, Deal(f"losses-{deal}")), 0
    while seats := game.to_act(table.state):
        moves += 1
        position = Position(game, game.view(table.state, seats[0]), tuple(table.feeds[seats[0] - 1]))
        seed = hashlib.sha256(f"losses|{slug}|{name}|{deal}|{moves}".encode()).hexdigest()
        made = choose((level.player, level.version), *position, seed).move
        if moves % ONE_IN == 0 and has_choice(game, table.state, seats[0]):
            yield position, made, moves
        table.play(seats[0], made)


def record() -> list[dict[str, Any]]:
    """What was evaluated so far."""
    return [json.loads(line) for line in RECORD.read_text().splitlines()] if RECORD.exists() else []


def measure(slug: str, name: str, count: int, rows: Sequence[dict[str, Any]]) -> None:
    """Evaluates so many decisions of a level, those of earlier runs among them."""
    known = {(row["deal"], row["move"]) for row in rows if (row["game"], row["level"]) == (slug, name)}
    found = ((deal, *row) for deal in range(1000) for row in positions(slug, name, deal))
    with RECORD.open("a") as file:
        for deal, position, made, move in tqdm(islice(found, count), total=count, desc=f"{slug}, {name}"):
            if (deal, move) not in known:
                loss = evaluate(position, made, EFFORTS[QUICK], f"{slug}|{deal}|{move}".encode()).loss
                row = {"game": slug, "level": name, "deal": deal, "move": move, "loss": loss}
                file.write(json.dumps(row, separators=(",", ":")) + "\n")
                file.flush()


def percentile(losses: Sequence[float], share: int) -> float:
    """The loss that so many of a hundred do not exceed."""
    ordered = sorted(losses)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def with_interval(losses: Sequence[float], share: int) -> str:
    """A percentile and the 95 % of it: what samples of the losses, drawn with replacement, have for theirs."""
    low, high = resampled(losses, lambda sample: percentile(sample, share), share)
    return f"{percentile(losses, share):.1f} ({low:.1f} to {high:.1f})"


def told(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Rows of figures: the decisions of each level, and from which loss of those who look ahead on one has a name."""
    games: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        games[row["game"]][row["level"]].append(row["loss"])
    for game, levels in sorted(games.items()):
        every = [loss for level in LOOK_AHEAD for loss in levels[level] if loss]
        for level, losses in sorted(levels.items()):
            figures = f"{sum(map(bool, losses))} of {len(losses)} | {sum(losses) / len(losses):.2f}"
            bounds = " | ".join(with_interval(every, share) for share in PERCENTILES)
            yield f"| {game} | {level} | {figures} | {bounds} |"


def main() -> None:
    """Evaluates what is missing, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--levels", nargs="+", default=list(NAMES), choices=NAMES)
    parser.add_argument("--n", type=int, default=100, help="decisions of each level at each game")
    asked = parser.parse_args()
    for slug in asked.games:
        for name in asked.levels:
            measure(slug, name, asked.n, record())
    print(*told(record()), sep="\n")


if __name__ == "__main__":
    main()
