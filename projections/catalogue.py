"""The catalogue: an SQLite file with the lists of all segments, to find archived tables in.

The store names the segments in order, and the file holds what these segments list. Each machine has its own. Every
question first brings it up to date, and it is built again if the store names other segments than before. A segment that
could not be read is looked at again, by each process once an hour.
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
from projections.lobby import cursor_after
from projections.sqlite_files import Form, create, is_busy, is_full, remove, transaction, usable

SEGMENTS = "{archive}:segments"  # their names, scored by their numbers from 1
TABLES = """
create table segments (number integer primary key, name text not null);
create table tables (id text primary key, facts blob not null) without rowid;
create table indexed (name text, member text, primary key (name, member)) without rowid;
"""
FORM = Form(1, ("segments", "tables", "indexed"), TABLES)
MOST_NAMED = 500  # values in one question
UNREAD = "unread"  # the index of the segments that could not be read
AGAIN_S = 3600.0  # after which a process looks at them again
Found = TypeVar("Found")

log = logging.getLogger(__name__)

_facts = msgspec.json.Decoder(Facts)


class Segment(NamedTuple):
    """A segment in the order of the store."""

    number: int
    name: str


NONE = Segment(0, "")  # before the first


class Row(NamedTuple):
    """A table as it is entered: its facts in JSON, and its entries in indexes."""

    table: str
    facts: bytes
    entries: list[tuple[str, str]]


def register(client: Client, name: str) -> int:
    """Registers the name of a segment in the store; registering it again changes nothing. Returns its number.

    It is promised as what people write is: tables are moved behind it, and lie elsewhere on a cluster.
    """
    return int(acknowledged_script(client, "projections", "register.lua")(keys=[SEGMENTS], args=[name]))


def named(client: Client, first: int, most: int = -1) -> list[Segment]:
    """The segments from a number on, in order, so many at most.

    Their numbers are their places in that order: a score that is damaged, by a bit, would leave a gap, or two of one.
    """
    first = max(first, 1)
    found = client.zrange(SEGMENTS, first - 1, -1 if most < 0 else first + most - 2)
    return [Segment(number, name.decode(errors="replace")) for number, name in enumerate(found, first)]


class Catalogue:
    """Finds archived tables for lists. Safe for threads and processes."""

    def __init__(self, client: Client, objects: Objects) -> None:
        self._client, self._objects = client, objects
        self._lock = threading.Lock()
        self._file = objects.index  # None: in memory
        self._is_new = False  # made anew, and not up to date since
        self._again_s = 0.0  # when to look again at what could not be read (`time.monotonic`)

    @cached_property
    def _database(self) -> sqlite3.Connection:
        return usable(self._file, FORM)

    def sync(self) -> None:
        """Takes in the segments that the store has named since; all of them anew if it does not name what it did.

        Each in a transaction of its own: whoever is killed leaves the others to those who ask next. Nobody waits here
        for another one whom the archive keeps waiting.
        """
        self._look_again()
        while (found := self._asked(self._following)) is not None:
            known, segment = found
            listed = self._listed(segment.name)
            self._asked(partial(self._take_in, known, segment, listed))
        self._is_new = False

    def _look_again(self) -> None:
        """Takes in the segments that could not be read and can be by now; an archive that does not answer is left."""
        if time.monotonic() < self._again_s:
            return
        self._again_s = time.monotonic() + AGAIN_S
        for name in self._asked(_unread):
            with suppress(ArchiveUnavailable):
                if (listed := self._listed(name)) is not None:
                    self._asked(partial(_take_in_again, name, listed))

    def _asked(self, ask: Callable[[sqlite3.Connection], Found]) -> Found:
        """What is found in the file; one that turns out to be damaged is made anew."""
        with self._lock:
            try:
                return ask(self._database)
            except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
                if is_busy(error) or (self._is_new and self._file is None):
                    raise ArchiveUnavailable(f"{self._objects.index}: {error}") from error
                self._renew(error)
        self.sync()
        with self._lock:
            return ask(self._database)

    def _renew(self, error: Exception) -> None:
        """Makes the file anew; goes on in memory where a new one fails as well, or where the disk has no room."""
        self._database.close()
        del self._database
        if self._is_new or is_full(error):
            log.error("%s: %s; what it would hold is noted in memory", self._file, error)
            self._file = None
        else:
            log.error("%s: %s; it is made anew", self._file, error)
            remove(self._file)
        self._is_new = True

    def _following(self, database: sqlite3.Connection) -> tuple[Segment, Segment] | None:
        """The last segment that was taken in, and the one that the store names next; None if it names no other."""
        known = last_segment(database)
        behind = named(self._client, known.number, 2)
        if known.number and behind[:1] != [known]:
            with transaction(database):
                create(database, FORM)
            known, behind = NONE, named(self._client, 1, 1)
        following = [segment for segment in behind if segment != known]
        return (known, following[0]) if following else None

    def _take_in(
        self, known: Segment, segment: Segment, listed: Sequence[Row] | None, database: sqlite3.Connection
    ) -> None:
        """Enters a segment behind the one known, unless another process or thread has gone on meanwhile."""
        with transaction(database):
            if last_segment(database) == known:
                database.execute("insert into segments values (?, ?)", segment)
                _enter(database, listed or ())
                if listed is None:
                    database.execute("insert or ignore into indexed values (?, ?)", (UNREAD, segment.name))

    def _listed(self, segment: str) -> list[Row] | None:
        """What a segment lists: None, if it cannot be read, so that one file keeps nobody from all others."""
        try:
            return [_row(one) for one in segments.read_listing(self._objects, segment)]
        except (LogUnreadable, msgspec.MsgspecError, LookupError, TypeError, ValueError) as damage:
            told = "%s: %s: its tables are missing from all lists until it can be read; it is looked at once an hour"
            log.critical(told, segment, damage)
            return None

    def page(self, index: str, prefix: str, before: str, size: int) -> list[str]:
        """The members of an index that start with a prefix and precede `before`, the last one first."""
        self.sync()
        asked = "select member from indexed where name = ? and member >= ? and member < ? order by member desc limit ?"
        found = self._asked(lambda database: database.execute(asked, (index, prefix, before, size)).fetchall())
        return [member for (member,) in found]

    def count(self, index: str, least: str, before: str) -> int:
        """How many members of an index there are from `least` up to `before`, which does not count."""
        self.sync()
        asked = "select count(*) from indexed where name = ? and member >= ? and member < ?"
        return int(self._asked(lambda database: database.execute(asked, (index, least, before)).fetchone()[0]))

    def facts(self, tables: Iterable[str]) -> dict[str, Facts]:
        """The facts of the archived ones among these tables."""
        self.sync()
        names, found = list(tables), {}
        for at in range(0, len(names), MOST_NAMED):
            found.update(self._asked(partial(_facts_of, names[at : at + MOST_NAMED])))
        return found


@lru_cache(16)
def catalogue_of(log: RedisLog) -> Catalogue | None:
    """The catalogue of a log's archive; None if this process does not know where the archive is."""
    return Catalogue(log.client, log.archive) if log.has_archive else None


