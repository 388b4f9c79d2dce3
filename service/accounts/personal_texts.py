"""What people are called and write, sealed under a key of their own; and these keys, which lie apart from the log.

Erasing a key makes everything unreadable that was sealed under it, in every copy, archive and backup; an erased person
stays in the key store without a key, so that none is made again. The service's secret wraps the keys: whoever has the
log and not the key store can read no text, nor can whoever has the key store alone.

A text is AES-256-GCM under its person's key, with a random nonce; table, type of event and field are authenticated
with it, so that none can be passed off as another. No person writes so much that two nonces might be the same: NIST SP
800-38D allows 2^32 texts for one key.
"""

import base64
import binascii
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
from typing import Any, Protocol

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
from service.errors import Refused

FILE = "keys.sqlite"  # in the data directory
PREFIX = "{keys}:person:"  # of a key in a Redis
STORE = ""  # stands for no person: what is kept there is the name of the key store
ERASED = b""  # stands in place of a key that was erased
MARK = "wintercount:keys"  # in the log's store: the name of the key store that it belongs to
PATIENCE_S = 5.0  # for other processes that write to the file
AWAY_S = 1.0  # for which a Redis that did not answer is not asked: each question holds a thread
AT_ONCE = 500  # persons that are asked about in one go
REMEMBER_S = 5.0  # how long a process goes on to use a key that was erased elsewhere
MOST_KNOWN = 10_000  # keys that a process remembers
NONCE, TAG = 12, 16  # bytes
STEP = 64  # bytes: the shortest padded text, then twice as long each time
END = b"\x80"  # of a text, before the padding (ISO/IEC 7816-4)
ACCOUNT = "account"  # the kind of record that holds a display name
PUT_BACK = "Put its newest copy back: without it names and texts cannot be read."
ADVICE = (
    "Web servers on several machines need one key store: set WINTERCOUNT_KEYS_URL. If the key store is lost for good, "
    "`wintercount rotate-secret --lost` begins with a new one"
)
WITH_THE_LOG = (
    "WINTERCOUNT_KEYS_URL names the log's Redis: keys that lie with the log protect nothing. Name another server, and "
    f"move what the log's already has under `{PREFIX}*` there"
)
EMPTIED = (
    "it is not the one with which this process began, or was emptied. Put its newest copy back; nothing is written "
    "meanwhile. After `wintercount rotate-secret --lost`, start all web servers again"
)

Change = tuple[str, bytes, bytes]  # a person, what is kept of the key, and what it becomes

log = logging.getLogger(__name__)


class KeysUnavailable(Exception):
    """The key store does not answer."""


class KeysFull(KeysUnavailable):
    """The key store has no memory left: it takes no new key."""


# Where the wrapped keys lie. Everything may be repeated.


class FileKeys:
    """A key store in a file of this machine. What is replaced is overwritten with zeros (`secure_delete`)."""

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
        """A connection of its own: none is shared between threads, nor with a forked process."""
        try:
            with contextlib.closing(sqlite3.connect(self._path, PATIENCE_S, isolation_level=None)) as db:
                db.execute("PRAGMA secure_delete = ON")
                db.execute("PRAGMA synchronous = FULL")
                yield db
        except sqlite3.Error as error:
            raise KeysUnavailable(f"{self._path}: {error}") from None

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        """The wrapped keys of those persons who have one, `ERASED` for those whose key was erased."""
        with self._open() as db:
            marks = ",".join("?" * len(persons))
            return dict(db.execute(f"SELECT person, wrapped FROM keys WHERE person IN ({marks})", persons))  # noqa: S608 - question marks alone

    def put(self, person: str, wrapped: bytes) -> bytes:
        """Keeps a key, unless there is one: the one that is kept."""
        with self._open() as db:
            db.execute("INSERT INTO keys VALUES (?, ?) ON CONFLICT DO NOTHING", (person, wrapped))
        return self.read([person])[person]

    def erase(self, person: str) -> None:
        """Puts `ERASED` in place of a person's key, also where there is none."""
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", (person, ERASED))

    def replace(self, changes: Iterable[Change]) -> int:
        """Puts other keys in place of these; how many were still what they were."""
        update = "UPDATE keys SET wrapped = ? WHERE person = ? AND wrapped = ?"
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")  # one write to the disk for all
            count = sum(db.execute(update, (becomes, person, was)).rowcount for person, was, becomes in changes)
            db.execute("COMMIT")
        return count

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        """Every person with what is kept of the key."""
        with self._open() as db:
            found = db.execute("SELECT person, wrapped FROM keys WHERE person != ?", (STORE,)).fetchall()
        yield from found


