"""Rows of an observation as bytes: 32-bit floats that are looked up rather than computed, and joined."""

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

BYTES = 4  # of a float
KEPT = 1 << 14  # rows of a kind that are kept; a game has seldom more than some hundreds at a time


@lru_cache(maxsize=KEPT)
def number(value: float) -> bytes:
    """A row of one number."""
    return struct.pack("<f", value)


@lru_cache(maxsize=KEPT)
def numbers(values: Sequence[float]) -> bytes:
    """A row of some numbers."""
    return struct.pack(f"<{len(values)}f", *values)


def nothing(slots: int) -> bytes:
    """A row of zeros."""
    return bytes(BYTES * slots)


def counts(names: Sequence[Any]) -> Callable[[Any], bytes]:
    """A function from things (hashable as a whole) to a row: how often each name is among them."""
    places = {name: place for place, name in enumerate(names)}

    @lru_cache(maxsize=KEPT)
    def row(things: Iterable[Any]) -> bytes:
        values = [0.0] * len(places)
        for name, count in Counter(things).items():
            values[places[name]] = count
        return struct.pack(f"<{len(values)}f", *values)

    return row


ONE = number(1.0)


def flags(names: Sequence[Any]) -> Callable[[Any], bytes]:
    """A function from things (hashable as a whole) to a row: 1 for each name that is among them."""
    places = {name: BYTES * place for place, name in enumerate(names)}
    size = BYTES * len(names)

    @lru_cache(maxsize=KEPT)
    def row(things: Iterable[Any]) -> bytes:
        found = bytearray(size)
        for name in things:
            place = places[name]
            found[place : place + BYTES] = ONE
        return bytes(found)

    return row


def one_of(names: Sequence[Any]) -> Callable[[Any], bytes]:
    """A function from one thing to a row: 1 for its name; zeros for None, or what else is no name."""
    single, none = flags(names), nothing(len(names))
    rows = {name: single((name,)) for name in names}
    return lambda thing: rows.get(thing, none)
