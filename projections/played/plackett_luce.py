"""Ratings by the model of Plackett and Luce: what is known of somebody behind a game, from what was known before.

Figures are whole thousandths of a point, so that a rating is the same on every machine and however often it is kept
and read.
"""

from collections.abc import Sequence
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

START, START_DEVIATION = 1500, 500  # points
LUCK, DRIFT = 250, 5  # points: how far chance carries a game, and how far strength moves from game to game
SETTLED = 300  # points: a rating with a larger deviation is provisional
UNIT = 1000  # of a point


class Rating(NamedTuple):
    """How strong somebody is, in thousandths of a point, and how many games tell so."""

    rating: int = START * UNIT
    deviation: int = START_DEVIATION * UNIT
    games: int = 0

    @property
    def settled(self) -> bool:
        """Whether it is no longer provisional."""
        return self.deviation <= SETTLED * UNIT


NEW = Rating()


def after(known: dict[str, Rating], holders: Sequence[str], ranks: Sequence[int]) -> dict[str, Rating]:
    """The ratings behind a game of those who held its seats, from those that are known and the place of each seat.

    Whoever held several seats is rated for each, and keeps the mean.
    """
    before = [known.get(one, NEW) for one in holders]
    rated = _model().rate([[_told(one)] for one in before], ranks=[float(rank) for rank in ranks])
    by_holder: dict[str, list[Any]] = {}
    for one, (seat,) in zip(holders, rated, strict=True):
        by_holder.setdefault(one, []).append(seat)
    return {one: _kept(seats, known.get(one, NEW).games) for one, seats in by_holder.items()}


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # it takes a moment, and few processes rate

    return PlackettLuce(mu=START, sigma=START_DEVIATION, beta=LUCK, tau=DRIFT)


def _told(one: Rating) -> Any:
    return _model().rating(one.rating / UNIT, one.deviation / UNIT)


def _kept(seats: Sequence[Any], games: int) -> Rating:
    mu, sigma = fmean(seat.mu for seat in seats), fmean(seat.sigma for seat in seats)
    return Rating(round(mu * UNIT), round(sigma * UNIT), games + 1)
