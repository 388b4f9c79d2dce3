"""Accounts and their tokens. A token's secret is random, shown once and stored as a hash; its scopes limit its use."""

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.scripts import Client, acknowledged_answer, acknowledged_script, script
from service.accounts.callers import FIRST_SCOPES, MONITORING, NOBODY, OPERATOR, SCOPES, Caller, Player, Token
from service.accounts.personal_texts import ACCOUNT, Texts
from service.accounts.refresh_ahead import RENEW_S, Renewal
from service.accounts.sealing import Sealer
from service.encodings import base32
from service.errors import Refused

REPEATS_S = 24 * 60 * 60  # how long a repeated request gets the first answer; afterwards it is a new request
ANSWERS = "{accounts}:answer:*"  # the keys of answers: a fingerprint of so many letters, then a sealed `IssuedToken`
FINGERPRINT = 32
FIRST = "first"  # the label of the token that comes with an account, which nobody has chosen
LABEL = "label"  # the kind of record that holds a token's label
DAY_S = 86_400
MOST_KNOWN = 10_000  # tokens that a process remembers
STREAM_TOKEN_S = 60
REMEMBER_S = 5.0  # how long a process trusts a token it has looked up, though another process may have revoked it

log = logging.getLogger(__name__)


class IssuedToken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token and its secret: the answer to the request for it, which may be `repeated`."""

    token: Token
    text: str
    repeated: bool = False


class TokenRequest(NamedTuple):
    """A request for a token: the label of its device or program, the time, and the request's key and fingerprint."""

    label: str
    at: str
    request: str
    fingerprint: str


