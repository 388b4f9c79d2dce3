"""Verifiable luck: every draw of a table follows from a seed that its first event commits to.

The key of a table is HMAC-SHA256(seed, canonical JSON of the seats' contributions in seat order). Draw number n of a
kind (counted from 0) has a stream of its own, so that no other draw can shift it: block b of the stream is
HMAC-SHA256(key, "kind|n|b"), read as eight 32-bit big-endian numbers. A number below k is the next number of the
stream modulo k; numbers from the largest multiple of k upwards are rejected. Items are drawn by a partial
Fisher-Yates shuffle: for i = 0, 1, ... the item at i changes places with the one at i + (number below len - i).

All outcomes are equally likely as long as HMAC-SHA256 under an unknown key looks random (RFC 2104; Bellare, New proofs
for NMAC and HMAC, 2006). Without the rejection, small numbers would be more likely. The shuffle reaches each order in
exactly one way (Durstenfeld, Algorithm 235, 1964). Anybody who knows the seed can derive every draw, so it is secret
until the game is over. It is committed to before the seats contribute, so the operator cannot choose it by its outcome.
"""

import hmac
import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from events.canonical import canonical

T = TypeVar("T")

_NUMBERS = 1 << 32


def stream(key: bytes, kind: str, number: int) -> Iterator[int]:
    """Yields the endless stream of 32-bit numbers for draw `number` of a kind."""
    block = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(key, f"{kind}|{number}|{block}".encode(), "sha256"))
        block += 1


def below(numbers: Iterator[int], bound: int) -> int:
    """Returns a number from 0 to `bound` - 1, each equally likely."""
    limit = _NUMBERS - _NUMBERS % bound
    return next(number for number in numbers if number < limit) % bound


def draw(numbers: Iterator[int], population: Sequence[T], count: int) -> tuple[T, ...]:
    """Returns `count` items of the population without replacement, in the order drawn."""
    moved: dict[int, int] = {}  # the items that have changed places: a large population is not copied
    drawn = []
    for i in range(count):
        j = i + below(numbers, len(population) - i)
        drawn.append(population[moved.get(j, j)])
        moved[j] = moved.get(i, i)
    return tuple(drawn)


class Imagined:
    """Chance for imagined worlds, which are never recorded: the same number gives the same draws."""

    def __init__(self, number: int) -> None:
        self._numbers = stream(b"imagined", "imagined", number)

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG002 - as chance is called
        return draw(self._numbers, population, count)


class Luck:
    """The chance of one decision; `drawn` counts the draws of each kind that it made."""

    def __init__(self, seed: str, contributions: Sequence[str | None], before: Mapping[str, int]) -> None:
        self._key = _key(seed, tuple(contributions))
        self._before = before
        self.drawn: dict[str, int] = {}

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        done = self.drawn.get(kind, 0)
        self.drawn[kind] = done + 1
        return draw(stream(self._key, kind, self._before.get(kind, 0) + done), population, count)


@lru_cache(4096)  # a table has one
def _key(seed: str, contributions: tuple[str | None, ...]) -> bytes:
    return hmac.digest(bytes.fromhex(seed), canonical(contributions), "sha256")
