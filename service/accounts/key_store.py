"""The keys of persons, under which names and what people write are sealed (`personal_texts`), apart from the log.

Erasing a key makes everything sealed under it unreadable, in every copy, archive and backup. The erased person stays
in the key store without a key, so that no new one is made. The service's secret wraps the keys: neither the log nor
the key store can be read alone.
"""

import contextlib
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import OutOfMemoryError, RedisError
from redis.exceptions import TimeoutError as TooLate

from events.connections import IMPATIENT, all_keys
from events.disk import opener, private_directory
from events.scripts import Client, script
from events.store import connect
from service.accounts.sealing import Sealer, SecretUnusable, Unsealable
from service.config import Settings
from service.errors import Refused

FILE = "keys.sqlite"  # in the data directory
PREFIX = "{keys}:person:"  # of a key in a Redis
STORE = ""  # the entry that holds the name of the key store, in place of a person
ERASED = b""  # replaces a key that was erased
MARK = "wintercount:keys"  # in the log's store: the name of its key store
PATIENCE_S = 5.0  # to wait for other processes that write to the file
RETRY_S = 1.0  # during which a Redis that did not answer is not asked again, as each attempt holds a thread
AT_ONCE = 500  # persons in one query
REMEMBER_S = 5.0  # how long a process may use a key that another one erased
MOST_KNOWN = 10_000  # keys that a process remembers
PUT_BACK = "Put its newest copy back: without it names and texts cannot be read."
ADVICE = (
    "Web servers on several machines need one key store: set WINTERCOUNT_KEYS_URL. If the key store is lost for good, "
    "`wintercount rotate-secret --lost` begins with a new one"
)
WITH_THE_LOG = (
    "WINTERCOUNT_KEYS_URL names the log's Redis: keys beside the log protect nothing. Name another server, and move "
    f"the keys under `{PREFIX}*` there"
)
EMPTIED = (
    "the key store was emptied or replaced since this process started. Put its newest copy back; nothing is written "
    "meanwhile. After `wintercount rotate-secret --lost`, restart all web servers"
)

Change = tuple[str, bytes, bytes]  # a person, the wrapped key as read, and the new one

log = logging.getLogger(__name__)


class KeysUnavailable(Exception):
    """The key store does not answer."""


class KeysFull(KeysUnavailable):
    """The key store has no memory left for a new key."""


class FileKeys:
    """A key store in a file on this machine. All calls may be repeated.

    What is replaced is overwritten with zeros (`secure_delete`).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            private_directory(path.parent)
            os.close(opener(str(path), os.O_CREAT | os.O_RDWR))
        except OSError as error:
            raise SecretUnusable(f"{path} cannot be written: {error}. {ADVICE}") from None
        with self._open() as db:
            db.execute("CREATE TABLE IF NOT EXISTS keys (person TEXT PRIMARY KEY, wrapped BLOB NOT NULL)")

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Opens a connection for this call alone: none is shared between threads or with a forked process."""
        try:
            with contextlib.closing(sqlite3.connect(self._path, timeout=PATIENCE_S, isolation_level=None)) as db:
                db.execute("PRAGMA secure_delete = ON")
                db.execute("PRAGMA synchronous = FULL")
                yield db
        except sqlite3.Error as error:
            raise KeysUnavailable(f"{self._path}: {error}") from None

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        """Returns the wrapped keys of these persons, `ERASED` for an erased one, nothing for a person without a key."""
        with self._open() as db:
            marks = ",".join("?" * len(persons))
            return dict(db.execute(f"SELECT person, wrapped FROM keys WHERE person IN ({marks})", persons))  # noqa: S608 - question marks alone

    def put(self, person: str, wrapped: bytes) -> bytes:
        """Stores a key unless the person has one; returns the stored one."""
        with self._open() as db:
            db.execute("INSERT INTO keys VALUES (?, ?) ON CONFLICT DO NOTHING", (person, wrapped))
        return self.read([person])[person]

    def erase(self, person: str) -> None:
        """Replaces a person's key by `ERASED`, even if there is none."""
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", (person, ERASED))

    def replace(self, changes: Iterable[Change]) -> int:
        """Replaces keys that are still as they were read; returns how many."""
        update = "UPDATE keys SET wrapped = ? WHERE person = ? AND wrapped = ?"
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")  # one write to the disk for all
            count = sum(db.execute(update, (becomes, person, was)).rowcount for person, was, becomes in changes)
            db.execute("COMMIT")
        return count

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        """Yields every person with the wrapped key or `ERASED`."""
        with self._open() as db:
            found = db.execute("SELECT person, wrapped FROM keys WHERE person != ?", (STORE,)).fetchall()
        yield from found


