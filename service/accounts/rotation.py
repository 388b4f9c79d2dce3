"""Rotating the key of what the store keeps sealed, and giving up what a lost key sealed."""

from collections.abc import Callable, Iterator

import msgspec

from events.store import Client
from service.accounts.accounts import ANSWERS, FINGERPRINT
from service.accounts.inheritance import replace
from service.accounts.sealing import SEAL, KeyFile, Sealer, SecretUnusable, Unsealable, new_key, sealer_for, sealer_from
from service.accounts.webhooks import WEBHOOKS, Webhook, is_webhook
from service.config import Settings

KEPT_KEYS = 2  # the newest, and the one before it: a process may have sealed under that a moment ago

Renew = Callable[[bytes], bytes]


def rotate(client: Client, settings: Settings) -> int:
    """Puts a new key first in the file and seals everything again; returns the count. Raises `SecretUnusable`."""
    if settings.secret:
        raise SecretUnusable("the keys are in WINTERCOUNT_SECRET: put a new one first there, and see --keep")
    sealer_for(client, settings)
    file = KeyFile(settings.key_file)
    file.write([new_key(), *file.read()])
    count = seal_anew(client, Sealer(file.read))
    file.write(file.read()[:KEPT_KEYS])
    return count


def reseal(client: Client, settings: Settings) -> int:
    """Seals everything under the newest of the given keys; returns the count. Raises `SecretUnusable`."""
    return seal_anew(client, sealer_for(client, settings))


def seal_anew(client: Client, sealer: Sealer) -> int:
    """Seals everything under the newest key; returns the number of records."""
    return sum(replace(client, key, was, renew(was)) for key, was, renew in _sealed(client, sealer))


def give_up(client: Client, settings: Settings) -> int:
    """Deletes what no key opens, so that the service starts; returns the count. Raises `SecretUnusable`."""
    sealer = sealer_from(settings, may_create=True)
    lost = [key for key, was, renew in _sealed(client, sealer) if not _opens(renew, was)]
    for key in lost:
        client.delete(key)
    sealer_for(client, settings)
    return len(lost)


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
        for key in client.scan_iter(pattern):
            if (pattern != WEBHOOKS or is_webhook(key)) and (was := client.get(key)):
                yield key, was, renew


def _webhook_anew(kept: bytes, sealer: Sealer) -> bytes:
    webhook = msgspec.json.decode(kept, type=Webhook)
    renewed = sealer.renewed(webhook.sealed.encode()).decode()
    return msgspec.json.encode(msgspec.structs.replace(webhook, sealed=renewed))
