"""SQLite files on each machine, made of what the store tells and of nothing else: any may be deleted and made anew."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 30.0  # another process may be bringing the same file up to date
PRIVATE = 0o600
STATEMENTS = 256  # that a connection keeps prepared
MEMORY = ":memory:"  # for one connection
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE)

log = logging.getLogger(__name__)


class Form(NamedTuple):
    """The tables of a file: the commands that make them, and their number, which is raised when they change."""

    number: int
    names: tuple[str, ...]
    commands: str


def usable(file: Path | None, form: Form, memory: str = MEMORY) -> sqlite3.Connection:
    """The file with its tables; one that is none is made anew, and where none can be there is one in memory.

    Where the disk is full a file stays as it is: it is whole, and would be missed.
    """
    if file is None:
        return opened(None, form, memory)
    try:
        return _opened_anew(file, form)
    except (sqlite3.Error, OSError) as error:
        log.error("%s: %s; what it would hold is noted in memory", file, error)
        return opened(None, form, memory)


def _opened_anew(file: Path, form: Form) -> sqlite3.Connection:
    """The file, made anew if it is none; raises what keeps it from that."""
    try:
        return opened(file, form)
    except (sqlite3.Error, OSError) as error:
        if is_full(error):
            raise
        log.error("%s: %s; it is made anew", file, error)
    remove(file)
    return opened(file, form)


def opened(file: Path | None, form: Form, memory: str = MEMORY) -> sqlite3.Connection:
    """The file, or one in memory. Others on this machine may not read it: it names private tables."""
    if file:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, PRIVATE))
        file.chmod(PRIVATE)
    database = sqlite3.connect(
        file or memory,
        timeout=PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENTS,
        uri=file is None,
    )
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = normal")
    with transaction(database):
        if database.execute("pragma user_version").fetchone() != (form.number,):
            create(database, form)
    return database


def shared_memory(name: str) -> str:
    """The address of a file in memory that several connections of this process open."""
    return f"file:/{name}?vfs=memdb"


@contextmanager
def snapshot(where: Path | str) -> Iterator[sqlite3.Connection]:
    """A file, or one in shared memory, as it stands now: read only, whatever is written meanwhile."""
    address = where if isinstance(where, str) else f"{where.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, timeout=PATIENCE_S, isolation_level=None, uri=True)) as database:
        database.execute("pragma query_only = 1")
        database.execute("begin")
        yield database


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """What is done within it is done together or not at all; no other process writes meanwhile."""
    with database:
        database.execute("begin immediate")
        yield database


def create(database: sqlite3.Connection, form: Form) -> None:
    """Makes all tables anew, within a transaction that has begun."""
    for name in form.names:
        database.execute(f"drop table if exists {name}")
    for command in form.commands.strip().split(";"):
        database.execute(command)
    database.execute(f"pragma user_version = {form.number}")


def remove(file: Path | None) -> None:
    """Removes the file and what SQLite keeps beside it; whoever has it open goes on with what it had."""
    for kept in ("", "-wal", "-shm") if file else ():
        Path(f"{file}{kept}").unlink(missing_ok=True)


def is_busy(error: Exception) -> bool:
    """Whether an error says that another process holds the file, and not that it is damaged."""
    return getattr(error, "sqlite_errorcode", None) in BUSY


def is_full(error: Exception) -> bool:
    """Whether an error says that the disk has no room, and not that the file is damaged."""
    return getattr(error, "sqlite_errorcode", None) in FULL
