"""Signing in on a further device: by a code that a signed-in device shows, by a recovery code, or by a passkey.

Whoever proves that an account is theirs gets a token of its own for it. A proof is used up by the script that writes
the token. What does not prove anything is refused alike and after the same questions to the store, whatever is wrong.
"""

import hmac
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from events.scripts import Client, acknowledged_script, script
from service.accounts.accounts import REPEATS_S, Accounts, IssuedToken, check_told, digest_of, key_of, too_many
from service.accounts.callers import FIRST_SCOPES, Caller, Player, Token
from service.accounts.keeping import TRIES, Keeper, PlayerField, asking_token
from service.accounts.sealing import Sealer
from service.errors import Refused

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: what is read aloud or copied by hand is not mistaken
READ_AS = str.maketrans("OIL", "011")
NAMED, CODE = 4, 8  # letters of a code: the first ones find it, the others are its secret
GROUP = 4
CODE_S = 600
MOST_ATTEMPTS = 5  # for each code; addresses have a budget besides
NONE_PROVED = -1
NOBODY_S = "p_nobody"  # for whom a token is tried that nothing is proved for
SECRET_OF_CODES = "sign-in codes"  # noqa: S105 - what the key is for


class Proof(NamedTuple):
    """What shows that an account is somebody's: a field of a hash and its value, and what has to be there besides."""

    player: str
    key: str
    field: str
    is_: bytes
    becomes: bytes
    besides: str
    uses_up: bool


class PendingSignIn(NamedTuple):
    """A request to sign in: what the device is called, when, and the name of the request."""

    label: str
    at: str
    request: str
    fingerprint: str


NOTHING_PROVED = Proof(NOBODY_S, key_of("about", NOBODY_S), "", b"", b"", key_of("player", NOBODY_S), uses_up=False)


class SigningIn:
    """Gives out codes for another device, and tokens for proofs."""

    def __init__(self, client: Client, sealer: Sealer, accounts: Accounts) -> None:
        self._client, self._sealer, self._accounts = client, sealer, accounts
        self._keep = acknowledged_script(client, "service.accounts", "code.lua")
        self._attempt = script(client, "service.accounts", "attempt.lua")
        self._write = acknowledged_script(client, "service.accounts", "sign_in.lua")

    def code(self, caller: Caller) -> str:
        """A new code for another device of the caller, in the place of the one before; raises `Refused`."""
        player, asking = caller.needs().id, asking_token(caller)
        pointer = key_of("signing", player)
        while True:
            code, before = random_code(CODE), self._client.get(pointer)
            keys = [_place(code), pointer, key_of("token", asking), *([before.decode()] if before else [])]
            told = self._keep(keys=keys, args=[self._hashed(code)[0], player, asking, CODE_S])
            check_told(told)
            if told == b"kept":
                return in_groups(code)

    def by_code(self, code: str, attempt: str) -> Proof:
        """What a code proves; `attempt` names the request with its body, as a repeat is no further attempt."""
        place = _place(code)
        player, asking = map(_text, self._attempt(keys=[place], args=[attempt, MOST_ATTEMPTS]) or (b"", b""))
        proved = self._client.hget(place, "secret") or b""
        mine = next((one for one in self._hashed(code) if hmac.compare_digest(one, proved)), b"")
        if not player:
            return NOTHING_PROVED
        return Proof(player, place, "secret", mine, b"", key_of("token", asking), uses_up=False)

    def sign_in(self, prove: Callable[[], Proof], asked: PendingSignIn) -> tuple[Player, Token, str]:
        """A token for what is proved, or the same one for a repeated request; raises `Refused`.

        What another device has changed meanwhile, by another proof of the same kind, is proved again.
        """
        proof, before = prove(), None
        while proof != before:
            first, made = self._written(proof, asked)
            if first != NONE_PROVED:
                break
            before, proof = proof, prove()
        self._check(first)
        player = self._accounts.player(made.token.player)
        if player is None:
            raise nothing_proved()
        return player, made.token, made.text

    def _written(self, proof: Proof, asked: PendingSignIn) -> tuple[Any, IssuedToken]:
        """What the script says, and the token with its text: a new one, or that of the first answer."""
        made = self._accounts.new_token(proof.player, FIRST_SCOPES, asked.label, asked.at)
        sealed = self._accounts.sealed_answer(made, asked.request)
        first = self._write(keys=_keys(made.token, proof, asked), args=self._values(made.token, proof, asked, sealed))
        repeats = isinstance(first, bytes) and first not in (b"", sealed)
        return first, self._accounts.first_answer(asked.request, first) if repeats else made

    def _values(self, token: Token, proof: Proof, asked: PendingSignIn, sealed: bytes) -> list[Any]:
        of_answer = [asked.fingerprint, sealed, REPEATS_S]
        of_token = [token.id, token.digest, self._accounts.most_tokens, msgspec.json.encode(token)]
        return [*of_answer, *of_token, proof.field, proof.is_, proof.becomes, int(proof.uses_up)]

    def _check(self, first: Any) -> None:
        """Raises `Refused` for what the script has refused."""
        if first == NONE_PROVED:
            raise nothing_proved()
        if isinstance(first, int):
            raise too_many("tokens", self._accounts.most_tokens)
        if not first:
            raise Refused("request_reused", "this Idempotency-Key came with another body before")

    def _hashed(self, code: str) -> list[bytes]:
        """The secret of a code as it is kept: under a key that the store has not, as it is short; the newest first."""
        keys = self._sealer.derived(SECRET_OF_CODES)
        return [hmac.digest(key, code.encode(), "sha256").hex().encode() for key in keys]


