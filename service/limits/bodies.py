"""Bodies of requests, read whole as they come: bounded in bytes and in time."""

import asyncio
from typing import Any

from service.errors import Refused

LARGEST_BODY = 64 * 1024
LARGEST_ARCHIVE = 32 * 1024 * 1024  # of a body that is an archive, which operators alone may send
BODY_S = 10.0  # for a body to come
LEAST_RATE = 256 * 1024  # bytes a second that a larger one has to come with, beyond that
LET_GO_S = 0.05  # until granian lets go of a read that was given up; answered before, its connection stays open


async def read_body(protocol: Any, headers: Any, most: int) -> bytes:
    """The body of a request, which may have `most` bytes; raises `Refused`.

    What is too large is read all the same, and not kept: were the connection closed on it, the answer might be lost
    (RFC 9112, 9.6). A body in chunks is refused, as granian ends one that breaks off as it ends a whole one.
    """
    if "transfer-encoding" in headers:
        raise Refused("malformed", "send the body whole, with a Content-Length and without a Transfer-Encoding")
    length = _length(headers.get("content-length"))
    if not length or (length > most and "expect" in headers):
        return _checked(b"", length, most)
    try:
        async with asyncio.timeout(BODY_S + min(length, most) / LEAST_RATE):
            body = await protocol() if length <= most else await _let_pass(protocol)
    except TimeoutError:
        await asyncio.sleep(LET_GO_S)
        if length <= most:
            raise Refused("too_slow", "the body did not come in time; nothing was done") from None
        body = b""
    return _checked(body, length, most)


async def _let_pass(protocol: Any) -> bytes:
    """Reads what is too large, and keeps nothing."""
    async for _ in protocol:
        pass
    return b""


def _checked(body: bytes, length: int, most: int) -> bytes:
    if length > most:
        raise Refused("too_large", f"a body has at most {most} bytes here")
    if len(body) != length:
        raise Refused("malformed", "the body is not as long as its Content-Length")
    return body


def _length(header: str | None) -> int:
    """The length that a request declares. Python reads no number of more than 4,300 digits, so zeros are dropped."""
    return int(header.lstrip("0")[:20] or 0) if header is not None and header.isdecimal() else 0
