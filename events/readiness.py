"""What the servers of a store do before they acknowledge, and whether they take writes; of a cluster all primaries."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import redis

from events.clusters import of_each_server
from events.scripts import Client

DURABILITIES = ("none", "fsync every second", "fsync")  # the one that loses most first


def durability(client: Client) -> str:
    """The weakest durability: `fsync`, `fsync every second` or `none`; `unknown` where a server does not tell."""
    try:
        found = of_each_server(client, partial(client.config_get, "append*"))
    except redis.ResponseError:  # managed servers keep their configuration to themselves
        return "unknown"
    return min(map(_durability, found), key=DURABILITIES.index)


def _durability(configured: Mapping[str, Any]) -> str:
    """What a server does before it acknowledges, by its configuration."""
    if configured.get("appendonly", b"no") in ("no", b"no"):
        return "none"
    return {"always": "fsync", "everysec": "fsync every second"}.get(str(configured.get("appendfsync")), "none")


def check_writes(client: Client, keys: Iterable[str]) -> None:
    """Raises if a server refuses writes to one of these keys, which need not be there: none is made or changed."""
    with client.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.setrange(key, 0, "")
        pipe.execute()
