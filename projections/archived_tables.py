"""The catalogue of archived tables: an SQLite file on each machine with the contents of all archive segments.

The store names the segments in order. Every query first takes in new segments. If the store names other segments than
before, the file is built again. A segment that cannot be read is tried again once an hour.
"""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from typing import NamedTuple, TypeVar

import msgspec

from events.archiving import segments
from events.archiving.objects import ArchiveUnavailable, Objects
from events.archiving.segments import ListedTable
from events.log import LogUnreadable
from events.scripts import Client, acknowledged_script
from events.store import RedisLog
from projections.batches import Facts
from projections.lobby_rows import cursor_after
from projections.sqlite_files import Schema, create, is_busy, is_full, open_or_replace, remove, transaction

SEGMENTS = "{archive}:segments"  # their names, scored by their numbers from 1
TABLES = """
create table segments (number integer primary key, name text not null);
create table tables (id text primary key, facts blob not null) without rowid;
create table indexed (name text, member text, primary key (name, member)) without rowid;
"""
SCHEMA = Schema(1, ("segments", "tables", "indexed"), TABLES)
MOST_NAMED = 500  # values in one query
UNREAD = "unread"  # the index of segments that could not be read
AGAIN_S = 3600.0  # after which a process tries them again
Found = TypeVar("Found")

log = logging.getLogger(__name__)

_facts = msgspec.json.Decoder(Facts)


class Segment(NamedTuple):
    """A segment and its number in the order of the store."""

    number: int
    name: str


NONE = Segment(0, "")  # before the first


class Row(NamedTuple):
    """A table as it is entered: its facts in JSON, and its entries in indexes."""

    table: str
    facts: bytes
    entries: list[tuple[str, str]]


def register(client: Client, name: str) -> int:
    """Registers a segment in the store and returns its number. May be repeated.

    It is acknowledged like a player's write: tables are removed from the store afterwards.
    """
    return int(acknowledged_script(client, "projections", "register_segment.lua")(keys=[SEGMENTS], args=[name]))


def segments_from(client: Client, first: int, most: int = -1) -> list[Segment]:
    """Returns at most so many segments from a number on, in order.

    Numbers are places in that order, not scores: a damaged score would leave a gap or a double.
    """
    first = max(first, 1)
    found = client.zrange(SEGMENTS, first - 1, -1 if most < 0 else first + most - 2)
    return [Segment(number, name.decode(errors="replace")) for number, name in enumerate(found, first)]


def last_segment(database: sqlite3.Connection) -> Segment:
    """Returns the last segment that was taken in."""
    found = database.execute("select number, name from segments order by number desc limit 1").fetchone()
    return Segment(*found) if found else NONE


def read_segment(objects: Objects, segment: str, read: Callable[[ListedTable], Found]) -> list[Found] | None:
    """Reads the tables that a segment lists; returns None, and logs it, if one cannot be read."""
    try:
        return [read(one) for one in segments.read_listing(objects, segment)]
    except (LogUnreadable, msgspec.MsgspecError, LookupError, TypeError, ValueError) as damage:
        log.critical(
            "%s: %s: its tables are in no list until it can be read; it is tried once an hour", segment, damage
        )
        return None


class Catalogue:
    """Finds archived tables for lists. Safe for threads and processes."""

    def __init__(self, client: Client, objects: Objects) -> None:
        self._client, self._objects = client, objects
        self._lock = threading.Lock()
        self._file = objects.index  # None: in memory
        self._is_new = False  # created again, and not complete since
        self._again_s = 0.0  # when to try unread segments again (`time.monotonic`)

    @cached_property
    def _database(self) -> sqlite3.Connection:
        return open_or_replace(self._file, SCHEMA)

    def sync(self) -> None:
        """Takes in new segments, each in a transaction; nobody waits here for another thread's read of the archive."""
        self._retry_unread()
        while (found := self._query(self._following)) is not None:
            known, segment = found
            listed = read_segment(self._objects, segment.name, _row)
            self._query(partial(_take_in, known, segment, listed))
        self._is_new = False

    def _retry_unread(self) -> None:
        """Takes in segments that could not be read before and can be now."""
        if time.monotonic() < self._again_s:
            return
        self._again_s = time.monotonic() + AGAIN_S
        for name in self._query(_unread):
            with suppress(ArchiveUnavailable):
                if (listed := read_segment(self._objects, name, _row)) is not None:
                    self._query(partial(_take_in_late, name, listed))

    def _query(self, ask: Callable[[sqlite3.Connection], Found]) -> Found:
        """Asks the file; one that turns out to be damaged is built again."""
        with self._lock:
            try:
                return ask(self._database)
            except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
                if is_busy(error) or (self._is_new and self._file is None):
                    raise ArchiveUnavailable(f"{self._objects.index}: {error}") from error
                self._replace(error)
        self.sync()
        with self._lock:
            return ask(self._database)

    def _replace(self, error: Exception) -> None:
        """Removes the file; uses memory if a new one fails as well, or if the disk is full."""
        self._database.close()
        del self._database
        if self._is_new or is_full(error):
            log.error("%s: %s; memory is used instead", self._file, error)
            self._file = None
        else:
            log.error("%s: %s; it is built again", self._file, error)
            remove(self._file)
        self._is_new = True

    def _following(self, database: sqlite3.Connection) -> tuple[Segment, Segment] | None:
        """Returns the last segment taken in, and the one after it in the store; None if there is none."""
        known = last_segment(database)
        named = segments_from(self._client, known.number, 2)
        if known.number and named[:1] != [known]:
            with transaction(database):
                create(database, SCHEMA)
            known, named = NONE, segments_from(self._client, 1, 1)
        following = [segment for segment in named if segment != known]
        return (known, following[0]) if following else None

    def page(self, index: str, prefix: str, before: str, size: int) -> list[str]:
        """Returns the members of an index with a prefix that precede `before`, the last one first."""
        self.sync()
        query = "select member from indexed where name = ? and member >= ? and member < ? order by member desc limit ?"
        found = self._query(lambda database: database.execute(query, (index, prefix, before, size)).fetchall())
        return [member for (member,) in found]

    def count(self, index: str, least: str, before: str) -> int:
        """Returns the number of members of an index from `least` up to but without `before`."""
        self.sync()
        query = "select count(*) from indexed where name = ? and member >= ? and member < ?"
        return int(self._query(lambda database: database.execute(query, (index, least, before)).fetchone()[0]))

    def facts(self, tables: Iterable[str]) -> dict[str, Facts]:
        """Returns the facts of those tables that are archived."""
        self.sync()
        names, found = list(tables), {}
        for at in range(0, len(names), MOST_NAMED):
            found.update(self._query(partial(_facts_of, names[at : at + MOST_NAMED])))
        return found


