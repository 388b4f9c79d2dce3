"""Connections to a server or a cluster, its configured durability, and scans of all keys.

Each thread has its own connection to a server; most requests send their commands on it directly.
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
    """How often a command is retried, and the timeout of each attempt in seconds."""

    retry: Retry
    timeout_s: float


# About as long as a supervised server takes to restart; by default redis-py retries nothing for a client from a URL.
PATIENT = Patience(Retry(ExponentialBackoff(cap=0.5, base=0.02), 6), 5.0)
IMPATIENT = Patience(Retry(ExponentialBackoff(cap=0.5, base=0.2), 3), 1.0)  # where other threads wait for this one

# redis-py's default is 100, and it counts the connections of ended threads too. The number of threads is the bound.
UNBOUNDED = 2**31


class ThreadConnections(redis.ConnectionPool):
    """A connection pool in which each thread keeps its own connection.

    The ordinary pool checks a connection each time it lends it, which costs one more switch of the interpreter's lock
    per command. Here a connection that the server closed fails when it is used, and the command is retried.
    """

    def reset(self) -> None:
        """Forgets all connections, as after a fork."""
        super().reset()
        self._own = threading.local()
        self._made: weakref.WeakSet[Any] = weakref.WeakSet()  # a thread's connection goes when the thread ends

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """Returns the thread's connection; it connects when it is first used."""
        self._checkpid()
        if not hasattr(self._own, "connection"):
            self._own.connection = self.make_connection()
            self._made.add(self._own.connection)
        return self._own.connection

    def release(self, connection: Any) -> None:
        """Does nothing: the thread keeps its connection."""

    def disconnect(self, *_: Any, **__: Any) -> None:
        """Closes the connections of all threads; each reconnects when it is next used."""
        for connection in list(self._made):
            connection.disconnect()


def thread_connections(url: str, patience: Patience = PATIENT) -> ThreadConnections:
    """Returns a pool for the server at the URL, which may set its own timeouts."""
    waiting: dict[str, Any] = dict.fromkeys(("socket_timeout", "socket_connect_timeout"), patience.timeout_s)
    found: ThreadConnections = ThreadConnections.from_url(
        url, retry=patience.retry, max_connections=UNBOUNDED, **waiting
    )
    return found


def send_together(client: Any, *commands: tuple[Any, ...]) -> list[Any] | None:
    """Returns the replies to commands sent in one write, for a quarter of the cost of redis-py's pipeline.

    Returns None if the caller must use redis-py: on a cluster, after a broken connection, or if a reply is an error.
    """
    pool = getattr(client, "connection_pool", None)
    if not isinstance(pool, ThreadConnections):
        return None
    connection = pool.get_connection()
    try:
        connection.send_packed_command([b"".join(map(hiredis.pack_command, commands))])
        return [connection.read_response() for _ in commands]
    except BaseException as error:
        connection.disconnect()  # other replies may still arrive
        if isinstance(error, redis.RedisError):
            return None
        raise


