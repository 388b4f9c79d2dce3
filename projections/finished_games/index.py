"""The index of finished games: it takes in closed tables from the store and the archive for each query.

The store lists for each partition what closed after a position of its feed, and whether the table that closed last is
still there. The archive's segments are read in the order of the store. The store is asked first: a table is in a
segment before it leaves the store. If either has another history than before, its games are dropped and read again.
"""

import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from redis.exceptions import RedisError

from events.archiving.objects import ArchiveUnavailable
from events.log import LogUnreadable
from events.store import RedisLog
from projections import lobby_rows
from projections.archived_tables import AGAIN_S, Segment, last_segment, read_segment, segments_from
from projections.batches import Facts
from projections.finished_games import ratings, statistics
from projections.finished_games.games import SCHEMA, Game
from projections.finished_games.ratings import Scale
from projections.lobby_queries import ClosedTables, closed_since
from projections.sqlite_files import create, is_busy, is_full, open_or_replace, shared_memory, snapshot, transaction
from projections.sqlite_files import remove as remove_file
from projections.store import ProjectionStore, current


class NotFilled(Exception):
    """The index is being built, and has only some of the games."""


class Filling:
    """Runs the work, once at a time, in daemon threads: a process that ends waits for none."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work, self._working, self._lock = work, threading.Lock(), threading.Lock()
        self._wanted: Future[None] | None = None  # the next run, shared by all who want one before it begins

    def run(self, patience_s: float) -> bool:
        """Waits for a run that begins from now on; returns whether it was over in time. Raises what it raised."""
        with self._lock:
            run = self._wanted
            if run is None:
                run = self._wanted = Future()
                threading.Thread(target=self._run, args=(run,), name="games played", daemon=True).start()
        if not wait((run,), patience_s).done:
            return False
        run.result()
        return True

    def _run(self, run: Future[None]) -> None:
        with self._working:
            with self._lock:
                self._wanted = None
            try:
                run.set_result(self._work())
            except Exception as error:  # noqa: BLE001 - raised by the waiting caller
                run.set_exception(error)


def damaged_segments(database: sqlite3.Connection) -> set[str]:
    """Returns the names of segments that could not be read."""
    return {name for (name,) in database.execute("select name from segments where not whole")}


AT_ONCE = 1000  # games in one query

TimeRange = tuple[int, int]  # from this time on and before that, in milliseconds


def ended_in(database: sqlite3.Connection, times: TimeRange, after: str = "") -> list[tuple[str, str]]:
    """Returns place and table of the next public games after a place, some at a time."""
    query = "select place, name from games where public and place > ? and place < ? order by place limit ?"
    first, end = _places(times)
    return database.execute(query, (max(after, first), end, AT_ONCE)).fetchall()


def _places(times: TimeRange) -> tuple[str, str]:
    """Returns texts before and after all places of a time range."""
    first, end = times
    return f"{first:015d}|", f"{end:015d}|"


COLUMNS = {"games": 14, "holders": 6}
INTO = {name: f"insert into {name} values ({','.join('?' * number)})" for name, number in COLUMNS.items()}  # noqa: S608 - only marks
OF_A_GAME = ("games", "shown", "holders", "concerned")


def enter(database: sqlite3.Connection, segment: int, games: Sequence[tuple[int, Game]]) -> None:
    """Enters games with their partitions, from a segment or the store (0), within a transaction.

    A game of the same table with another end was lost when a part of the store was restored, and is replaced.
    """
    fresh = {game.row["id"]: (partition, game) for partition, game in games if _is_new(database, segment, game)}
    query = "select place, game, players, rated from games where name = ?"
    _remove_games(database, [row for name in fresh for row in database.execute(query, (name,))])
    for partition, game in fresh.values():
        _insert(database, game, partition, segment)
    statistics.add(database, [game for _, game in fresh.values()])
    _rewind(database, [(game.scale, game.place) for _, game in fresh.values() if game.rated])


def _is_new(database: sqlite3.Connection, segment: int, game: Game) -> bool:
    """Whether a game is not there yet with this end; otherwise records which segment lists it."""
    found = database.execute("select name from games where place = ?", (game.place,)).fetchone()
    if found and segment:
        database.execute("update games set segment = ? where place = ?", (segment, game.place))
    return found is None


def _insert(database: sqlite3.Connection, game: Game, partition: int, segment: int) -> None:
    database.execute(INTO["games"], game.columns(partition, segment))
    database.execute("insert into shown values (?, ?)", (game.place, game.kept))
    database.executemany(INTO["holders"], game.fared())
    if not game.public:
        seeing = [(player, game.place) for player in game.concerned]
        database.executemany("insert into concerned values (?, ?)", seeing)


def remove(database: sqlite3.Connection, partition: int) -> None:
    """Removes the games of a partition that no segment lists, within a transaction."""
    query = "select place, game, players, rated from games where partition = ? and segment = 0"
    _remove_games(database, database.execute(query, (partition,)).fetchall())


def _remove_games(database: sqlite3.Connection, gone: Sequence[tuple[Any, ...]]) -> None:
    """Removes games, each given by place, game, players and whether it is rated."""
    query = "select row from shown where place = ?"
    kept = [database.execute(query, (place,)).fetchone()[0] for place, *_ in gone]
    statistics.add(database, [Game.of_row(msgspec.json.decode(row)) for row in kept], -1)
    for place, *_ in gone:
        for name in OF_A_GAME:
            database.execute(f"delete from {name} where place = ?", (place,))  # noqa: S608 - own names
    _rewind(database, [((game, players), place) for place, game, players, rated in gone if rated])
    ratings.forget_empty(database)


def _rewind(database: sqlite3.Connection, rated: Iterable[tuple[Scale, str]]) -> None:
    """Takes the ratings of each scale back to before the first of these places."""
    first: dict[Scale, str] = {}
    for scale, place in rated:
        first[scale] = min(place, first.get(scale, place))
    for scale, place in first.items():
        ratings.rewind(database, scale, place)


FILE = "played.sqlite"
REST_S = 0.01  # between two steps, for other threads of this process
PATIENCE_S = 2.0  # of a query, for the index to be up to date
Found = TypeVar("Found")

log = logging.getLogger(__name__)


class Read(NamedTuple):
    """How far a partition was read: the position in its feed, and the member of its index that closed last.

    The member is empty if that table has been archived since.
    """

    position: int = 0
    member: str = ""


class FinishedGames:
    """The index of finished games. Safe for threads and processes.

    A query starts a thread that brings the index up to date, waits for it at most `patience_s`, and then reads what the
    index has.
    """

    def __init__(self, store: RedisLog, file: Path | None = None, patience_s: float | None = None) -> None:
        self._log, self._file = store, file
        self._patience_s = PATIENCE_S if patience_s is None else patience_s
        self._memory = shared_memory(f"played-{secrets.token_hex(8)}")
        self._filling, self._is_damaged = Filling(self._fill), False
        self._where: Path | str | None = None  # the file or memory to read, once it is there
        self._again_s = 0.0  # when to try unread segments again (`time.monotonic`)

    @cached_property
    def _database(self) -> sqlite3.Connection:
        """The database that the thread writes to: the file, or memory where no file can be opened."""
        database = open_or_replace(self._file, SCHEMA, self._memory)
        (file,) = database.execute("select file from pragma_database_list where name = 'main'").fetchone()
        self._where = self._memory if file in self._memory else Path(file)
        return database

    def read(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        """Answers a query, up to date if that takes no longer than `patience_s`; builds a damaged file again.

        Raises `NotFilled` while the index is being built.
        """
        try:
            return self._answer(question)
        except sqlite3.DatabaseError as error:
            if is_busy(error):
                raise NotFilled from error
            log.error("%s: %s; it is built again", self._file, error)
        self._is_damaged = True
        try:
            return self._answer(question)
        except sqlite3.DatabaseError as error:
            raise NotFilled from error

    def complete(self) -> None:
        """Brings the index up to date; raises what prevents that, or `NotFilled` if it takes too long."""
        if not self._filling.run(self._patience_s):
            raise NotFilled

    def _answer(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        failed: Exception | None = None
        try:
            self._filling.run(self._patience_s)
        except (RedisError, LogUnreadable) as error:
            log.warning("finished games are not up to date: %s", error)
            failed = error
        if self._where:
            with snapshot(self._where) as database:
                if database.execute("select * from filled").fetchone():
                    return question(database)
        raise failed or NotFilled

    def _fill(self) -> None:
        """Brings the index up to date; builds a damaged file again, once."""
        if self._is_damaged:
            self._discard()
        try:
            self._take_in_all()
        except sqlite3.DatabaseError as error:
            if is_busy(error) or is_full(error):
                raise ArchiveUnavailable(f"{self._file}: {error}") from error
            log.error("%s: %s; it is built again", self._file, error)
            self._discard()
            self._take_in_all()

    def _take_in_all(self) -> None:
        self._retry_unread()
        while self._take_in_once():
            time.sleep(REST_S)
        ratings.fold(self._database, REST_S)
        if not self._database.execute("select * from filled").fetchone():
            self._database.execute("insert or ignore into filled values (1)")

    def _discard(self) -> None:
        if "_database" in self.__dict__:
            self._database.close()
            del self._database
        remove_file(self._file)
        self._is_damaged = False

    def _take_in_once(self) -> bool:
        """Takes in new games; returns whether to repeat that."""
        known = self._read()
        rows = current(self._log, lobby_rows.NAME)
        closed = closed_since(rows, known)
        games = [self._games(rows, one) for one in closed]
        again = [self._take_in_segments()]
        for partition, (last, one) in enumerate(zip(known, closed, strict=True)):
            gone = bool(last.member) and not one.holds
            if gone and self._log.places([last.member.partition("|")[2]]) == [None]:  # it was not archived
                again.append(self._forget(partition, last))
            elif one.members or gone:
                # Without new tables the last one was archived.
                now = Read(one.position, one.members[-1]) if one.members else Read(last.position)
                again.append(not self._take_in(partition, last, now, games[partition]))
        return any(again)

    def _read(self) -> list[Read]:
        """Returns how far each partition was read."""
        found = {row[0]: Read(*row[1:]) for row in self._database.execute("select * from read")}
        return [found.get(partition, Read()) for partition in range(self._log.partitions)]

    def _take_in(self, partition: int, last: Read, now: Read, games: Sequence[Game]) -> bool:
        """Enters the games of a partition, unless another process was faster."""
        with transaction(self._database) as database:
            if not _is_at(database, partition, last):
                return False
            enter(database, 0, [(partition, game) for game in games])
            database.execute("insert or replace into read values (?, ?, ?)", (partition, *now))
        return True

    def _forget(self, partition: int, last: Read) -> bool:
        """Removes the games of a partition that only the store listed, to read them again."""
        with transaction(self._database) as database:
            if _is_at(database, partition, last):
                remove(database, partition)
                database.execute("delete from read where partition = ?", (partition,))
        return True

    def _take_in_segments(self) -> bool:
        """Takes in new segments; returns True, with the index emptied, if the store names others than before."""
        known = last_segment(self._database)
        behind = segments_from(self._log.client, known.number)
        if known.number and behind[:1] != [known]:
            with transaction(self._database) as database:
                create(database, SCHEMA)
            return True
        for segment in behind:
            if segment != known:
                self._take_in_segment(segment)
                time.sleep(REST_S)
        return False

    def _retry_unread(self) -> None:
        """Takes in segments that could not be read before and can be now."""
        if time.monotonic() < self._again_s:
            return
        self._again_s = time.monotonic() + AGAIN_S
        query = "select number, name from segments where not whole"
        for segment in [Segment(*found) for found in self._database.execute(query).fetchall()]:
            with suppress(ArchiveUnavailable):
                if (found := self._listed(segment)) is not None:
                    self._take_in_late(segment, found)

    def _take_in_late(self, segment: Segment, games: Sequence[tuple[int, Game]]) -> None:
        whole = "update segments set whole = 1 where number = ? and name = ? and not whole"
        with transaction(self._database) as database:
            if database.execute(whole, segment).rowcount:  # else another process was faster
                enter(database, segment.number, games)

    def _take_in_segment(self, segment: Segment) -> None:
        found = self._listed(segment)
        with transaction(self._database) as database:
            if last_segment(database).number == segment.number - 1:  # else another process was faster
                enter(database, segment.number, found or ())
                database.execute("insert into segments values (?, ?, ?)", (*segment, found is not None))

    def _listed(self, segment: Segment) -> list[tuple[int, Game]] | None:
        """Returns the finished games that a segment lists, with their partitions; None if it cannot be read."""
        listed = read_segment(self._log.archive, segment.name, lambda one: msgspec.convert(one.facts, Facts))
        if listed is None:
            return None
        games = [Game.of(facts) for facts in listed if facts.row.get("result")]
        return [(self._log.partition(game.row["id"]), game) for game in games]

    def _games(self, store: ProjectionStore, one: ClosedTables) -> list[Game]:
        """Returns the finished games among closed tables; those that left the store meanwhile are in a segment."""
        kept = store.found("rows", [member.partition("|")[2] for member in one.members])
        rows = [row for row in (msgspec.json.decode(found) for found in kept if found) if row.get("result")]
        return [Game.of_row(row) for row in rows]


@lru_cache(16)
def finished_games_of(store: RedisLog) -> FinishedGames:
    """Returns the index of a log: a file among the notes of this machine, or memory without them."""
    return FinishedGames(store, store.notes / FILE if store.notes else None)


def _is_at(database: sqlite3.Connection, partition: int, last: Read) -> bool:
    """Whether a partition was read exactly so far."""
    found = database.execute("select position, member from read where partition = ?", (partition,)).fetchone()
    return Read(*found or ()) == last
