"""Ranks in every game: equal seats share a rank, and the ranks after it are skipped (1, 1, 3).

Each game's `scoring` decides when seats are equal.
"""

from collections.abc import Mapping
from typing import Any

import msgspec


class Row(msgspec.Struct, frozen=True):
    """The result of a seat, in a game whose points are of one kind."""

    seat: int
    total: int
    rank: int


class Rank(msgspec.Struct, frozen=True):
    """A place in a ranking, and the seats that share it, ascending."""

    rank: int
    seats: tuple[int, ...]


class Scores(msgspec.Struct, frozen=True):
    """All results, the places, and the seats in the first."""

    scores: tuple[Row, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


def scores_of(totals: Mapping[int, int]) -> Scores:
    """Returns the results of seats with these totals, the highest first; equal totals share a place."""
    places = ranking(rank_of := ranks(totals))
    return Scores(tuple(Row(seat, total, rank_of[seat]) for seat, total in totals.items()), places, places[0].seats)


def ranks(keys: Mapping[int, Any]) -> dict[int, int]:
    """Returns the rank of each seat; the highest key is first."""
    return {seat: 1 + sum(other > key for other in keys.values()) for seat, key in keys.items()}


def ranking(rank_of: Mapping[int, int]) -> tuple[Rank, ...]:
    """Returns the places from first to last, each with its seats in seat order."""
    places = sorted(set(rank_of.values()))
    return tuple(Rank(place, tuple(sorted(s for s, r in rank_of.items() if r == place))) for place in places)