def read_together(client: Any, commands: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Returns the replies to reads, sent in one trip, in redis-py's form; an error is returned, not raised."""
    sent = list(commands)
    if (replies := send_together(client, *sent)) is not None:
        both = zip(sent, replies, strict=True)
        return [_entries(reply) if command[0] == "XRANGE" else reply for command, reply in both]
    with client.pipeline(transaction=False) as pipe:
        for command in sent:
            pipe.execute_command(*command)
        return list(pipe.execute(raise_on_error=False))


def _entries(reply: list[Any]) -> list[tuple[bytes, dict[bytes, bytes]]]:
    """Returns the entries of a stream, each with its fields."""
    return [(entry_id, fields_from_pairs(flat)) for entry_id, flat in reply]


def fields_from_pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    """Returns the fields of an entry from the store's flat list of names and values."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


ANSWER_S = 3.0  # for each attempt to reach a node: an isolated one delays a request by this much
CONNECT_S = 1.0
TRIES = 2  # after the first one, each with the slot table known by then


P = ParamSpec("P")
R = TypeVar("R")


def ask_each_server(client: Any, ask: Callable[..., R]) -> list[R]:
    """Returns each primary's answer; `ask` calls the client, on a cluster with `target_nodes`."""
    if not isinstance(client, redis.RedisCluster):
        return [ask()]
    return [ask(target_nodes=node) for node in client.get_primaries()]


def raising_redis_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Wraps a function so that all errors of redis-py are `RedisError`s that can be pickled."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RedisClusterException as error:
            raise ClusterError(str(error)) from error
        except AttributeError as error:  # redis-py has None in place of a node while it looks for nodes
            raise ClusterError("no node of the cluster is known") from error
        except RedisError as error:
            vars(error).pop("connection", None)  # redis-py adds it for its metrics; it cannot be pickled
            raise

    return wrapped


class _Pipeline(ClusterPipeline):
    execute = raising_redis_errors(ClusterPipeline.execute)


class ClusterClient(redis.RedisCluster):
    """A client that survives failing nodes, failovers and migrating slots."""

    @classmethod
    @raising_redis_errors
    def connected(cls, url: str) -> "ClusterClient":
        """Connects to a cluster by the URL of any node; raises `ClusterError` if none answers."""
        retry = Retry(ExponentialBackoff(), TRIES)
        return cls(url=url, retry=retry, socket_timeout=ANSWER_S, socket_connect_timeout=CONNECT_S)

    @raising_redis_errors
    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the answer of the node that serves the keys."""
        return super().execute_command(*args, **kwargs)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool | None = None, shard_hint: Any = None) -> Any:
        """Returns a pipeline that uses this client to resend commands which reached the wrong node."""
        pipe = super().pipeline(transaction, shard_hint)  # type: ignore[no-untyped-call]
        pipe.__class__ = _Pipeline  # its constructor takes a dozen internals of redis-py
        pipe.parent_execute_command = self.execute_command
        return pipe

    @raising_redis_errors
    def learn_nodes(self) -> None:
        """Reloads the slot table from the nodes."""
        self.nodes_manager.initialize()

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> Any:
        """Returns a node, adding one that an answer names before it serves its first slot."""
        known = super().get_node(host, port, node_name)  # type: ignore[no-untyped-call]
        if known is None and node_name is not None:
            address, _, its_port = node_name.rpartition(":")
            known = self.nodes_manager.nodes_cache.setdefault(node_name, ClusterNode(address, int(its_port), PRIMARY))
        return known


DURABILITIES = ("none", "fsync every second", "fsync")  # the weakest first


def durability(client: Any) -> str:
    """Returns the weakest durability of all servers: one of `DURABILITIES`, or `unknown` if a server hides it."""
    try:
        found = ask_each_server(client, partial(client.config_get, "append*"))
    except redis.ResponseError:  # managed servers hide their configuration
        return "unknown"
    return min(map(_durability, found), key=DURABILITIES.index)


def _durability(configured: Mapping[str, Any]) -> str:
    """Returns a server's durability by its configuration."""
    if configured.get("appendonly", b"no") in ("no", b"no"):
        return "none"
    return {"always": "fsync", "everysec": "fsync every second"}.get(str(configured.get("appendfsync")), "none")


def check_writes(client: Any, keys: Iterable[str]) -> None:
    """Raises if a server refuses writes to one of these keys; creates and changes none."""
    with client.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.setrange(key, 0, "")
        pipe.execute()


class ServersChanged(RedisError):
    """Other servers answer than before, or slots have moved."""


@contextmanager
def same_servers(client: Any) -> Iterator[None]:
    """Raises `ServersChanged` after the block if other servers answer than before it, or while slots move."""
    before = _servers(client)
    yield
    if _servers(client) != before:
        raise ServersChanged


def primary_run_ids(client: ClusterClient) -> list[str]:
    """Returns the run ids of a cluster's primaries."""
    client.learn_nodes()
    return sorted(ask_each_server(client, partial(_run_id, client)))


def _servers(client: Any) -> list[Any]:
    """Returns each server's run id and slots; raises `ServersChanged` while slots move."""
    if not isinstance(client, ClusterClient):
        return [_run_id(client)]
    client.learn_nodes()
    primaries = client.get_primaries()  # type: ignore[no-untyped-call]
    return sorted([_run_id(client, target_nodes=node), _slots_of(client, node)] for node in primaries)


def _run_id(client: Any, **where: Any) -> str:
    """Returns the id that a server has from its start to its end; empty if the server hides it."""
    try:
        return str(client.info("server", **where).get("run_id"))
    except ResponseError:
        return ""


def _slots_of(client: Any, node: Any) -> list[Any]:
    """Returns a node's slots as the node itself reports them: only that report shows which are migrating."""
    try:
        rows = client.execute_command("CLUSTER NODES", target_nodes=node)
    except ResponseError:
        return []
    (own,) = [row for row in rows.values() if "myself" in row["flags"]]
    if own["migrations"]:
        raise ServersChanged
    return list(own["slots"])


SCAN_COUNT = 1000  # keys that a server looks at in one call


class KeysMissed(RedisError):
    """A scan may have missed some keys; a caller that needs all of them must start again."""

    def __init__(self) -> None:
        super().__init__(
            "a server restarted or slots moved during the scan, so some keys may have been missed: try again"
        )


def all_keys(client: Any, match: str | None = None, count: int = SCAN_COUNT) -> Iterator[bytes]:
    """Yields the keys that match a pattern, some twice; raises `KeysMissed` at the end if any may be missing."""
    try:
        with same_servers(client):
            yield from client.scan_iter(match, count=count)
    except ServersChanged:
        raise KeysMissed from None
