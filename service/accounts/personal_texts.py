"""Personal texts: names and what people write, sealed under a key of their author, kept apart from the log.

Erasing a key makes everything sealed under it unreadable, in every copy, archive and backup. The erased person stays
in the key store without a key, so that no new one is made. The service's secret wraps the keys: neither the log nor
the key store can be read alone.

A text is AES-256-GCM under its author's key with a random nonce. Table, type of event and field are authenticated, so
that no text can pass for another. NIST SP 800-38D allows 2^32 random nonces for one key.
"""

import contextlib
import hmac
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import OutOfMemoryError, RedisError
from redis.exceptions import TimeoutError as TooLate

from events.canonical import canonical
from events.connections import IMPATIENT, all_keys
from events.disk import opener, private_directory
from events.lifecycle import TEXTS, PersonalText, Text
from events.scripts import Client, script
from events.store import connect
from service.accounts.sealing import Sealer, SecretUnusable, Unsealable
from service.config import Settings
from service.encodings import base64url, bytes_of
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
NONCE, TAG = 12, 16  # bytes
STEP = 64  # bytes of the shortest padded text; each longer size is twice the one before
END = b"\x80"  # before the padding (ISO/IEC 7816-4)
ACCOUNT = "account"  # the kind of record that holds a display name
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


def key_store(settings: Settings) -> KeyStore:
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


def new_nonce() -> bytes:
    """Returns a nonce, of 12 random bytes."""
    return os.urandom(NONCE)


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
    store, marked = key_store(settings), client.get(MARK)
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


class Texts:
    """Seals personal texts and opens them."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def seal_in_event(self, table: str, type_: str, of: str, text: str) -> PersonalText:
        """Returns a text as an event of this type at this table holds it."""
        return self.seal(_event_place(table, type_), of, text)

    def open_in_event(self, table: str, type_: str, text: PersonalText) -> str | None:
        """Returns the text of an event of this type at this table; None without its key."""
        return self.open(_event_place(table, type_), text)

    def seal_in_record(self, kind: str, id_: str, of: str, text: str) -> Text:
        """Returns a text as a record outside the log holds it; an empty one stays as it is."""
        return self.seal(canonical([kind, id_]), of, text) if text else ""

    def open_in_record(self, kind: str, id_: str, text: Text) -> str | None:
        """Returns the text of such a record; None without its key."""
        return text if isinstance(text, str) else self.open(canonical([kind, id_]), text)

    def seal(self, place: bytes, of: str, text: str) -> PersonalText:
        """Seals a text under the key of the person `of`; it opens at the same place only."""
        key, nonce = self._keys.find_or_create(of), new_nonce()
        sealed = nonce + AESGCM(key).encrypt(nonce, _padded(text.encode()), place)
        return PersonalText(of, base64url(sealed))

    def open(self, place: bytes, text: PersonalText) -> str | None:
        """Returns what was sealed for this place; None without its key."""
        key, sealed = self._keys.find([text.of]).get(text.of), _bytes(text.text)
        if key is None:
            return None
        try:
            padded = AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], place)
            return padded.rstrip(b"\0").removesuffix(END).decode()
        except (InvalidTag, ValueError):  # sealed under an earlier key of the person, which was given up
            return None

    def prefetch(self, texts: Iterable[Text | None]) -> None:
        """Looks up the keys of many texts in one query; they stay remembered while an answer is written."""
        self._keys.find({text.of for text in texts if isinstance(text, PersonalText)})

    def fingerprint(self, of: str, text: str) -> bytes:
        """Returns a digest under the person's key: it tells their texts apart and reveals nothing without the key."""
        return hmac.digest(self._keys.find_or_create(of), text.encode(), "sha256")

    def count_erased(self, people: Iterable[str | None]) -> int:
        """Returns how many of these persons were erased, each counted as often as named."""
        named = [person for person in people if person is not None]
        erased = self._keys.erased(named)
        return sum(person in erased for person in named)


NO_TEXTS = Texts(Keys())  # of processes that neither write nor show any


def as_text(value: Any) -> Text | None:
    """Converts a text from the form that a row or a payload has."""
    found: Text | None = msgspec.convert(value, Text | None)
    return found


def is_well_formed(text: str) -> bool:
    """Whether this can be a sealed text: Base64 of a nonce, 1, 2, 4 … steps of text, and a tag."""
    found = _bytes(text)
    size = len(found) - NONCE - TAG
    is_step = size >= STEP and size % STEP == 0 and (size // STEP).bit_count() == 1
    return is_step and base64url(found) == text


def _bytes(text: str) -> bytes:
    try:
        return bytes_of(text)
    except ValueError:
        return b""


def _padded(plain: bytes) -> bytes:
    size = STEP
    while size < len(plain) + len(END):
        size *= 2
    return (plain + END).ljust(size, b"\0")


def _event_place(table: str, type_: str) -> bytes:
    return canonical([table, type_, TEXTS[type_]])
