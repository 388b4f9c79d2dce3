"""All keys of a store: every one that is there from the beginning of a walk to its end, or an error.

`SCAN` promises that of each server. It does not of a server that was started again in between, which orders its keys
anew, nor of a cluster whose slots move: a key that comes to a server which was asked before is met by nobody.
"""

from collections.abc import Iterator

from redis.exceptions import RedisError

from events.same_servers import ServersChanged, same_servers
from events.scripts import Client

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
