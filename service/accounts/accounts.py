"""Players and their tokens. A token's text is random, shown once and kept as a hash; its scopes say what it may do."""

import base64
import hashlib
import hmac
import logging
import secrets
import threading
import time
from typing import Any

import msgspec
from redis.exceptions import RedisError

from events.scripts import Client, promising_script, script
from service.accounts.sealing import Sealer
from service.errors import Refused

OWN_SCOPES = ("play", "watch", "arbitrate", "account")  # what a token with `account` may give to others
SCOPES = (*OWN_SCOPES, "metrics", "admin")  # the last two are the operator's to give, by settings
FIRST_SCOPES = ("play", "watch", "account")
FIRST = "first"  # the label of the token that comes with an account
REPEATS_S = 24 * 60 * 60  # how long a repeated request is told the first answer; afterwards it is a new request
ANSWERS = "{accounts}:answer:*"  # the keys of answers: a fingerprint of so many letters, and what is sealed
FINGERPRINT = 32
REVOKED = -1  # what the script returns if the token that asks was revoked
DAY_S = 86_400
MOST_KNOWN = 10_000  # tokens that a process remembers

log = logging.getLogger(__name__)
REMEMBER_S = 5.0  # how long a process trusts a token that it has looked up: how long a revoked one may live elsewhere


class Player(msgspec.Struct, frozen=True):
    """An account: a person or a bot."""

    id: str
    name: str
    bot: bool
    at: str


class Token(msgspec.Struct, frozen=True):
    """The stored part of a token: `id` names it, `digest` finds it."""

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

    def has(self, scope: str) -> bool:
        """Whether the token has the scope."""
        return scope in self.scopes or "admin" in self.scopes

    def needs(self, *scopes: str) -> Player:
        """The player, if the token has one of the scopes (any token if none are named); raises `Refused`."""
        if self.player is None:
            raise Refused("unauthenticated", "send a token: Authorization: Bearer …; POST /v1/players gives one")
        if scopes and not any(map(self.has, scopes)):
            raise Refused("scope-missing", f"this needs a token with the scope {' or '.join(map(repr, scopes))}")
        return self.player


NOBODY = Caller()
OPERATOR = Player("operator", "operator", bot=False, at="1970-01-01T00:00:00.000Z")
MONITORING = Player("monitoring", "monitoring", bot=True, at=OPERATOR.at)


class Made(msgspec.Struct, frozen=True):
    """The answer to a request for a token: the token, its text, and the account if it is new too."""

    token: Token
    text: str
    player: Player | None = None


