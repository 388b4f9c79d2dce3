"""Connections to a server or a cluster, who answers there, and all keys that lie there.

Each thread has its own connection to one server; the commands of most requests are sent on it directly.
"""

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import hiredis
import redis
from redis.backoff import ExponentialBackoff
from redis.cluster import PRIMARY, ClusterNode, ClusterPipeline
from redis.exceptions import ClusterError, RedisClusterException, RedisError, ResponseError
from redis.retry import Retry


class Patience(NamedTuple):
    """How often a server is asked again, and how long each answer is waited for, in seconds."""

    retry: Retry
    timeout_s: float


# About as long as a supervised server takes to come back; of itself redis-py repeats nothing for a client from a URL.
PATIENT = Patience(Retry(ExponentialBackoff(cap=0.5, base=0.02), 6), 5.0)
IMPATIENT = Patience(Retry(ExponentialBackoff(cap=0.5, base=0.2), 3), 1.0)  # others wait for the thread that waits

# redis-py allows 100, and counts all that were ever made: those of threads that have ended, too. The threads bound it.
UNBOUNDED = 2**31


class OwnConnections(redis.ConnectionPool):
    """A connection for every thread, which keeps it.

    A pool that lends looks at a connection each time it lends it: with many threads that hands the interpreter's lock
    round once more for every command. A connection that the server has closed shows when it is used, and is repeated.
    """

    def reset(self) -> None:
        """Forgets all connections, as after a fork."""
        super().reset()
        self._own = threading.local()
        self._made: weakref.WeakSet[Any] = weakref.WeakSet()  # a thread that ends takes its own along

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """The thread's connection; it connects when it is first used."""
        self._checkpid()
        if not hasattr(self._own, "connection"):
            self._own.connection = self.make_connection()
            self._made.add(self._own.connection)
        return self._own.connection

    def release(self, connection: Any) -> None:
        """The thread keeps it."""

    def disconnect(self, *_: Any, **__: Any) -> None:
        """Ends the connections of all threads; one that asks again connects again."""
        for connection in list(self._made):
            connection.disconnect()


def own_connections(url: str, patience: Patience = PATIENT) -> OwnConnections:
    """Connections to the server at the URL, none of them made yet; the URL may say what to wait for by itself."""
    waiting: dict[str, Any] = dict.fromkeys(("socket_timeout", "socket_connect_timeout"), patience.timeout_s)
    found: OwnConnections = OwnConnections.from_url(url, retry=patience.retry, max_connections=UNBOUNDED, **waiting)
    return found


def at_once(client: Any, *commands: tuple[Any, ...]) -> list[Any] | None:
    """The replies to commands that are sent together, for a quarter of what redis-py's pipeline takes.

    None where redis-py has to ask: on a cluster, and again where the connection broke or a reply is an error.
    """
    pool = getattr(client, "connection_pool", None)
    if not isinstance(pool, OwnConnections):
        return None
    connection = pool.get_connection()
    try:
        connection.send_packed_command([hiredis.pack_command(command) for command in commands])
        return [connection.read_response() for _ in commands]
    except BaseException as error:
        connection.disconnect()  # other replies may still be on their way
        if isinstance(error, redis.RedisError):
            return None
        raise


ANSWER_S = 3.0  # for a node to answer: one that is cut off keeps a request waiting so long for each try
CONNECT_S = 1.0
TRIES = 2  # after the first one, each with what is known by then of who serves what


P = ParamSpec("P")
R = TypeVar("R")


def of_each_server(client: Any, ask: Callable[..., R]) -> list[R]:
    """What each server that takes writes answers; `ask` calls the client, on a cluster for one of its nodes."""
    if not isinstance(client, redis.RedisCluster):
        return [ask()]
    return [ask(target_nodes=node) for node in client.get_primaries()]


