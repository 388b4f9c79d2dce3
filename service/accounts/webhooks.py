"""Webhooks of bots: one address per account, with a secret that signs what is sent.

Both are sealed: the address may hold a token by which the bot authenticates the sender.
"""

import base64
import ipaddress
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

import msgspec

from events.connections import all_keys
from events.scripts import Client, acknowledged_script
from service.accounts.sealing import Sealer
from service.addresses import HTTPS, Reach, is_allowed
from service.errors import Refused

SECRET = "whsec_"  # noqa: S105 - the prefix in Standard Webhooks
VISIBLE = re.compile("[!-~]{1,1000}")
HTTP = 80
WEBHOOKS = "{accounts}:webhook:*"  # the keys of all webhooks, and of their last deliveries


class Webhook(msgspec.Struct, frozen=True):
    """An address, and in `sealed` the key that signs the deliveries."""

    id: str
    player: str
    at: str
    sealed: str = ""
    address: str = ""


class Delivery(msgspec.Struct, frozen=True):
    """The result of a delivery: the HTTP status, or in `detail` why there was none."""

    delivery: str
    at: str
    status: int | None
    detail: str


class Webhooks:
    """The webhooks of all players."""

    def __init__(self, client: Client, sealer: Sealer, reach: Reach = Reach()) -> None:  # noqa: B008 - it is immutable
        self._client, self._sealer, self.reach = client, sealer, reach
        self._write = acknowledged_script(client, "service.accounts", "replace_webhook.lua")
        self._note = acknowledged_script(client, "service.accounts", "note_delivery.lua")

    def put(self, player: str, url: str, at: str) -> tuple[Webhook, str]:
        """Stores a webhook in place of an old one; returns it and its secret. Raises `Refused` for a bad address."""
        check_url(url, self.reach)
        key, name = secrets.token_bytes(32), secrets.token_hex(8)
        sealed = self._sealer.seal(_purpose(name), key), self._sealer.seal(_address_of(name), url.encode())
        webhook = Webhook(name, player, at, *(one.decode() for one in sealed))
        self._write(keys=keys_of(player), args=[msgspec.json.encode(webhook)])
        return webhook, SECRET + base64.b64encode(key).decode()

    def key_of(self, webhook: Webhook) -> bytes:
        """Returns the key that signs the deliveries; raises `Unsealable`."""
        return self._sealer.open(_purpose(webhook.id), webhook.sealed.encode())

    def url_of(self, webhook: Webhook) -> str:
        """Returns the address; raises `Unsealable`."""
        return self._sealer.open(_address_of(webhook.id), webhook.address.encode()).decode()

    def of(self, player: str) -> Webhook | None:
        """Returns the player's webhook."""
        kept = self._client.get(keys_of(player)[0])
        return msgspec.json.decode(kept, type=Webhook) if kept else None

    def remove(self, player: str) -> str | None:
        """Ends the player's webhook; returns its id ("" if it was damaged), or None if there was none."""
        ended = self._write(keys=keys_of(player), args=[""])
        if not ended:
            return None
        with suppress(msgspec.MsgspecError):
            return msgspec.json.decode(ended, type=Webhook).id
        return ""

    def note(self, webhook: Webhook, result: Delivery) -> None:
        """Stores the result of the last delivery, if the player still has the webhook."""
        self._note(keys=keys_of(webhook.player), args=[webhook.id, msgspec.json.encode(result)])

    def end(self, webhook: Webhook) -> bool:
        """Ends this webhook, but not one in its place; returns whether it was still there."""
        return bool(self._note(keys=keys_of(webhook.player), args=[webhook.id, ""]))

    def all(self) -> Iterator[Webhook]:
        """Yields all webhooks without damaged ones; raises `KeysMissed`."""
        for key in filter(is_webhook, all_keys(self._client, WEBHOOKS)):
            with suppress(msgspec.MsgspecError):
                if kept := self._client.get(key):
                    yield msgspec.json.decode(kept, type=Webhook)

    def last(self, player: str) -> Delivery | None:
        """Returns the result of the last delivery."""
        kept = self._client.get(keys_of(player)[1])
        return msgspec.json.decode(kept, type=Delivery) if kept else None


def _purpose(webhook: str) -> str:
    return f"webhook {webhook}"


def _address_of(webhook: str) -> str:
    return f"address of webhook {webhook}"


def is_webhook(key: bytes) -> bool:
    """Whether a key of `WEBHOOKS` is that of a webhook, not of its last delivery."""
    return key.count(b":") == 2


def keys_of(player: str) -> tuple[str, str]:
    """Returns the keys of a player's webhook and its last delivery."""
    return f"{{accounts}}:webhook:{player}", f"{{accounts}}:webhook:{player}:last"


def check_url(url: str, reach: Reach) -> SplitResult:
    """Returns the parts of an address, checked as far as possible without DNS; raises `Refused`."""
    if not VISIBLE.fullmatch(url):
        raise _refused("at most 1000 visible ASCII characters")
    try:
        parts = urlsplit(url)
        port = port_of(parts)
    except ValueError:
        raise _refused("https://host/path") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise _refused("https://host/path")
    if "@" in parts.netloc or parts.fragment:
        raise _refused("no user, password or fragment")
    if parts.scheme == "http" and not reach.networks:
        raise _refused("https: nothing is sent unencrypted over the internet")
    with suppress(ValueError):  # for a name, which is looked up when something is sent
        if not is_allowed(ipaddress.ip_address(str(parts.hostname)), reach.networks):
            raise _refused("a public address")
    if not reach.has_port(port):
        raise _refused("port 443, or another that the operator allows")
    return parts


def port_of(parts: SplitResult) -> int:
    """Returns the port in an address, or that of its scheme."""
    return parts.port if parts.port is not None else HTTPS if parts.scheme == "https" else HTTP


def _refused(needed: str) -> Refused:
    return Refused("webhook_refused", f"the URL of a webhook needs {needed}")
