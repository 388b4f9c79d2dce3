"""Rows of a state: its seats, its grounds, the cards of a side, in the order of their numbers."""

from typing import Any


def swapped(rows: tuple[Any, ...], number: int, row: Any) -> tuple[Any, ...]:
    """The rows with the one of this number, counted from 1 as seats and grounds are, replaced."""
    after = list(rows)
    after[number - 1] = row
    return tuple(after)
