"""The index of games played: what the store and the archive tell of finished tables, taken in whenever somebody asks.

The store tells of each partition what closed behind a position of its feed, and whether the table that closed last is
still what was taken in; the archive's segments are read in the order in which the store names them. The store is asked
first: what leaves the store is named by a segment before. Where either tells another history than the one known, what
was taken in from there is dropped and read anew.
"""

import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from redis.exceptions import RedisError

from events.archiving import segments
from events.archiving.objects import ArchiveUnavailable
from events.log import LogUnreadable
from events.store import RedisLog
from projections import lobby
from projections.catalogue import AGAIN_S, Segment, last_segment, named
from projections.lobby_lists import ClosedTables, closed_since
from projections.played import ratings
from projections.played.background import Filling, NotFilled
from projections.played.database import FORM
from projections.played.entering import enter, remove
from projections.played.games import Game
from projections.sqlite_files import create, is_busy, is_full, shared_memory, snapshot, transaction, usable
from projections.sqlite_files import remove as remove_file
from projections.store import ProjectionStore, current
from projections.table_facts import Facts

FILE = "played.sqlite"
REST_S = 0.01  # between two steps, for requests that the same interpreter answers
PATIENCE_S = 2.0  # of whoever asks, until what was told since is taken in
Found = TypeVar("Found")

log = logging.getLogger(__name__)


class Read(NamedTuple):
    """How far a partition was read: the position of its feed, and its index's member of the table that closed last.

    Without a member that table was archived since.
    """

    position: int = 0
    member: str = ""

    @property
    def table(self) -> str:
        """The table of the member."""
        return self.member.partition("|")[2]


