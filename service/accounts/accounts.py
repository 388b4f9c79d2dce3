"""Players and their tokens. A token's text is random, shown once and kept as a hash; its scopes say what it may do."""

import base64
import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Iterable
from typing import Any

import msgspec
from redis.exceptions import RedisError

from events.scripts import Client, acknowledged_answer, acknowledged_script, script
from service.accounts.callers import FIRST_SCOPES, MONITORING, NOBODY, OPERATOR, SCOPES, Caller, Player, Token
from service.accounts.personal_texts import ACCOUNT, Texts
from service.accounts.sealing import Sealer
from service.errors import Refused

REPEATS_S = 24 * 60 * 60  # how long a repeated request is told the first answer; afterwards it is a new request
ANSWERS = "{accounts}:answer:*"  # the keys of answers: a fingerprint of so many letters, and what is sealed
FINGERPRINT = 32
FIRST = "first"  # the label of the token that comes with an account, which nobody has chosen
LABEL = "label"  # the kind of record that a label stands in
REVOKED = -1  # what the script returns if the token that asks was revoked
DAY_S = 86_400
MOST_KNOWN = 10_000  # tokens that a process remembers

log = logging.getLogger(__name__)
REMEMBER_S = 5.0  # how long a process trusts a token that it has looked up: how long a revoked one may live elsewhere


class IssuedToken(msgspec.Struct, frozen=True):
    """The answer to a request for a token: the token and its text.

    It is kept without what people chose, the name of a new account and the label: the records have them.
    """

    token: Token
    text: str


