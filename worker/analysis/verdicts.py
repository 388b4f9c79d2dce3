"""What a loss is called: by how AI players lose points."""

from bisect import bisect
from collections.abc import Mapping

GOOD = "good"
NAMES = ("inaccuracy", "mistake", "blunder")
PERCENTILES = (33, 67)  # of the losses of AI players by decisions that lose anything

# Points of margin from which on a loss is a mistake, and a blunder: `python -m benchmarks.losses` measures them.
THRESHOLDS: Mapping[str, tuple[float, float]] = {
    "big-manitou": (1.8, 3.2),
    "manitou": (5.0, 9.0),
    "plenty-coups": (1.3, 2.0),
    "tomahawk": (7.0, 9.8),
}


def verdict(game: str, loss: float) -> str:
    """`good`, or the name of a loss in points of margin; a game without thresholds knows only inaccuracies."""
    return NAMES[bisect(THRESHOLDS.get(game, ()), loss)] if loss > 0 else GOOD