class RedisKeys:
    """A key store in a Redis of its own, for web servers on several machines. It does as `FileKeys` does."""

    def __init__(self, client: Client) -> None:
        self._client, self._silent_until = client, 0.0
        self._replace = script(client, "service.accounts", "replace_record.lua")

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        if time.monotonic() < self._silent_until:
            raise KeysUnavailable("the key store does not answer; retry in a second")
        try:
            yield
        except OutOfMemoryError as error:
            raise KeysFull(str(error)) from None
        except RedisError as error:
            if isinstance(error, (NotConnected, TooLate)):
                self._silent_until = time.monotonic() + RETRY_S
            raise KeysUnavailable(f"the key store does not answer: {error}") from None

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        with self._answering():
            kept = self._client.mget([PREFIX + person for person in persons])
        return {person: wrapped for person, wrapped in zip(persons, kept, strict=True) if wrapped is not None}

    def put(self, person: str, wrapped: bytes) -> bytes:
        with self._answering():
            self._client.set(PREFIX + person, wrapped, nx=True)
        return self.read([person])[person]

    def erase(self, person: str) -> None:
        with self._answering():
            self._client.set(PREFIX + person, ERASED)

    def replace(self, changes: Iterable[Change]) -> int:
        with self._answering():
            return sum(bool(self._replace(keys=[PREFIX + one], args=[was, to])) for one, was, to in changes)

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        with self._answering():
            names = [name.decode().removeprefix(PREFIX) for name in all_keys(self._client, f"{PREFIX}*", AT_ONCE)]
        for some in _parts(name for name in names if name != STORE):
            yield from self.read(some).items()


KeyStore = FileKeys | RedisKeys


def open_key_store(settings: Settings) -> KeyStore:
    """Opens the key store that the settings name; raises `SecretUnusable`."""
    if settings.keys_url is None:
        return FileKeys(Path(settings.data) / FILE)
    if settings.keys_url == settings.redis_url:
        raise SecretUnusable(WITH_THE_LOG)
    return RedisKeys(connect(settings.keys_url, patience=IMPATIENT))


def name_of(store: KeyStore) -> bytes:
    """Returns the name of a key store, which gets one when first used."""
    return store.put(STORE, secrets.token_hex(16).encode())


