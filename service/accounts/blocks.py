"""Blocks: people who want not to be seated together. Who has blocked whom is told to the one who did alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from events.scripts import Client, promising_script
from service.accounts.accounts import key_of, revoked
from service.accounts.callers import Caller
from service.accounts.keeping import asking_token
from service.errors import Refused


class Block(NamedTuple):
    """Somebody who is blocked, and since when."""

    player: str
    at: str


class Blocks:
    """Who has blocked whom."""

    def __init__(self, client: Client, most: int) -> None:
        self._client, self._most = client, most
        self._write = promising_script(client, "service.accounts", "block.lua")

    def of(self, player: str) -> list[Block]:
        """Whom a player has blocked, the first one first."""
        kept = self._client.hgetall(key_of("blocks", player))
        return sorted((Block(name.decode(), at.decode()) for name, at in kept.items()), key=lambda one: one[::-1])

    def put(self, caller: Caller, other: str, at: str) -> None:
        """Blocks somebody for the caller; raises `Refused`."""
        if other == caller.needs().id:
            raise Refused("contradictory", "nobody blocks themselves")
        told = self._set(caller, other, at)
        if told == b"unknown":
            raise Refused("no-such-player", f"there is no player {other!r}")
        if told == b"full":
            told_most = f"an account may have {self._most} blocks: end some first"
            raise Refused("quota-reached", told_most, quota="blocks", most=self._most)

    def remove(self, caller: Caller, other: str) -> None:
        """Ends a block of the caller, if there is one; raises `Refused` only for a token that was revoked."""
        self._set(caller, other, "")

    def _set(self, caller: Caller, other: str, at: str) -> bytes:
        me, asking = caller.needs().id, asking_token(caller)
        keys = [key_of("blocks", me), key_of("blockers", other), key_of("player", me), key_of("player", other)]
        told: bytes = self._write(keys=[*keys, key_of("token", asking)], args=[me, other, at, self._most])
        if told == b"revoked":
            raise revoked()
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


def elsewhere(blocked: Mapping[bytes, bytes], blockers: Mapping[bytes, bytes]) -> Iterator[str]:
    """Where others' lists name somebody with these two."""
    yield from (key_of("blockers", name.decode()) for name in blocked)
    yield from (key_of("blocks", name.decode()) for name in blockers)