def told_as_redis_error(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which raises `ClusterError` where redis-py raises what is no `RedisError`.

    What it raises can be sent to another process.
    """

    @wraps(function)
    def told(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RedisClusterException as error:
            raise ClusterError(str(error)) from error
        except AttributeError as error:  # of None in the place of a node: redis-py knows none while it looks for them
            raise ClusterError("no node of the cluster is known") from error
        except RedisError as error:
            vars(error).pop("connection", None)  # redis-py notes it for its figures; it can be sent to no other process
            raise

    return told


class _Pipeline(ClusterPipeline):
    execute = told_as_redis_error(ClusterPipeline.execute)


class ClusterClient(redis.RedisCluster):
    """A client of a cluster whose nodes fail, fail over and hand slots to each other."""

    @classmethod
    @told_as_redis_error
    def connected(cls, url: str) -> "ClusterClient":
        """A client for the URL of any node; raises `ClusterError` if none answers."""
        retry = Retry(ExponentialBackoff(), TRIES)
        return cls(url=url, retry=retry, socket_timeout=ANSWER_S, socket_connect_timeout=CONNECT_S)

    @told_as_redis_error
    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """The answer of the node that serves the keys."""
        return super().execute_command(*args, **kwargs)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool | None = None, shard_hint: Any = None) -> Any:
        """A pipeline whose commands this client sends again, one by one, where they were sent to the wrong node."""
        pipe = super().pipeline(transaction, shard_hint)  # type: ignore[no-untyped-call]
        pipe.__class__ = _Pipeline  # redis-py makes it of a dozen parts of its own
        pipe.parent_execute_command = self.execute_command
        return pipe

    @told_as_redis_error
    def learn_nodes(self) -> None:
        """Asks the nodes anew who serves which slot."""
        self.nodes_manager.initialize()

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> Any:
        """A node; one that serves no slot yet, but is about to, is learned of by the first answer that names it."""
        known = super().get_node(host, port, node_name)  # type: ignore[no-untyped-call]
        if known is None and node_name is not None:
            address, _, its_port = node_name.rpartition(":")
            known = self.nodes_manager.nodes_cache.setdefault(node_name, ClusterNode(address, int(its_port), PRIMARY))
        return known


DURABILITIES = ("none", "fsync every second", "fsync")  # the one that loses most first


def durability(client: Any) -> str:
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


def check_writes(client: Any, keys: Iterable[str]) -> None:
    """Raises if a server refuses writes to one of these keys, which need not be there: none is made or changed."""
    with client.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.setrange(key, 0, "")
        pipe.execute()


class ServersChanged(RedisError):
    """Others answer than before, or with other slots."""


@contextmanager
def same_servers(client: Any) -> Iterator[None]:
    """Raises `ServersChanged` behind the block if other servers answer than before it, or while slots move."""
    before = _who_answers(client)
    yield
    if _who_answers(client) != before:
        raise ServersChanged


def answering(client: ClusterClient) -> list[str]:
    """Each server of a cluster that takes writes, by its name from its start to its end."""
    client.learn_nodes()
    return sorted(of_each_server(client, partial(_start_of, client)))


def _who_answers(client: Any) -> list[Any]:
    """Each server as it was started, and its slots; raises `ServersChanged` while slots move."""
    return _nodes_of(client) if isinstance(client, redis.RedisCluster) else [_start_of(client)]


def _nodes_of(client: Any) -> list[Any]:
    client.learn_nodes()
    return sorted([_start_of(client, target_nodes=node), _slots_of(client, node)] for node in client.get_primaries())


def _start_of(client: Any, **where: Any) -> str:
    """What a server is called from its start to its end; nothing where it keeps that to itself."""
    try:
        return str(client.info("server", **where).get("run_id"))
    except ResponseError:
        return ""


def _slots_of(client: Any, node: Any) -> list[Any]:
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
    """Some keys may have been missed; a caller that needs all of them has to start again."""

    def __init__(self) -> None:
        super().__init__(
            "a server was started again, or slots of the cluster moved, while all keys were read, so some may have "
            "been missed: do it again"
        )


def all_keys(client: Any, match: str | None = None, count: int = AT_ONCE) -> Iterator[bytes]:
    """The keys that match a pattern, some of them twice; raises `KeysMissed` behind the last one if any may lack."""
    try:
        with same_servers(client):
            yield from client.scan_iter(match, count=count)
    except ServersChanged:
        raise KeysMissed from None
