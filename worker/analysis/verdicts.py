"""What a loss is called: by how AI players lose points."""

from bisect import bisect
from collections.abc import Mapping

GOOD = "good"
NAMES = ("inaccuracy", "mistake", "blunder")
PERCENTILES = (33, 67)  # of the losses of AI players by decisions that lose anything

# Points of margin from which on a loss is a mistake, and a blunder: `python -m benchmarks.losses` measures them. Of the
# other games it has found fewer than ten losses, too few for thirds of them.
THRESHOLDS: Mapping[str, tuple[float, float]] = {
    "manitou": (5.0, 8.8),
    "tomahawk": (7.3, 10.8),
}


def verdict(game: str, loss: float) -> str:
    """`good`, or the name of a loss in points of margin; a game without thresholds knows only inaccuracies."""
    return NAMES[bisect(THRESHOLDS.get(game, ()), loss)] if loss > 0 else GOOD