class Accounts:
    """Players and tokens in the store, all in one slot."""

    def __init__(
        self,
        client: Client,
        sealer: Sealer,
        admin_token: str | None = None,
        metrics_token: str | None = None,
        most_tokens: int = 100,
    ) -> None:
        self._client, self._sealer, self._most_tokens = client, sealer, most_tokens
        of_settings = ((admin_token, Caller(OPERATOR, SCOPES)), (metrics_token, Caller(MONITORING, ("metrics",))))
        self._of_settings = [(_digest(text), caller) for text, caller in of_settings if text]
        self._write = promising_script(client, "service.accounts", "accounts.lua")
        self._note_used = script(client, "service.accounts", "used.lua")
        self._used: dict[str, int] = {}  # the day on which the use of a player's tokens was noted last
        self._known: dict[str, tuple[float, Caller]] = {}
        self._lock = threading.Lock()

    def create(self, name: str, *, bot: bool, at: str, request: str, fingerprint: str) -> tuple[Player, Token, str]:
        """A new player with a first token (`FIRST_SCOPES`), or the same ones again for a repeated request."""
        player = Player(f"p_{_random(8)}", name, bot, at)
        first = _token(player.id, FIRST_SCOPES, FIRST, at)
        made = self._put(Made(*first, player), request, fingerprint, {key_of("player", player.id): player})
        return made.player or player, made.token, made.text

    def add_token(  # noqa: PLR0913 - all of a token, and the request that asks for it
        self, caller: Caller, scopes: tuple[str, ...], label: str, *, at: str, request: str, fingerprint: str
    ) -> tuple[Token, str]:
        """A further token for the caller, or the same one for a repeated request; raises `Refused` beyond the quota.

        And if the caller's own token was revoked, though this process may not have learned of it: else whoever has
        stolen a token would replace it in that time.
        """
        made = Made(*_token(caller.needs().id, scopes, label, at))
        made = self._put(made, request, fingerprint, {}, asking=caller.token)
        return made.token, made.text

    def _put(
        self, made: Made, request: str, fingerprint: str, records: dict[str, Any], asking: str | None = None
    ) -> Made:
        """Stores what was made and returns the answer; a repeated request gets the first one."""
        purpose, token = f"answer {request}", made.token
        sealed = self._sealer.seal(purpose, msgspec.json.encode(made))
        records = {key_of("token", token.digest): token, **records}
        keys = [key_of("answer", request), key_of("tokens", token.player), *records]
        keys += [key_of("token", asking)] if asking else []
        values = [msgspec.json.encode(value) for value in records.values()]
        written: list[Any] = [fingerprint, sealed, REPEATS_S, token.id, token.digest, self._most_tokens, *values]
        first = self._write(keys=keys, args=written)
        if first == REVOKED:
            raise _unknown()
        if isinstance(first, int):
            told = f"an account may have {self._most_tokens} tokens, and you have {first}: end some first"
            raise Refused("quota-reached", told, quota="tokens", most=self._most_tokens)
        if not first:
            raise Refused("request-reused", "this Idempotency-Key came with another body before")
        return made if first == sealed else msgspec.json.decode(self._sealer.open(purpose, first), type=Made)

    def player(self, player: str) -> Player | None:
        """The account with that id."""
        kept = self._client.get(key_of("player", player))
        return msgspec.json.decode(kept, type=Player) if kept else None

    def tokens(self, player: str) -> list[Token]:
        """The tokens of a player, the oldest first."""
        digests = self._client.hvals(key_of("tokens", player))
        kept = self._client.mget([key_of("token", digest.decode()) for digest in digests]) if digests else []
        found = [msgspec.json.decode(token, type=Token) for token in kept if token]
        return sorted(found, key=lambda token: (token.at, token.id))

    def revoke(self, player: str, token_id: str) -> None:
        """Ends a token; raises `Refused` if the player has no such token."""
        digest = self._client.hget(key_of("tokens", player), token_id)
        if digest is None:
            raise Refused("no-such-token", f"you have no token {token_id!r}")
        self._client.delete(key_of("token", digest.decode()))
        self._client.hdel(key_of("tokens", player), token_id)
        with self._lock:
            self._known.pop(digest.decode(), None)

    def caller(self, text: str) -> Caller:
        """Who sends the token; raises `Refused` for one that is unknown or revoked."""
        digest = _digest(text)
        for other, found in self._of_settings:
            if hmac.compare_digest(digest, other):
                return found
        with self._lock:
            until, known = self._known.get(digest, (0.0, NOBODY))
        if time.monotonic() < until:
            return known
        return self._look_up(digest)

    def remembers(self, text: str) -> bool:
        """Whether `caller` can identify the token without asking the store."""
        digest = _digest(text)
        of_settings = any(hmac.compare_digest(digest, other) for other, _ in self._of_settings)
        return not text or of_settings or time.monotonic() < self._known.get(digest, (0.0, NOBODY))[0]

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the caller's token was revoked meanwhile, in whichever process."""
        if caller.token is not None:
            self._look_up(caller.token)

    def _look_up(self, digest: str) -> Caller:
        token = self._read_token(digest)
        if token:
            self._use(token.player)  # before it is looked whether the account is there: from now on it does not end
        player = self.player(token.player) if token else None
        if token is None or player is None:
            raise _unknown()
        caller = Caller(player, token.scopes, digest)
        with self._lock:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[digest] = (time.monotonic() + REMEMBER_S, caller)
        return caller

    def _use(self, player: str) -> None:
        """Records that the account is in use, once a day in each process."""
        day = today()
        if self._used.get(player) == day:
            return
        try:
            self._note_used(keys=[key_of("player", player), key_of("used", player)], args=[day])
        except RedisError as error:  # a store that takes no more is read all the same
            log.warning("the use of an account was not noted: %s", error)
            return
        with self._lock:
            if len(self._used) > MOST_KNOWN:
                self._used.clear()
            self._used[player] = day

    def _read_token(self, digest: str) -> Token | None:
        kept = self._client.get(key_of("token", digest))
        return msgspec.json.decode(kept, type=Token) if kept else None


def key_of(kind: str, name: str) -> str:
    """Where a record of accounts is kept: all in one slot."""
    return f"{{accounts}}:{kind}:{name}"


def today() -> int:
    """The days since 1970."""
    return int(time.time()) // DAY_S


def _unknown() -> Refused:
    return Refused("unauthenticated", "this token is unknown or was revoked")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _token(player: str, scopes: tuple[str, ...], label: str, at: str) -> tuple[Token, str]:
    text = "wc_" + secrets.token_urlsafe(32)
    digest = _digest(text)
    return Token(digest[:12], player, scopes, label, at, digest), text


def _random(count: int) -> str:
    """This many random bytes, as letters and digits."""
    return base64.b32encode(secrets.token_bytes(count)).decode().rstrip("=").lower()
