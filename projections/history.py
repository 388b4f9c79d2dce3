"""Tables in memory: the events and the fold of each; one range read brings a table up to date."""

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events.envelopes import START, Head, Recorded, event_as_read
from events.log import Batch, Diverged, Log, LogUnreadable, is_next
from projections.event_conversion import read_event
from projections.folding import MARK, fold, folded
from projections.table import Table


class PastTables:
    """A cache of tables at past versions. Safe for threads.

    The key is the identity of the event object that led to a table: forged records with its hash are other objects.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity, self._lock = capacity, threading.Lock()
        self._kept: OrderedDict[int, tuple[Recorded, Table]] = OrderedDict()

    def get(self, event: Recorded, fold: Callable[[], Table]) -> Table:
        """Returns the table after the event, folded if it is not cached."""
        with self._lock:
            kept = self._kept.get(id(event))
            if kept is not None and kept[0] is event:
                self._kept.move_to_end(id(event))
                return kept[1]
        table = fold()
        with self._lock:
            self._kept[id(event)] = event, table
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return table


PAST = PastTables(256)


class TableHistory(msgspec.Struct, frozen=True):
    """A table's events so far, and the table they fold to. `marks` are some earlier states, to fold others from."""

    events: tuple[Recorded, ...]
    table: Table
    marks: tuple[Table, ...] = ()

    def holds(self, head: Head) -> bool:
        """Whether this history had that head at some version."""
        if head.version > self.table.version:
            return False
        return head == (START if head.version == 0 else head_of(self.events[head.version - 1]))

    def has_batch(self, first: int, last: int, request: str | None) -> bool:
        """Whether these versions are one batch, caused by that request."""
        if not 1 <= first <= self.table.version:
            return False
        envelope = self.events[first - 1].envelope
        return (envelope.batch, envelope.request) == ((first, last), request)

    def at(self, version: int, earlier: Table | None = None) -> Table:
        """Returns the table after its first `version` events (1 or more), folded from an `earlier` version if given."""
        if version == self.table.version:
            return self.table
        if earlier is None:
            return PAST.get(self.events[version - 1], lambda: self._folded(version, None))
        return self._folded(version, earlier)

    def _folded(self, version: int, earlier: Table | None) -> Table:
        nearest = (table for table in (earlier, self._mark(version)) if table)
        earlier = max(nearest, key=lambda table: table.version, default=None)
        table = fold(earlier, self.events[earlier.version if earlier else 0 : version])
        if table is None:
            raise ValueError("a table begins with version 1")
        return table

    def _mark(self, version: int) -> Table | None:
        """Returns the last kept state that is not later than the version."""
        behind = bisect_right(self.marks, version, key=lambda table: table.version)
        return self.marks[behind - 1] if behind else None

    def until(self, version: int) -> "TableHistory":
        """Returns the history as it was when `version` was the newest."""
        marks = tuple(mark for mark in self.marks if mark.version <= version)
        return TableHistory(self.events[:version], self.at(version), marks)

    def settled(self, version: int) -> Table:
        """Returns the table at a version, or before the batch if the version is not the end of one."""
        first, last = self.events[version - 1].envelope.batch
        return self.at(version if version == last else max(first - 1, 1))

    def walk(self, first: int, last: int) -> Iterator[Table]:
        """Yields the table at each version from `first` (1 or more) to `last`."""
        table = None
        for version in range(first, last + 1):
            table = self.at(version, table)
            yield table

    def walk_back(self, last: int, first: int) -> Iterator[Table]:
        """Yields the table at each version from `last` back to `first` (1 or more)."""
        while last >= first:
            begin = max(first, last - MARK + 1)
            yield from reversed(list(self.walk(begin, last)))
            last = begin - 1

    def version_at(self, time: str) -> int:
        """Returns the number of events at or before a time in the form of `events.times.stamp`."""
        return sum(event.envelope.at <= time for event in self.events)

    def feed(self, seat: int | None, *, until: int | None = None) -> tuple[Any, ...]:
        """Returns the game's events as the seat could read them during the game, without undone ones.

        Hidden fields are unset. In a branch they begin with what the seat may read of its past.
        """
        kinds = self.table.game.kinds
        standing = effective_events(self.events[:until])
        own = tuple(_as_event(event, seat, kinds) for event in standing if event.envelope.type in kinds)
        return _readable_past(self.table, seat) + own