class Accounts:
    """Accounts and tokens in the store, all in one slot. Safe for threads."""

    def __init__(  # noqa: PLR0913 - the store, its keys, and three settings
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
        self._write = acknowledged_script(client, "service.accounts", "add_token.lua")
        self._end = acknowledged_script(client, "service.accounts", "end_record.lua")
        self._note_used = script(client, "service.accounts", "note_use.lua")
        self._replace = acknowledged_script(client, "service.accounts", "replace_record.lua")
        self._known: dict[str, tuple[float, Caller]] = {}
        self._renewal = Renewal(self._look_up)
        self._lock = threading.Lock()

    def create(
        self, name: str, asked: TokenRequest, *, bot: bool, guest: bool = False
    ) -> tuple[Player, Token, str, bool]:
        """Creates an account with a first token; a repeated request gets the same ones, and True."""
        player = self._named(Player(f"p_{base32(secrets.token_bytes(8))}", "", bot, asked.at, guest), name)
        new = self.new_token(player.id, FIRST_SCOPES, asked)
        new = IssuedToken(msgspec.structs.replace(new.token, label=FIRST), new.text)
        issued = self._issue(new, asked, {key_of("player", player.id): player})
        account = player if issued.token.player == player.id else self.player(issued.token.player)
        if account is None:
            raise revoked()
        return account, issued.token, issued.text, issued.repeated

    def add_token(self, caller: Caller, scopes: tuple[str, ...], asked: TokenRequest) -> tuple[Token, str, bool]:
        """Creates a further token; a repeated request gets the same one, and True. Raises `Refused` beyond the quota.

        Also if the caller's own token was revoked, in any process: a stolen token must not replace itself.
        """
        new = self.new_token(caller.needs().id, scopes, asked)
        issued = self._issue(new, asked, {}, caller.token)
        return issued.token, issued.text, issued.repeated

    def _issue(
        self, new: IssuedToken, asked: TokenRequest, records: dict[str, Any], own: str | None = None
    ) -> IssuedToken:
        """Stores a new token and other records; returns the token, or the first one for a repeated request."""
        token, sealed = new.token, self.sealed_answer(new, asked.request)
        records = {key_of("token", token.digest): token, **records}
        keys = [key_of("answer", asked.request), key_of("tokens", token.player), *records]
        keys += [key_of("token", own)] if own else []
        values = [msgspec.json.encode(value) for value in records.values()]
        args = [asked.fingerprint, sealed, REPEATS_S, token.id, token.digest, self.most_tokens, *values]
        answer = self._write(keys=keys, args=args)
        check_answer(answer, "tokens", self.most_tokens)
        return new if answer == sealed else self.first_answer(asked.request, answer)

    def sealed_answer(self, issued: IssuedToken, request: str) -> bytes:
        """Returns the answer to a request as it is stored: sealed, and without a label that somebody chose."""
        label = FIRST if issued.token.label == FIRST else ""
        kept = msgspec.structs.replace(issued, token=msgspec.structs.replace(issued.token, label=label))
        return self._sealer.seal(_purpose(request), msgspec.json.encode(kept))

    def first_answer(self, request: str, sealed: bytes) -> IssuedToken:
        """Returns the first answer to a repeated request, with the token's label if the token is still there."""
        issued = msgspec.json.decode(self._sealer.open(_purpose(request), sealed), type=IssuedToken)
        token = self._read_token(issued.token.digest) or issued.token
        return msgspec.structs.replace(issued, token=token, repeated=True)

    def answer_to(self, request: str, fingerprint: str) -> IssuedToken | None:
        """Returns the answer to a request that was answered before; raises `Refused` if it had another body."""
        key = key_of("answer", request)
        kept = acknowledged_answer(self._client, key, "GET", key)
        if kept is None:
            return None
        if kept[:FINGERPRINT] != fingerprint.encode():
            raise request_reused()
        return self.first_answer(request, kept[FINGERPRINT:])

    def new_token(self, player: str, scopes: tuple[str, ...], asked: TokenRequest) -> IssuedToken:
        """Returns a token that is not stored yet."""
        text = "wc_" + secrets.token_urlsafe(32)
        digest = digest_of(text)
        return IssuedToken(self._labelled(Token(digest[:12], player, scopes, "", asked.at, digest), asked.label), text)

    def stream_token(self, caller: Caller) -> str:
        """Returns a token that opens one stream for the caller within a minute; it may stand in an address."""
        text = "ws_" + secrets.token_urlsafe(32)
        self._client.set(key_of("stream", digest_of(text)), caller.own_token(), ex=STREAM_TOKEN_S)
        return text

    def stream_caller(self, text: str) -> Caller:
        """Returns the caller that a stream token stands for, and ends it; raises `Refused` if it opens nothing."""
        key = key_of("stream", digest_of(text))
        if (token := acknowledged_answer(self._client, key, "GETDEL", key)) is None:
            raise Refused("unauthenticated", "this stream token is unknown, was used, or is older than a minute")
        return self._look_up(token.decode())

    def player(self, player: str) -> Player | None:
        """Returns the account with this id."""
        kept = self._client.get(key_of("player", player))
        return msgspec.json.decode(kept, type=Player) if kept else None

    def players(self, players: Iterable[str]) -> list[Player]:
        """Returns the accounts of those players who have one."""
        keys = [key_of("player", player) for player in players]
        kept = self._client.mget(keys) if keys else []
        return [msgspec.json.decode(account, type=Player) for account in kept if account]

    def _named(self, player: Player, name: str) -> Player:
        return msgspec.structs.replace(player, name=self._texts.seal_in_record(ACCOUNT, player.id, player.id, name))

    def _labelled(self, token: Token, label: str) -> Token:
        return msgspec.structs.replace(token, label=self._texts.seal_in_record(LABEL, token.id, token.player, label))

    def label(self, token: Token) -> str:
        """Returns a token's label; empty without the person's key."""
        return self._texts.open_in_record(LABEL, token.id, token.label) or ""

    def tokens(self, player: str) -> list[Token]:
        """Returns the tokens of a player, the oldest first."""
        keys = [key_of("token", digest.decode()) for digest in self._client.hvals(key_of("tokens", player))]
        kept = self._client.mget(keys) if keys else []
        found = [msgspec.json.decode(token, type=Token) for token in kept if token]
        return sorted(found, key=lambda token: (token.at, token.id))

    def last_used(self, player: str) -> dict[str, int]:
        """Returns the day (since 1970) on which each of a player's used tokens was last used, by its id."""
        return {token.decode(): int(day) for token, day in self._client.hgetall(key_of("seen", player)).items()}

    def rename(self, player: str, token_id: str, label: str) -> Token:
        """Gives a token another label; raises `Refused` if the player has no such token."""
        while True:
            digest = self._client.hget(key_of("tokens", player), token_id)
            was = self._client.get(key_of("token", digest.decode())) if digest else None
            if was is None:
                raise _no_such_token(token_id)
            becomes = self._labelled(msgspec.json.decode(was, type=Token), label)
            if self._swap(key_of("token", becomes.digest), was, msgspec.json.encode(becomes)):
                return becomes

    def take_name(self, player: str, name: str) -> Player:
        """Gives an account another name; a guest is one no longer. Raises `Refused` if the account has ended."""
        while was := self._client.get(key_of("player", player)):
            becomes = self._named(msgspec.structs.replace(msgspec.json.decode(was, type=Player), guest=False), name)
            if self._swap(key_of("player", player), was, msgspec.json.encode(becomes)):
                self.forget(player)
                return becomes
        raise revoked()

    def _swap(self, key: str, was: bytes, becomes: bytes) -> bool:
        """Replaces a record that is as it was read; a repeat of the call succeeds as well."""
        replaced = self._replace(keys=[key], args=[was, becomes])
        return bool(replaced or acknowledged_answer(self._client, key, "GET", key) == becomes)

    def revoke(self, player: str, token_id: str) -> None:
        """Ends a token; raises `Refused` if the player has no such token."""
        tokens = key_of("tokens", player)
        digest = self._client.hget(tokens, token_id)
        if digest is None:
            acknowledged_answer(self._client, tokens, "HGET", tokens, token_id)  # a repeat may rely on it having ended
            raise _no_such_token(token_id)
        try:
            self._end(keys=[key_of("token", digest.decode()), tokens, key_of("seen", player)], args=[token_id])
        finally:  # it may have ended although no replica has it on disk
            with self._lock:
                self._known.pop(digest.decode(), None)

    def forget(self, player: str) -> None:
        """Drops what this process remembers of an account's tokens."""
        with self._lock:
            for digest in [known for known, (_, caller) in self._known.items() if caller.id == player]:
                del self._known[digest]

    def caller(self, text: str) -> Caller:
        """Returns who sends a token; raises `Refused` for one that is unknown or revoked."""
        return self.peek(text) or self._look_up(digest_of(text))

    def peek(self, text: str) -> Caller | None:
        """Returns who sends a token if this process knows it, without asking the store."""
        digest = digest_of(text)
        until, known = self._known.get(digest, (0.0, NOBODY))
        if (left := until - time.monotonic()) <= 0:
            return self.of_settings(text)
        if left < RENEW_S:
            self._renewal.start(digest)
        return known

    def of_settings(self, text: str) -> Caller | None:
        """Returns the operator or monitoring if the settings name this token."""
        digest = digest_of(text)
        for other, caller in self._of_settings:
            if hmac.compare_digest(digest, other):
                return caller
        return None

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the caller's token was revoked, in any process."""
        if caller.token is not None:
            self._look_up(caller.token)

    def _look_up(self, digest: str) -> Caller:
        token = self._read_token(digest)
        player = self._note_use(token) if token else None
        with self._lock:
            if token is None or player is None:
                self._known.pop(digest, None)
                raise revoked()
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            caller = Caller(player, token.scopes, digest)
            self._known[digest] = (time.monotonic() + REMEMBER_S, caller)
        return caller

    def _note_use(self, token: Token) -> Player | None:
        """Notes that a token and its account are used today, so that the account does not end; returns the account."""
        keys = [key_of(kind, token.player) for kind in ("player", "used", "tokens", "seen")]
        try:
            kept = self._note_used(keys=keys, args=[today(), token.id])
        except RedisError as error:  # a store that takes no writes can still be read
            log.warning("the use of an account was not noted: %s", error)
            return self.player(token.player)
        return msgspec.json.decode(kept, type=Player) if kept else None

    def _read_token(self, digest: str) -> Token | None:
        kept = self._client.get(key_of("token", digest))
        return msgspec.json.decode(kept, type=Token) if kept else None


def key_of(kind: str, name: str) -> str:
    """Returns the key of a record of accounts; all are in one slot."""
    return f"{{accounts}}:{kind}:{name}"


def today() -> int:
    """Returns the number of days since 1970."""
    return int(time.time()) // DAY_S


def digest_of(text: str) -> str:
    """Returns a token or a long code as it is stored. There are too many of either to try them all."""
    return hashlib.sha256(text.encode()).hexdigest()


def check_answer(answer: object, kind: str = "", most: int = 0) -> None:
    """Raises `Refused` if a script of accounts answers so; `kind` and `most` describe the quota."""
    if answer == b"revoked":
        raise revoked()
    if answer == b"full":
        raise Refused("quota_reached", f"an account may have {most} {kind}: end some first", quota=kind, most=most)
    if answer == b"reused":
        raise request_reused()


def unproved() -> Refused:
    """Returns the one refusal of everything that does not prove who signs in."""
    return Refused("sign_in_refused", "this is unknown, was used, or is too old")


def revoked() -> Refused:
    """Returns the refusal of a token that is unknown or revoked."""
    told = "this token is unknown or was revoked; send its `secret`, which POST /v1/players returns once"
    return Refused("unauthenticated", told)


def request_reused() -> Refused:
    """Returns the refusal of an idempotency key that was used with another body."""
    return Refused("request_reused", "this Idempotency-Key came with another body before; use a new key")


def _purpose(request: str) -> str:
    return f"answer {request}"


def _no_such_token(token_id: str) -> Refused:
    return Refused("no_such_token", f"you have no token {token_id!r}")
