"""What a cluster announces, and how its feeds are followed: those announced are read in one trip to each server."""

import select
import time
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import redis
from redis.exceptions import ResponseError

CHANNEL = "__redis__:invalidate"
PAUSE_S = 0.1  # between two looks where nothing is announced


class Announcements:
    """Listens to all primaries for writes to some keys; for one thread."""

    def __init__(self, cluster: redis.RedisCluster, keys: Collection[str]) -> None:
        self._cluster, self._keys = cluster, frozenset(keys)
        self._connections: dict[str, Any] = {}  # by the name of the primary
        self._is_new = False  # one of them: what was written before is not announced on it
        self._refused = False  # by servers that do not announce anything

    def heard(self, wait_s: float) -> Collection[str]:
        """The keys that may have been written since the last call, waiting up to `wait_s` for the first of them.

        All of them where something may have been missed: a connection is new, or there is none.
        """
        if self._refused or not self._connect():
            time.sleep(min(wait_s, PAUSE_S))
            return self._keys
        if self._is_new:
            return self._keys
        return self._received(wait_s)

    def __del__(self) -> None:
        """Ends the connections with the thread that listened."""
        for name in list(self._connections):
            self._drop(name)

    def _connect(self) -> bool:
        """Listens to the primaries there are now, and to no others; returns whether it hears all of them."""
        primaries = {node.name: node for node in self._cluster.get_primaries()}
        for name in self._connections.keys() - primaries.keys():
            self._drop(name)
        missing = primaries.keys() - self._connections.keys()
        self._is_new = bool(missing)
        try:
            for name in missing:
                self._connections[name] = _listening(self._cluster.get_redis_connection(primaries[name]), self._keys)
        except ResponseError:  # a server of a provider that does not allow it
            self._refused = True
        except (redis.ConnectionError, redis.TimeoutError):  # reading the feeds finds out who serves them now
            return False
        return not self._refused

    def _received(self, wait_s: float) -> Collection[str]:
        written: set[str] = set()
        for name in self._ready(wait_s):
            try:
                written |= self._read(self._connections[name])
            except (redis.ConnectionError, redis.TimeoutError):
                self._drop(name)
                return self._keys
        return written

    def _ready(self, wait_s: float) -> list[str]:
        """The primaries that have announced something.

        redis-py waits on one connection; to wait on all of them takes their sockets. `select` would take none beyond
        the first 1024 of a process, and a web process may have more.
        """
        names = {connection._sock.fileno(): name for name, connection in self._connections.items()}
        waiting = select.poll()
        for number in names:
            waiting.register(number, select.POLLIN)
        return [names[number] for number, _ in waiting.poll(max(0.0, wait_s) * 1000)]

    def _read(self, connection: Any) -> set[str]:
        """What one primary has announced by now: of a key whose name goes on behind one of these, nothing."""
        written: set[str] = set()
        while connection.can_read():
            _, _, keys = connection.read_response()
            written |= self._keys if keys is None else {key.decode() for key in keys}  # None: everything was removed
        return written & self._keys

    def _drop(self, name: str) -> None:
        self._connections.pop(name).disconnect()


def _listening(node: redis.Redis, keys: Collection[str]) -> Any:
    """A connection of its own to a node, which announces on it."""
    pool = node.connection_pool
    connection = pool.connection_class(**(pool.connection_kwargs | {"protocol": 2}))
    own = _answer(connection, "CLIENT", "ID")
    prefixes = (word for key in sorted(keys) for word in ("PREFIX", key))
    _answer(connection, "CLIENT", "TRACKING", "ON", "REDIRECT", own, "BCAST", *prefixes)
    _answer(connection, "SUBSCRIBE", CHANNEL)
    return connection


def _answer(connection: Any, *words: Any) -> Any:
    connection.send_command(*words)
    return connection.read_response()


LOOK_S = 5.0  # how often all feeds are read, whatever is announced
PAGE = 1000  # entries read at once


class ClusterFeeds:
    """The feeds of all partitions, for one thread that follows them."""

    def __init__(self, cluster: Any, keys: Mapping[int, str]) -> None:
        self._cluster, self._keys = cluster, keys
        self._partitions = {key: partition for partition, key in keys.items()}
        self._announcements = Announcements(cluster, self._partitions)
        self._ends: dict[int, int] = {}  # positions behind which nothing had been written when they were read
        self._looked = 0.0

    def entries_after(self, after: Mapping[int, int], wait_s: float) -> Iterator[tuple[int, Any]]:
        """The entries after the positions `after`, by partition, waiting up to `wait_s` for the first of them."""
        end = time.monotonic() + wait_s
        self._hear(0)
        while not (found := self._read(after)) and (left := end - time.monotonic()) > 0:
            self._hear(min(left, LOOK_S))
        yield from found

    def _hear(self, wait_s: float) -> None:
        """Forgets where the feeds ended of which something is announced; of all now and then."""
        for key in self._announcements.heard(wait_s):
            self._ends.pop(self._partitions[key], None)
        if time.monotonic() > self._looked + LOOK_S:
            self._ends.clear()
            self._looked = time.monotonic()

    def _read(self, after: Mapping[int, int]) -> list[tuple[int, Any]]:
        asked = [partition for partition, position in after.items() if self._ends.get(partition) != position]
        if not asked:
            return []
        with self._cluster.pipeline(transaction=False) as pipe:
            for partition in asked:
                pipe.xrange(self._keys[partition], after[partition] + 1, "+", PAGE)
            read = dict(zip(asked, pipe.execute(), strict=True))
        for partition, entries in read.items():
            if len(entries) < PAGE:
                self._ends[partition] = _position(entries[-1]) if entries else after[partition]
        return [(partition, entries) for partition, entries in read.items() if entries]


def _position(entry: Any) -> int:
    return int(entry[0].split(b"-")[0])
