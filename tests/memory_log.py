"""The log in memory, for tests: the same contract as the store on Redis, kept by the same suite."""

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from events.envelopes import START, Head, Recorded
from events.log import (
    LONGEST_LEASE,
    PARTITIONS,
    Batch,
    Conflict,
    Diverged,
    LogDamaged,
    LogUnreadable,
    Pointer,
    RequestReused,
    Timer,
    VersionRange,
    batch_fault,
    check_links,
    partition_of,
)


class MemoryLog:
    """A log that lasts as long as the process."""

    def __init__(self, partitions: int = PARTITIONS) -> None:
        self.partitions = partitions
        self._lock = threading.Condition()
        self._events: dict[str, list[Recorded]] = defaultdict(list)
        self._requests: dict[tuple[str, str], tuple[str, VersionRange]] = {}
        self._feeds: dict[int, list[Pointer]] = defaultdict(list)
        self._due: dict[int, dict[str, int]] = defaultdict(dict)
        self._attempts: dict[str, int] = defaultdict(int)
        self._imported: set[str] = set()
        self._woken: set[int] = set()
        self._listeners: dict[str, str] = {}  # the webhook of each

    def append(self, table: str, batch: Batch) -> VersionRange:
        """Adds the batch, or gives the answer of its first time; raises `Conflict`, `RequestReused`, `LogDamaged`."""
        if fault := batch_fault(batch.events):
            raise LogDamaged(f"malformed: {fault}")
        with self._lock:
            if batch.request and (known := self._requests.get((table, batch.request))):
                if known[0] != batch.fingerprint:
                    raise RequestReused
                return known[1]
            self._check_head(table, batch.head)
            return self._write(table, batch)

    def append_all(self, table: str, batches: Sequence[Batch]) -> None:
        """Adds batches that follow on one another, all at once; a repeat adds nothing. Raises as `append` does."""
        with self._lock:
            if self.head(table) != batches[-1].leads_to:
                for batch in batches:
                    self.append(table, batch)

    def _check_head(self, table: str, expected: Head) -> None:
        head = self.head(table)
        if head.version > expected.version:
            raise Conflict(check_links(table, expected, head, tuple(self._events[table][expected.version :])))
        if head.version < expected.version or head.hash != expected.hash:
            raise Diverged(table, expected, head)

    def _write(self, table: str, batch: Batch) -> VersionRange:
        span = VersionRange(batch.head.version + 1, batch.head.version + len(batch.events))
        partition = partition_of(table, self.partitions)
        self._events[table] += batch.events
        if batch.request:
            self._requests[table, batch.request] = (batch.fingerprint, span._replace(repeated=True))
        feed = self._feeds[partition]
        feed.append(Pointer(len(feed) + 1, table, span.first, span.last, batch.events[-1].hash))
        for member in batch.completed_timers:
            self._due[partition].pop(member, None)
            self._attempts.pop(member, None)
        due = [entry for entry in batch.timers if not entry.listener or entry.listener in self._listeners]
        self._due[partition].update({entry.member: entry.at_ms for entry in due})
        if any(entry.at_ms <= batch.at_ms for entry in due):
            self._woken.add(partition)
        self._lock.notify_all()
        return span

    def head(self, table: str) -> Head:
        """Version and hash of the last event; version 0 for a table that is not there."""
        events = self._events.get(table)
        return Head(len(events), events[-1].hash) if events else START

    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]:
        """The events from version `first` to `last` (to the newest without it)."""
        return tuple(self._events.get(table, [])[first - 1 : last])

    def after(self, table: str, known: Head) -> tuple[Recorded, ...]:
        """The events behind `known`, each linked to the one before; raises `Diverged` and `LogDamaged`."""
        with self._lock:
            return check_links(table, known, self.head(table), self.read(table, known.version + 1))

    def after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]:
        """As `after`, of many tables: of each its events, or what `after` would raise."""
        return {table: self._after_or_damage(table, head) for table, head in known.items()}

    def _after_or_damage(self, table: str, known: Head) -> tuple[Recorded, ...] | LogUnreadable:
        try:
            return self.after(table, known)
        except LogUnreadable as damage:
            return damage

    def note_imported(self, table: str) -> None:
        """Notes that what is written to a table was recorded elsewhere."""
        self._imported.add(table)

    def is_imported(self, table: str) -> bool:
        """Whether that was noted."""
        return table in self._imported

    def find_answer(self, table: str, request: str) -> tuple[str, VersionRange] | None:
        """Fingerprint and span of a request that was answered before."""
        return self._requests.get((table, request))

    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]:
        """The pointers behind position `after`."""
        return self._feeds[partition][after : after + count]

    def wait_for_pointers(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        """What the feeds tell behind the positions `after`, waiting up to `wait_s` for the first of it."""
        with self._lock:
            self._lock.wait_for(lambda: any(len(self._feeds[p]) > position for p, position in after.items()), wait_s)
            found = [(p, pointer) for p, position in after.items() for pointer in self._feeds[p][position:]]
        yield from found

    def feed_ends(self) -> dict[int, int]:
        """The position of the last pointer of each partition's feed."""
        return {partition: len(self._feeds[partition]) for partition in range(self.partitions)}

    def pointers(self, positions: Mapping[int, int]) -> dict[int, Pointer]:
        """The pointers at these positions of the partitions, as far as there are any."""
        feeds = {partition: self._feeds[partition] for partition in positions}
        return {p: feeds[p][at - 1] for p, at in positions.items() if 1 <= at <= len(feeds[p])}

    def partitions_due(self, now_ms: int) -> list[int]:
        """The partitions in which something is due."""
        with self._lock:
            return sorted(partition for partition, due in self._due.items() if any(at <= now_ms for at in due.values()))

    def woken_partitions(self, wait_s: float) -> set[int]:
        """The partitions in which something may be due at once since the last call; waits up to `wait_s` for it."""
        with self._lock:
            self._lock.wait_for(lambda: self._woken, wait_s)
            woken, self._woken = self._woken, set()
            return woken

    def lease(self, partition: int, now_ms: int, lease_ms: int, most: int) -> list[tuple[str, int]]:
        """Takes up to `most` entries that are due, each with the number of this attempt."""
        with self._lock:
            due = self._due[partition]
            taken = sorted((at, member) for member, at in due.items() if at <= now_ms)[:most]
            for _, member in taken:
                self._attempts[member] += 1
                due[member] = now_ms + min(
                    lease_ms * 2 ** min(self._attempts[member] - 1, 10), LONGEST_LEASE * lease_ms
                )
            return [(member, self._attempts[member]) for _, member in taken]

    def add_timers(self, entries: Iterable[Timer]) -> None:
        """Adds entries that are not there yet, and wakes waiting dispatchers."""
        with self._lock:
            for entry in entries:
                self._due[self._due_in(entry)].setdefault(entry.member, entry.at_ms)
                self._woken.add(self._due_in(entry))
            self._lock.notify_all()

    def listen(self, player: str, webhook: str) -> None:
        """From now on what waits for this player to listen is written, for this webhook."""
        self._listeners[player] = webhook

    def unlisten(self, player: str, webhook: str = "") -> None:
        """Ends that, unless the player listens with another webhook than the one named."""
        if webhook in ("", self._listeners.get(player)):
            self._listeners.pop(player, None)

    def remove_timers(self, entries: Iterable[tuple[str, str]]) -> None:
        """Removes entries that turned out to be settled already: the table of each, and its member."""
        with self._lock:
            for table, member in entries:
                self._due[partition_of(table, self.partitions)].pop(member, None)
                self._attempts.pop(member, None)

    def bring_forward(self, entries: Iterable[Timer]) -> None:
        """Lets entries be due earlier than they are, and forgets how often they were taken; adds none."""
        with self._lock:
            for entry in entries:
                due = self._due[self._due_in(entry)]
                if entry.member in due:
                    due[entry.member] = min(due[entry.member], entry.at_ms)
                self._attempts.pop(entry.member, None)

    def _due_in(self, timer: Timer) -> int:
        return partition_of(timer.member.partition("|")[0], self.partitions)

    def timers(self, partition: int) -> list[Timer]:
        """All entries of a partition, the earliest first."""
        return sorted((Timer(m, at) for m, at in self._due[partition].items()), key=lambda due: (due.at_ms, due.member))

    def ping(self) -> dict[str, Any]:
        """Always answers."""
        return {"partitions": self.partitions, "cluster": False}
