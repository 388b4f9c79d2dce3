"""Whether what several clients saw of one table at the same time can have happened one after the other.

A history is linearizable (Herlihy and Wing 1990) if every operation can be given one moment between its begin and its
end so that, in the order of these moments, each sees what the ones before it left. To find such an order is hard in
general. Here each answer names the version that it saw or wrote, so there is at most one order, and it is enough to
look whether it fits the clock.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Operation(NamedTuple):
    """What a client did, from when to when, and the version that its answer tells, with the hash where it does.

    Who wrote wrote the versions from `first`; who only read has none.
    """

    who: str
    began: float
    ended: float
    version: int
    hash: str | None = None
    first: int | None = None

    def __str__(self) -> str:
        """For people."""
        what = f"wrote {self.first} to {self.version}" if self.first else f"saw {self.version}"
        return f"{self.who} {what} ({self.began:.4f} to {self.ended:.4f})"


def faults_in(history: Sequence[Operation]) -> Iterator[str]:
    """What no order of the operations explains; nothing if the history is linearizable."""
    yield from _different_hashes(history)
    yield from _overlaps(history)
    yield from _torn(history)
    yield from _out_of_time(history)


def _different_hashes(history: Sequence[Operation]) -> Iterator[str]:
    """A version is the same one to everybody."""
    hashes: dict[int, set[str]] = defaultdict(set)
    for operation in history:
        if operation.hash:
            hashes[operation.version].add(operation.hash)
    for version, found in hashes.items():
        if len(found) > 1:
            yield f"version {version} has {len(found)} hashes"


def _overlaps(history: Sequence[Operation]) -> Iterator[str]:
    """No version is written twice."""
    last = 0
    for operation in sorted(_writes(history), key=lambda one: one.first or 0):
        if (operation.first or 0) <= last:
            yield f"{operation}, and another wrote up to {last}"
        last = max(last, operation.version)


def _torn(history: Sequence[Operation]) -> Iterator[str]:
    """Nobody sees a part of what was written at once."""
    inside = {version: one for one in _writes(history) for version in range(one.first or 0, one.version)}
    for operation in history:
        if not operation.first and operation.version in inside:
            yield f"{operation}, amid: {inside[operation.version]}"


def _out_of_time(history: Sequence[Operation]) -> Iterator[str]:
    """A read that begins after another ended sees at least as much; a write is recorded after it."""
    by_end, newest, number = sorted(history, key=lambda one: one.ended), None, 0
    for operation in sorted(history, key=lambda one: one.began):
        while by_end[number].ended < operation.began:
            newest = max(newest or by_end[number], by_end[number], key=lambda one: one.version)
            number += 1
        if newest and newest.version > (operation.first - 1 if operation.first else operation.version):
            yield f"{operation}, after: {newest}"


def _writes(history: Sequence[Operation]) -> Iterator[Operation]:
    return (one for one in history if one.first)
