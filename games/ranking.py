"""Ranks, as every game gives them: equal seats share a rank and the ranks after it are skipped (1, 1, 3).

By what seats are equal, or not, is a rule of each game: its `scoring` says it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec


class Rank(msgspec.Struct, frozen=True):
    """One place of a ranking and the seats that share it, ascending."""

    rank: int
    seats: tuple[int, ...]


def ranks(keys: Mapping[int, Any]) -> dict[int, int]:
    """The rank of each seat, the highest key first."""
    return {seat: 1 + sum(other > key for other in keys.values()) for seat, key in keys.items()}


def ranking(rank_of: Mapping[int, int]) -> tuple[Rank, ...]:
    """The places from first to last, each with its seats in seat order."""
    places = sorted(set(rank_of.values()))
    return tuple(Rank(place, tuple(sorted(s for s, r in rank_of.items() if r == place))) for place in places)