class RedisKeys:
    """A key store in a Redis of its own, for web servers on several machines."""

    def __init__(self, client: Client) -> None:
        self._client, self._away_until = client, 0.0
        self._replace = script(client, "service.accounts", "replace.lua")

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

    def read(self, persons: Sequence[str]) -> dict[str, bytes]:
        """As `FileKeys` does."""
        with self._answering():
            kept = self._client.mget([PREFIX + person for person in persons])
        return {person: wrapped for person, wrapped in zip(persons, kept, strict=True) if wrapped is not None}

    def put(self, person: str, wrapped: bytes) -> bytes:
        """As `FileKeys` does."""
        with self._answering():
            self._client.set(PREFIX + person, wrapped, nx=True)
        return self.read([person])[person]

    def erase(self, person: str) -> None:
        """As `FileKeys` does."""
        with self._answering():
            self._client.set(PREFIX + person, ERASED)

    def replace(self, changes: Iterable[Change]) -> int:
        """As `FileKeys` does."""
        with self._answering():
            return sum(bool(self._replace(keys=[PREFIX + one], args=[was, to])) for one, was, to in changes)

    def everyone(self) -> Iterator[tuple[str, bytes]]:
        """As `FileKeys` does."""
        with self._answering():
            names = [name.decode().removeprefix(PREFIX) for name in all_keys(self._client, f"{PREFIX}*", AT_ONCE)]
        for some in _parts(name for name in names if name != STORE):
            yield from self.read(some).items()


KeyStore = FileKeys | RedisKeys


def key_store(settings: Settings) -> KeyStore:
    """The key store that the settings name; raises `SecretUnusable`."""
    if settings.keys_url is None:
        return FileKeys(Path(settings.data) / FILE)
    if settings.keys_url == settings.redis_url:
        raise SecretUnusable(WITH_THE_LOG)
    return RedisKeys(connect(settings.keys_url, patience=IMPATIENT))


def name_of(store: KeyStore) -> bytes:
    """The name of a key store, which it is given when it is first used."""
    return store.put(STORE, secrets.token_hex(16).encode())


