"""SQLite files on each machine. They are built from the store alone: any may be deleted and is built again."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 30.0  # another process may be updating the same file
PRIVATE = 0o600
STATEMENTS = 256  # prepared ones of a connection
MEMORY = ":memory:"  # for one connection
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE)

log = logging.getLogger(__name__)


class Schema(NamedTuple):
    """The tables of a file: the commands that create them, and a number that is raised when they change."""

    number: int
    names: tuple[str, ...]
    commands: str


class Database(sqlite3.Connection):
    """A connection that closes when nothing refers to it any more: its owner lives as long as the process."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it was never opened
            self.close()


def open_or_replace(file: Path | None, schema: Schema, memory: str = MEMORY) -> sqlite3.Connection:
    """Opens a file with its tables; replaces a damaged one, and falls back to memory where none can be opened.

    A full disk is no reason to replace a file: it is intact.
    """
    for retry in (True, False):
        try:
            return open_database(file, schema, memory)
        except (sqlite3.Error, OSError) as error:
            if not retry or is_full(error):
                log.error("%s: %s; memory is used instead", file, error)
                break
            log.error("%s: %s; it is built again", file, error)
            remove(file)
    return open_database(None, schema, memory)


def open_database(file: Path | None, schema: Schema, memory: str = MEMORY) -> sqlite3.Connection:
    """Opens a file, or a database in memory. Other users of the machine may not read it: it names private tables."""
    if file:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, PRIVATE))
        file.chmod(PRIVATE)
    database = sqlite3.connect(
        file or memory,
        factory=Database,
        timeout=PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENTS,
        uri=file is None,
    )
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = normal")
    with transaction(database):
        if database.execute("pragma user_version").fetchone() != (schema.number,):
            create(database, schema)
    return database


def shared_memory(name: str) -> str:
    """Returns the address of a database in memory that connections of this process share."""
    return f"file:/{name}?vfs=memdb"


@contextmanager
def snapshot(where: Path | str) -> Iterator[sqlite3.Connection]:
    """Opens a snapshot of a file or of shared memory, read only: later writes do not show."""
    address = where if isinstance(where, str) else f"{where.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, timeout=PATIENCE_S, isolation_level=None, uri=True)) as database:
        database.execute("pragma query_only = 1")
        database.execute("begin")
        yield database


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A transaction during which no other process writes."""
    with database:
        database.execute("begin immediate")
        yield database


def create(database: sqlite3.Connection, schema: Schema) -> None:
    """Creates all tables again, within a transaction that has begun."""
    for name in schema.names:
        database.execute(f"drop table if exists {name}")
    for command in schema.commands.strip().split(";"):
        database.execute(command)
    database.execute(f"pragma user_version = {schema.number}")


def remove(file: Path | None) -> None:
    """Removes a file and its journals; processes that have it open keep the old one."""
    for kept in ("", "-wal", "-shm") if file else ():
        Path(f"{file}{kept}").unlink(missing_ok=True)


def is_busy(error: Exception) -> bool:
    """Whether an error means that another process holds the file, not that it is damaged."""
    return getattr(error, "sqlite_errorcode", None) in BUSY


def is_full(error: Exception) -> bool:
    """Whether an error means that the disk is full, not that the file is damaged."""
    return getattr(error, "sqlite_errorcode", None) in FULL
