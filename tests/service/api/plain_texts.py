"""Where texts stand in plain in the log's store."""

import json
from collections.abc import Callable, Iterable
from typing import Any


def plain_in(client: Any, texts: Iterable[str]) -> dict[str, set[str]]:
    """The keys in which, or in whose values, each text stands in plain."""
    kept = {key.decode(): key + b"".join(values_of(client, key)) for key in client.scan_iter()}
    return {text: {key for key, value in kept.items() if holds(value, text)} for text in texts}


def holds(value: bytes, text: str) -> bool:
    """Whether a text stands somewhere as it is, or as JSON may escape it."""
    return text.encode() in value or json.dumps(text).encode()[1:-1] in value


def values_of(client: Any, key: bytes) -> list[bytes]:
    """All that a key holds."""
    read: dict[bytes, Callable[[], Any]] = {
        b"string": lambda: [client.get(key)],
        b"hash": lambda: [part for pair in client.hgetall(key).items() for part in pair],
        b"zset": lambda: client.zrange(key, 0, -1),
        b"list": lambda: client.lrange(key, 0, -1),
        b"set": lambda: list(client.smembers(key)),
        b"stream": lambda: [part for _, row in client.xrange(key) for pair in row.items() for part in pair],
    }
    return list(read[client.type(key)]())
