"""Seats as the one that looks tells them: 0 is itself, 1 the next clockwise, and so on."""

from collections.abc import Callable, Sequence
from typing import Any

from wintercount.env.rows import numbers, one_of


def around(view: Any) -> Sequence[Any]:
    """The rows of all seats, from that of the seat that looks on."""
    return turned(view, view.seats)


def turned(view: Any, rows: Sequence[Any]) -> Sequence[Any]:
    """Rows that stand in the order of the seats, from the one of the seat that looks on."""
    own = view.seat - 1
    return (*rows[own:], *rows[:own])


def of_one_seat(players: int, name: str) -> Callable[[Any], bytes]:
    """A row that tells which seat a field of the view names; zeros for none."""
    row = one_of(range(players))
    none = row(None)

    def told(view: Any) -> bytes:
        seat = getattr(view, name)
        return none if seat is None else row((seat - view.seat) % players)

    return told


def of_some_seats(players: int, name: str) -> Callable[[Any], bytes]:
    """A row that tells which seats a field of the view names: the place of each in it, counted from 1; 0 for none."""

    def told(view: Any) -> bytes:
        seats = getattr(view, name)
        row = [0] * players
        for place, seat in enumerate(seats, 1):
            row[(seat - view.seat) % players] = place
        return numbers(tuple(row))

    return told