class Played:
    """The games that were played. Safe for threads and processes.

    A thread of its own takes in what is told. Whoever asks wakes it and waits for it, though no longer than
    `patience_s`, and then reads what the index holds, whatever that thread is waiting for.
    """

    def __init__(self, store: RedisLog, file: Path | None = None, patience_s: float = PATIENCE_S) -> None:
        self._log, self._file, self._patience_s = store, file, patience_s
        self._memory = shared_memory(f"played-{secrets.token_hex(8)}")
        self._filling, self._is_damaged = Filling(self._fill), False
        self._where: Path | str | None = None  # what is read, once it is there
        self._again_s = 0.0  # when to look again at segments that could not be read (`time.monotonic`)

    @cached_property
    def _database(self) -> sqlite3.Connection:
        """What the thread writes to: the file, unless there can be none."""
        database = usable(self._file, FORM, self._memory)
        (file,) = database.execute("select file from pragma_database_list where name = 'main'").fetchone()
        self._where = self._memory if file in self._memory else Path(file)
        return database

    def read(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        """The answer to a question, by all that is told by now if that can be taken in soon.

        Raises `NotFilled` while the index is being made. A damaged file is made anew.
        """
        try:
            return self._answer(question)
        except sqlite3.DatabaseError as error:
            if is_busy(error):
                raise NotFilled from error
            log.error("%s: %s; it is made anew", self._file, error)
        self._is_damaged = True
        try:
            return self._answer(question)
        except sqlite3.DatabaseError as error:
            raise NotFilled from error

    def complete(self) -> None:
        """Takes in all that is told. Raises what keeps it from that, or `NotFilled` if it takes too long."""
        if not self._filling.run(self._patience_s):
            raise NotFilled

    def _brought_up_to_date(self) -> Exception | None:
        """Has everything taken in, as far as there is patience; what went wrong."""
        try:
            self._filling.run(self._patience_s)
        except (RedisError, LogUnreadable) as failed:
            log.warning("games played are told as they were: %s", failed)
            return failed
        return None

    def _answer(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        failed = self._brought_up_to_date()
        if self._where:
            with snapshot(self._where) as database:
                if database.execute("select * from filled").fetchone():
                    return question(database)
        raise failed or NotFilled

    def _fill(self) -> None:
        """Takes in all that is told; in a file that turns out to be damaged and is made anew, once more."""
        if self._is_damaged:
            self._renew()
        try:
            self._take_in_all()
        except sqlite3.DatabaseError as error:
            if is_busy(error) or is_full(error):
                raise ArchiveUnavailable(f"{self._file}: {error}") from error
            log.error("%s: %s; it is made anew", self._file, error)
            self._renew()
            self._take_in_all()

    def _take_in_all(self) -> None:
        self._look_again()
        while self._take_in_once():
            time.sleep(REST_S)
        ratings.fold(self._database, REST_S)
        if not self._database.execute("select * from filled").fetchone():
            self._database.execute("insert or ignore into filled values (1)")

    def _renew(self) -> None:
        if "_database" in self.__dict__:
            self._database.close()
            del self._database
        remove_file(self._file)
        self._is_damaged = False

    def _take_in_once(self) -> bool:
        """Takes in what is told of new; whether it has to look again."""
        known = self._read()
        rows = current(self._log, lobby.NAME)
        told = closed_since(rows, known)
        games = [self._games(rows, one) for one in told]
        again = [self._take_in_segments()]
        for partition, (last, one) in enumerate(zip(known, told, strict=True)):
            gone = bool(last.member) and not one.holds
            if gone and not self._is_archived(last.table):
                again.append(self._forget(partition, last))
            elif one.members or gone:
                again.append(not self._take_in(partition, last, _read_up_to(one, last), games[partition]))
        return any(again)

    def _read(self) -> list[Read]:
        """How far each partition was read."""
        found = {row[0]: Read(*row[1:]) for row in self._database.execute("select * from read")}
        return [found.get(partition, Read()) for partition in range(self._log.partitions)]

    def _is_archived(self, table: str) -> bool:
        return self._log.places([table])[0] is not None

    def _take_in(self, partition: int, last: Read, now: Read, games: Sequence[Game]) -> bool:
        """Enters the games of a partition, unless another process was faster."""
        with transaction(self._database) as database:
            if not _is_at(database, partition, last):
                return False
            enter(database, 0, [(partition, game) for game in games])
            database.execute("insert or replace into read values (?, ?, ?)", (partition, *now))
        return True

    def _forget(self, partition: int, last: Read) -> bool:
        """Drops what only the store told of a partition, unless another process was faster; it is to be read anew."""
        with transaction(self._database) as database:
            if _is_at(database, partition, last):
                remove(database, partition)
                database.execute("delete from read where partition = ?", (partition,))
        return True

    def _take_in_segments(self) -> bool:
        """Takes in the segments that the store has named since; true, with nothing left, if it names others."""
        known = last_segment(self._database)
        behind = named(self._log.client, known.number)
        if known.number and behind[:1] != [known]:
            with transaction(self._database) as database:
                create(database, FORM)
            return True
        for segment in behind:
            if segment != known:
                self._take_in_segment(segment)
                time.sleep(REST_S)
        return False

    def _look_again(self) -> None:
        """Takes in the segments that could not be read and can be by now."""
        if time.monotonic() < self._again_s:
            return
        self._again_s = time.monotonic() + AGAIN_S
        asked = "select number, name from segments where not whole"
        for segment in [Segment(*found) for found in self._database.execute(asked).fetchall()]:
            with suppress(ArchiveUnavailable):
                if (found := self._listed(segment)) is not None:
                    self._take_in_again(segment, found)

    def _take_in_again(self, segment: Segment, games: Sequence[Game]) -> None:
        whole = "update segments set whole = 1 where number = ? and name = ? and not whole"
        with transaction(self._database) as database:
            if database.execute(whole, segment).rowcount:  # else another process was faster
                enter(database, segment.number, self._placed(games))

    def _placed(self, games: Sequence[Game]) -> list[tuple[int, Game]]:
        """Games with their partitions."""
        return [(self._log.partition(game.row["table"]), game) for game in games]

    def _take_in_segment(self, segment: Segment) -> None:
        found = self._listed(segment)
        with transaction(self._database) as database:
            if last_segment(database).number == segment.number - 1:  # else another process was faster
                enter(database, segment.number, self._placed(found or ()))
                database.execute("insert into segments values (?, ?, ?)", (*segment, found is not None))

    def _listed(self, segment: Segment) -> list[Game] | None:
        """The finished games that a segment lists; None if it cannot be read, so that all others are listed."""
        try:
            listed = segments.listing(self._log.archive, segment.name)
            found = [msgspec.convert(one.facts, Facts) for one in listed]
            return [Game.of(facts) for facts in found if facts.row.get("result")]
        except (LogUnreadable, msgspec.MsgspecError, LookupError, TypeError, ValueError) as damage:
            log.critical("%s: no list has its games until it can be read; it is looked at once an hour", damage)
            return None

    def _games(self, store: ProjectionStore, one: ClosedTables) -> list[Game]:
        """The finished games among tables that closed: those that left the store meanwhile are in a segment."""
        kept = store.found("rows", [member.partition("|")[2] for member in one.members])
        rows = [row for row in (msgspec.json.decode(found) for found in kept if found) if row.get("result")]
        return [Game.of_row(row) for row in rows]


@lru_cache(16)
def played_of(store: RedisLog) -> Played:
    """The index of a log: a file among the notes of this machine, in memory where there are none."""
    return Played(store, store.notes / FILE if store.notes else None)


def _read_up_to(one: ClosedTables, last: Read) -> Read:
    """How far a partition is read once this is taken in; what was read last is archived if nothing came behind it."""
    return Read(one.position, one.members[-1]) if one.members else Read(last.position)


def _is_at(database: sqlite3.Connection, partition: int, last: Read) -> bool:
    """Whether a partition was read so far and no further."""
    found = database.execute("select position, member from read where partition = ?", (partition,)).fetchone()
    return Read(*found or ()) == last
