"""Webhooks of bots: one address per account, with a secret that signs what is sent.

Both are kept sealed: a bot may have put something into its address by which it knows who asks.
"""

import base64
import ipaddress
import secrets
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from events.connections import all_keys
from events.scripts import Client, acknowledged_script
from service.accounts.sealing import Sealer
from service.errors import Refused
from service.outgoing_addresses import HTTPS, Reach, is_allowed

SECRET = "whsec_"  # noqa: S105 - how a secret of Standard Webhooks begins
MOST_CHARACTERS = 1000
HTTP = 80
WEBHOOKS = "{accounts}:webhook:*"  # the keys of all webhooks, and of what came of sending to them last


class Webhook(msgspec.Struct, frozen=True):
    """An address to send to, and in `sealed` the key that signs what is sent."""

    id: str
    player: str
    at: str
    sealed: str = ""
    address: str = ""


class Attempt(msgspec.Struct, frozen=True):
    """The result of the last delivery: the HTTP status, or in `detail` why there was none."""

    delivery: str
    at: str
    status: int | None
    detail: str


class Webhooks:
    """The webhooks of all players, beside their accounts."""

    def __init__(self, client: Client, sealer: Sealer, reach: Reach = Reach()) -> None:  # noqa: B008 - it is immutable
        self._client, self._sealer, self.reach = client, sealer, reach
        self._write = acknowledged_script(client, "service.accounts", "webhook.lua")
        self._tell = acknowledged_script(client, "service.accounts", "webhook_told.lua")

    def put(self, player: str, url: str, at: str) -> tuple[Webhook, str]:
        """A new webhook in place of an old one, and its secret; raises `Refused` for an address that is not allowed."""
        check_url(url, self.reach)
        key, name = secrets.token_bytes(32), secrets.token_hex(8)
        sealed = self._sealer.seal(_purpose(name), key), self._sealer.seal(_address_of(name), url.encode())
        webhook = Webhook(name, player, at, *(one.decode() for one in sealed))
        self._write(keys=keys_of(player), args=[msgspec.json.encode(webhook)])
        return webhook, SECRET + base64.b64encode(key).decode()

    def key_of(self, webhook: Webhook) -> bytes:
        """What signs the deliveries; raises `Unsealable`."""
        return self._sealer.open(_purpose(webhook.id), webhook.sealed.encode())

    def url_of(self, webhook: Webhook) -> str:
        """The address that is sent to; raises `Unsealable`."""
        return self._sealer.open(_address_of(webhook.id), webhook.address.encode()).decode()

    def of(self, player: str) -> Webhook | None:
        """The player's webhook."""
        kept = self._client.get(_key(player))
        return msgspec.json.decode(kept, type=Webhook) if kept else None

    def remove(self, player: str) -> str | None:
        """Ends the player's webhook; its id ("" if it was damaged), None if there was none."""
        ended = self._write(keys=keys_of(player), args=[""])
        return _id_of(ended) if ended else None

    def note(self, webhook: Webhook, attempt: Attempt) -> None:
        """Stores the result of the last delivery, if it was to the webhook that the player has."""
        self._tell(keys=keys_of(webhook.player), args=[webhook.id, msgspec.json.encode(attempt)])

    def end(self, webhook: Webhook) -> bool:
        """Ends this webhook, and none that has taken its place; whether it was still there."""
        return bool(self._tell(keys=keys_of(webhook.player), args=[webhook.id, ""]))

    def all(self) -> Iterator[Webhook]:
        """All webhooks, without damaged ones; raises `KeysMissed`."""
        for key in filter(is_webhook, all_keys(self._client, WEBHOOKS)):
            with suppress(msgspec.MsgspecError):
                if kept := self._client.get(key):
                    yield msgspec.json.decode(kept, type=Webhook)

    def last(self, player: str) -> Attempt | None:
        """The result of the last delivery."""
        kept = self._client.get(_key(player, "last"))
        return msgspec.json.decode(kept, type=Attempt) if kept else None


def _id_of(kept: bytes) -> str:
    try:
        return msgspec.json.decode(kept, type=Webhook).id
    except msgspec.MsgspecError:
        return ""


def _purpose(webhook: str) -> str:
    return f"webhook {webhook}"


def _address_of(webhook: str) -> str:
    return f"address of webhook {webhook}"


def is_webhook(key: bytes) -> bool:
    """Whether a key of `WEBHOOKS` is that of a webhook itself."""
    return key.count(b":") == 2


def keys_of(player: str) -> tuple[str, str]:
    """All keys of a player's webhook."""
    return _key(player), _key(player, "last")


def _key(player: str, *what: str) -> str:
    return ":".join(("{accounts}", "webhook", player, *what))


def check_url(url: str, reach: Reach) -> SplitResult:
    """The parts of an allowed address, checked as far as possible before looking it up; raises `Refused`."""
    if len(url) > MOST_CHARACTERS or not url.isascii() or any(c.isspace() or not c.isprintable() for c in url):
        raise _refused(f"at most {MOST_CHARACTERS} visible ASCII characters")
    parts = _split(url)
    if "@" in parts.netloc or parts.fragment:
        raise _refused("no user, password or fragment")
    _check_reach(parts, reach)
    return parts


def _check_reach(parts: SplitResult, reach: Reach) -> None:
    if parts.scheme == "http" and not reach.networks:
        raise _refused("https: nothing is sent unencrypted over the internet")
    if (literal := _address(str(parts.hostname))) and not is_allowed(literal, reach.networks):
        raise _refused("a public address")
    if not reach.has_port(port_of(parts)):
        raise _refused("port 443, or another that the operator allows")


def port_of(parts: SplitResult) -> int:
    """The port that an address names, or that of its scheme."""
    return parts.port if parts.port is not None else HTTPS if parts.scheme == "https" else HTTP


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for a port that is none
    except ValueError:
        raise _refused("https://host/path") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise _refused("https://host/path")
    return parts


def _address(host: str) -> Any:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _refused(needs: str) -> Refused:
    return Refused("webhook_refused", f"the URL of a webhook needs this: {needs}")
