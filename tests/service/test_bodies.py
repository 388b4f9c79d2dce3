"""Bodies that are on their way: a few addresses keep nobody else from sending."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from service.errors import Refused
from service.limits.body_sizes import LARGEST_BODY
from service.runtime.bodies import Bodies

ROOM = 4  # bodies of the largest size that moves may have


class Sending:
    """Clients that send to a process with little room."""

    def __init__(self) -> None:
        self.bodies = Bodies(2 * ROOM * LARGEST_BODY, 60.0)
        self.under_way: list[asyncio.Task[bytes]] = []

    async def slowly(self, address: str, length: int = LARGEST_BODY) -> "asyncio.Task[bytes]":
        """A body that has begun to come, and does not go on."""
        sending = asyncio.create_task(self._read(address, length, _silence()))
        self.under_way.append(sending)
        await asyncio.sleep(0)
        return sending

    async def at_once(self, address: str, length: int = 200) -> bytes:
        """A body that is there."""
        return await self._read(address, length, _all_of(b"." * length))

    async def _read(self, address: str, length: int, parts: AsyncIterator[bytes]) -> bytes:
        with self.bodies.room(address, length, LARGEST_BODY) as room:
            return await self.bodies.read(parts, room)

    async def end(self) -> None:
        """Hangs up for all whose bodies are on their way."""
        for sending in self.under_way:
            sending.cancel()
        await asyncio.gather(*self.under_way, return_exceptions=True)


@contextlib.asynccontextmanager
async def sending() -> AsyncIterator[Sending]:
    found = Sending()
    try:
        yield found
    finally:
        await found.end()
    assert found.bodies.held == {"large": 0, "small": 0}


async def _silence() -> AsyncIterator[bytes]:
    yield b"{"
    await asyncio.Event().wait()


async def _all_of(body: bytes) -> AsyncIterator[bytes]:
    yield body


def test_who_fills_all_room_with_slow_bodies_keeps_nobody_else_from_sending() -> None:
    """The oldest body of the address that has most is given up for another's."""

    async def told() -> None:
        async with sending() as found:
            first, *others = [await found.slowly("192.0.2.1") for _ in range(ROOM)]
            assert len(await found.at_once("192.0.2.2")) == 200
            with pytest.raises(Refused) as refusal:
                await first
            assert refusal.value.code == "too-slow"
            assert not any(other.done() for other in others)

    asyncio.run(told())


def test_who_has_many_networks_of_one_site_keeps_nobody_else_from_sending() -> None:
    """A network of IPv6 for each body, and none has more than the next one wants."""

    async def told() -> None:
        async with sending() as found:
            first, *others = [await found.slowly(f"2001:db8:1:{number:x}::/64") for number in range(ROOM)]
            assert len(await found.at_once("2001:db8:2::/64", LARGEST_BODY)) == LARGEST_BODY
            with pytest.raises(Refused):
                await first
            assert not any(other.done() for other in others)

    asyncio.run(told())


def test_of_two_who_share_all_room_the_greedier_one_gives_it_up() -> None:
    async def told() -> None:
        async with sending() as found:
            modest = await found.slowly("192.0.2.1")
            first, *greedy = [await found.slowly("192.0.2.2") for _ in range(ROOM - 1)]
            assert await found.at_once("192.0.2.3")
            with pytest.raises(Refused):
                await first
            assert not any(one.done() for one in (modest, *greedy))

    asyncio.run(told())


def test_whoever_has_most_is_refused_where_there_is_no_room() -> None:
    """Nothing of one's own is given up for more of one's own, nor is what has come already."""

    async def told() -> None:
        async with sending() as found:
            greedy = [await found.slowly("192.0.2.1") for _ in range(ROOM)]
            with pytest.raises(Refused) as refusal:
                await found.at_once("192.0.2.1")
            assert refusal.value.code == "too-busy"
            assert not any(one.done() for one in greedy)

    asyncio.run(told())
