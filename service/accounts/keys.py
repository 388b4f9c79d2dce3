"""The key of each person, under which lies what the person is called and writes; kept apart from the log.

A key store holds keys wrapped by the service's secret. Whoever has the log and not the key store can read no text, nor
can whoever has the key store alone. A person whose key is erased stays in the store without one, so that none is made
again. The module is long because both kinds of key store stand in it.
"""

import contextlib
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.exceptions import OutOfMemoryError, RedisError

from events.connections import IMPATIENT
from events.scripts import Client, script
from events.store import connect
from service.accounts.breaker import CircuitBreaker, NotAsked
from service.accounts.sealing import PRIVATE, Sealer, SecretUnusable, Unsealable
from service.config import Settings
from service.errors import Refused

FILE = "keys.sqlite"  # in the data directory
STORE = ""  # stands for no person: what is kept there is the name of the store itself
MARK = "wintercount:keys"  # in the log's store: the name of the key store that it belongs to
ERASED = b""  # stands in place of a key that was erased
REMEMBER_S = 5.0  # how long a process goes on to use a key that was erased elsewhere
MOST_KNOWN = 10_000  # keys that a process remembers
PATIENCE_S = 5.0  # for other processes that write to the file
AT_ONCE = 500  # persons that are asked about in one go
PREFIX = "{keys}:person:"

Change = tuple[str, bytes, bytes]  # a person, what is kept of the key, and what it becomes

log = logging.getLogger(__name__)


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
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
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
        self._client, self._breaker = client, CircuitBreaker()
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
        names = self._client.scan_iter(f"{PREFIX}*", count=AT_ONCE)
        while some := self._next(names):
            yield from self.read(some).items()

    def _next(self, names: Iterator[bytes]) -> list[str]:
        """The next persons, but for the name of the store itself."""
        with self._answering():
            persons = (key.decode().removeprefix(PREFIX) for key in names)
            return list(islice((person for person in persons if person != STORE), AT_ONCE))

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            with self._breaker.asking():
                yield
        except OutOfMemoryError as error:
            raise KeysFull(str(error)) from None
        except (RedisError, NotAsked) as error:
            raise KeysUnavailable(str(error)) from None


class Keys(Protocol):
    """The keys of persons, as they are used."""

    def known(self, persons: Iterable[str]) -> Mapping[str, bytes]:
        """The keys of those persons who have one."""

    def made(self, person: str) -> bytes:
        """The person's key, made if there was none yet."""

    def erased(self, persons: Iterable[str]) -> Set[str]:
        """Those of these persons whose key was erased."""


class NoKeys:
    """For a process that shows no texts: it can neither read nor write any."""

    def known(self, persons: Iterable[str]) -> Mapping[str, bytes]:  # noqa: ARG002 - whoever it is
        """There are none."""
        return {}

    def made(self, person: str) -> bytes:
        """Raises `KeysUnavailable`."""
        raise KeysUnavailable(f"this process has no keys: it cannot write what {person} is called or writes")

    def erased(self, persons: Iterable[str]) -> Set[str]:  # noqa: ARG002 - whoever it is
        """Nobody that this process knows of."""
        return frozenset()


