"""Numbered rows of a state, such as its seats and grounds."""

from typing import Any


def swapped(rows: tuple[Any, ...], number: int, row: Any) -> tuple[Any, ...]:
    """Returns the rows with row `number` replaced; rows count from 1, like seats and grounds."""
    after = list(rows)
    after[number - 1] = row
    return tuple(after)