class Accounts:
    """Players and tokens in the store, all in one slot."""

    def __init__(  # noqa: PLR0913 - the store and its two kinds of keys, and what settings say
        self,
        client: Client,
        sealer: Sealer,
        texts: Texts,
        *,
        admin_token: str | None = None,
        metrics_token: str | None = None,
        most_tokens: int = 100,
    ) -> None:
        self._client, self._sealer, self._texts, self.most_tokens = client, sealer, texts, most_tokens
        of_settings = ((admin_token, Caller(OPERATOR, SCOPES)), (metrics_token, Caller(MONITORING, ("metrics",))))
        self._of_settings = [(digest_of(text), caller) for text, caller in of_settings if text]
        self._write = acknowledged_script(client, "service.accounts", "accounts.lua")
        self._revoke = acknowledged_script(client, "service.accounts", "revoke.lua")
        self._note_used = script(client, "service.accounts", "used.lua")
        self._replace = acknowledged_script(client, "service.accounts", "replace.lua")
        self._known: dict[str, tuple[float, Caller]] = {}
        self._lock = threading.Lock()

    def create(  # noqa: PLR0913 - all of an account, and the request that asks for it
        self, name: str, guest: bool = False, /, *, bot: bool, at: str, request: str, fingerprint: str
    ) -> tuple[Player, Token, str]:
        """A new player with a first token (`FIRST_SCOPES`), or the same ones again for a repeated request."""
        player = self._called(Player(f"p_{_random(8)}", "", bot, at, guest), name)
        first = new_token(player.id, FIRST_SCOPES, FIRST, at)
        made = self._put(IssuedToken(*first), request, fingerprint, {key_of("player", player.id): player})
        return self._player_of(made, player), made.token, made.text

    def add_token(  # noqa: PLR0913 - all of a token, and the request that asks for it
        self, caller: Caller, scopes: tuple[str, ...], label: str, *, at: str, request: str, fingerprint: str
    ) -> tuple[Token, str]:
        """A further token for the caller, or the same one for a repeated request; raises `Refused` beyond the quota.

        And if the caller's own token was revoked, though this process may not have learned of it: else whoever has
        stolen a token would replace it in that time.
        """
        made = self.new_token(caller.needs().id, scopes, label, at)
        made = self._put(made, request, fingerprint, {}, asking=caller.token)
        return made.token, made.text

    def _put(
        self, made: IssuedToken, request: str, fingerprint: str, records: dict[str, Any], asking: str | None = None
    ) -> IssuedToken:
        """Stores what was made and returns the answer; a repeated request gets the first one."""
        token, sealed = made.token, self.sealed_answer(made, request)
        records = {key_of("token", token.digest): token, **records}
        keys = [key_of("answer", request), key_of("tokens", token.player), *records]
        keys += [key_of("token", asking)] if asking else []
        values = [msgspec.json.encode(value) for value in records.values()]
        written: list[Any] = [fingerprint, sealed, REPEATS_S, token.id, token.digest, self.most_tokens, *values]
        first = self._write(keys=keys, args=written)
        if first == REVOKED:
            raise revoked()
        if isinstance(first, int):
            raise too_many("tokens", self.most_tokens)
        if not first:
            raise Refused("request_reused", "this Idempotency-Key came with another body before")
        return made if first == sealed else self.first_answer(request, first)

    def sealed_answer(self, made: IssuedToken, request: str) -> bytes:
        """The answer to a request as it is kept: sealed, and without the label that somebody chose."""
        label = FIRST if made.token.label == FIRST else ""
        kept = msgspec.structs.replace(made, token=msgspec.structs.replace(made.token, label=label))
        return self._sealer.seal(purpose_of(request), msgspec.json.encode(kept))

    def first_answer(self, request: str, sealed: bytes) -> IssuedToken:
        """The first answer to a repeated request, without its label if the token has ended since."""
        made = msgspec.json.decode(self._sealer.open(purpose_of(request), sealed), type=IssuedToken)
        return msgspec.structs.replace(made, token=self._read_token(made.token.digest) or made.token)

    def _player_of(self, made: IssuedToken, player: Player) -> Player:
        """The account that a request for one led to, whether now or before; raises `Refused` if it has ended since."""
        if made.token.player == player.id:
            return player
        if (first := self.player(made.token.player)) is None:
            raise revoked()
        return first

    def player(self, player: str) -> Player | None:
        """The account with that id."""
        kept = self._client.get(key_of("player", player))
        return msgspec.json.decode(kept, type=Player) if kept else None

    def players(self, players: Iterable[str]) -> list[Player]:
        """The accounts of those who have one."""
        asked = list(players)
        kept = self._client.mget([key_of("player", player) for player in asked]) if asked else []
        return [msgspec.json.decode(account, type=Player) for account in kept if account]

    def _called(self, player: Player, name: str) -> Player:
        """The account under this name."""
        return msgspec.structs.replace(player, name=self._texts.seal_in_record(ACCOUNT, player.id, player.id, name))

    def _labelled(self, token: Token, label: str) -> Token:
        """The token under this label."""
        return msgspec.structs.replace(token, label=self._texts.seal_in_record(LABEL, token.id, token.player, label))

    def label(self, token: Token) -> str:
        """What a token is called; nothing if the key to that is not here."""
        return self._texts.open_in_record(LABEL, token.id, token.label) or ""

    def new_token(self, player: str, scopes: tuple[str, ...], label: str, at: str) -> IssuedToken:
        """A token that is not stored yet, under a label that its person chose, and its text."""
        token, text = new_token(player, scopes, "", at)
        return IssuedToken(self._labelled(token, label), text)

    def tokens(self, player: str) -> list[Token]:
        """The tokens of a player, the oldest first."""
        digests = self._client.hvals(key_of("tokens", player))
        kept = self._client.mget([key_of("token", digest.decode()) for digest in digests]) if digests else []
        found = [msgspec.json.decode(token, type=Token) for token in kept if token]
        return sorted(found, key=lambda token: (token.at, token.id))

    def last_used(self, player: str) -> dict[str, int]:
        """The day (since 1970) on which each of a player's tokens was used last, by its id, as far as it was."""
        return {token.decode(): int(day) for token, day in self._client.hgetall(key_of("seen", player)).items()}

    def rename(self, player: str, token_id: str, label: str) -> Token:
        """Gives a token another label; raises `Refused` if the player has no such token."""
        while True:
            digest = self._client.hget(key_of("tokens", player), token_id)
            was = self._client.get(key_of("token", digest.decode())) if digest else None
            if was is None:
                raise Refused("no_such_token", f"you have no token {token_id!r}")
            becomes = self._labelled(msgspec.json.decode(was, type=Token), label)
            if self._swap(key_of("token", becomes.digest), was, msgspec.json.encode(becomes)):
                return becomes

    def take_name(self, player: str, name: str) -> Player:
        """Gives an account another name, which it has chosen; raises `Refused` if it has ended."""
        while was := self._client.get(key_of("player", player)):
            becomes = self._called(msgspec.structs.replace(msgspec.json.decode(was, type=Player), guest=False), name)
            if self._swap(key_of("player", player), was, msgspec.json.encode(becomes)):
                self.forget(player)
                return becomes
        raise revoked()

    def _swap(self, key: str, was: bytes, becomes: bytes) -> bool:
        """Replaces a record if it is what was read; a repeat of the call finds it as it becomes."""
        replaced = self._replace(keys=[key], args=[was, becomes])
        return bool(replaced or acknowledged_answer(self._client, key, "GET", key) == becomes)

    def revoke(self, player: str, token_id: str) -> None:
        """Ends a token; raises `Refused` if the player has no such token."""
        tokens = key_of("tokens", player)
        digest = self._client.hget(tokens, token_id)
        if digest is None:
            acknowledged_answer(
                self._client, tokens, "HGET", tokens, token_id
            )  # to a repeat it is a promise that it has ended
            raise Refused("no_such_token", f"you have no token {token_id!r}")
        try:
            self._revoke(keys=[tokens, key_of("token", digest.decode()), key_of("seen", player)], args=[token_id])
        finally:  # it may have ended although no replica has it on disk
            with self._lock:
                self._known.pop(digest.decode(), None)

    def forget(self, player: str) -> None:
        """Lets this process forget the tokens of an account that has ended."""
        with self._lock:
            for digest in [known for known, (_, caller) in self._known.items() if caller.id == player]:
                del self._known[digest]

    def caller(self, text: str) -> Caller:
        """Who sends the token; raises `Refused` for one that is unknown or revoked."""
        return self.peek(text) or self._look_up(digest_of(text))

    def peek(self, text: str) -> Caller | None:
        """Who sends the token, if this process knows it; the store is not asked."""
        digest = digest_of(text)
        for other, found in self._of_settings:
            if hmac.compare_digest(digest, other):
                return found
        until, known = self._known.get(digest, (0.0, NOBODY))
        return known if time.monotonic() < until else None

    def of_settings(self, text: str) -> Caller | None:
        """Who sends a token that the settings name: the operator, or monitoring."""
        given = digest_of(text)
        return next((found for digest, found in self._of_settings if hmac.compare_digest(given, digest)), None)

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the caller's token was revoked meanwhile, in whichever process."""
        if caller.token is not None:
            self._look_up(caller.token)

    def _look_up(self, digest: str) -> Caller:
        token = self._read_token(digest)
        player = self._account_in_use(token) if token else None
        if token is None or player is None:
            with self._lock:
                self._known.pop(digest, None)
            raise revoked()
        caller = Caller(player, token.scopes, digest)
        with self._lock:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[digest] = (time.monotonic() + REMEMBER_S, caller)
        return caller

    def _account_in_use(self, token: Token) -> Player | None:
        """The account of a token, once it is noted that both are in use today: from then on the account does not end.

        The store knows whether that is noted. What a process remembered of it would be wrong where the store went back.
        """
        keys = [key_of(kind, token.player) for kind in ("player", "used", "tokens", "seen")]
        try:
            kept = self._note_used(keys=keys, args=[today(), token.id])
        except RedisError as error:  # a store that takes no more is read all the same
            log.warning("the use of an account was not noted: %s", error)
            return self.player(token.player)
        return msgspec.json.decode(kept, type=Player) if kept else None

    def _read_token(self, digest: str) -> Token | None:
        kept = self._client.get(key_of("token", digest))
        return msgspec.json.decode(kept, type=Token) if kept else None


