"""Signs a person in on another device: by a code that a signed-in device shows, by a recovery code, or by a passkey.

Each of them is a proof that the account is theirs. The script that writes the new token uses the proof up. Failed
attempts get one and the same refusal, whatever was wrong.
"""

import hmac
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from events.scripts import Client, acknowledged_script, script
from service.accounts.accounts_and_tokens import (
    REPEATS_S,
    Accounts,
    IssuedToken,
    TokenRequest,
    check_answer,
    digest_of,
    key_of,
    unproved,
)
from service.accounts.callers import FIRST_SCOPES, Caller, Player, Token
from service.accounts.player_store import TRIES, PlayerField, PlayerStore, too_often
from service.accounts.sealing import Sealer

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's, without letters that are easily mistaken
READ_AS = str.maketrans("OIL", "011")
PREFIX, CODE = 4, 8  # characters of a code: the first ones find it, all of them are its secret
GROUP = 4
CODE_S = 600
MOST_ATTEMPTS = 5  # for each code; addresses have a rate limit besides
SECRET_OF_CODES = "sign-in codes"  # noqa: S105 - what the key is for


class Proof(NamedTuple):
    """A proof that an account is a person's: the field of a hash that must have the value `was` and gets `becomes`.

    The key `besides` must exist; `uses_up` says whether it is deleted.
    """

    player: str
    key: str
    field: str
    was: bytes
    becomes: bytes
    besides: str
    uses_up: bool


class SigningIn:
    """Gives out codes for another device, and tokens for proofs."""

    def __init__(self, client: Client, sealer: Sealer, accounts: Accounts) -> None:
        self._client, self._sealer, self._accounts = client, sealer, accounts
        self._keep = acknowledged_script(client, "service.accounts", "keep_code.lua")
        self._attempt = script(client, "service.accounts", "count_attempt.lua")
        self._write = acknowledged_script(client, "service.accounts", "sign_in.lua")

    def code(self, caller: Caller) -> str:
        """Creates a code for another device of the caller, in place of the one before; raises `Refused`."""
        player, token = caller.needs().id, caller.own_token()
        pointer = key_of("signing", player)
        while True:
            code, before = random_code(CODE), self._client.get(pointer)
            keys = [_code_key(code), pointer, key_of("token", token), *([before.decode()] if before else [])]
            answer = self._keep(keys=keys, args=[self._hashed(code)[0], player, token, CODE_S])
            check_answer(answer)
            if answer == b"kept":
                return in_groups(code)

    def prove_by_code(self, code: str) -> Proof:
        """Returns what a code proves; counts the attempt. Raises `Refused`."""
        place = _code_key(code)
        player, token, secret = self._attempt(keys=[place], args=[MOST_ATTEMPTS]) or (b"", b"", None)
        if secret is None or not any(hmac.compare_digest(one, secret) for one in self._hashed(code)):
            raise unproved()
        return Proof(player.decode(), place, "secret", secret, b"", key_of("token", token.decode()), uses_up=False)

    def sign_in(self, prove: Callable[[], Proof], asked: TokenRequest) -> tuple[Player, Token, str, bool]:
        """Returns a new token for a proof; a repeated request gets the same one, and True. Raises `Refused`.

        If another request changed the proof's field meanwhile, the proof is made again.
        """
        issued, before = self._accounts.answer_to(asked.request, asked.fingerprint), None
        while issued is None:
            proof = prove()
            if proof == before:
                raise unproved()
            issued, before = self._issue(proof, asked), proof
        player = self._accounts.player(issued.token.player)
        if player is None:
            raise unproved()
        return player, issued.token, issued.text, issued.repeated

    def _issue(self, proof: Proof, asked: TokenRequest) -> IssuedToken | None:
        """Stores a token, or finds the first one of a repeated request; None if the proof does not hold any more."""
        new = self._accounts.new_token(proof.player, FIRST_SCOPES, asked)
        token, sealed = new.token, self._accounts.sealed_answer(new, asked.request)
        of_account = [key_of("player", token.player), key_of("tokens", token.player), key_of("token", token.digest)]
        keys = [key_of("answer", asked.request), *of_account, proof.key, proof.besides]
        args: list[Any] = [asked.fingerprint, sealed, REPEATS_S, token.id, token.digest, self._accounts.most_tokens]
        args += [msgspec.json.encode(token), proof.field, proof.was, proof.becomes, int(proof.uses_up)]
        answer = self._write(keys=keys, args=args)
        if answer == b"unproved":
            return None
        check_answer(answer, "tokens", self._accounts.most_tokens)
        return new if answer == sealed else self._accounts.first_answer(asked.request, answer)

    def _hashed(self, code: str) -> list[bytes]:
        """Returns the stored forms of a code, the newest key's first: it is short, so the store has no key to it."""
        keys = self._sealer.derived(SECRET_OF_CODES)
        return [hmac.digest(key, code.encode(), "sha256").hex().encode() for key in keys]


