"""Rotating the service's secret: what the store keeps sealed and people's keys lie under a new one afterwards.

And giving up what a lost secret sealed.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from events.connections import all_keys
from events.scripts import Client, script
from service.accounts.accounts import ANSWERS, FINGERPRINT
from service.accounts.personal_texts import (
    AT_ONCE,
    ERASED,
    MARK,
    Change,
    KeyStore,
    key_store,
    keys_of,
    name_of,
    wrap,
)
from service.accounts.personal_texts import new_key as new_person_key
from service.accounts.sealing import SEAL, KeyFile, Sealer, SecretUnusable, Unsealable, new_key, sealer_for, sealer_from
from service.accounts.webhooks import WEBHOOKS, Webhook, is_webhook
from service.config import Settings

KEPT_KEYS = 2  # the newest, and the one before it: a process may have sealed under that a moment ago
PAUSE_S = 0.1  # after so many persons' keys: the longest that SQLite lets somebody wait before it looks again

MISSING = (
    "something is sealed under a key that is not here, and no key was dropped: put that key back behind the others, or "
    "give up what it sealed (`wintercount rotate-secret --lost`); then do this again"
)

Renew = Callable[[bytes], bytes]


def rotate(client: Client, settings: Settings) -> int:
    """Puts a new key first in the file and seals everything again; returns the count. Raises `SecretUnusable`."""
    if settings.secret:
        raise SecretUnusable("the keys are in WINTERCOUNT_SECRET: put a new one first there, and see --keep")
    store = keys_of(client, settings, sealer_for(client, settings)).store
    file = KeyFile(settings.key_file)
    with file.alone():
        file.write([new_key(), *file.read()])
        count = seal_anew(client, Sealer(file.read), store)
        file.write(file.read()[:KEPT_KEYS])
    return count


def reseal(client: Client, settings: Settings) -> int:
    """Seals everything under the newest of the given keys; returns the count. Raises `SecretUnusable`."""
    sealer = sealer_for(client, settings)
    return seal_anew(client, sealer, keys_of(client, settings, sealer).store)


def seal_anew(client: Client, sealer: Sealer, store: KeyStore) -> int:
    """Seals everything under the newest key, persons' keys too; returns the number of records.

    Raises `SecretUnusable` where something needs a key that is not here; a repeat goes on.
    """
    try:
        replace = script(client, "service.accounts", "replace.lua")
        records = _sealed(client, sealer)
        count = sum(bool(replace(keys=[key], args=[was, renew(was)])) for key, was, renew in records)
        return count + _replaced(store, ((person, was, sealer.renewed(was)) for person, was in _persons(store)))
    except Unsealable:
        raise SecretUnusable(MISSING) from None


def _replaced(store: KeyStore, changes: Iterable[Change]) -> int:
    """Puts other keys in place of these, many at a time, and lets others write to the key store in between."""
    count, rest = 0, iter(changes)
    while some := list(islice(rest, AT_ONCE)):
        count += store.replace(some)
        time.sleep(PAUSE_S)
    return count


def _persons(store: KeyStore) -> Iterator[tuple[str, bytes]]:
    """Those whose key was not erased, and what is kept of it."""
    return ((person, wrapped) for person, wrapped in store.everyone() if wrapped != ERASED)


def give_up(client: Client, settings: Settings) -> int:
    """Deletes what no key opens, so that the service starts; returns the count. Raises `SecretUnusable`.

    What somebody has put anew in the place of such a record stays.
    """
    sealer = sealer_from(settings, may_create=True)
    lost = [(key, was) for key, was, renew in _sealed(client, sealer) if not _opens(renew, was)]
    remove = script(client, "service.accounts", "remove.lua")
    removed = sum(bool(remove(keys=[key], args=[was])) for key, was in lost)
    sealer_for(client, settings)
    return removed + _begin_anew(client, key_store(settings), sealer)


def _begin_anew(client: Client, store: KeyStore, sealer: Sealer) -> int:
    """Ties the log to this key store and gives a new key to everybody whose key cannot be opened; how many."""
    client.set(MARK, name_of(store))
    lost = [(person, was) for person, was in _persons(store) if not _opens(sealer.renewed, was)]
    return _replaced(store, ((person, was, wrap(sealer, person, new_person_key())) for person, was in lost))


def _opens(renew: Renew, was: bytes) -> bool:
    try:
        renew(was)
    except Unsealable:
        return False
    return True


def _sealed(client: Client, sealer: Sealer) -> Iterator[tuple[bytes, bytes, Renew]]:
    """Every record with something sealed in it, its kind, and how to seal it again."""
    for pattern, renew in (
        (SEAL, sealer.renewed),
        (ANSWERS, lambda kept: kept[:FINGERPRINT] + sealer.renewed(kept[FINGERPRINT:])),
        (WEBHOOKS, lambda kept: _webhook_anew(kept, sealer)),
    ):
        for key in all_keys(client, pattern):
            if (pattern != WEBHOOKS or is_webhook(key)) and (was := client.get(key)):
                yield key, was, renew


def _webhook_anew(kept: bytes, sealer: Sealer) -> bytes:
    webhook = msgspec.json.decode(kept, type=Webhook)
    sealed = {"sealed": webhook.sealed, "address": webhook.address}
    renewed = {name: sealer.renewed(text.encode()).decode() for name, text in sealed.items()}
    return msgspec.json.encode(msgspec.structs.replace(webhook, **renewed))
