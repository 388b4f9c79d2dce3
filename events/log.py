"""The contract of a log: one append, reads by version, a feed per partition, timers.

The service uses `events.store`, some tests `tests.memory_log`.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from events.chain import link
from events.envelopes import Head, Recorded, fields_from_event
from events.times import millis

PARTITIONS = 64
MOST_EVENTS, MOST_BYTES = 256, 1 << 20  # of a batch
LONGEST_LEASE = 12  # of a timer, in leases of the first length


def partition_of(table: str, partitions: int = PARTITIONS) -> int:
    """Returns the partition that a table belongs to."""
    return zlib.crc32(table.encode()) % partitions


def batch_fault(events: Sequence[Recorded]) -> str | None:
    """Returns why events cannot be appended as one batch; None if they can."""
    if not 1 <= len(events) <= MOST_EVENTS:
        return "number of events"
    if sum(len(value) for event in events for value in fields_from_event(event).values()) > MOST_BYTES:
        return "more than 1 MiB"
    return None


class Timer(NamedTuple):
    """Something to handle at `at_ms` (Unix time). With a `listener`, it is written only if that player listens."""

    member: str
    at_ms: int
    listener: str = ""


class Batch(msgspec.Struct, frozen=True):
    """Events to append after `head`, with the request that caused them and the timers that change with them."""

    head: Head
    events: tuple[Recorded, ...]
    request: str | None = None
    fingerprint: str = ""
    completed_timers: tuple[str, ...] = ()
    timers: tuple[Timer, ...] = ()

    @property
    def leads_to(self) -> Head:
        """The head after the batch."""
        return Head(self.events[-1].version, self.events[-1].hash)

    @property
    def at_ms(self) -> int:
        """The Unix time of the batch if it sets timers, otherwise 0."""
        return millis(self.events[-1].envelope.at) if self.timers else 0


class VersionRange(NamedTuple):
    """The first and last version that a request appended; `repeated` if an earlier attempt did."""

    first: int
    last: int
    repeated: bool = False


class Pointer(NamedTuple):
    """An entry of a feed: the versions `first` to `last` of a table were appended; `hash` is that of the last."""

    position: int
    table: str
    first: int
    last: int
    hash: bytes


class Conflict(Exception):  # the caller decides again
    """Another writer was faster; `missed` are the events since the expected version."""

    def __init__(self, missed: tuple[Recorded, ...]) -> None:
        super().__init__(f"{len(missed)} events missed")
        self.missed = missed


class RequestReused(Exception):
    """The request key was used before with another body."""


class LogUnreadable(Exception):
    """A table's events cannot be read here; other tables are not affected."""


class LogDamaged(LogUnreadable):
    """The store has lost or altered events, for example in a failover. Nothing was written."""


class Diverged(LogDamaged):
    """The store no longer holds what was read from it before (`known`)."""

    def __init__(self, table: str, known: Head, held: Head) -> None:
        super().__init__(f"{table} has diverged: {_text(known)} is known here, {_text(held)} is in the store")
        self.table, self.known, self._held = table, known, held

    def __reduce__(self) -> Any:
        """Supports `pickle`."""
        return Diverged, (self.table, self.known, self._held)


def _text(head: Head) -> str:
    return f"version {head.version} with hash {head.hash.hex()}"


def is_next(table: str, head: Head, event: Recorded) -> bool:
    """Returns whether an event of the table follows `head` in the chain."""
    envelope = event.envelope
    numbered = envelope.version == head.version + 1 and envelope.table == table
    return numbered and link(head.hash, envelope.version, event.raw) == event.hash


def head_after(table: str, head: Head, events: Iterable[Recorded]) -> Head:
    """Returns the head after these events; raises `LogDamaged` if one is not linked to the previous one."""
    for event in events:
        if event.version > head.version + 1:
            raise LogDamaged(f"{table} lacks version {head.version + 1}")
        if not is_next(table, head, event):
            raise LogDamaged(f"{table} version {head.version + 1} is not linked to the event before it")
        head = Head(event.version, event.hash)
    return head


def check_links(table: str, known: Head, held: Head, events: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
    """Returns the events after `known`, if they are linked and reach `held`; raises `Diverged` and `LogDamaged`.

    `known` is what was read before (`START` if nothing was), `held` the store's head, read before the events.
    """
    is_less = held.version < known.version or (held.version == known.version and held.hash != known.hash)
    is_other = bool(known.version and events) and not is_next(table, known, events[0])
    if is_less or is_other:
        raise Diverged(table, known, held)
    end, upto = head_after(table, known, events), held.version - known.version
    if end.version < held.version:
        raise LogDamaged(f"{table} lacks version {end.version + 1}")
    if upto and events[upto - 1].hash != held.hash:
        raise LogDamaged(f"{table} version {held.version} does not have the hash in the head")
    return events


class Log(Protocol):
    """The contract of a store; `RedisLog` documents each method."""

    partitions: int

    def append(self, table: str, batch: Batch) -> VersionRange: ...
    def append_all(self, table: str, batches: Sequence[Batch]) -> None: ...
    def head(self, table: str) -> Head: ...
    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]: ...
    def after(self, table: str, known: Head) -> tuple[Recorded, ...]: ...
    def after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]: ...
    def find_answer(self, table: str, request: str) -> tuple[str, VersionRange] | None: ...
    def note_imported(self, table: str) -> None: ...
    def is_imported(self, table: str) -> bool: ...
    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]: ...
    def wait_for_pointers(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]: ...
    def feed_ends(self) -> dict[int, int]: ...
    def pointers(self, positions: Mapping[int, int]) -> dict[int, Pointer]: ...
    def partitions_due(self, now_ms: int) -> list[int]: ...
    def woken_partitions(self, wait_s: float) -> set[int]: ...
    def lease(self, partition: int, now_ms: int, lease_ms: int, most: int) -> list[tuple[str, int]]: ...
    def add_timers(self, entries: Iterable[Timer]) -> None: ...
    def listen(self, player: str, webhook: str) -> None: ...
    def unlisten(self, player: str, webhook: str = "") -> None: ...
    def remove_timers(self, entries: Iterable[tuple[str, str]]) -> None: ...
    def bring_forward(self, entries: Iterable[Timer]) -> None: ...
    def timers(self, partition: int) -> list[Timer]: ...
    def ping(self) -> dict[str, Any]: ...