def random_code(length: int) -> str:
    """Returns so many random characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def in_groups(code: str) -> str:
    """Returns a code as people read it."""
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def read_code(text: str) -> str:
    """Returns a code as it was given out, however somebody has typed it."""
    return "".join(text.upper().translate(READ_AS).replace("-", " ").split())


def _code_key(code: str) -> str:
    return key_of("code", code[:PREFIX])


CODES, LENGTH = 10, 20  # 100 bits each
RECOVERY = PlayerField("about", "recovery")


class Recovery(msgspec.Struct, frozen=True):
    """The recovery codes that are left, as hashes, and when they were made; `at` is empty if there never were any."""

    at: str = ""
    left: tuple[str, ...] = ()


class RecoveryCodes:
    """The recovery codes of players."""

    def __init__(self, client: Client, store: PlayerStore) -> None:
        self._client, self._store = client, store
        self._write = acknowledged_script(client, "service.accounts", "replace_recovery_codes.lua")

    def of(self, player: str) -> Recovery:
        """Returns what is left of a player's codes."""
        return _recovery(self._store.field(RECOVERY, player))

    def renew(self, caller: Caller, at: str) -> list[str]:
        """Creates new codes in place of the old ones; raises `Refused`."""
        player, codes = caller.needs().id, [random_code(LENGTH) for _ in range(CODES)]
        becomes = Recovery(at, tuple(map(digest_of, codes)))
        fixed = [key_of("about", player), key_of("player", player), key_of("token", caller.own_token())]
        for _ in range(TRIES):
            was = self._store.field(RECOVERY, player)
            keys = [*fixed, *map(_code_to_player, becomes.left), *recovery_keys(was)]
            answer = self._write(keys=keys, args=[was, msgspec.json.encode(becomes), player, CODES])
            check_answer(answer)
            if answer == b"kept":
                return list(map(in_groups, codes))
        raise too_often()

    def prove(self, code: str) -> Proof:
        """Returns what a recovery code proves; raises `Refused`."""
        digest = digest_of(code)
        player = (self._client.get(_code_to_player(digest)) or b"").decode()
        was = self._store.field(RECOVERY, player)
        recovery = _recovery(was)
        if digest not in recovery.left:
            raise unproved()
        left = tuple(one for one in recovery.left if one != digest)
        becomes = msgspec.json.encode(Recovery(recovery.at, left))
        return Proof(
            player, key_of("about", player), RECOVERY.field, was, becomes, _code_to_player(digest), uses_up=True
        )


def recovery_keys(recovery: bytes) -> list[str]:
    """Returns the keys that lead from stored recovery codes to their player."""
    return list(map(_code_to_player, _recovery(recovery).left))


def can_return(client: Client, player: str) -> bool:
    """Whether a person can sign in without a token: by a passkey or a recovery code."""
    if client.exists(key_of("passkeys", player)):
        return True
    return bool(recovery_keys(client.hget(key_of("about", player), RECOVERY.field) or b""))


def _code_to_player(digest: str) -> str:
    return key_of("recoverer", digest)


def _recovery(kept: bytes) -> Recovery:
    return msgspec.json.decode(kept, type=Recovery) if kept else Recovery()