def nothing_proved() -> Refused:
    """The one refusal of all that proves nothing."""
    return Refused("sign_in_refused", "this is unknown, was used, or is too old")


def random_code(letters: int) -> str:
    """So many letters, by chance."""
    return "".join(secrets.choice(ALPHABET) for _ in range(letters))


def in_groups(code: str) -> str:
    """A code as people read it."""
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def read_code(text: str) -> str:
    """The letters of a code as somebody has written it."""
    return "".join(text.upper().translate(READ_AS).replace("-", " ").split())


def _place(code: str) -> str:
    return key_of("code", code[:NAMED])


def _text(value: bytes | None) -> str:
    return (value or b"").decode()


def _keys(token: Token, proof: Proof, asked: PendingSignIn) -> list[str]:
    player = token.player
    of_account = [key_of("player", player), key_of("tokens", player), key_of("token", token.digest)]
    return [key_of("answer", asked.request), *of_account, proof.key, proof.besides]


CODES, LETTERS = 10, 20  # 100 bits each
RECOVERY = PlayerField("about", "recovery")


class Recovery(msgspec.Struct, frozen=True):
    """The codes that are left, as hashes, and when they were made; `at` is empty where none ever were."""

    at: str = ""
    left: tuple[str, ...] = ()


class RecoveryCodes:
    """The recovery codes of people."""

    def __init__(self, client: Client, keeper: Keeper) -> None:
        self._client, self._keeper = client, keeper
        self._write = acknowledged_script(client, "service.accounts", "recovery.lua")

    def of(self, player: str) -> Recovery:
        """What is left of a player's codes."""
        return _recovery(self._keeper.field(RECOVERY, player))

    def renew(self, caller: Caller, at: str) -> list[str]:
        """New codes in the place of the ones before; raises `Refused`."""
        player, codes = caller.needs().id, [random_code(LETTERS) for _ in range(CODES)]
        becomes = Recovery(at, tuple(map(digest_of, codes)))
        for _ in range(TRIES):
            was = self._keeper.field(RECOVERY, player)
            leading = leading_keys(was) if was else []
            first = [key_of("about", player), key_of("player", player), key_of("token", asking_token(caller))]
            keys = [*first, *map(_leading, becomes.left), *leading]
            told = self._write(keys=keys, args=[was, msgspec.json.encode(becomes), player, CODES])
            check_told(told)
            if told == b"kept":
                return list(map(in_groups, codes))
        raise Refused("conflict", "others changed this too often")

    def proof(self, code: str) -> Proof:
        """What a code proves."""
        digest = digest_of(code)
        player = (self._client.get(_leading(digest)) or NOTHING_PROVED.player.encode()).decode()
        was = self._keeper.field(RECOVERY, player)
        recovery = _recovery(was)
        if digest not in recovery.left:
            return NOTHING_PROVED
        left = tuple(one for one in recovery.left if one != digest)
        becomes = msgspec.json.encode(Recovery(recovery.at, left))
        return Proof(player, key_of("about", player), RECOVERY.field, was, becomes, _leading(digest), uses_up=True)


def leading_keys(kept: bytes) -> list[str]:
    """Where the codes lead to their player, by what is kept of them."""
    return list(map(_leading, _recovery(kept).left))


def _leading(digest: str) -> str:
    return key_of("recoverer", digest)


def _recovery(kept: bytes) -> Recovery:
    return msgspec.json.decode(kept, type=Recovery) if kept else Recovery()
