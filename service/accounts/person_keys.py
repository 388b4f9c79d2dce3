"""The key of each person, under which lies what the person is called and writes.

A key store holds keys wrapped by the service's secret. Whoever has the log and not the key store can read no text, nor
can whoever has the key store alone.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from events.scripts import Client
from service.accounts.key_stores import (
    ADVICE,
    AT_ONCE,
    ERASED,
    PREFIX,
    STORE,
    WITH_THE_LOG,
    KeyStore,
    KeysUnavailable,
    key_store,
    name_of,
)
from service.accounts.sealing import Sealer, SecretUnusable, Unsealable
from service.config import Settings
from service.errors import Refused

MARK = "wintercount:keys"  # in the log's store: the name of the key store that it belongs to
REMEMBER_S = 5.0  # how long a process goes on to use a key that was erased elsewhere
MOST_KNOWN = 10_000  # keys that a process remembers
PUT_BACK = "Put its newest copy back: without it names and texts cannot be read."
RETURN = (
    "Put its newest copy back; nothing is written meanwhile. After `wintercount rotate-secret --lost`, start all web "
    "servers again"
)

log = logging.getLogger(__name__)


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
