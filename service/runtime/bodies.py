"""Bodies of requests, read as they come: bounded in bytes, in time, and over all requests of the process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

from service.api.strict import MAX_BYTES
from service.errors import Refused
from service.runtime.memory import give_back

LEAST_RATE = 256 * 1024  # bytes a second that a large body has to come with
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
    def room(self, length: int | None, most: int) -> Iterator[None]:
        """Reserves room for a body of `length` bytes, or of `most` if the length is unknown; raises `Refused`."""
        if length is not None and length > most:
            raise _too_large(most)
        needed = most if length is None else length
        size = "large" if needed > MAX_BYTES else "small"
        if needed and self.held[size] + needed > self._rooms[size]:
            raise Refused("too-busy", "too much is being sent at once; send it again in a moment")
        self.held[size] += needed
        try:
            yield
        finally:
            self.held[size] -= needed
            if size == "large" and not self.held[size]:
                give_back()

    async def read(self, parts: AsyncIterator[Any], length: int | None, most: int) -> bytes:
        """The body; raises `Refused` if it is too large, too slow, or ends before its Content-Length."""
        if length == 0:
            return b""
        try:
            async with asyncio.timeout(self._seconds + (most if length is None else length) / LEAST_RATE):
                body = await _joined(parts, most)
        except TimeoutError:
            raise Refused("too-slow", "the body did not come in time; nothing was done") from None
        if length is not None and len(body) != length:
            raise Refused("malformed", "the body is not as long as its Content-Length")
        return body


async def _joined(parts: AsyncIterator[Any], most: int) -> bytes:
    found, size = [], 0
    async for part in parts:
        size += len(part)
        if size > most:
            raise _too_large(most)
        found.append(bytes(part))
    return b"".join(found)


def _too_large(most: int) -> Refused:
    return Refused("too-large", f"a body has at most {most} bytes here")


def length_of(header: str | None, *, chunked: bool) -> int | None:
    """The declared length of a request's body: 0 if there is none, None if only its end will show it."""
    if header is not None and header.isdecimal():
        return int(header)
    return None if chunked else 0
