"""Stores of earlier releases: a secret from which webhook keys were derived, and first tokens with other scopes."""

import hmac
import logging

import msgspec

from events.all_keys import all_keys
from events.scripts import Client
from events.store import META
from service.accounts.account_texts import FIRST
from service.accounts.callers import Player, Token
from service.accounts.erasing import rewrite_file
from service.accounts.replacing import replace
from service.accounts.sealing import Sealer, sealer_for
from service.accounts.webhooks import WEBHOOKS, Webhook, is_webhook, with_key
from service.config import Settings

SECRET = "secret"  # noqa: S105 - the name of a field
REQUESTS = "{accounts}:requests"
TOKENS = "{accounts}:token:*"
PLAYER = "{accounts}:player:"

log = logging.getLogger(__name__)


def sealer_after_carry_over(client: Client, settings: Settings) -> Sealer:
    """The sealer of a store, once what the store's own secret protected is carried over; raises `SecretUnusable`."""
    sealer = sealer_for(client, settings)
    if secret := client.hget(META, SECRET):
        carry_over(client, sealer, secret)
    return sealer


def carry_over(client: Client, sealer: Sealer, secret: bytes) -> None:
    """Seals what was derived from the store's own secret, then deletes that secret; a repeat completes it."""
    for key in all_keys(client, WEBHOOKS):
        if is_webhook(key):
            _seal_webhook(client, sealer, secret, key)
    for key in all_keys(client, TOKENS):
        _let_first_manage(client, key)
    client.delete(REQUESTS)  # what would be told to their repeats was made of the secret
    client.hdel(META, SECRET)
    rewrite_file(client)
    log.warning("what the store's own secret protected is sealed under a key outside of it now; keep a copy of the key")


def _seal_webhook(client: Client, sealer: Sealer, secret: bytes, key: bytes) -> None:
    kept = client.get(key)
    webhook = msgspec.json.decode(kept, type=Webhook) if kept else None
    if webhook is None or webhook.sealed:
        return
    derived = hmac.digest(secret, f"webhook|{webhook.id}".encode(), "sha256")
    replace(client, key, kept, msgspec.json.encode(with_key(webhook, derived, sealer)))


def _let_first_manage(client: Client, key: bytes) -> None:
    """Lets an account's first token manage its tokens, as it did.

    A label is anybody's to choose; but only with the first token itself could another have been made in the millisecond
    in which the account was.
    """
    kept = client.get(key)
    token = msgspec.json.decode(kept, type=Token) if kept else None
    player = client.get(PLAYER + token.player) if token else None
    if token is None or not player or "account" in token.scopes or token.label != FIRST:
        return
    if token.at == msgspec.json.decode(player, type=Player).at:
        scopes = (*token.scopes, "account")
        replace(client, key, kept, msgspec.json.encode(msgspec.structs.replace(token, scopes=scopes)))
