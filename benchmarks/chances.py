"""Figures told with their uncertainty: Wilson's interval, the bootstrap, and Wald's sequential test."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeVar

T = TypeVar("T")
RESAMPLED = 2000  # times, for an interval

Verdict = Literal["stronger", "weaker", "undecided"]


def wilson(share: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The interval that holds the true share of victories with 95 % confidence."""
    if not games:
        return 0.0, 1.0
    centre = (share + z * z / 2 / games) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / 4 / games / games) / (1 + z * z / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def resampled(values: Sequence[T], figure: Callable[[Sequence[T]], float], seed: int) -> tuple[float, float]:
    """The 95 % interval of a figure: what samples of the values, drawn with replacement, have for it.

    Efron and Tibshirani, 'An introduction to the bootstrap', 1993.
    """
    luck = random.Random(seed)
    found = sorted(figure(luck.choices(values, k=len(values))) for _ in range(RESAMPLED))
    return found[RESAMPLED // 40], found[-RESAMPLED // 40]


def sprt(shares: Iterable[float], low: float, high: float, error: float = 0.05) -> tuple[Verdict, int]:
    """Whether the true share is `high` rather than `low`, as soon as that is clear; and after how many games.

    Both errors have the same chance. A shared victory counts as half a win and half a loss.
    """
    bound = math.log((1 - error) / error)
    won, lost = math.log(high / low), math.log((1 - high) / (1 - low))
    likelihood, games = 0.0, 0
    for share in shares:
        games += 1
        likelihood += share * won + (1 - share) * lost
        if likelihood >= bound:
            return "stronger", games
        if likelihood <= -bound:
            return "weaker", games
    return "undecided", games
