"""Numbered rows of a state, such as its seats and grounds, and rows of payloads."""

from collections.abc import Collection
from typing import Any, TypeVar

import msgspec
from msgspec import UnsetType

T = TypeVar("T")


class Row(msgspec.Struct, frozen=True, gc=False):
    """A row of a payload: text, numbers and further rows."""


def known(value: T | UnsetType) -> T:
    """Returns the value of a field that must not be hidden: `evolve` needs complete events."""
    if isinstance(value, UnsetType):
        raise TypeError("an event with a hidden field cannot be applied")
    return value


def swapped(rows: tuple[Any, ...], number: int, row: Any) -> tuple[Any, ...]:
    """Returns the rows with row `number` replaced; rows count from 1, like seats and grounds."""
    after = list(rows)
    after[number - 1] = row
    return tuple(after)


def without(items: tuple[T, ...], gone: Collection[T]) -> tuple[T, ...]:
    """Returns the items that are not in `gone`, in their order."""
    return tuple([item for item in items if item not in gone])
