"""The whole log, as far as it is public: the batches of all public tables, in the order of each partition.

A batch is told as a spectator could read it when it was recorded, whenever it is asked for: what is sealed then stays
sealed here, and becomes known by the events that reveal it. So whoever reads the feed twice reads the same.

A page costs what it takes to read its public tables that are not in memory, and old parts of the feeds, of which it
may need two of each partition. Private tables cost nothing, as a cost would tell how long they are; a process reads
each once, and then knows it by its name. On an archive that takes its time a page ends before it is full.
"""

import heapq
import logging
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from events.archiving.objects import ArchiveUnavailable
from events.log import LogDamaged, LogUnreadable, Pointer
from events.recorded import Recorded
from projections.batches import history_up_to
from projections.history import TableHistory
from service.accounts.callers import NOBODY
from service.accounts.names import Presenter
from service.commands import CommandHandler
from service.cursors import FeedPosition, Unreadable, mark_of
from service.errors import Refused
from service.tables.event_rows import event_rows
from service.tables.viewing import Viewer, may_see

READING_S = 1.0  # after which a page ends, with what it has: others wait for it, and the next one begins further on

log = logging.getLogger(__name__)


class Filters(NamedTuple):
    """Which batches are shown: of which game, with which types of events, of tables at which this player has sat."""

    game: str | None = None
    types: tuple[str, ...] = ()
    player: str | None = None

    def admit(self, history: TableHistory, last: int) -> bool:
        """Whether the filters admit the table, judged by its first `last` events."""
        if self.game not in (None, history.table.opened.game):
            return False
        sat = (e.envelope.payload["player"] for e in history.events[:last] if e.envelope.type == "SeatTaken")
        return self.player is None or self.player in sat

    def among(self, events: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
        """The events of the types asked for."""
        return tuple(event for event in events if not self.types or event.envelope.type in self.types)


class FeedQuery(NamedTuple):
    """Which batches are shown, what shows names and texts, and the language of the sentences."""

    filters: Filters
    presenter: Presenter
    language: str | None = None


class ReadPointer(NamedTuple):
    """A pointer that was read, and its batch as it is shown: None for a private table."""

    partition: int
    pointer: Pointer
    row: dict[str, Any] | None

    @property
    def at(self) -> str:
        """When the batch was recorded; empty for a private table."""
        return str(self.row["at"]) if self.row else ""


class Reading:
    """What is read for a page, and until when: at least one batch, however long it takes."""

    def __init__(self, handler: CommandHandler, asked: FeedQuery) -> None:
        self.handler, self.asked = handler, asked
        self._until: float | None = None
        self.has_read = False

    def end(self) -> None:
        """Reads nothing further for this page."""
        self._until = -math.inf

    def may_go_on(self) -> bool:
        """Whether a further batch is read; the time begins with the first."""
        now = time.monotonic()
        if self._until is None:
            self._until = now + READING_S
        return now <= self._until


class Walk:
    """Goes through the feeds from a place on; raises `Refused` for a place that the feeds do not hold."""

    def __init__(self, handler: CommandHandler, cursor: str | None) -> None:
        self._handler, place = handler, _place(handler, cursor)
        self.positions = dict(enumerate(place.positions))
        held = handler.log.pointers({p: position for p, position in self.positions.items() if position})
        self._hashes = {partition: pointer.hash for partition, pointer in held.items()}
        if cursor is not None and (len(held) < sum(map(bool, place.positions)) or self._mark() != place.mark):
            raise Refused(
                "cursor_gone", "the feed does not hold that place any more: begin without a cursor, with nothing kept"
            )

    def _mark(self) -> bytes:
        return mark_of(self._hashes.get(partition, b"") for partition in self.positions)

    @property
    def cursor(self) -> str:
        """Where it is."""
        return self._handler.cursors.written(FeedPosition(tuple(self.positions.values()), self._mark()))

    def behind(self) -> dict[int, int]:
        """How many batches each partition has from here on; feeds have no gaps."""
        return {p: end - self.positions[p] for p, end in self._handler.log.feed_ends().items()}

    def go(self, read: ReadPointer) -> None:
        """Goes behind what was read."""
        self.positions[read.partition] = read.pointer.position
        self._hashes[read.partition] = read.pointer.hash


def _place(handler: CommandHandler, cursor: str | None) -> FeedPosition:
    partitions = handler.log.partitions
    if cursor is None:
        return FeedPosition((0,) * partitions, b"")
    try:
        place = handler.cursors.read(cursor)
    except Unreadable:
        place = FeedPosition((), b"")
    if len(place.positions) != partitions:
        raise Refused("invalid", "that is no cursor of this service: send one that it gave, as it was given")
    return place


def page(handler: CommandHandler, cursor: str | None, limit: int, asked: FeedQuery) -> dict[str, Any]:
    """The next batches, at most `limit` including those of private tables, and the position after them.

    There are fewer where reading them takes long: at least one, if there is any.
    """
    walk, rows = Walk(handler, cursor), []
    behind = walk.behind()
    told = {
        partition: handler.log.feed(partition, walk.positions[partition], count)
        for partition, count in shares(behind, limit).items()
    }
    _compare(handler, {pointer.table for pointers in told.values() for pointer in pointers})
    reading = Reading(handler, asked)
    parts = [_read(reading, partition, pointers) for partition, pointers in told.items()]
    lag = sum(behind.values())
    for read in heapq.merge(*parts, key=lambda one: one.at):  # partitions keep their order; all is nearly in time's
        walk.go(read)
        lag -= 1
        if read.row:
            rows.append(read.row | {"cursor": walk.cursor})
    return {"batches": rows, "next": walk.cursor, "lag": lag}


def _compare(handler: CommandHandler, tables: Iterable[str]) -> None:
    """Compares what is in memory with the store, in one trip: a feed may tell of what its tables have lost."""
    known = [table for table in tables if handler.cache.peek(table)]
    for found in handler.cache.load_each(known).values():
        if isinstance(found, LogDamaged):
            log.critical("%s", found)


def shares(behind: Mapping[int, int], limit: int) -> dict[int, int]:
    """How many batches a page takes from each partition: an equal part, and what the short ones leave."""
    found, left = {}, sum(count > 0 for count in behind.values())
    for partition, count in sorted(behind.items(), key=lambda item: item[1]):
        if count > 0:
            found[partition] = min(count, limit // left)
            limit, left = limit - found[partition], left - 1
    return {partition: share for partition, share in found.items() if share}


def _read(reading: Reading, partition: int, pointers: Sequence[Pointer]) -> Iterator[ReadPointer]:
    """The batches of a partition. A damaged table is skipped."""
    for pointer in takewhile(lambda _: reading.may_go_on(), pointers):
        if pointer.table in reading.handler.private:
            yield ReadPointer(partition, pointer, None)
            continue
        try:
            read = _read_one(reading, partition, pointer)
            reading.has_read = True
            yield read
        except ArchiveUnavailable:  # the next page begins with it
            if not reading.has_read:
                raise
            reading.end()
        except LogUnreadable as damage:
            log.critical("%s; the feed passes over it", damage)
            yield ReadPointer(partition, pointer, None)


def _read_one(reading: Reading, partition: int, pointer: Pointer) -> ReadPointer:
    handler, asked = reading.handler, reading.asked
    history = history_up_to(handler.cache, pointer)
    if not may_see(history.table, NOBODY):
        handler.private.add(pointer.table)
        return ReadPointer(partition, pointer, None)
    return ReadPointer(partition, pointer, _row(history, pointer, asked))


def _row(history: TableHistory, pointer: Pointer, asked: FeedQuery) -> dict[str, Any] | None:
    """The batch as everybody could read it when it was recorded; None if the filters leave it out."""
    table = history.table
    if not asked.filters.admit(history, pointer.last):
        return None
    events = asked.filters.among(history.events[pointer.first - 1 : pointer.last])
    if not events:
        return None
    viewer = Viewer(None, over=table.ended is not None and table.ended <= pointer.last)
    return {
        "table": table.id,
        "game": table.opened.game,
        "first": pointer.first,
        "last": pointer.last,
        "at": history.events[pointer.last - 1].envelope.at,
        "events": event_rows(events, table, viewer, asked.language, asked.presenter),
    }
