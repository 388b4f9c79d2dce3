"""What is kept of a person beside account, tokens and webhook: hashes in the slot of accounts, written field by field.

`about` holds the recovery codes (hashed) and what the profile shows; `passkeys`, `blocks` and `blockers` a field
for each, and `reported` one for each report that the person has made.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from events.scripts import Client, acknowledged_script
from service.accounts.accounts import check_told, key_of
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
        self._write = acknowledged_script(client, "service.accounts", "keep.lua")

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
        told = self._write(keys=keys, args=[place.field, was, becomes, place.most])
        check_told(told, place.kind, place.most)
        if told == b"unasked":
            raise Refused("sign_in_refused", "the challenge is unknown, used or too old: ask for another")
        return bool(told == b"kept")


def asking_token(caller: Caller) -> str:
    """The digest of the token that asks; raises `Refused` for one of the settings, which has no account."""
    if caller.token is None:
        raise Refused("not_allowed", "this token is set by the operator: it has no account")
    return caller.token


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which parts of a profile are shown. What public tables tell anyway is shown unless its person says otherwise."""

    results: bool = True
    ratings: bool = True
    opponents: bool = False
    activity: bool = False


SHOWN = PlayerField("about", "shown")


def shown_of(keeper: Keeper, player: str) -> Shown:
    """What a player lets be seen."""
    kept = keeper.field(SHOWN, player)
    return msgspec.json.decode(kept, type=Shown) if kept else Shown()


def show(keeper: Keeper, caller: Caller, shown: Shown) -> None:
    """Sets what the caller lets be seen; raises `Refused`."""
    keeper.change(caller, SHOWN, lambda _: msgspec.json.encode(shown))


class Block(NamedTuple):
    """Somebody who is blocked, and since when."""

    player: str
    at: str


class Blocks:
    """Who wants not to be seated with whom, which is told to the one who blocks alone."""

    def __init__(self, client: Client, most: int) -> None:
        self._client, self._most = client, most
        self._write = acknowledged_script(client, "service.accounts", "block.lua")

    def of(self, player: str) -> list[Block]:
        """Whom a player has blocked, the first one first."""
        kept = self._client.hgetall(key_of("blocks", player))
        return sorted((Block(name.decode(), at.decode()) for name, at in kept.items()), key=lambda one: one[::-1])

    def put(self, caller: Caller, other: str, at: str) -> None:
        """Blocks somebody for the caller; raises `Refused`."""
        if other == caller.needs().id:
            raise Refused("contradictory", "nobody blocks themselves")
        if self._set(caller, other, at) == b"unknown":
            raise Refused("no_such_player", f"there is no player {other!r}")

    def remove(self, caller: Caller, other: str) -> None:
        """Ends a block of the caller, if there is one; raises `Refused` only for a token that was revoked."""
        self._set(caller, other, "")

    def _set(self, caller: Caller, other: str, at: str) -> bytes:
        me, asking = caller.needs().id, asking_token(caller)
        keys = [key_of("blocks", me), key_of("blockers", other), key_of("player", me), key_of("player", other)]
        told: bytes = self._write(keys=[*keys, key_of("token", asking)], args=[me, other, at, self._most])
        check_told(told, "blocks", self._most)
        return told

    def part(self, player: str, others: Iterable[str]) -> bool:
        """Whether a player has blocked one of the others, or one of them the player.

        By what each of them has blocked: a copy of accounts may be without the other side, which they cannot see.
        """
        names = sorted(set(others) - {player})
        if not names:
            return False
        with self._client.pipeline(transaction=False) as pipe:
            pipe.hmget(key_of("blocks", player), names)
            for other in names:
                pipe.hmget(key_of("blocks", other), [player])
            return any(at is not None for kept in pipe.execute() for at in kept)


def blocks_elsewhere(blocked: Mapping[bytes, bytes], blockers: Mapping[bytes, bytes]) -> Iterator[str]:
    """Where others' lists name somebody with these two."""
    yield from (key_of("blockers", name.decode()) for name in blocked)
    yield from (key_of("blocks", name.decode()) for name in blockers)
