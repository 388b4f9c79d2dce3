"""The contract of a log, whichever store keeps it: one append, reads by version, a feed per partition, timers.

The store of the service is `events.store`, that of tests `tests.memory_log`.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from events.chain import link
from events.recorded import Head, Recorded, fields_of
from events.times import millis

PARTITIONS = 64
MOST_EVENTS, MOST_BYTES = 256, 1 << 20  # of a batch
LONGEST_LEASE = 12  # of a timer, in leases of the first length


def partition_of(table: str, partitions: int = PARTITIONS) -> int:
    """The partition that a table belongs to."""
    return zlib.crc32(table.encode()) % partitions


def malformed(events: Sequence[Recorded]) -> str | None:
    """Why events are not one batch; None if they are."""
    if not 1 <= len(events) <= MOST_EVENTS:
        return "number of events"
    if sum(len(value) for event in events for value in fields_of(event).values()) > MOST_BYTES:
        return "more than 1 MiB"
    return None


class Timer(NamedTuple):
    """A timer: what must be handled, and when (`at_ms`, Unix time).

    With a `listener` it is written only if that player listens.
    """

    member: str
    at_ms: int
    listener: str = ""


class Batch(msgspec.Struct, frozen=True):
    """Events to add after `head`, with the request that caused them and the changes to what is due."""

    head: Head
    events: tuple[Recorded, ...]
    request: str | None = None
    fingerprint: str = ""
    completed_timers: tuple[str, ...] = ()
    timers: tuple[Timer, ...] = ()

    @property
    def leads_to(self) -> Head:
        """The head once the batch is added."""
        return Head(self.events[-1].version, self.events[-1].hash)

    @property
    def at_ms(self) -> int:
        """The time (Unix time) of a batch that makes something due; 0 of any other."""
        return millis(self.events[-1].envelope.at) if self.timers else 0


class Span(NamedTuple):
    """The first and last version that a request added; `repeated` if it had done so before."""

    first: int
    last: int
    repeated: bool = False


class Pointer(NamedTuple):
    """An entry of a feed: at `position` of the partition, the table got the versions first to last.

    `hash` is that of the last of these events.
    """

    position: int
    table: str
    first: int
    last: int
    hash: bytes


class Conflict(Exception):  # the caller decides again
    """Others wrote first; `missed` are the events since the expected version."""

    def __init__(self, missed: tuple[Recorded, ...]) -> None:
        super().__init__(f"{len(missed)} events missed")
        self.missed = missed


class RequestReused(Exception):
    """The request key was used before with another body."""


class LogUnreadable(Exception):
    """A table's record cannot be read here; other tables are not affected."""


class LogDamaged(LogUnreadable):
    """The store does not hold what was written to it: lost in a failover, or altered. Nothing was written."""


class Diverged(LogDamaged):
    """The store no longer holds what was read from it before (`known`)."""

    def __init__(self, table: str, known: Head, held: Head) -> None:
        super().__init__(f"{table} has diverged: {_named(known)} is known here, {_named(held)} is in the store")
        self.table, self.known, self._held = table, known, held

    def __reduce__(self) -> Any:
        """How `pickle` sends it to another process."""
        return Diverged, (self.table, self.known, self._held)


def _named(head: Head) -> str:
    return f"version {head.version} with hash {head.hash.hex()}"


def is_next(table: str, head: Head, event: Recorded) -> bool:
    """Whether an event of the table follows `head` in the chain."""
    envelope = event.envelope
    numbered = envelope.version == head.version + 1 and envelope.table == table
    return numbered and link(head.hash, envelope.version, event.raw) == event.hash


def end_of(table: str, head: Head, events: Iterable[Recorded]) -> Head:
    """Where events lead that come after `head`; raises `LogDamaged` for one not linked to the one before it."""
    for event in events:
        if event.version > head.version + 1:
            raise LogDamaged(f"{table} lacks version {head.version + 1}")
        if not is_next(table, head, event):
            raise LogDamaged(f"{table} version {head.version + 1} is not linked to the event before it")
        head = Head(event.version, event.hash)
    return head


def linked(table: str, known: Head, held: Head, events: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
    """The events after `known`, if they lead up to `held` or past it; raises `Diverged` and `LogDamaged`.

    `known` is what was read before (`START` if nothing was), `held` the head of the store, read before the events.
    """
    is_less = held.version < known.version or (held.version == known.version and held.hash != known.hash)
    is_other = bool(known.version and events) and not is_next(table, known, events[0])
    if is_less or is_other:
        raise Diverged(table, known, held)
    end, upto = end_of(table, known, events), held.version - known.version
    if end.version < held.version:
        raise LogDamaged(f"{table} lacks version {end.version + 1}")
    if upto and events[upto - 1].hash != held.hash:
        raise LogDamaged(f"{table} version {held.version} is another event than the head says")
    return events


class Log(Protocol):
    """The contract of a store; what each of these does is said where `RedisLog` does it."""

    partitions: int

    def append(self, table: str, batch: Batch) -> Span: ...
    def append_all(self, table: str, batches: Sequence[Batch]) -> None: ...
    def head(self, table: str) -> Head: ...
    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]: ...
    def after(self, table: str, known: Head) -> tuple[Recorded, ...]: ...
    def after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]: ...
    def answered(self, table: str, request: str) -> tuple[str, Span] | None: ...
    def note_imported(self, table: str) -> None: ...
    def is_imported(self, table: str) -> bool: ...
    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]: ...
    def follow(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]: ...
    def feed_ends(self) -> dict[int, int]: ...
    def pointers(self, positions: Mapping[int, int]) -> dict[int, Pointer]: ...
    def partitions_due(self, now_ms: int) -> list[int]: ...
    def woken(self, wait_s: float) -> set[int]: ...
    def lease(self, partition: int, now_ms: int, lease_ms: int, most: int) -> list[tuple[str, int]]: ...
    def keep_timers(self, entries: Iterable[Timer]) -> None: ...
    def listen(self, player: str, webhook: str) -> None: ...
    def unlisten(self, player: str, webhook: str = "") -> None: ...
    def drop_timers(self, entries: Iterable[tuple[str, str]]) -> None: ...
    def hasten(self, entries: Iterable[Timer]) -> None: ...
    def timers(self, partition: int) -> list[Timer]: ...
    def ping(self) -> dict[str, Any]: ...
