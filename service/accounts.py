"""Players and their tokens. A token is shown once and kept as a hash; its scopes say what it may be used for."""

import base64
import hashlib
import hmac
import secrets
import threading
import time
from importlib.resources import files
from typing import Any

import msgspec

from events.store import META, Client
from service.errors import Refused

SCOPES = ("play", "watch", "arbitrate", "admin")
OWN_SCOPES = SCOPES[:3]  # what players may give to their own tokens; `admin` is the operator's to give
REMEMBER_S = 5.0  # how long a process trusts a token that it has looked up: how long a revoked one may live elsewhere


class Player(msgspec.Struct, frozen=True):
    """An account: a person or a bot."""

    id: str
    name: str
    bot: bool
    at: str


class Token(msgspec.Struct, frozen=True):
    """What is kept of a token: `id` names it, `digest` finds it."""

    id: str
    player: str
    scopes: tuple[str, ...]
    label: str
    at: str
    digest: str


class Caller(msgspec.Struct, frozen=True):
    """Who asks: a player with the scopes of the token used (`token` is its digest), or nobody."""

    player: Player | None = None
    scopes: tuple[str, ...] = ()
    token: str | None = None

    @property
    def id(self) -> str | None:
        """The player's id."""
        return self.player.id if self.player else None

    def needs(self, scope: str) -> Player:
        """The player, if the token has the scope; raises `Refused`."""
        if self.player is None:
            raise Refused("unauthenticated", "send a token: Authorization: Bearer …; POST /v1/players gives one")
        if scope not in self.scopes and "admin" not in self.scopes:
            raise Refused("scope-missing", f"this needs a token with the scope {scope!r}")
        return self.player


NOBODY = Caller()
OPERATOR = Player("operator", "operator", bot=False, at="1970-01-01T00:00:00.000Z")


class Accounts:
    """Players and tokens in the store, all in one slot."""

    def __init__(self, client: Client, admin_token: str | None = None) -> None:
        client.hsetnx(META, "secret", secrets.token_bytes(32))
        self._secret: bytes = client.hget(META, "secret")
        self._client = client
        self._admin = _digest(admin_token) if admin_token else None
        self._write = client.register_script(files("service").joinpath("accounts.lua").read_text())
        self._known: dict[str, tuple[float, Caller]] = {}
        self._lock = threading.Lock()

    def derive(self, purpose: str, request: str) -> bytes:
        """Thirty-two bytes that only this service can work out, the same for the same request."""
        return hmac.digest(self._secret, f"{purpose}|{request}".encode(), "sha256")

    def create(self, name: str, *, bot: bool, at: str, request: str, fingerprint: str) -> tuple[Player, Token, str]:
        """A new player with a first token (`play` and `watch`), or the same ones again for a repeated request."""
        player = Player(_name("p", self.derive("player", request)), name, bot, at)
        token, text = self._token(player.id, OWN_SCOPES[:2], "first", at, request)
        self._put(token, request, fingerprint, {_key("player", player.id): player})
        return self.player(player.id) or player, self._read_token(token.digest) or token, text

    def add_token(  # noqa: PLR0913 - all of a token, and the request that asks for it
        self, player: str, scopes: tuple[str, ...], label: str, *, at: str, request: str, fingerprint: str
    ) -> tuple[Token, str]:
        """A further token for a player, or the same one again for a repeated request."""
        token, text = self._token(player, scopes, label, at, request)
        self._put(token, request, fingerprint, {})
        return self._read_token(token.digest) or token, text

    def _token(self, player: str, scopes: tuple[str, ...], label: str, at: str, request: str) -> tuple[Token, str]:
        text = "wc_" + base64.urlsafe_b64encode(self.derive("token", request)).decode().rstrip("=")
        digest = _digest(text)
        return Token(digest[:12], player, scopes, label, at, digest), text

    def _put(self, token: Token, request: str, fingerprint: str, records: dict[str, Any]) -> None:
        records = {_key("token", token.digest): token, **records}
        keys = ["{accounts}:requests", _key("tokens", token.player), *records]
        values = [msgspec.json.encode(value) for value in records.values()]
        if self._write(keys=keys, args=[request, fingerprint, token.id, token.digest, *values]) == b"reused":
            raise Refused("request-reused", "this Idempotency-Key came with another body before")

    def player(self, player: str) -> Player | None:
        """The account with that id."""
        kept = self._client.get(_key("player", player))
        return msgspec.json.decode(kept, type=Player) if kept else None

    def tokens(self, player: str) -> list[Token]:
        """The tokens of a player, the oldest first."""
        digests = self._client.hvals(_key("tokens", player))
        found = [token for digest in digests if (token := self._read_token(digest.decode()))]
        return sorted(found, key=lambda token: (token.at, token.id))

    def revoke(self, player: str, token_id: str) -> None:
        """Ends a token; raises `Refused` if the player has no such token."""
        digest = self._client.hget(_key("tokens", player), token_id)
        if digest is None:
            raise Refused("no-such-token", f"you have no token {token_id!r}")
        self._client.delete(_key("token", digest.decode()))
        self._client.hdel(_key("tokens", player), token_id)
        with self._lock:
            self._known.pop(digest.decode(), None)

    def caller(self, text: str) -> Caller:
        """Who sends the token; raises `Refused` for one that is unknown or revoked."""
        digest = _digest(text)
        if self._admin is not None and hmac.compare_digest(digest, self._admin):
            return Caller(OPERATOR, SCOPES)
        with self._lock:
            until, known = self._known.get(digest, (0.0, NOBODY))
        if time.monotonic() < until:
            return known
        return self._look_up(digest)

    def remembers(self, text: str) -> bool:
        """Whether `caller` can tell who sends the token, or that nobody does, without asking the store."""
        digest = _digest(text)
        return not text or digest == self._admin or time.monotonic() < self._known.get(digest, (0.0, NOBODY))[0]

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the caller's token was revoked meanwhile."""
        if caller.token is not None:
            self._look_up(caller.token)

    def _look_up(self, digest: str) -> Caller:
        token = self._read_token(digest)
        player = self.player(token.player) if token else None
        if token is None or player is None:
            raise Refused("unauthenticated", "this token is unknown or was revoked")
        caller = Caller(player, token.scopes, digest)
        with self._lock:
            if len(self._known) > 10_000:
                self._known.clear()
            self._known[digest] = (time.monotonic() + REMEMBER_S, caller)
        return caller

    def _read_token(self, digest: str) -> Token | None:
        kept = self._client.get(_key("token", digest))
        return msgspec.json.decode(kept, type=Token) if kept else None


def _key(kind: str, name: str) -> str:
    return f"{{accounts}}:{kind}:{name}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _name(prefix: str, digest: bytes) -> str:
    return f"{prefix}_{base64.b32encode(digest[:8]).decode().rstrip('=').lower()}"
