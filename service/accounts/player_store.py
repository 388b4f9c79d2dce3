"""What is stored of a player beside account, tokens and webhook: hashes in the slot of accounts.

`about` holds the recovery codes (hashed) and the visibility of the profile. `passkeys`, `blocks` and `blockers` have a
field for each, `reported` one for each report that the player made.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from events.scripts import Client, acknowledged_script
from service.accounts.accounts_and_tokens import check_answer, key_of
from service.accounts.callers import Caller
from service.errors import Refused

KINDS = ("about", "passkeys", "blocks", "blockers", "reported")  # copied with the account, and erased with it
TRIES = 100  # how often a field is read again when another request changes it first


class PlayerField(NamedTuple):
    """A field of a player's hash, and how many fields that hash may have."""

    kind: str
    field: str
    most: int = 1000


def keys_of(player: str) -> tuple[str, ...]:
    """Returns the keys of a player's hashes."""
    return tuple([key_of(kind, player) for kind in KINDS])


class PlayerStore:
    """Reads and writes the fields of players."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._write = acknowledged_script(client, "service.accounts", "write_field.lua")

    def fields(self, kind: str, player: str) -> Mapping[str, bytes]:
        """Returns all fields of a kind."""
        return {field.decode(): value for field, value in self._client.hgetall(key_of(kind, player)).items()}

    def field(self, place: PlayerField, player: str) -> bytes:
        """Returns a field; empty if there is none."""
        return self._client.hget(key_of(place.kind, player), place.field) or b""

    def change(self, caller: Caller, place: PlayerField, becoming: Callable[[bytes], bytes]) -> bytes:
        """Replaces a field by a function of its value; returns the old value. Raises `Refused`."""
        for _ in range(TRIES):
            was = self.field(place, caller.needs().id)
            if self.replace(caller, place, was, becoming(was)):
                return was
        raise too_often()

    def replace(self, caller: Caller, place: PlayerField, was: bytes, becomes: bytes, *challenge: str) -> bool:
        """Writes a field that is as it was read, and uses up a challenge if one is named. Raises `Refused`."""
        player = caller.needs().id
        keys = [key_of(place.kind, player), key_of("player", player), key_of("token", caller.own_token()), *challenge]
        answer = self._write(keys=keys, args=[place.field, was, becomes, place.most])
        check_answer(answer, place.kind, place.most)
        if answer == b"unasked":
            raise Refused("sign_in_refused", "the challenge is unknown, used or too old: ask for another")
        return bool(answer == b"kept")


def too_often() -> Refused:
    """Returns the refusal of a change that others prevented by theirs."""
    return Refused("conflict", "others changed this too often: send it again")


class Visibility(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which parts of a profile others see. Results and ratings follow from public tables and are visible by default."""

    results: bool = True
    ratings: bool = True
    opponents: bool = False
    activity: bool = False


VISIBILITY = PlayerField("about", "shown")


def visibility_of(store: PlayerStore, player: str) -> Visibility:
    """Returns the visibility of a player's profile."""
    kept = store.field(VISIBILITY, player)
    return msgspec.json.decode(kept, type=Visibility) if kept else Visibility()


class Block(NamedTuple):
    """A blocked player, and since when."""

    player: str
    at: str


class Blocks:
    """Which players do not want to be seated together; only the one who blocks sees it."""

    def __init__(self, client: Client, most: int) -> None:
        self._client, self._most = client, most
        self._write = acknowledged_script(client, "service.accounts", "block.lua")

    def of(self, player: str) -> list[Block]:
        """Returns whom a player has blocked, the first one first."""
        kept = self._client.hgetall(key_of("blocks", player))
        return sorted((Block(name.decode(), at.decode()) for name, at in kept.items()), key=lambda one: one[::-1])

    def put(self, caller: Caller, other: str, at: str) -> None:
        """Blocks a player for the caller; raises `Refused`."""
        if other == caller.needs().id:
            raise Refused("contradictory", "you cannot block yourself")
        if self._set(caller, other, at) == b"unknown":
            raise Refused("no_such_player", f"there is no player {other!r}")

    def remove(self, caller: Caller, other: str) -> None:
        """Ends a block of the caller, if there is one; raises `Refused` for a revoked token only."""
        self._set(caller, other, "")

    def _set(self, caller: Caller, other: str, at: str) -> bytes:
        me, token = caller.needs().id, caller.own_token()
        keys = [key_of("blocks", me), key_of("blockers", other), key_of("player", me), key_of("player", other)]
        answer: bytes = self._write(keys=[*keys, key_of("token", token)], args=[me, other, at, self._most])
        check_answer(answer, "blocks", self._most)
        return answer

    def any_between(self, player: str, others: Iterable[str]) -> bool:
        """Whether a player has blocked one of the others, or one of them the player.

        Reads the blockers' own lists: after a restore the other side's may be missing.
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
    """Yields the keys of others' lists that name a player with these two lists."""
    yield from (key_of("blockers", name.decode()) for name in blocked)
    yield from (key_of("blocks", name.decode()) for name in blockers)
