"""What a log can do, whichever store keeps it: one append, reads by version, a feed a partition, and what is due."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from events.recorded import Head, Recorded, fields_of

PARTITIONS = 64
MOST_EVENTS, MOST_BYTES = 256, 1 << 20  # of a batch


def partition_of(table: str, partitions: int = PARTITIONS) -> int:
    """The partition that a table belongs to."""
    return zlib.crc32(table.encode()) % partitions


def malformed(events: Sequence[Recorded]) -> str | None:
    """What keeps events from being one batch; None if nothing does."""
    if not 1 <= len(events) <= MOST_EVENTS:
        return "number of events"
    if sum(len(value) for event in events for value in fields_of(event).values()) > MOST_BYTES:
        return "more than 1 MiB"
    return None


class Due(NamedTuple):
    """What must be looked at, and when (`at_ms`, Unix time)."""

    member: str
    at_ms: int


class Batch(msgspec.Struct, frozen=True):
    """Events to add after `head`, with the request that caused them and the changes to what is due."""

    head: Head
    events: tuple[Recorded, ...]
    request: str | None = None
    fingerprint: str = ""
    undue: tuple[str, ...] = ()
    due: tuple[Due, ...] = ()


class Span(NamedTuple):
    """The first and last version that a request added; `repeated` if it had done so before."""

    first: int
    last: int
    repeated: bool = False


class Pointer(NamedTuple):
    """An entry of a feed: at `position` of the partition, the table got the versions first to last."""

    position: int
    table: str
    first: int
    last: int


class Conflict(Exception):  # the caller decides again
    """Others wrote first; `missed` are the events since the expected version."""

    def __init__(self, missed: tuple[Recorded, ...]) -> None:
        super().__init__(f"{len(missed)} events missed")
        self.missed = missed


class RequestReused(Exception):
    """The request key was used before with another body."""


class LogDamaged(Exception):
    """The store does not hold what was written to it: lost in a failover, or altered. Nothing was written."""


class Log(Protocol):
    """The contract of a store."""

    def append(self, table: str, batch: Batch) -> Span: ...
    def head(self, table: str) -> Head: ...
    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]: ...
    def answered(self, table: str, request: str) -> tuple[str, Span] | None: ...
    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]: ...
    def follow(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]: ...
    def feed_ends(self) -> dict[int, int]: ...
    def lease(self, partition: int, now_ms: int, lease_ms: int, most: int) -> list[tuple[str, int]]: ...
    def settle(self, table: str, member: str) -> None: ...
    def hasten(self, due: Due) -> None: ...
    def due(self, partition: int) -> list[Due]: ...
    def ping(self) -> dict[str, Any]: ...