def _parts(persons: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(persons)
    while some := list(islice(rest, AT_ONCE)):
        yield some


class Keys:
    """The keys of persons; this base class has none. Processes that show no texts use it."""

    def find(self, persons: Iterable[str]) -> Mapping[str, bytes]:  # noqa: ARG002 - whoever they are
        """Returns the keys of those persons who have one."""
        return {}

    def find_or_create(self, person: str) -> bytes:
        """Returns the person's key, and creates it if there is none; raises `KeysUnavailable`."""
        raise KeysUnavailable(f"this process has no keys: it cannot seal the name or texts of {person}")

    def erased(self, persons: Iterable[str]) -> Set[str]:  # noqa: ARG002 - whoever they are
        """Returns those of these persons whose key was erased."""
        return frozenset()


class PersonKeys(Keys):
    """The unwrapped keys of a key store, each remembered for a few seconds. Safe for threads.

    With a `name`, every query also checks the name of the store. A store that was emptied would give people new keys,
    and what they write under these could not be read once the old store is back.
    """

    def __init__(self, store: KeyStore, sealer: Sealer, name: bytes | None = None) -> None:
        self.store, self._sealer, self._name = store, sealer, name
        self._remembered: dict[str, tuple[float, bytes]] = {}  # until when (`time.monotonic`)

    def find(self, persons: Iterable[str]) -> Mapping[str, bytes]:
        """Returns the keys of those persons who have one."""
        return {person: key for person, key in self._read(persons).items() if key}

    def erased(self, persons: Iterable[str]) -> Set[str]:
        """Returns those of these persons whose key was erased."""
        return {person for person, key in self._read(persons).items() if key == ERASED}

    def find_or_create(self, person: str) -> bytes:
        """Returns the person's key as the store has it now; raises `Refused` if it was erased, in any process.

        Of several processes that create one at once, all use the first.
        """
        key = self._look_up([person]).get(person)
        if key is None:
            kept = self.store.put(person, wrap(self._sealer, person, new_key()))
            key = kept and unwrap(self._sealer, person, kept)
        if key == ERASED:
            raise Refused("unauthenticated", "this account was erased")
        return key

    def erase(self, person: str) -> None:
        """Erases the person's key for ever. May be repeated."""
        if self._stored([person]).get(person) != ERASED:
            self.store.erase(person)
        self.drop()

    def drop(self) -> None:
        """Forgets all keys, including those being looked up by other threads."""
        self._remembered = {}

    def _read(self, persons: Iterable[str]) -> dict[str, bytes]:
        now, wanted, remembered = time.monotonic(), set(persons), self._remembered
        found = {one: remembered[one][1] for one in wanted if one in remembered and now < remembered[one][0]}
        return found | self._look_up(wanted - found.keys())

    def _look_up(self, persons: Iterable[str]) -> dict[str, bytes]:
        """Reads keys from the store and remembers them."""
        remembered, until = self._remembered, time.monotonic() + REMEMBER_S
        found: dict[str, bytes] = {}
        for some in _parts(persons):
            for person, wrapped in self._stored(some).items():
                try:
                    found[person] = wrapped and unwrap(self._sealer, person, wrapped)
                except Unsealable as error:
                    log.error("%s", error)
        if len(remembered) + len(found) > MOST_KNOWN:
            remembered.clear()
        remembered.update((person, (until, key)) for person, key in found.items())
        return found

    def _stored(self, persons: Sequence[str]) -> dict[str, bytes]:
        """Reads wrapped keys; raises `KeysUnavailable` if the store is not the one it was."""
        if self._name is None:
            return self.store.read(persons)
        stored = self.store.read((STORE, *persons))
        if stored.pop(STORE, None) != self._name:
            raise KeysUnavailable(EMPTIED)
        return stored


def new_key() -> bytes:
    """Returns a new key for a person."""
    return AESGCM.generate_key(256)


def wrap(sealer: Sealer, person: str, key: bytes) -> bytes:
    """Returns a person's key as the store keeps it."""
    return sealer.seal(f"key of {person}", key)


def unwrap(sealer: Sealer, person: str, wrapped: bytes) -> bytes:
    """Returns a person's key; raises `Unsealable`."""
    return sealer.open(f"key of {person}", wrapped)


def keys_of(client: Client, settings: Settings, sealer: Sealer) -> PersonKeys:
    """Returns the keys that belong to the log of a store; raises `SecretUnusable` for another log's key store.

    An empty key store is accepted for a new log only: its copy may not have been restored yet.
    """
    store, marked = open_key_store(settings), client.get(MARK)
    name = name_of(store) if marked is None else store.read([STORE]).get(STORE)
    if settings.keys_url and name and client.get(PREFIX + STORE) == name:
        raise SecretUnusable(WITH_THE_LOG)
    if name is None:
        raise SecretUnusable(f"the key store is empty, and this store has texts under its keys. {PUT_BACK} {ADVICE}")
    if marked is None:  # no write to a marked store: one without free memory would refuse it
        marked = client.set(MARK, name, nx=True, get=True)
    if marked not in (None, name):
        raise SecretUnusable(f"the texts of this store are under the keys of another key store. {ADVICE}")
    return PersonKeys(store, sealer, name)
