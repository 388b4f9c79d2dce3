"""The catalogue: the lists of all segments in one SQLite file, by which archived tables are found.

The store names the segments in order; this file is made of what they list and nothing else. It lies on each machine
by itself, is brought up to date by whoever asks, and is made anew where the store names other segments than before.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import msgspec

from events.archiving import segments
from events.archiving.objects import Objects
from events.archiving.segments import Shelved
from events.log import LogDamaged
from events.scripts import Client, script
from events.store import RedisLog
from projections.facts import Facts, cursor_behind

SEGMENTS = "{archive}:segments"  # their names, scored by their numbers from 1
FORM = 1  # of the tables below
TABLES = """
create table segments (number integer primary key, name text not null);
create table tables (id text primary key, facts blob not null) without rowid;
create table indexed (name text, member text, primary key (name, member)) without rowid;
"""
PATIENCE_S = 30.0  # another process may be bringing the same file up to date
MOST_NAMED = 500  # values in one question

log = logging.getLogger(__name__)

_facts = msgspec.json.Decoder(Facts)


class Segment(NamedTuple):
    """A segment in the order of the store."""

    number: int
    name: str


def register(client: Client, name: str) -> int:
    """Names a segment in the store, once; its number."""
    return int(script(client, "projections", "register.lua")(keys=[SEGMENTS], args=[name]))


def named(client: Client, first: int) -> list[Segment]:
    """The segments from a number on, in order."""
    found = client.zrange(SEGMENTS, first, "+inf", byscore=True, withscores=True)
    return [Segment(int(score), name.decode()) for name, score in found]


class Catalogue:
    """What is archived, for lists. Safe for threads and processes."""

    def __init__(self, client: Client, objects: Objects) -> None:
        self._client, self._objects = client, objects
        self._lock = threading.Lock()

    @cached_property
    def _database(self) -> sqlite3.Connection:
        opened = sqlite3.connect(
            self._objects.index or ":memory:", timeout=PATIENCE_S, isolation_level=None, check_same_thread=False
        )
        opened.execute("pragma journal_mode = wal")
        opened.execute("pragma synchronous = normal")
        opened.execute("begin immediate")
        if opened.execute("pragma user_version").fetchone() != (FORM,):
            _create(opened)
        opened.execute("commit")
        return opened

    def sync(self) -> None:
        """Takes in the segments that the store has named since; all of them anew if it does not name what it did."""
        with self._lock:
            known = self._known()
            behind = named(self._client, known.number)
            if known.number and behind[:1] != [known]:
                self._begin_anew()
                behind = named(self._client, 1)
            self._take_in(segment for segment in behind if segment != known)

    def _known(self) -> Segment:
        """The last segment that was taken in; number 0 before the first."""
        found = self._database.execute("select number, name from segments order by number desc limit 1").fetchone()
        return Segment(*found) if found else Segment(0, "")

    def _begin_anew(self) -> None:
        self._database.execute("begin immediate")
        _create(self._database)
        self._database.execute("commit")

    def _take_in(self, behind: Iterable[Segment]) -> None:
        """Each segment in a transaction of its own: whoever is killed leaves the others to those who ask next."""
        for segment in behind:
            listed = self._listed(segment)
            self._database.execute("begin immediate")
            self._database.execute("insert or ignore into segments values (?, ?)", segment)
            _enter(self._database, listed)
            self._database.execute("commit")

    def _listed(self, segment: Segment) -> list[Shelved]:
        """What a segment lists: nothing, if it is damaged, so that one file keeps nobody from all others."""
        try:
            return segments.listing(self._objects, segment.name)
        except LogDamaged as damage:
            log.critical("%s: no list has its tables; delete %s when it is whole again", damage, self._objects.index)
            return []

    def page(self, index: str, prefix: str, before: str, size: int) -> list[str]:
        """The members of an index that begin with a prefix and come before a member, the last first."""
        self.sync()
        asked = "select member from indexed where name = ? and member >= ? and member < ? order by member desc limit ?"
        with self._lock:
            found = self._database.execute(asked, (index, prefix, before, size)).fetchall()
        return [member for (member,) in found]

    def count(self, index: str, least: str, before: str) -> int:
        """How many members of an index there are from one on, before another."""
        self.sync()
        asked = "select count(*) from indexed where name = ? and member >= ? and member < ?"
        with self._lock:
            return int(self._database.execute(asked, (index, least, before)).fetchone()[0])

    def facts(self, tables: Iterable[str]) -> dict[str, Facts]:
        """The facts of those tables that are archived."""
        self.sync()
        names, found = list(tables), {}
        for at in range(0, len(names), MOST_NAMED):
            part = names[at : at + MOST_NAMED]
            asked = f"select id, facts from tables where id in ({','.join('?' * len(part))})"  # noqa: S608 - only marks
            with self._lock:
                found.update({table: _facts.decode(kept) for table, kept in self._database.execute(asked, part)})
        return found


@lru_cache(16)
def catalogue_of(log: RedisLog) -> Catalogue | None:
    """The catalogue of a log's archive; None if the process was given no archive."""
    return Catalogue(log.client, log.archive) if log.has_archive else None


def _create(database: sqlite3.Connection) -> None:
    for name in ("segments", "tables", "indexed"):
        database.execute(f"drop table if exists {name}")
    for command in TABLES.strip().split(";"):
        database.execute(command)
    database.execute(f"pragma user_version = {FORM}")


def _enter(database: sqlite3.Connection, listed: Sequence[Shelved]) -> None:
    """Enters tables; one that an earlier segment has as well is entered once."""
    known = {one.table: msgspec.convert(one.facts, Facts) for one in listed}
    rows = [(table, msgspec.json.encode(facts)) for table, facts in known.items()]
    database.executemany("insert or replace into tables values (?, ?)", rows)
    indexed = [entry for facts in known.values() for entry in _entries(facts)]
    database.executemany("insert or ignore into indexed values (?, ?)", indexed)


def _entries(facts: Facts) -> list[tuple[str, str]]:
    """The indexes that a table is in, as the lobby has them, with its member of each."""
    row = facts.row
    member = cursor_behind(row["opened_at"], row["table"])
    found = [("by_player", f"{player}|{member}") for player in facts.concerned]
    if row["visibility"] == "public":
        found.append((row["status"], member))
    if row["forked_from"]:
        found.append(("by_parent", f"{row['forked_from']['table']}|{member}"))
    return found
