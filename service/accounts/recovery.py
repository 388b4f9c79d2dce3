"""Recovery codes: ten of them, each good for signing in once, told once and kept as hashes."""

import msgspec

from events.scripts import Client, promising_script
from service.accounts.accounts import digest_of, key_of, revoked
from service.accounts.callers import Caller
from service.accounts.keeping import TRIES, Keeper, PlayerField, asking_token
from service.accounts.signing_in import NOTHING_PROVED, Proof, in_groups, random_code
from service.errors import Refused

CODES, LETTERS = 10, 20  # 100 bits each
PLACE = PlayerField("about", "recovery")


class Recovery(msgspec.Struct, frozen=True):
    """The codes that are left, as hashes, and when they were made; `at` is empty where none ever were."""

    at: str = ""
    left: tuple[str, ...] = ()


class RecoveryCodes:
    """The recovery codes of people."""

    def __init__(self, client: Client, keeper: Keeper) -> None:
        self._client, self._keeper = client, keeper
        self._write = promising_script(client, "service.accounts", "recovery.lua")

    def of(self, player: str) -> Recovery:
        """What is left of a player's codes."""
        return _read(self._keeper.field(PLACE, player))

    def renew(self, caller: Caller, at: str) -> list[str]:
        """New codes in the place of the ones before; raises `Refused`."""
        player, codes = caller.needs().id, [random_code(LETTERS) for _ in range(CODES)]
        becomes = Recovery(at, tuple(map(digest_of, codes)))
        for _ in range(TRIES):
            was = self._keeper.field(PLACE, player)
            leading = leading_keys(was) if was else []
            first = [key_of("about", player), key_of("player", player), key_of("token", asking_token(caller))]
            keys = [*first, *map(_leading, becomes.left), *leading]
            told = self._write(keys=keys, args=[was, msgspec.json.encode(becomes), player, CODES])
            if told == b"revoked":
                raise revoked()
            if told == b"kept":
                return list(map(in_groups, codes))
        raise Refused("conflict", "others changed this too often")

    def proof(self, code: str) -> Proof:
        """What a code proves."""
        digest = digest_of(code)
        player = (self._client.get(_leading(digest)) or NOTHING_PROVED.player.encode()).decode()
        was = self._keeper.field(PLACE, player)
        recovery = _read(was)
        if digest not in recovery.left:
            return NOTHING_PROVED
        left = tuple(one for one in recovery.left if one != digest)
        becomes = msgspec.json.encode(Recovery(recovery.at, left))
        return Proof(player, key_of("about", player), PLACE.field, was, becomes, _leading(digest), uses_up=True)


def leading_keys(kept: bytes) -> list[str]:
    """Where the codes lead to their player, by what is kept of them."""
    return list(map(_leading, _read(kept).left))


def _leading(digest: str) -> str:
    return key_of("recoverer", digest)


def _read(kept: bytes) -> Recovery:
    return msgspec.json.decode(kept, type=Recovery) if kept else Recovery()
