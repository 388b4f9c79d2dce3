"""What is kept of a person beside account, tokens and webhook: hashes in the slot of accounts, written field by field.

`about` holds the recovery codes (hashed) and what the profile shows; `passkeys`, `blocks` and `blockers` a field
for each, and `reported` one for each report that the person has made.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from events.scripts import Client, promising_script
from service.accounts.accounts import key_of, revoked
from service.accounts.callers import Caller
from service.errors import Refused

KEPT = ("about", "passkeys", "blocks", "blockers", "reported")  # copied with the account, and erased with it
TRIES = 100  # how often a field is read again when another request changed it first


class PlayerField(NamedTuple):
    """A field of what is kept of a player, and how many fields of that kind there may be."""

    kind: str
    field: str
    most: int = 1000


def keys_kept(player: str) -> tuple[str, ...]:
    """Where all of it is kept."""
    return tuple([key_of(kind, player) for kind in KEPT])


class Keeper:
    """Reads and writes what is kept of people."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._write = promising_script(client, "service.accounts", "keep.lua")

    def fields(self, kind: str, player: str) -> Mapping[str, bytes]:
        """All of one kind, by field."""
        return {field.decode(): value for field, value in self.client.hgetall(key_of(kind, player)).items()}

    def field(self, place: PlayerField, player: str) -> bytes:
        """A field; nothing if there is none."""
        return self.client.hget(key_of(place.kind, player), place.field) or b""

    def change(self, caller: Caller, place: PlayerField, becoming: Callable[[bytes], bytes]) -> bytes:
        """Makes a field what it becomes by what it is; returns what it was. Raises `Refused`."""
        for _ in range(TRIES):
            was = self.field(place, caller.needs().id)
            if self.replace(caller, place, was, becoming(was)):
                return was
        raise Refused("conflict", "others changed this too often")

    def replace(self, caller: Caller, place: PlayerField, was: bytes, becomes: bytes, *used_up: str) -> bool:
        """Writes a field if it is what was read; `used_up` names a challenge that this needs. Raises `Refused`."""
        player, asking = caller.needs().id, asking_token(caller)
        keys = [key_of(place.kind, player), key_of("player", player), key_of("token", asking), *used_up]
        told = self._write(keys=keys, args=[place.field, was, becomes, place.most]).decode()
        if told in REFUSALS:
            raise REFUSALS[told](place)
        return bool(told == "kept")


def asking_token(caller: Caller) -> str:
    """The digest of the token that asks; raises `Refused` for one of the settings, which has no account."""
    if caller.token is None:
        raise Refused("not-allowed", "this token is set by the operator: it has no account")
    return caller.token


def _full(place: PlayerField) -> Refused:
    told = f"an account may have {place.most} {place.kind}, and you have as many: end some first"
    return Refused("quota-reached", told, quota=place.kind, most=place.most)


def _unasked(_: PlayerField) -> Refused:
    return Refused("sign-in-refused", "the challenge is unknown, used or too old: ask for another")


REFUSALS: Mapping[str, Callable[[PlayerField], Refused]] = {
    "revoked": lambda _: revoked(),
    "full": _full,
    "unasked": _unasked,
}