def key_of(kind: str, name: str) -> str:
    """Where a record of accounts is kept: all in one slot."""
    return f"{{accounts}}:{kind}:{name}"


def purpose_of(request: str) -> str:
    """What the answer to a request is sealed for."""
    return f"answer {request}"


def today() -> int:
    """The days since 1970."""
    return int(time.time()) // DAY_S


def revoked() -> Refused:
    """The refusal of a token that is unknown or was revoked."""
    told = "this token is unknown or was revoked; what counts is its `secret`, as POST /v1/players tells it once"
    return Refused("unauthenticated", told)


def too_many(kind: str, most: int) -> Refused:
    """The refusal of one more of a kind of which an account has as many as it may."""
    return Refused("quota_reached", f"an account may have {most} {kind}: end some first", quota=kind, most=most)


def check_told(told: object, kind: str = "", most: int = 0) -> None:
    """Raises `Refused` for what the scripts of accounts say of a token that was revoked, and of too many of a kind."""
    if told == b"revoked":
        raise revoked()
    if told == b"full":
        raise too_many(kind, most)


def digest_of(text: str) -> str:
    """A token or a long code as it is kept: nobody can try all of them out."""
    return hashlib.sha256(text.encode()).hexdigest()


def new_token(player: str, scopes: tuple[str, ...], label: str, at: str) -> tuple[Token, str]:
    """A token that is not stored yet, and its text."""
    text = "wc_" + secrets.token_urlsafe(32)
    digest = digest_of(text)
    return Token(digest[:12], player, scopes, label, at, digest), text


def _random(count: int) -> str:
    """This many random bytes, as letters and digits."""
    return base64.b32encode(secrets.token_bytes(count)).decode().rstrip("=").lower()
