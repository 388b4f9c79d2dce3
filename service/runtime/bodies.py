"""Bodies of requests, read as they come: bounded in bytes, in time, and over all requests of the process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

from service.errors import Refused
from service.limits.body_sizes import LARGEST_BODY
from service.runtime.memory import give_back

LEAST_RATE = 256 * 1024  # bytes a second that a large body has to come with
STALLED_S = 1.0  # a body that is not wanted may be so far behind that rate; nobody waits for the rest of it then
LET_GO_S = 0.05  # until granian lets go of a read that was given up; answered before, its connection stays open
MOST_PASSED_OVER = 32 << 20  # bytes; whoever sends more than any request may have loses the connection, and the answer
SHARE_OF_LARGE = 2  # large bodies may hold one of so many parts: they never take the room of moves


class Bodies:
    """The bytes of bodies that the process holds, from before the first is read until the request is answered.

    Used by the event loop alone. `most` is in bytes, `seconds` is the time that a small body may take.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._seconds = seconds
        self._rooms = {"large": most // SHARE_OF_LARGE, "small": most - most // SHARE_OF_LARGE}
        self.held = dict.fromkeys(self._rooms, 0)

    @contextlib.contextmanager
    def room(self, length: int, most: int) -> Iterator[None]:
        """Reserves room for a body of `length` bytes; raises `Refused`, also for one of more than `most`."""
        if length > most:
            raise Refused("too-large", f"a body has at most {most} bytes here")
        size = "large" if length > LARGEST_BODY else "small"
        if length and self.held[size] + length > self._rooms[size]:
            raise Refused("too-busy", "too much is being sent at once; send it again in a moment")
        self.held[size] += length
        try:
            yield
        finally:
            self.held[size] -= length
            if size == "large" and not self.held[size]:
                give_back()

    async def read(self, parts: AsyncIterator[Any], length: int) -> bytes:
        """The body; raises `Refused` if it is too slow, or ends before its Content-Length."""
        if length == 0:
            return b""
        try:
            async with asyncio.timeout(self._seconds + length / LEAST_RATE):
                body = b"".join([bytes(part) async for part in parts])
        except TimeoutError:
            await asyncio.sleep(LET_GO_S)
            raise Refused("too-slow", "the body did not come in time; nothing was done") from None
        if len(body) != length:
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
