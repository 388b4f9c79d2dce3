"""The index of games played: what the store and the archive tell of finished tables, taken in whenever somebody asks.

The store tells of each partition what closed behind a position of its feed, and whether the table that closed last is
still what was taken in; the archive's segments are read in the order in which the store names them. The store is asked
first: what leaves the store is named by a segment before. Where either tells another history than the one known, what
was taken in from there is dropped and read anew.
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

from events.archiving import segments
from events.archiving.objects import ArchiveUnavailable
from events.log import LogUnreadable
from events.store import RedisLog
from projections import lobby
from projections.batches import Facts
from projections.catalogue import AGAIN_S, Segment, last_segment, named
from projections.finished_games import ratings, statistics
from projections.finished_games.games import FORM, Game
from projections.finished_games.ratings import Scale
from projections.lobby_lists import ClosedTables, closed_since
from projections.sqlite_files import create, is_busy, is_full, shared_memory, snapshot, transaction, usable
from projections.sqlite_files import remove as remove_file
from projections.store import ProjectionStore, current


class NotFilled(Exception):
    """Games played are not told: the index is being made, and holds only some of them."""


class Filling:
    """Runs the work once at a time, in daemon threads: a process that ends waits for none."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work, self._working, self._lock = work, threading.Lock(), threading.Lock()
        self._wanted: Future[None] | None = None  # the next run, which those share who want it before it begins

    def run(self, patience_s: float) -> bool:
        """Wants a run that begins now or later; whether it was over in time. Raises what it raised."""
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
            except Exception as error:  # noqa: BLE001 - whoever waits raises it
                run.set_exception(error)


def damaged_segments(database: sqlite3.Connection) -> set[str]:
    """The names of these segments."""
    return {name for (name,) in database.execute("select name from segments where not whole")}


AT_ONCE = 1000  # games that are read in one go

Span = tuple[int, int]  # from this time on and before that, in milliseconds


def ended_in(database: sqlite3.Connection, span: Span, behind: str = "") -> list[tuple[str, str]]:
    """The place and the table of the next public games behind a place, some at a time."""
    asked = "select place, name from games where public and place > ? and place < ? order by place limit ?"
    first, end = _places(span)
    return database.execute(asked, (max(behind, first), end, AT_ONCE)).fetchall()


def _places(span: Span) -> tuple[str, str]:
    """What lies before the places of a span, and behind them."""
    first, end = span
    return f"{first:015d}|", f"{end:015d}|"


COLUMNS = {"games": 14, "holders": 6}
INTO = {name: f"insert into {name} values ({','.join('?' * number)})" for name, number in COLUMNS.items()}  # noqa: S608 - only marks
OF_A_GAME = ("games", "shown", "holders", "concerned")


def enter(database: sqlite3.Connection, segment: int, games: Sequence[tuple[int, Game]]) -> None:
    """Enters games, each with its partition, that a segment lists, or the store (0); within a transaction.

    The game of a table that is there with another end was lost, as a part of the store went back: this one came of it.
    """
    fresh = {game.row["table"]: (partition, game) for partition, game in games if _is_new(database, segment, game)}
    asked = "select place, game, players, rated from games where name = ?"
    _take_out(database, [row for name in fresh for row in database.execute(asked, (name,))])
    for partition, game in fresh.values():
        _insert(database, game, partition, segment)
    statistics.add(database, [game for _, game in fresh.values()])
    _rewind(database, [(game.scale, game.place) for _, game in fresh.values() if game.rated])


def _is_new(database: sqlite3.Connection, segment: int, game: Game) -> bool:
    """Whether a game is not there yet, with this end; of one that is, it is noted that a segment lists it."""
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
    """Removes the games of a partition that no segment lists; within a transaction."""
    asked = "select place, game, players, rated from games where partition = ? and segment = 0"
    _take_out(database, database.execute(asked, (partition,)).fetchall())


def _take_out(database: sqlite3.Connection, gone: Sequence[tuple[Any, ...]]) -> None:
    """Takes games out of the index: place, game, players and whether it is rated of each."""
    statistics.add(database, [_game_at(database, place) for place, *_ in gone], -1)
    for place, *_ in gone:
        for name in OF_A_GAME:
            database.execute(f"delete from {name} where place = ?", (place,))  # noqa: S608 - own names
    _rewind(database, [((game, players), place) for place, game, players, rated in gone if rated])
    ratings.forget_empty(database)


def _game_at(database: sqlite3.Connection, place: str) -> Game:
    (kept,) = database.execute("select row from shown where place = ?", (place,)).fetchone()
    return Game.of_row(msgspec.json.decode(kept))


def _rewind(database: sqlite3.Connection, rated: Iterable[tuple[Scale, str]]) -> None:
    """Takes back each scale to before the first of these places."""
    first: dict[Scale, str] = {}
    for scale, place in rated:
        first[scale] = min(place, first.get(scale, place))
    for scale, place in first.items():
        ratings.rewind(database, scale, place)


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


class FinishedGames:
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
            listed = segments.read_listing(self._log.archive, segment.name)
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
def finished_games_of(store: RedisLog) -> FinishedGames:
    """The index of a log: a file among the notes of this machine, in memory where there are none."""
    return FinishedGames(store, store.notes / FILE if store.notes else None)


def _read_up_to(one: ClosedTables, last: Read) -> Read:
    """How far a partition is read once this is taken in; what was read last is archived if nothing came behind it."""
    return Read(one.position, one.members[-1]) if one.members else Read(last.position)


def _is_at(database: sqlite3.Connection, partition: int, last: Read) -> bool:
    """Whether a partition was read so far and no further."""
    found = database.execute("select position, member from read where partition = ?", (partition,)).fetchone()
    return Read(*found or ()) == last
