"""All keys of a store: every one that is there from the beginning of a walk to its end, or an error.

`SCAN` promises that of each server. It does not of a server that was started again in between, which orders its keys
anew, nor of a cluster whose slots move: a key that comes to a server which was asked before is met by nobody.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import redis
from redis.exceptions import RedisError, ResponseError

from events.clusters import ClusterClient, of_each_server
from events.scripts import Client


class ServersChanged(RedisError):
    """Others answer than before, or with other slots."""


@contextmanager
def same_servers(client: Client) -> Iterator[None]:
    """Raises `ServersChanged` behind the block if other servers answer than before it, or while slots move."""
    before = _who_answers(client)
    yield
    if _who_answers(client) != before:
        raise ServersChanged


def answering(client: ClusterClient) -> list[str]:
    """Each server of a cluster that takes writes, by its name from its start to its end."""
    client.learn_nodes()
    return sorted(of_each_server(client, partial(_start_of, client)))


def _who_answers(client: Client) -> list[Any]:
    """Each server as it was started, and its slots; raises `ServersChanged` while slots move."""
    return _nodes_of(client) if isinstance(client, redis.RedisCluster) else [_start_of(client)]


def _nodes_of(client: Client) -> list[Any]:
    client.learn_nodes()
    return sorted([_start_of(client, target_nodes=node), _slots_of(client, node)] for node in client.get_primaries())


def _start_of(client: Client, **where: Any) -> str:
    """What a server is called from its start to its end; nothing where it keeps that to itself."""
    try:
        return str(client.info("server", **where).get("run_id"))
    except ResponseError:
        return ""


def _slots_of(client: Client, node: Any) -> list[Any]:
    """The slots of a node, as it says itself: it alone tells which of them move."""
    try:
        rows = client.execute_command("CLUSTER NODES", target_nodes=node)
    except ResponseError:
        return []
    (own,) = [row for row in rows.values() if "myself" in row["flags"]]
    if own["migrations"]:
        raise ServersChanged
    return list(own["slots"])


AT_ONCE = 1000  # keys that a server looks at in one call


class KeysMissed(RedisError):
    """Some keys may have been met by nobody; whoever needs them all begins again."""

    def __init__(self) -> None:
        super().__init__(
            "a server was started again, or slots of the cluster moved, while all keys were read, so some may have "
            "been missed: do it again"
        )


def all_keys(client: Client, match: str | None = None, count: int = AT_ONCE) -> Iterator[bytes]:
    """The keys that match a pattern, some of them twice; raises `KeysMissed` behind the last one if any may lack."""
    try:
        with same_servers(client):
            yield from client.scan_iter(match, count=count)
    except ServersChanged:
        raise KeysMissed from None
