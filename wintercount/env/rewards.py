"""What an agent is paid when the game is over."""

from collections.abc import Callable, Mapping
from typing import Any


def by_rank(scores: Any) -> dict[int, float]:
    """The share of the others that are behind less that of those ahead: 1 for a sole winner, -1 for a sole last.

    The rewards of a game add up to 0; seats of one rank get the same.
    """
    rank_of = {seat: place.rank for place in scores.ranking for seat in place.seats}
    others = len(rank_of) - 1
    return {
        seat: sum((rank < other) - (rank > other) for other in rank_of.values()) / others
        for seat, rank in rank_of.items()
    }


def by_points(scores: Any) -> dict[int, float]:
    """The points of the score sheet."""
    return {row.seat: float(row.total) for row in scores.scores}


REWARDS: Mapping[str, Callable[[Any], dict[int, float]]] = {"rank": by_rank, "points": by_points}
