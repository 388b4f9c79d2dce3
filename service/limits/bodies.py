"""Reads request bodies, bounded in bytes and in time."""

import asyncio
from typing import Any

from service.errors import Refused

LARGEST_BODY = 64 * 1024
LARGEST_ARCHIVE = 32 * 1024 * 1024  # of an archive, which only operators may send
BODY_S = 10.0  # for a body to arrive
LEAST_RATE = 256 * 1024  # bytes a second, for which a larger body gets more time
LET_GO_S = 0.05  # until granian ends a cancelled read; answered earlier, it keeps the connection open


async def read_body(protocol: Any, headers: Any, most: int) -> bytes:
    """Returns the body of a request of at most `most` bytes; raises `Refused`.

    A larger body is read and dropped: if the connection were closed instead, the answer might be lost (RFC 9112, 9.6).
    Chunked bodies are refused, as granian does not tell a broken one from a whole one.
    """
    if "transfer-encoding" in headers:
        raise Refused("malformed", "send the body with a Content-Length and without a Transfer-Encoding")
    length = _length(headers.get("content-length"))
    if not length or (length > most and "expect" in headers):
        return _checked(b"", length, most)
    body = b""
    try:
        async with asyncio.timeout(BODY_S + min(length, most) / LEAST_RATE):
            if length <= most:
                body = await protocol()
            else:
                async for _ in protocol:
                    pass
    except TimeoutError:
        await asyncio.sleep(LET_GO_S)
        if length <= most:
            raise Refused("too_slow", "the body did not arrive in time; nothing was done") from None
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused("unsupported_media_type", "send the body as it is, without a Content-Encoding")
    return _checked(body, length, most)


def _checked(body: bytes, length: int, most: int) -> bytes:
    if length > most:
        raise Refused("too_large", f"a body may have {most} bytes here")
    if len(body) != length:
        raise Refused("malformed", "the body is not as long as its Content-Length says")
    return body


def _length(header: str | None) -> int:
    """Returns the declared length, without leading zeros: Python parses at most 4,300 digits."""
    return int(header.lstrip("0")[:20] or 0) if header is not None and header.isdecimal() else 0