@lru_cache(16)
def catalogue_of(log: RedisLog) -> Catalogue | None:
    """Returns the catalogue of a log's archive; None if this process does not know where the archive is."""
    return Catalogue(log.client, log.archive) if log.has_archive else None


def _take_in(known: Segment, segment: Segment, listed: Sequence[Row] | None, database: sqlite3.Connection) -> None:
    """Enters the segment after the known one, unless another process or thread has gone on meanwhile."""
    with transaction(database):
        if last_segment(database) == known:
            database.execute("insert into segments values (?, ?)", segment)
            _enter(database, listed or ())
            if listed is None:
                database.execute("insert or ignore into indexed values (?, ?)", (UNREAD, segment.name))


def _unread(database: sqlite3.Connection) -> list[str]:
    return [name for (name,) in database.execute("select member from indexed where name = ?", (UNREAD,)).fetchall()]


def _take_in_late(segment: str, listed: Sequence[Row], database: sqlite3.Connection) -> None:
    """Enters a segment that could not be read before, unless another process has, or the file was built again."""
    with transaction(database):
        if database.execute("delete from indexed where name = ? and member = ?", (UNREAD, segment)).rowcount:
            _enter(database, listed)


def _enter(database: sqlite3.Connection, listed: Sequence[Row]) -> None:
    """Enters tables; one that an earlier segment lists as well is entered once."""
    database.executemany("insert or replace into tables values (?, ?)", [(one.table, one.facts) for one in listed])
    entries = [entry for one in listed for entry in one.entries]
    database.executemany("insert or ignore into indexed values (?, ?)", entries)


def _facts_of(tables: Sequence[str], database: sqlite3.Connection) -> dict[str, Facts]:
    query = f"select id, facts from tables where id in ({','.join('?' * len(tables))})"  # noqa: S608 - only marks
    return {table: _facts.decode(kept) for table, kept in database.execute(query, tables)}


def _row(listed: ListedTable) -> Row:
    """Returns a table with its entries in the indexes of the lobby."""
    facts = msgspec.convert(listed.facts, Facts)
    row = facts.row
    member = cursor_after(row["opened_at"], row["id"])
    found = [("by_player", f"{player}|{member}") for player in facts.concerned]
    if row["visibility"] == "public":
        found.append((row["status"], member))
    if row["forked_from"]:
        found.append(("by_parent", f"{row['forked_from']['table']}|{member}"))
    return Row(listed.table, msgspec.json.encode(facts), found)


def name_again(store: RedisLog) -> int:
    """Registers segments again whose names the store has lost while heads of tables point to them; returns how many.

    On a cluster the names are on another server than the heads, and may be restored alone. A segment to which no head
    points was left over and stays unnamed. Raises `ArchiveUnavailable`.
    """
    known = {segment.name for segment in segments_from(store.client, 1)}
    unnamed = {name: size for name, size in segments.sizes(store.archive).items() if name not in known}
    lost = [name for name, size in unnamed.items() if _is_pointed_to(store, name, size)]
    for name in lost:
        register(store.client, name)
    return len(lost)


def _is_pointed_to(store: RedisLog, segment: str, size: int) -> bool:
    """Whether a table that the segment lists is where the store says; False if the list cannot be read."""
    try:
        tables = segments.listed_tables(store.archive, segment, size)
    except LogUnreadable as damage:
        log.error("%s: whether any table lies there is not known", damage)
        return False
    return any(place and place.segment == segment for place in store.places(tables))
