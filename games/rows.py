"""Rows of a state: its seats, its grounds, the cards of a side, in the order of their numbers."""

from typing import Any


def swapped(rows: tuple[Any, ...], number: int, row: Any) -> tuple[Any, ...]:
    """The rows with row `number` replaced; rows are counted from 1, like seats and grounds."""
    after = list(rows)
    after[number - 1] = row
    return tuple(after)
