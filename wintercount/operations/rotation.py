"""Rotates the service's secret: reseals what the store keeps and people's keys, or gives up what a lost one sealed."""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from events.connections import all_keys
from events.scripts import Client, script
from service.accounts import key_store
from service.accounts.accounts_and_tokens import ANSWERS, FINGERPRINT
from service.accounts.key_store import AT_ONCE, ERASED, MARK, Change, KeyStore, keys_of, name_of, open_key_store, wrap
from service.accounts.sealing import SEAL, KeyFile, Sealer, SecretUnusable, Unsealable, new_key, sealer_for, sealer_from
from service.accounts.webhooks import WEBHOOKS, Webhook, is_webhook
from service.config import Settings

KEPT_KEYS = 2  # the newest, and the one before: a process may have sealed under that a moment ago
PAUSE_S = 0.1  # between parts of the key store: the longest that SQLite lets a waiting writer sleep
MISSING = (
    "something is sealed under a key that is not here, and no key was dropped: add that key after the others, or "
    "give up what it sealed (`wintercount rotate-secret --lost`); then repeat this"
)

Renew = Callable[[bytes], bytes]


def rotate(client: Client, settings: Settings) -> int:
    """Puts a new key first in the file and reseals everything; returns the count. Raises `SecretUnusable`."""
    if settings.secret:
        raise SecretUnusable("the keys are in WINTERCOUNT_SECRET: put a new one first there, and see --keep")
    store = keys_of(client, settings, sealer_for(client, settings)).store
    file = KeyFile(settings.key_file)
    with file.locked():
        file.write([new_key(), *file.read()])
        count = reseal_all(client, Sealer(file.read), store)
        file.write(file.read()[:KEPT_KEYS])
    return count


def reseal(client: Client, settings: Settings) -> int:
    """Reseals everything under the newest of the given keys; returns the count. Raises `SecretUnusable`."""
    sealer = sealer_for(client, settings)
    return reseal_all(client, sealer, keys_of(client, settings, sealer).store)


def reseal_all(client: Client, sealer: Sealer, store: KeyStore) -> int:
    """Reseals all records and people's keys under the newest key; returns the count. A repeat goes on.

    Raises `SecretUnusable` if something needs a key that is not here.
    """
    try:
        replace = script(client, "service.accounts", "replace_record.lua")
        count = sum(bool(replace(keys=[key], args=[was, renew(was)])) for key, was, renew in _sealed(client, sealer))
        return count + _replace(store, ((person, was, sealer.renewed(was)) for person, was in _wrapped_keys(store)))
    except Unsealable:
        raise SecretUnusable(MISSING) from None


def give_up(client: Client, settings: Settings) -> int:
    """Deletes records that no key opens, so that the service starts; returns the count. Raises `SecretUnusable`.

    Also adopts the key store, and gives new keys to people whose keys do not open.
    """
    sealer = sealer_from(settings, may_create=True)
    lost = [(key, was) for key, was, renew in _sealed(client, sealer) if not _opens(renew, was)]
    replace = script(client, "service.accounts", "replace_record.lua")  # a record that was replaced meanwhile stays
    removed = sum(bool(replace(keys=[key], args=[was, ""])) for key, was in lost)
    sealer_for(client, settings)
    store = open_key_store(settings)
    client.set(MARK, name_of(store))
    unreadable = [(person, was) for person, was in _wrapped_keys(store) if not _opens(sealer.renewed, was)]
    new = ((person, was, wrap(sealer, person, key_store.new_key())) for person, was in unreadable)
    return removed + _replace(store, new)


def _replace(store: KeyStore, changes: Iterable[Change]) -> int:
    """Replaces keys, many at a time, and lets others write to the key store in between."""
    count, rest = 0, iter(changes)
    while some := list(islice(rest, AT_ONCE)):
        count += store.replace(some)
        time.sleep(PAUSE_S)
    return count


def _wrapped_keys(store: KeyStore) -> Iterator[tuple[str, bytes]]:
    """Yields all persons whose key was not erased, with their wrapped keys."""
    return ((person, wrapped) for person, wrapped in store.everyone() if wrapped != ERASED)


def _opens(renew: Renew, was: bytes) -> bool:
    try:
        renew(was)
    except Unsealable:
        return False
    return True


def _sealed(client: Client, sealer: Sealer) -> Iterator[tuple[bytes, bytes, Renew]]:
    """Yields every record with something sealed in it: its key, its value, and how to reseal it."""
    for pattern, renew in (
        (SEAL, sealer.renewed),
        (ANSWERS, lambda kept: kept[:FINGERPRINT] + sealer.renewed(kept[FINGERPRINT:])),
        (WEBHOOKS, lambda kept: _resealed_webhook(kept, sealer)),
    ):
        for key in all_keys(client, pattern):
            if (pattern != WEBHOOKS or is_webhook(key)) and (was := client.get(key)):
                yield key, was, renew


def _resealed_webhook(kept: bytes, sealer: Sealer) -> bytes:
    webhook = msgspec.json.decode(kept, type=Webhook)
    sealed = {"sealed": webhook.sealed, "address": webhook.address}
    renewed = {name: sealer.renewed(text.encode()).decode() for name, text in sealed.items()}
    return msgspec.json.encode(msgspec.structs.replace(webhook, **renewed))