def _parts(persons: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(persons)
    while some := list(islice(rest, AT_ONCE)):
        yield some


# The keys as they are used


class Keys(Protocol):
    """The keys of persons."""

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
        self._remembered: dict[str, tuple[float, bytes]] = {}  # until when (`time.monotonic`)

    def known(self, persons: Iterable[str]) -> Mapping[str, bytes]:
        """The keys of those persons who have one."""
        return {person: key for person, key in self._read(persons).items() if key}

    def erased(self, persons: Iterable[str]) -> Set[str]:
        """Those of these persons whose key was erased."""
        return {person for person, key in self._read(persons).items() if key == ERASED}

    def made(self, person: str) -> bytes:
        """The person's key, as the key store has it now; raises `Refused` if it was erased, in whichever process.

        If several processes make one at once, all use the first; one that is killed here leaves an unused key.
        """
        key = self._look_up([person]).get(person)
        if key is None:
            kept = self.store.put(person, wrap(self._sealer, person, new_key()))
            key = kept and unwrapped(self._sealer, person, kept)
        if key == ERASED:
            raise Refused("unauthenticated", "this account was erased")
        return key

    def erase(self, person: str) -> None:
        """Erases the person's key, for ever; whoever never had one gets none. May be repeated."""
        if self._kept([person]).get(person) != ERASED:
            self.store.erase(person)
        self.drop()

    def drop(self) -> None:
        """Forgets all keys; what is being looked up is not remembered either."""
        self._remembered = {}

    def _read(self, persons: Iterable[str]) -> dict[str, bytes]:
        """What is remembered, and of the others what the key store has."""
        now, wanted, remembered = time.monotonic(), set(persons), self._remembered
        found = {one: remembered[one][1] for one in wanted if one in remembered and now < remembered[one][0]}
        return found | self._look_up(wanted - found.keys())

    def _look_up(self, persons: Iterable[str]) -> dict[str, bytes]:
        """The keys as the key store has them now, which are remembered."""
        remembered, until = self._remembered, time.monotonic() + REMEMBER_S
        found: dict[str, bytes] = {}
        for some in _parts(persons):
            for person, wrapped in self._kept(some).items():
                try:
                    found[person] = wrapped and unwrapped(self._sealer, person, wrapped)
                except Unsealable as error:
                    log.error("%s", error)
        if len(remembered) + len(found) > MOST_KNOWN:
            remembered.clear()
        remembered.update((person, (until, key)) for person, key in found.items())
        return found

    def _kept(self, persons: Sequence[str]) -> dict[str, bytes]:
        """What the store keeps of persons; raises `KeysUnavailable` if it is not the one that it was."""
        if self._name is None:
            return self.store.read(persons)
        kept = self.store.read((STORE, *persons))
        if kept.pop(STORE, None) != self._name:
            raise KeysUnavailable(EMPTIED)
        return kept


def new_key() -> bytes:
    """A new key of a person."""
    return AESGCM.generate_key(256)


def wrap(sealer: Sealer, person: str, key: bytes) -> bytes:
    """A person's key as the store keeps it."""
    return sealer.seal(f"key of {person}", key)


def unwrapped(sealer: Sealer, person: str, wrapped: bytes) -> bytes:
    """A person's key; raises `Unsealable`."""
    return sealer.open(f"key of {person}", wrapped)


def keys_of(client: Client, settings: Settings, sealer: Sealer) -> PersonKeys:
    """The keys that belong to the log of a store; raises `SecretUnusable` if the key store is another log's, or new.

    One that is empty is given a name for a new log alone: it may be that its copy was not put back yet.
    """
    store, kept = key_store(settings), client.get(MARK)
    name = name_of(store) if kept is None else store.read([STORE]).get(STORE)
    if settings.keys_url and name and client.get(PREFIX + STORE) == name:
        raise SecretUnusable(WITH_THE_LOG)
    if name is None:
        raise SecretUnusable(f"the key store is empty, and this store has texts under its keys. {PUT_BACK} {ADVICE}")
    if kept is None:  # a store without free memory refuses to be marked, even as it is marked already
        kept = client.set(MARK, name, nx=True, get=True)
    if kept not in (None, name):
        raise SecretUnusable(f"the texts of this store are under the keys of another key store. {ADVICE}")
    return PersonKeys(store, sealer, name)


# Texts


class Texts:
    """Seals what people are called and write, and opens it for whoever may read it."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def encrypted(self, table: str, type_: str, of: str, text: str) -> PersonalText:
        """A text as an event of this type is to hold it at this table."""
        return self.sealed(_place(table, type_), of, text)

    def told(self, table: str, type_: str, text: PersonalText) -> str | None:
        """What somebody wrote in an event of this type at this table; None if its key is not here."""
        return self.opened(_place(table, type_), text)

    def kept(self, kind: str, id_: str, of: str, text: str) -> Text:
        """A text as a record of this kind is to hold it beside the log; one that says nothing stays as it is."""
        return self.sealed(canonical([kind, id_]), of, text) if text else ""

    def decrypted(self, kind: str, id_: str, text: Text) -> str | None:
        """What such a record holds; None if its key is not here."""
        return text if isinstance(text, str) else self.opened(canonical([kind, id_]), text)

    def sealed(self, place: bytes, of: str, text: str) -> PersonalText:
        """A text under the key of the person `of`; it can be read at the same place alone."""
        key, nonce = self._keys.made(of), new_nonce()
        found = nonce + AESGCM(key).encrypt(nonce, _padded(text.encode()), place)
        return PersonalText(of, base64.urlsafe_b64encode(found).decode().rstrip("="))

    def opened(self, place: bytes, text: PersonalText) -> str | None:
        """What was sealed for this place; None if its key is not here."""
        key, found = self._keys.known([text.of]).get(text.of), _bytes(text.text)
        if key is None:
            return None
        try:
            padded = AESGCM(key).decrypt(found[:NONCE], found[NONCE:], place)
            return padded.rstrip(b"\0").removesuffix(END).decode()
        except (InvalidTag, ValueError):  # of another key: the person's first one was given up
            return None

    def expect(self, texts: Iterable[Text | None]) -> None:
        """Looks the keys of many texts up in one go; they are then remembered for longer than an answer takes."""
        self._keys.known({text.of for text in texts if isinstance(text, PersonalText)})

    def fingerprint(self, of: str, text: str) -> bytes:
        """What tells the person's texts apart, and tells nobody without the key anything of them."""
        return hmac.digest(self._keys.made(of), text.encode(), "sha256")

    def count_erased(self, people: Iterable[str | None]) -> int:
        """How many of these were erased, each as often as named."""
        named = [person for person in people if person is not None]
        erased = self._keys.erased(named)
        return sum(person in erased for person in named)


NO_TEXTS = Texts(NoKeys())  # of processes that neither write nor show any


def as_kept(value: Any) -> Text | None:
    """A text as a row or a payload keeps it."""
    found: Text | None = msgspec.convert(value, Text | None)
    return found


def new_nonce() -> bytes:
    """What no other text under the same key has."""
    return os.urandom(NONCE)


def is_well_formed(text: str) -> bool:
    """Whether something can be the ciphertext of a text: Base64 of a nonce, 1, 2, 4 … steps of text, and a tag."""
    found = _bytes(text)
    size = len(found) - NONCE - TAG
    is_step = size >= STEP and size % STEP == 0 and (size // STEP).bit_count() == 1
    return is_step and base64.urlsafe_b64encode(found).decode().rstrip("=") == text


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return b""


def _padded(plain: bytes) -> bytes:
    size = STEP
    while size < len(plain) + len(END):
        size *= 2
    return (plain + END).ljust(size, b"\0")


def _place(table: str, type_: str) -> bytes:
    return canonical([table, type_, TEXTS[type_]])