def last_segment(database: sqlite3.Connection) -> Segment:
    """The last segment that was taken in."""
    found = database.execute("select number, name from segments order by number desc limit 1").fetchone()
    return Segment(*found) if found else NONE


def _unread(database: sqlite3.Connection) -> list[str]:
    """The segments that could not be read."""
    return [name for (name,) in database.execute("select member from indexed where name = ?", (UNREAD,)).fetchall()]


def _take_in_again(segment: str, listed: Sequence[Row], database: sqlite3.Connection) -> None:
    """Enters a segment that could not be read before, unless another process has, or the file was made anew."""
    with transaction(database):
        if database.execute("delete from indexed where name = ? and member = ?", (UNREAD, segment)).rowcount:
            _enter(database, listed)


def _facts_of(tables: Sequence[str], database: sqlite3.Connection) -> dict[str, Facts]:
    asked = f"select id, facts from tables where id in ({','.join('?' * len(tables))})"  # noqa: S608 - only marks
    return {table: _facts.decode(kept) for table, kept in database.execute(asked, tables)}


def _row(listed: ListedTable) -> Row:
    facts = msgspec.convert(listed.facts, Facts)
    return Row(listed.table, msgspec.json.encode(facts), _entries(facts))


def _enter(database: sqlite3.Connection, listed: Sequence[Row]) -> None:
    """Enters tables; one that an earlier segment has as well is entered once."""
    database.executemany("insert or replace into tables values (?, ?)", [(one.table, one.facts) for one in listed])
    indexed = [entry for one in listed for entry in one.entries]
    database.executemany("insert or ignore into indexed values (?, ?)", indexed)


def _entries(facts: Facts) -> list[tuple[str, str]]:
    """The table's member in each index that has it; the indexes are those of the lobby."""
    row = facts.row
    member = cursor_after(row["opened_at"], row["table"])
    found = [("by_player", f"{player}|{member}") for player in facts.concerned]
    if row["visibility"] == "public":
        found.append((row["status"], member))
    if row["forked_from"]:
        found.append(("by_parent", f"{row['forked_from']['table']}|{member}"))
    return found


def name_again(store: RedisLog) -> int:
    """Names segments again whose name the store has lost while heads of tables point to them; how many.

    On a cluster the names lie elsewhere than the heads, and may go back alone: then these tables can be read, and no
    list has them. A segment to which no head points was left over, and stays without a name. Raises
    `ArchiveUnavailable`.
    """
    known = {segment.name for segment in named(store.client, 1)}
    unnamed = {name: size for name, size in segments.sizes(store.archive).items() if name not in known}
    lost = [name for name, size in unnamed.items() if _is_pointed_to(store, name, size)]
    for name in lost:
        register(store.client, name)
    return len(lost)


def _is_pointed_to(store: RedisLog, segment: str, size: int) -> bool:
    """Whether a table that the segment lists is where the store says; not where the list cannot be read."""
    try:
        tables = segments.listed_tables(store.archive, segment, size)
    except LogUnreadable as damage:
        log.error("%s: whether any table lies there is not known", damage)
        return False
    return any(place and place.segment == segment for place in store.places(tables))
