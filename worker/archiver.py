"""The archiver: packs tables that closed a while ago into segments, and ends the feeds behind what was applied.

Of each step the next one needs only what lies in the archive and in the store: a segment is written and read back, the
store names it, and then one script a table puts its place in the stead of its events. Killed anywhere, a table is in
the store, in the archive, or in both; what is left over in a segment is read by nobody. Any number may run.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.archiving import segments
from events.archiving.packing import Unpackable, packed
from events.archiving.segments import Closed, Place
from events.log import LogUnreadable
from events.store import RedisLog
from events.times import millis
from projections import catalogue, lobby
from projections.history import Histories
from projections.runner import PROJECTIONS
from projections.store import current
from projections.table import Table
from service.accounts.accounts import REPEATS_S

PAUSE_S = 60.0
MOST_TABLES = 500  # of a segment
MOST_BYTES = 32 << 20  # about, as a table may take it further
ANSWERED_MS = REPEATS_S * 1000  # a request is answered again for this long after its table closed
TURN = "{archive}:archiver"  # who archives: another one would write what nobody reads
TURN_MS = 600_000
FULL_AFTER = 7  # a segment that is not full is written when its first table has waited a seventh of the time more

log = logging.getLogger(__name__)


class Done(NamedTuple):
    """What was archived: tables, and parts of the feeds."""

    tables: int = 0
    parts: int = 0


class Archiver:
    """Archives what closed at least `after_ms` ago."""

    def __init__(self, store: RedisLog, now_ms: Callable[[], int], after_ms: int) -> None:
        self._log, self._now_ms, self._after_ms = store, now_ms, after_ms
        self._name = secrets.token_hex(8)
        self._refused: set[str] = set()  # tables that are not whole: told once by each process

    def run(self, stop: threading.Event) -> None:
        """Archives until `stop` is set; goes on while the store or the archive does not answer."""
        while not stop.wait(PAUSE_S):
            try:
                self.archive_due()
            except RedisError as error:
                log.warning("archiving waits: %s", error)

    def archive_due(self, report: Callable[[int], object] = lambda _: None) -> Done:
        """Archives what is due, if nobody else does."""
        if not self._has_turn():
            return Done()
        try:
            return Done(self._archive_tables(report), self._shelve_feeds())
        finally:
            self._log.client.delete(TURN)

    def _archive_tables(self, report: Callable[[int], object]) -> int:
        tables = 0
        while self._has_turn() and (due := self._due()):
            done = self._archive(due)
            report(done)
            tables += done
            if not done or len(due) < MOST_TABLES:
                break
        return tables

    def _has_turn(self) -> bool:
        """Whether this one archives now, and for some minutes more."""
        client = self._log.client
        client.set(TURN, self._name, nx=True, px=TURN_MS)
        mine = bool(client.get(TURN) == self._name.encode())
        if mine:
            client.pexpire(TURN, TURN_MS)
        return mine

    def _due(self) -> list[str]:
        """The tables for the next segment; none as long as it may still become fuller."""
        rows, until_ms = current(self._log, lobby.NAME), self._now_ms() - self._after_ms
        found = lobby.closed(rows, until_ms, MOST_TABLES)
        if len(found) == MOST_TABLES or not self._after_ms:
            return found
        return found if lobby.closed(rows, until_ms - self._after_ms // FULL_AFTER, 1) else []

    def _archive(self, tables: Sequence[str]) -> int:
        """Archives tables, and removes what is still kept of those that are archived already; how many there were."""
        places = dict(zip(tables, self._log.places(tables), strict=True))
        histories = Histories(self._log, capacity=1)
        fresh = [table for table, place in places.items() if place is None]
        removed = sum(self._remove_rows(histories, table, place) for table, place in places.items() if place)
        return removed + sum(self._write(part) for part in _parts(self._packed(histories, fresh)))

    def _packed(self, histories: Histories, tables: Sequence[str]) -> Iterator["_Packed"]:
        """The tables as they are packed; those that are not whole stay in the store, and are told."""
        for name in tables:
            try:
                history = histories.fresh(name)
                if history is None or not history.table.closed:
                    raise Unpackable(f"{name} is listed as closed and is not: rebuild the lobby")
                facts = msgspec.to_builtins(lobby.facts_of(history.table))
                yield _Packed(history.table, Closed(history.events, facts), packed(history.events))
            except (Unpackable, LogUnreadable) as error:
                if name not in self._refused:
                    log.critical("%s; it stays in the store", error)
                self._refused.add(name)

    def _write(self, tables: Sequence["_Packed"]) -> int:
        """Writes a segment and lets the store say that the tables are there; how many now are."""
        kept = [(one.closed, one.content) for one in tables]
        segment, listed = segments.written(self._log.archive, kept)
        catalogue.register(self._log.client, segment)
        return sum(self._shelve(one.table, shelved.place(segment)) for one, shelved in zip(tables, listed, strict=True))

    def _shelve(self, table: Table, place: Place) -> bool:
        answered_ms = max(0, millis(table.at) + ANSWERED_MS - self._now_ms())
        rows = current(self._log, lobby.NAME)
        removed = lobby.removals(table, rows, self._log.partition(table.id))
        return self._log.shelve(table.id, table.head, place, answered_ms, removed)

    def _remove_rows(self, histories: Histories, name: str, place: Place) -> bool:
        """Removes what a projection that was rebuilt meanwhile has written of a table that is archived."""
        history = histories.fresh(name)
        return history is not None and self._shelve(history.table, place)

    def _shelve_feeds(self) -> int:
        """Archives the parts of the feeds that every projection has applied; how many."""
        stores = [current(self._log, name) for name in PROJECTIONS]
        done = 0
        for partition in range(self._log.partitions):
            applied = min(store.checkpoint(partition).position for store in stores)
            while self._log.shelve_feed(partition, applied):
                done += 1
        return done


class _Packed(NamedTuple):
    table: Table
    closed: Closed
    content: bytes


def _parts(tables: Iterator[_Packed]) -> Iterator[list[_Packed]]:
    """What goes into a segment each."""
    part: list[_Packed] = []
    for one in tables:
        part.append(one)
        if sum(len(held.content) for held in part) >= MOST_BYTES:
            yield part
            part = []
    if part:
        yield part
