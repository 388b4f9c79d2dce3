"""Bodies of requests, read as they come: bounded in bytes, in time, and over all requests of the process."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

from service.errors import Refused
from service.limits.body_sizes import LARGEST_BODY
from service.limits.client_addresses import site_of
from service.limits.giving_way import gives_way

LEAST_RATE = 256 * 1024  # bytes a second that a large body has to come with
STALLED_S = 1.0  # a body that is not wanted may be so far behind that rate; nobody waits for the rest of it then
LET_GO_S = 0.05  # until granian lets go of a read that was given up; answered before, its connection stays open
MOST_PASSED_OVER = 32 << 20  # bytes; whoever sends more than any request may have loses the connection, and the answer
SHARE_OF_LARGE = 2  # large bodies may hold one of so many parts: they never take the room of moves


class Room:
    """Room for a body from an address. It may be given up as long as `limit` is there, which ends the reading."""

    def __init__(self, address: str, length: int) -> None:
        self.address, self.length, self.holds = address, length, length
        self.size = "large" if length > LARGEST_BODY else "small"
        self.limit: asyncio.Timeout | None = None

    @property
    def may_be_given_up(self) -> bool:
        """Whether its body is still on its way."""
        return self.limit is not None and self.holds > 0


class Bodies:
    """The bytes of bodies that the process holds, from before the first is read until the request is answered.

    Where there is no room, bodies that are on their way are given up, the oldest of the address that has most of them:
    else whoever has a few addresses could keep everybody from playing. Used by the event loop alone. `most` is in
    bytes, `seconds` is the time that a small body may take.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._seconds = seconds
        self._sizes = {"large": most // SHARE_OF_LARGE, "small": most - most // SHARE_OF_LARGE}
        self.held = dict.fromkeys(self._sizes, 0)
        self._rooms: dict[Room, None] = {}  # the oldest first

    @contextlib.contextmanager
    def room(self, address: str, length: int, most: int) -> Iterator[Room]:
        """Reserves room for a body of `length` bytes; raises `Refused`, also for one of more than `most`."""
        if length > most:
            raise Refused("too-large", f"a body has at most {most} bytes here")
        room = Room(address, length)
        while length and self.held[room.size] + length > self._sizes[room.size]:
            self._give_up_for(room)
        self.held[room.size] += length
        self._rooms[room] = None
        try:
            yield room
        finally:
            del self._rooms[room]
            self._leave(room)

    def _give_up_for(self, wanted: Room) -> None:
        """Gives up a body of the site that has most on the way; raises `Refused` where that would be who asks."""
        coming = [room for room in self._rooms if room.size == wanted.size and room.may_be_given_up]
        held: Counter[str] = Counter()
        for room in coming:
            held[room.address] += room.holds
        greediest = gives_way(held, wanted.address, wanted.length)
        if greediest is None:
            raise Refused("too-busy", "too much is being sent at once; send it again in a moment")
        oldest = next(room for room in coming if site_of(room.address) == greediest)
        self._leave(oldest)
        if oldest.limit and not oldest.limit.expired():
            oldest.limit.reschedule(asyncio.get_running_loop().time())

    def _leave(self, room: Room) -> None:
        self.held[room.size] -= room.holds
        room.holds = 0

    async def read(self, parts: AsyncIterator[Any], room: Room) -> bytes:
        """The body; raises `Refused` if it is too slow, or ends before its Content-Length."""
        if room.length == 0:
            return b""
        try:
            async with asyncio.timeout(self._seconds + room.length / LEAST_RATE) as room.limit:
                body = b"".join([bytes(part) async for part in parts])
        except TimeoutError:
            await asyncio.sleep(LET_GO_S)
            raise Refused("too-slow", "the body did not come in time; nothing was done") from None
        finally:
            room.limit = None
        if len(body) != room.length:
            raise Refused("malformed", "the body is not as long as its Content-Length")
        return body


async def pass_over(parts: AsyncIterator[Any]) -> None:
    """Takes a body that its request is answered without, and keeps none of it.

    Closing a connection on what is still being sent resets it, and the answer is lost on its way (RFC 9112, 9.6).
    """
    loop, taken = asyncio.get_running_loop(), 0
    begun = loop.time()
    try:
        async with asyncio.timeout(STALLED_S) as limit:
            async for part in parts:
                taken += len(bytes(part))
                if taken > MOST_PASSED_OVER:
                    return
                limit.reschedule(begun + STALLED_S + taken / LEAST_RATE)
    except TimeoutError:
        await asyncio.sleep(LET_GO_S)


def length_of(header: str | None, *, chunked: bool) -> int:
    """The declared length of a request's body, 0 if there is none; raises `Refused` for one that comes in chunks.

    Zeros before it count for nothing, however many there are; Python reads no number of more than 4,300 digits.

    granian ends those that break off as it ends whole ones: half of a text would pass for all of it.
    """
    if chunked:
        raise Refused("malformed", "send the body whole, with a Content-Length and without a Transfer-Encoding")
    return int(header.lstrip("0") or 0) if header is not None and header.isdecimal() else 0
