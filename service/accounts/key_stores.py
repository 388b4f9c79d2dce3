"""Where the wrapped keys of people are kept: a file of this machine, or a Redis of its own; apart from the log.

A person whose key is erased stays in the store without one, so that none is made again.
"""

import contextlib
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import OutOfMemoryError, RedisError
from redis.exceptions import TimeoutError as TooLate

from events.all_keys import all_keys
from events.connections import IMPATIENT
from events.disk import opener, private_directory
from events.scripts import Client, script
from events.store import connect
from service.accounts.sealing import SecretUnusable
from service.config import Settings

FILE = "keys.sqlite"  # in the data directory
STORE = ""  # stands for no person: what is kept there is the name of the store itself
ERASED = b""  # stands in place of a key that was erased
PATIENCE_S = 5.0  # for other processes that write to the file
AWAY_S = 1.0  # for which a Redis that did not answer is not asked: each question holds a thread of the process
AT_ONCE = 500  # persons that are asked about in one go
PREFIX = "{keys}:person:"
ADVICE = (
    "Web servers on several machines need one key store: set WINTERCOUNT_KEYS_URL. If the key store is lost for good, "
    "`wintercount rotate-secret --lost` begins with a new one"
)
WITH_THE_LOG = (
    "WINTERCOUNT_KEYS_URL names the log's Redis: keys that lie with the log protect nothing. Name another server, and "
    f"move what the log's already has under `{PREFIX}*` there"
)

Change = tuple[str, bytes, bytes]  # a person, what is kept of the key, and what it becomes


class KeysUnavailable(Exception):
    """The key store does not answer."""


class KeysFull(KeysUnavailable):
    """The key store has no memory left: it takes no new key."""


class KeyStore(Protocol):
    """Keeps the wrapped key of each person. Everything may be repeated."""

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        """The wrapped keys of those persons who have one, `ERASED` for those who have one no more."""

    def put(self, person: str, wrapped: bytes) -> bytes:
        """Keeps a key, unless there is one: the one that is kept."""

    def replace(self, person: str, was: bytes, becomes: bytes) -> bool:
        """Puts another key (or `ERASED`) in place of this one; whether it was still this one."""

    def replace_all(self, changes: Iterable[Change]) -> int:
        """The same of many; how many were still what they were."""
        return sum(self.replace(*change) for change in changes)

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        """Every person with what is kept of the key."""


class SqliteKeys:
    """A key store in a file of this machine. What is replaced is overwritten with zeros (`secure_delete`)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            private_directory(path.parent)
            os.close(opener(str(path), os.O_CREAT | os.O_RDWR))
        except OSError as error:
            raise SecretUnusable(f"{path} cannot be written: {error}. {ADVICE}") from None
        with self._open("IMMEDIATE") as db:
            db.execute("CREATE TABLE IF NOT EXISTS keys (person TEXT PRIMARY KEY, wrapped BLOB NOT NULL)")

    @contextlib.contextmanager
    def _open(self, kind: str = "DEFERRED") -> Iterator[sqlite3.Connection]:
        """A transaction of its own: connections are not shared between threads, nor with a forked process.

        One that writes has to be `IMMEDIATE`: of two that have both begun to read, SQLite lets neither wait to write.
        """
        try:
            with contextlib.closing(sqlite3.connect(self._path, PATIENCE_S, isolation_level=None)) as db:
                db.execute("PRAGMA secure_delete = ON")
                db.execute("PRAGMA synchronous = FULL")
                db.execute(f"BEGIN {kind}")
                yield db
                db.execute("COMMIT")
        except sqlite3.Error as error:
            raise KeysUnavailable(f"{self._path}: {error}") from None

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        """As the protocol says."""
        with self._open() as db:
            marks = ",".join("?" * len(persons))
            return dict(db.execute(f"SELECT person, wrapped FROM keys WHERE person IN ({marks})", persons))  # noqa: S608 - question marks alone

    def put(self, person: str, wrapped: bytes) -> bytes:
        """As the protocol says."""
        with self._open("IMMEDIATE") as db:
            db.execute("INSERT INTO keys VALUES (?, ?) ON CONFLICT DO NOTHING", (person, wrapped))
        return self.read([person])[person]

    def replace(self, person: str, was: bytes, becomes: bytes) -> bool:
        """As the protocol says."""
        return self.replace_all([(person, was, becomes)]) == 1

    def replace_all(self, changes: Iterable[Change]) -> int:
        """As the protocol says, in one transaction: each is a write to the disk that all others wait for."""
        update = "UPDATE keys SET wrapped = ? WHERE person = ? AND wrapped = ?"
        with self._open("IMMEDIATE") as db:
            return sum(db.execute(update, (becomes, person, was)).rowcount for person, was, becomes in changes)

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        """As the protocol says."""
        with self._open() as db:
            found = db.execute("SELECT person, wrapped FROM keys WHERE person != ?", (STORE,)).fetchall()
        yield from found


class RedisKeys(KeyStore):
    """A key store in a Redis of its own, for web servers on several machines."""

    def __init__(self, client: Client) -> None:
        self._client, self._away_until = client, 0.0
        self._replace = script(client, "service.accounts", "replace.lua")

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        """As the protocol says."""
        with self._answering():
            kept = self._client.mget([PREFIX + person for person in persons])
        return {person: wrapped for person, wrapped in zip(persons, kept, strict=True) if wrapped is not None}

    def put(self, person: str, wrapped: bytes) -> bytes:
        """As the protocol says."""
        with self._answering():
            self._client.set(PREFIX + person, wrapped, nx=True)
        return self.read([person])[person]

    def replace(self, person: str, was: bytes, becomes: bytes) -> bool:
        """As the protocol says."""
        with self._answering():
            return bool(self._replace(keys=[PREFIX + person], args=[was, becomes]))

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        """As the protocol says."""
        names = all_keys(self._client, f"{PREFIX}*", AT_ONCE)
        while some := self._next(names):
            yield from self.read(some).items()

    def _next(self, names: Iterator[bytes]) -> list[str]:
        """The next persons, but for the name of the store itself."""
        with self._answering():
            persons = (key.decode().removeprefix(PREFIX) for key in names)
            return list(islice((person for person in persons if person != STORE), AT_ONCE))

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        if time.monotonic() < self._away_until:
            raise KeysUnavailable("the key store does not answer, and is asked again in a second")
        try:
            yield
        except OutOfMemoryError as error:
            raise KeysFull(str(error)) from None
        except RedisError as error:
            if isinstance(error, (NotConnected, TooLate)):
                self._away_until = time.monotonic() + AWAY_S
            raise KeysUnavailable(f"the key store does not answer: {error}") from None


def key_store(settings: Settings) -> KeyStore:
    """The key store that the settings name; raises `SecretUnusable`."""
    if settings.keys_url is None:
        return SqliteKeys(Path(settings.data) / FILE)
    if settings.keys_url == settings.redis_url:
        raise SecretUnusable(WITH_THE_LOG)
    return RedisKeys(connect(settings.keys_url, patience=IMPATIENT))


def name_of(store: KeyStore) -> bytes:
    """The name of a key store, which it is given when it is first used."""
    return store.put(STORE, secrets.token_hex(16).encode())
