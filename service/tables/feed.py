"""The feed: the batches of all public tables, in the order of each partition.

A batch appears as a spectator could read it when it was recorded. Its secrets stay sealed here and become known by the
events that reveal them, so that a second reading of the feed is the same as the first.

A private table must cost nothing, or the cost would reveal its length: a process reads it once, and then remembers its
id. If the archive is slow, a page ends before it is full.
"""

import heapq
import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from events.archiving.objects import ArchiveUnavailable
from events.envelopes import Recorded
from events.log import LogDamaged, LogUnreadable, Pointer
from projections.batches import history_up_to
from projections.history import TableHistory
from service.accounts.callers import NOBODY
from service.accounts.shown_names import Presenter
from service.command_handler import CommandHandler
from service.errors import Refused
from service.feed_cursors import FeedPosition, Unreadable, mark_of
from service.tables.authorisation import Viewer, may_see
from service.tables.table_documents import event_rows

READING_S = 1.0  # after which a page ends early
MOST_PRIVATE = 100_000  # ids of private tables that a process remembers: some 10 MB

log = logging.getLogger(__name__)


class FeedQuery(NamedTuple):
    """Which batches: by game, by types of events, and by a player who has sat at the table; and how they are shown."""

    game: str | None
    types: tuple[str, ...]
    player: str | None
    presenter: Presenter
    language: str | None  # of the sentences

    def admit(self, history: TableHistory, last: int) -> bool:
        """Whether the table is wanted, by its first `last` events."""
        if self.game not in (None, history.table.opened.game):
            return False
        sat = (e.envelope.payload["player"] for e in history.events[:last] if e.envelope.type == "SeatTaken")
        return self.player is None or self.player in sat

    def among(self, events: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
        """Returns the events of the wanted types."""
        return tuple(event for event in events if not self.types or event.envelope.type in self.types)


class ReadPointer(NamedTuple):
    """A pointer of the feed and its batch; None for a private or damaged table."""

    partition: int
    pointer: Pointer
    row: dict[str, Any] | None

    @property
    def at(self) -> str:
        """When the batch was recorded; empty without a batch."""
        return str(self.row["at"]) if self.row else ""


class Reading:
    """The reading of one page: at least one batch, until a time (`time.monotonic`)."""

    def __init__(self, handler: CommandHandler, asked: FeedQuery) -> None:
        self.handler, self.asked = handler, asked
        self.until, self.has_read = time.monotonic() + READING_S, False


class Walk:
    """A walk through the feeds from a cursor on; raises `Refused` if the feeds no longer hold that position."""

    def __init__(self, handler: CommandHandler, cursor: str | None) -> None:
        self._handler, place = handler, _place(handler, cursor)
        self.positions = dict(enumerate(place.positions))
        held = handler.log.pointers({p: position for p, position in self.positions.items() if position})
        self._hashes = {partition: pointer.hash for partition, pointer in held.items()}
        if cursor is not None and (len(held) < sum(map(bool, place.positions)) or self._mark() != place.mark):
            raise Refused(
                "cursor_gone", "the feed no longer holds that position: start over without a cursor, and keep nothing"
            )

    def _mark(self) -> bytes:
        return mark_of(self._hashes.get(partition, b"") for partition in self.positions)

    @property
    def cursor(self) -> str:
        """The current position."""
        return self._handler.cursors.written(FeedPosition(tuple(self.positions.values()), self._mark()))

    def ahead(self) -> dict[int, int]:
        """Returns how many batches each partition has from here on; feeds have no gaps."""
        return {p: end - self.positions[p] for p, end in self._handler.log.feed_ends().items()}

    def go(self, read: ReadPointer) -> None:
        """Moves past what was read."""
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
        raise Refused("invalid", "that is not a cursor of this service: send one unchanged")
    return place


def page(handler: CommandHandler, cursor: str | None, limit: int, asked: FeedQuery) -> dict[str, Any]:
    """Returns the next batches, at most `limit` including those of private tables, and the cursor after them."""
    walk, rows = Walk(handler, cursor), []
    ahead = walk.ahead()
    pointers = {
        partition: handler.log.feed(partition, walk.positions[partition], count)
        for partition, count in shares(ahead, limit).items()
    }
    tables = {pointer.table for found in pointers.values() for pointer in found}
    for compared in handler.cache.load_each([table for table in tables if handler.cache.peek(table)]).values():
        if isinstance(compared, LogDamaged):  # the feed may name events that tables in memory have lost
            log.critical("%s", compared)
    reading = Reading(handler, asked)
    parts = [_read(reading, partition, found) for partition, found in pointers.items()]
    lag = sum(ahead.values())
    for read in heapq.merge(*parts, key=lambda one: one.at):  # keeps the order of partitions, nearly that of time
        walk.go(read)
        lag -= 1
        if read.row:
            rows.append(read.row | {"cursor": walk.cursor})
    return {"batches": rows, "next": walk.cursor, "lag": lag}


def shares(ahead: Mapping[int, int], limit: int) -> dict[int, int]:
    """Returns how many batches a page takes from each partition: an equal part, and what the short ones leave."""
    found, left = {}, sum(count > 0 for count in ahead.values())
    for partition, count in sorted(ahead.items(), key=lambda item: item[1]):
        if count > 0:
            found[partition] = min(count, limit // left)
            limit, left = limit - found[partition], left - 1
    return {partition: share for partition, share in found.items() if share}


def _read(reading: Reading, partition: int, pointers: Sequence[Pointer]) -> Iterator[ReadPointer]:
    """Yields the batches of a partition; skips damaged tables."""
    for pointer in takewhile(lambda _: time.monotonic() <= reading.until, pointers):
        row = None
        try:
            if pointer.table not in reading.handler.private:
                row = _row(reading.handler, pointer, reading.asked)
                reading.has_read = True
        except ArchiveUnavailable:  # the next page starts with it
            if not reading.has_read:
                raise
            reading.until = -math.inf
            return
        except LogUnreadable as damage:
            log.critical("%s; the feed skips it", damage)
        yield ReadPointer(partition, pointer, row)


def _row(handler: CommandHandler, pointer: Pointer, asked: FeedQuery) -> dict[str, Any] | None:
    """Returns the batch as a spectator could read it when it was recorded.

    Returns None for a private table, and if the filters exclude the batch.
    """
    history = history_up_to(handler.cache, pointer)
    if not may_see(history.table, NOBODY):
        handler.private[pointer.table] = None
        if len(handler.private) > MOST_PRIVATE:
            handler.private.popitem(last=False)
        return None
    table = history.table
    if not asked.admit(history, pointer.last):
        return None
    events = asked.among(history.events[pointer.first - 1 : pointer.last])
    if not events:
        return None
    viewer = Viewer(None, over=table.over and table.version <= pointer.last)
    return {
        "table": table.id,
        "game": table.opened.game,
        "first": pointer.first,
        "last": pointer.last,
        "at": history.events[pointer.last - 1].envelope.at,
        "events": event_rows(events, table, viewer, asked.language, asked.presenter),
    }
