"""The archiver: moves tables that closed some time ago into segments, and old parts of the feeds into files.

It writes a segment and reads it back; the store registers its name; then one script per table replaces the events with
their place. Each step depends only on the archive and the store. So wherever the archiver is killed, a table is in the
store, in the archive or in both, and nobody reads an unregistered segment. Any number of archivers may run: each
claims the tables of its next segment.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.archiving import segments
from events.archiving.packing import NotPackable, pack_events
from events.archiving.segments import ClosedTable, SegmentRange
from events.log import LogUnreadable
from events.scripts import Client
from events.store import RedisLog
from events.times import millis
from projections import archived_tables, lobby_queries, lobby_rows
from projections.history import TableCache
from projections.runner import PROJECTIONS
from projections.store import ProjectionStore, current
from projections.table import Table
from service.accounts.accounts_and_tokens import REPEATS_S

PAUSE_S = 60.0
MOST_TABLES = 500  # of a segment
MOST_BYTES = 32 << 20  # of a segment, roughly: the last table may exceed it
ANSWERED_MS = REPEATS_S * 1000  # repeated requests are answered for this long after the table closed
CLAIMS = "{archive}:claims"  # the tables and feeds that archivers are working on
CLAIM_MS = 600_000  # duration of a claim
LONGEST_MS = 2 * CLAIM_MS  # a claim that ends later was made by a clock that ran ahead, and is void
LEFT_S = 3600.0  # damaged tables are tried again after this long
FULL_AFTER = 7  # a segment that is not full is written once its first table has waited a seventh of `after_ms` longer

log = logging.getLogger(__name__)


class ArchivedCounts(NamedTuple):
    """How many tables and parts of feeds were archived."""

    tables: int = 0
    parts: int = 0


class Archiver:
    """Archives what closed at least `after_ms` ago."""

    def __init__(self, store: RedisLog, now_ms: Callable[[], int], after_ms: int) -> None:
        self._log, self._now_ms, self._after_ms = store, now_ms, after_ms
        self._claims = Claims(store.client, CLAIMS, now_ms)
        self._left: dict[str, float] = {}  # tables and feeds set aside, with the time of the next attempt

    def run(self, stop: threading.Event) -> None:
        """Archives until `stop` is set; tries again later when the store or the archive does not answer."""
        while not stop.wait(PAUSE_S):
            try:
                self.archive_due()
            except RedisError as error:
                log.warning("archiving waits: %s", error)

    def archive_due(self, report: Callable[[int], object] = lambda _: None) -> ArchivedCounts:
        """Archives all that is due and not claimed by another archiver."""
        tables = 0
        while done := self.archive_segment():
            report(done)
            tables += done
        return ArchivedCounts(tables, self.archive_feeds())

    def archive_segment(self) -> int:
        """Archives the tables of the next segment; returns how many, 0 if no more can be archived now."""
        while due := self._due():
            if claimed := self._claims.claim(due):
                if done := self._archive_claimed(claimed):
                    return done
                self._set_aside(claimed)  # so that the next ones get their turn
        return 0

    def _archive_claimed(self, tables: Sequence[str]) -> int:
        try:
            return self._archive(tables)
        finally:
            self._claims.release(tables)

    def _due(self) -> list[str]:
        """Returns the tables of the next segment; none while it may still fill up."""
        until_ms = self._now_ms() - self._after_ms
        found = self._closed(until_ms, MOST_TABLES)
        if len(found) == MOST_TABLES or not self._after_ms:
            return found
        return found if self._closed(until_ms - self._after_ms // FULL_AFTER, 1) else []

    def _closed(self, until_ms: int, most: int) -> list[str]:
        """Returns tables that closed by then, oldest first, leaving out those claimed or set aside.

        Tables with a closing time in the future, from a clock that ran ahead, count as closed.
        """
        passed_over = self._claims.held() | {name for name, until in self._left.items() if time.monotonic() < until}
        ahead_ms = self._now_ms() + self._after_ms
        found = lobby_queries.closed(current(self._log, lobby_rows.NAME), until_ms, ahead_ms, most + len(passed_over))
        return [table for table in found if table not in passed_over][:most]

    def _archive(self, tables: Sequence[str]) -> int:
        """Archives tables, and removes what the store still has of archived ones; returns the number."""
        places = dict(zip(tables, self._log.places(tables), strict=True))
        cache = TableCache(self._log, capacity=1)
        fresh = [table for table, place in places.items() if place is None]
        removed = sum(self._remove_rows(cache, table, place) for table, place in places.items() if place)
        return removed + sum(self._write(part) for part in _parts(self._packed(cache, fresh)))

    def _packed(self, cache: TableCache, tables: Sequence[str]) -> Iterator["_Packed"]:
        """Yields the packed tables; a damaged one is logged and stays in the store."""
        for name in tables:
            try:
                history = cache.load(name)
                if history is None or not history.table.closed:
                    raise NotPackable(f"{name} is listed as closed but is not: rebuild the lobby")
                facts = msgspec.to_builtins(lobby_rows.facts_of(history.table))
                yield _Packed(history.table, ClosedTable(name, history.table.head, facts), pack_events(history.events))
            except (NotPackable, LogUnreadable) as error:
                self._leave(name, error)

    def _leave(self, name: str, error: Exception) -> None:
        """Leaves a damaged table or feed in the store; logged once per process."""
        if name not in self._left:
            log.critical("%s; it stays in the store", error)
        self._set_aside([name])

    def _set_aside(self, names: Sequence[str]) -> None:
        """Sets names aside for an hour; forgets those that have not come up again for an hour after that."""
        now_s = time.monotonic()
        kept = {name: until for name, until in self._left.items() if now_s < until + LEFT_S}
        self._left = kept | dict.fromkeys(names, now_s + LEFT_S)

    def _write(self, tables: Sequence["_Packed"]) -> int:
        """Writes a segment and points the store to it; returns the number of tables moved."""
        kept = [(one.closed, one.content) for one in tables]
        segment, listed = segments.write_segment(self._log.archive, kept)
        archived_tables.register(self._log.client, segment)
        return sum(self._move(one.table, entry.place(segment)) for one, entry in zip(tables, listed, strict=True))

    def _move(self, table: Table, place: SegmentRange) -> bool:
        answered_ms = min(max(0, millis(table.at) + ANSWERED_MS - self._now_ms()), ANSWERED_MS)
        rows = current(self._log, lobby_rows.NAME)
        removed = lobby_rows.removals(table, rows, self._log.partition(table.id))
        return self._log.move_to_archive(table.id, table.head, place, answered_ms, removed)

    def _remove_rows(self, cache: TableCache, name: str, place: SegmentRange) -> bool:
        """Removes the rows that a rebuilt projection has written again for an archived table.

        Registers the segment again in case the store has lost its name.
        """
        try:
            history = cache.load(name)
        except LogUnreadable as damage:
            self._leave(name, damage)
            return False
        if history is None:
            return False
        archived_tables.register(self._log.client, place.segment)
        return self._move(history.table, place)

    def archive_feeds(self) -> int:
        """Archives the parts of the feeds that every projection has applied; returns the number."""
        stores = [current(self._log, name) for name in PROJECTIONS]
        return sum(self._archive_feed(stores, partition) for partition in range(self._log.partitions))

    def _archive_feed(self, stores: Sequence[ProjectionStore], partition: int) -> int:
        name, done = f"feed {partition}", 0
        claimed = self._claims.claim([name])
        try:
            applied = min(store.checkpoint(partition).position for store in stores)
            while claimed and self._log.archive_part(partition, applied):
                done += 1
        except LogUnreadable as damage:
            self._leave(name, damage)
        finally:
            self._claims.release(claimed)
        return done


class _Packed(NamedTuple):
    table: Table
    closed: ClosedTable
    content: bytes


def _parts(tables: Iterator[_Packed]) -> Iterator[list[_Packed]]:
    """Groups the tables into segments."""
    part: list[_Packed] = []
    for one in tables:
        part.append(one)
        if sum(len(held.content) for held in part) >= MOST_BYTES:
            yield part
            part = []
    if part:
        yield part


class Claims:
    """Claims by which several processes divide work, in a sorted set by expiry.

    They only avoid duplicate work: all that is claimed here is safe to do twice. The claims of a killed process expire.
    """

    def __init__(self, client: Client, key: str, now_ms: Callable[[], int]) -> None:
        self._client, self._key, self._now_ms = client, key, now_ms

    def held(self) -> set[str]:
        """Returns the claimed names."""
        now_ms = self._now_ms()
        found = self._client.zrange(self._key, f"({now_ms}", now_ms + LONGEST_MS, byscore=True)
        return {name.decode() for name in found}

    def claim(self, names: Sequence[str]) -> list[str]:
        """Claims the unclaimed names and returns them.

        If the answer is lost, redis-py's retry finds them claimed, and they wait until the claim expires.
        """
        if not names:
            return []
        now_ms = self._now_ms()
        with self._client.pipeline(transaction=True) as pipe:
            pipe.zremrangebyscore(self._key, "-inf", now_ms)
            pipe.zremrangebyscore(self._key, f"({now_ms + LONGEST_MS}", "+inf")
            for name in names:
                pipe.zadd(self._key, {name: now_ms + CLAIM_MS}, nx=True)
            _, _, *added = pipe.execute()
        return [name for name, is_new in zip(names, added, strict=True) if is_new]

    def release(self, names: Sequence[str]) -> None:
        """Releases claims."""
        if names:
            self._client.zrem(self._key, *names)