def head_of(event: Recorded) -> Head:
    """Returns the head of a log that ends with the event."""
    return Head(event.version, event.hash)


def _readable_past(table: Table, seat: int | None) -> tuple[Any, ...]:
    """Returns the events before a branch, with what the seat may read of what the forking player knew."""
    kinds = table.game.kinds
    return tuple(
        read_event(kinds[row["type"]], row["schema"], readable(row["payload"], row["readers"], seat))
        for row in past_rows(table)
    )


def past_rows(table: Table) -> tuple[dict[str, Any], ...]:
    """Returns the events before a branch as rows of type, schema, payload and readers; empty for other tables."""
    return table.fork.past or () if table.fork else ()


def past_row(event: Recorded, payload: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns an event of the game as a branch keeps it; `payload` replaces the whole one."""
    return {
        "type": event.envelope.type,
        "schema": event.envelope.schema,
        "payload": event.payload if payload is None else payload,
        "readers": event.envelope.readers,
    }


def readable(payload: Mapping[str, Any], readers: Mapping[str, Sequence[int]], seat: int | None) -> dict[str, Any]:
    """Returns the fields of a payload that the seat may read."""
    return {name: value for name, value in payload.items() if name not in readers or seat in readers[name]}


def effective_events(events: Iterable[Recorded]) -> Iterable[Recorded]:
    """Returns the events without those that a takeback has undone."""
    standing: list[Recorded] = []
    for event in events:
        if event.envelope.type == "PlayTakenBack":
            to = event.envelope.payload["to"]
            while standing and standing[-1].version > to:  # they come in the order of their versions
                standing.pop()
        standing.append(event)
    return standing


def _as_event(event: Recorded, seat: int | None, kinds: dict[str, Any]) -> Any:
    """Returns an event of the game as the seat may read it: other fields are unset, as in `event_as_read`."""
    kind, schema = kinds[event.envelope.type], event.envelope.schema
    if all(seat in seats for seats in event.envelope.readers.values()):
        return read_event(kind, schema, event.payload)
    return read_event(kind, schema, event_as_read(event, seat, over=False)["payload"])


def extended(
    name: str, known: TableHistory | None, news: tuple[Recorded, ...], after: Table | None = None
) -> TableHistory:
    """Returns a history with the events that follow it; `after` is the table after them if it is known."""
    tables = [after] if after else list(folded(name, known.table if known else None, news))
    before = known or TableHistory((), tables[0])
    return TableHistory(before.events + news, tables[-1], _marked(before.marks, tables))


def _marked(marks: tuple[Table, ...], tables: Iterable[Table]) -> tuple[Table, ...]:
    """Returns the kept states, with those of `tables` that are far enough after the last one."""
    found = list(marks)
    for table in tables:
        if table.version >= (found[-1].version if found else 0) + MARK:
            found.append(table)
    return tuple(found)


def _other(known: TableHistory, events: Iterable[Recorded]) -> Recorded | None:
    """Returns the first event that differs from the known one, or does not link to the known ones."""
    head = known.table.head
    for event in events:
        is_known = event.version <= head.version and known.holds(head_of(event))
        is_behind = event.version > head.version + 1 or is_next(known.table.id, head, event)
        if not (is_known or is_behind):
            return event
    return None


class TableCache:
    """The histories used last, at most `capacity` of them. Safe for threads."""

    def __init__(self, log: Log, capacity: int = 2000) -> None:
        self.log, self._capacity = log, capacity
        self._kept: OrderedDict[str, TableHistory] = OrderedDict()
        self._lock = threading.Lock()

    def peek(self, table: str) -> TableHistory | None:
        """Returns the history in memory, or None; neither asks the log nor waits for other threads."""
        kept = self._kept.get(table)
        if kept is not None:
            try:
                self._kept.move_to_end(table)
            except KeyError:  # dropped meanwhile
                return None
        return kept

    def load(self, table: str) -> TableHistory | None:
        """Returns the history up to its newest event; None if there is no such table.

        Raises `Diverged` if the store does not hold what was known here, which is then dropped: the next call returns
        what the store holds. Raises `LogDamaged` for an incomplete record.
        """
        known = self.peek(table)
        head = known.table.head if known else START
        try:
            events = self.log.after(table, head)
        except LogUnreadable:
            self.drop(table, head)
            raise
        if known and not events:
            return known
        found = self._added(table, head, events)
        if isinstance(found, LogUnreadable):
            raise found
        return found

    def load_each(self, tables: Iterable[str]) -> dict[str, TableHistory | LogUnreadable | None]:
        """Loads many tables in one trip; returns of each its history, None, or what `load` would raise."""
        known = {table: self.peek(table) for table in tables}
        heads = {table: history.table.head if history else START for table, history in known.items()}
        found = self.log.after_each(heads)
        return {table: self._added(table, heads[table], events) for table, events in found.items()}

    def _added(
        self, table: str, known: Head, events: tuple[Recorded, ...] | LogUnreadable
    ) -> TableHistory | LogUnreadable | None:
        """Returns the history with the events that the log has after the known head, or what is wrong with them."""
        try:
            if isinstance(events, LogUnreadable):
                raise events
            found, newest = self.add(table, events), head_of(events[-1]) if events else known
            gone = newest.version > 0 and not (found and found.holds(newest))  # by another thread, meanwhile
            return self.load_each([table])[table] if gone else found
        except LogUnreadable as damage:
            self.drop(table, known)
            return damage

    def drop(self, table: str, head: Head) -> None:
        """Forgets a history that the store does not hold: the cached one, if it has that head."""
        with self._lock:
            kept = self._kept.get(table)
            if kept and kept.holds(head):
                del self._kept[table]

    def tables(self) -> list[str]:
        """Returns the cached tables."""
        with self._lock:
            return list(self._kept)

    def add(self, table: str, events: tuple[Recorded, ...]) -> TableHistory | None:
        """Adds further events and skips those that are known already.

        Raises `Diverged` for events of another history than the one known, which is then dropped, and `LogDamaged`
        for events that do not fit.
        """
        known = self.peek(table)
        if known and (other := _other(known, events)):
            self.drop(table, known.table.head)
            raise Diverged(table, known.table.head, head_of(other))
        version = known.table.version if known else 0
        news = tuple(event for event in events if event.version > version)
        if not news or news[0].version != version + 1:
            return known
        longer = extended(table, known, news)
        return longer if self._replace(table, known, longer) else self.add(table, events)

    def adopt(self, batch: Batch, after: Table) -> TableHistory | None:
        """Returns the history with a batch just appended, which leads to `after`; None if it is not in memory.

        Only a history that ends where the batch begins grows by it: one dropped meanwhile is not revived.
        """
        table, known = after.id, self.peek(after.id)
        if (known.table.head if known else START) == batch.head:
            longer = extended(table, known, batch.events, after)
            if self._replace(table, known, longer):
                return longer
            known = self.peek(table)
        return known if known and known.holds(batch.leads_to) else None

    def _replace(self, table: str, known: TableHistory | None, history: TableHistory) -> bool:
        """Caches a history in place of the one it continues; False if another one is cached by now."""
        with self._lock:
            if self._kept.get(table) is not known:
                return False
            self._kept[table] = history
            self._kept.move_to_end(table)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
            return True