class PersonKeys:
    """The keys of a key store, unwrapped, each remembered for a short time. Safe for threads.

    With a `name`, the store is asked for it with all else. One that was emptied meanwhile has it no more: its people
    would be given other keys, and what they write under these could not be read once the store is back.
    """

    def __init__(self, store: KeyStore, sealer: Sealer, name: bytes | None = None) -> None:
        self.store, self._sealer, self._name = store, sealer, name
        self._known: dict[str, tuple[float, bytes | None]] = {}  # until when; None for those who have none
        self._lock = threading.Lock()

    def known(self, persons: Iterable[str]) -> Mapping[str, bytes]:
        """The keys of those persons who have one."""
        found = self._found(persons, lambda key: key is not None)
        return {person: key for person, key in found.items() if key}

    def erased(self, persons: Iterable[str]) -> Set[str]:
        """Those of these persons whose key was erased.

        Whoever has no key may get one elsewhere at any time, and still is nobody who was erased: that is remembered.
        """
        return {person for person, key in self._found(persons, lambda _: True).items() if key == ERASED}

    def erase(self, person: str) -> None:
        """Erases the person's key, for ever; whoever never had one gets none. May be repeated."""
        self._kept(())
        while (kept := self.store.put(person, ERASED)) != ERASED:
            self.store.replace(person, kept, ERASED)
        with self._lock:
            self._known.pop(person, None)

    def _found(self, persons: Iterable[str], enough: Callable[[bytes | None], bool]) -> dict[str, bytes | None]:
        """What is remembered, where that is enough, and what the key store has."""
        now, wanted = time.monotonic(), set(persons)
        with self._lock:
            known = {person: self._known[person] for person in wanted & self._known.keys()}
        found = {person: key for person, (until, key) in known.items() if now < until and enough(key)}
        return found | self._look_up(wanted - found.keys())

    def made(self, person: str) -> bytes:
        """The person's key, as the key store has it now; raises `Refused` if it was erased, in whichever process."""
        key = self._look_up([person]).get(person) or self._make(person)
        if key == ERASED:
            raise Refused("unauthenticated", "this account was erased")
        return key

    def _make(self, person: str) -> bytes:
        """If several processes make one at once, all use the first; one that is killed here leaves an unused key."""
        kept = self.store.put(person, wrap(self._sealer, person, new_key()))
        return ERASED if kept == ERASED else unwrapped(self._sealer, person, kept)

    def _look_up(self, persons: Iterable[str]) -> dict[str, bytes]:
        """The keys as the key store has them now, which are remembered, as is who has none."""
        found: dict[str, bytes] = {}
        until, rest = time.monotonic() + REMEMBER_S, iter(persons)
        while some := list(islice(rest, AT_ONCE)):
            read = self._read(some)
            self._remember({person: (until, read.get(person)) for person in some})
            found |= read
        return found

    def _read(self, persons: Sequence[str]) -> dict[str, bytes]:
        found = {}
        for person, wrapped in self._kept(persons).items():
            try:
                found[person] = wrapped and unwrapped(self._sealer, person, wrapped)
            except Unsealable as error:
                log.error("%s", error)
        return found

    def _kept(self, persons: Sequence[str]) -> dict[str, bytes]:
        """What the store keeps of persons; raises `KeysUnavailable` if it is not the one that it was."""
        if self._name is None:
            return self.store.read(persons)
        kept = self.store.read((STORE, *persons))
        if kept.pop(STORE, None) != self._name:
            raise KeysUnavailable(f"it is not the one with which this process began, or was emptied. {RETURN}")
        return kept

    def _remember(self, found: Mapping[str, tuple[float, bytes | None]]) -> None:
        with self._lock:
            if len(self._known) + len(found) > MOST_KNOWN:
                self._known.clear()
            self._known |= found


def new_key() -> bytes:
    """A new key of a person."""
    return AESGCM.generate_key(256)


def wrap(sealer: Sealer, person: str, key: bytes) -> bytes:
    """A person's key as the store keeps it."""
    return sealer.seal(f"key of {person}", key)


def unwrapped(sealer: Sealer, person: str, wrapped: bytes) -> bytes:
    """A person's key; raises `Unsealable`."""
    return sealer.open(f"key of {person}", wrapped)


ADVICE = (
    "Web servers on several machines need one key store: set WINTERCOUNT_KEYS_URL. If the key store is lost for good, "
    "`wintercount rotate-secret --lost` begins with a new one"
)

PUT_BACK = "Put its newest copy back: without it names and texts cannot be read."
WITH_THE_LOG = (
    "WINTERCOUNT_KEYS_URL names the log's Redis: keys that lie with the log protect nothing. Name another server, and "
    f"move what the log's already has under `{PREFIX}*` there"
)
RETURN = (
    "Put its newest copy back; nothing is written meanwhile. After `wintercount rotate-secret --lost`, start all web "
    "servers again"
)


def key_store(settings: Settings) -> KeyStore:
    """The key store that the settings name; raises `SecretUnusable`."""
    if settings.keys_url is None:
        return SqliteKeys(Path(settings.data) / FILE)
    if settings.keys_url == settings.redis_url:
        raise SecretUnusable(WITH_THE_LOG)
    return RedisKeys(connect(settings.keys_url, patience=IMPATIENT))


def keys_of(client: Client, settings: Settings, sealer: Sealer) -> PersonKeys:
    """The keys that belong to the log of a store; raises `SecretUnusable` if the key store is another log's, or new.

    One that is empty is given a name for a new log alone: it may be that its copy was not put back yet.
    """
    store = key_store(settings)
    name = store.read([STORE]).get(STORE) if client.exists(MARK) else name_of(store)
    if settings.keys_url and name and client.get(PREFIX + STORE) == name:
        raise SecretUnusable(WITH_THE_LOG)
    if name is None:
        raise SecretUnusable(f"the key store is empty, and this store has texts under its keys. {PUT_BACK} {ADVICE}")
    if client.set(MARK, name, nx=True, get=True) not in (None, name):
        raise SecretUnusable(f"the texts of this store are under the keys of another key store. {ADVICE}")
    return PersonKeys(store, sealer, name)


def name_of(store: KeyStore) -> bytes:
    """The name of a key store, which it is given when it is first used."""
    return store.put(STORE, secrets.token_hex(16).encode())
