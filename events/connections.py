"""The connections to one server: each thread has its own; the commands of most requests are sent on it directly."""

import threading
import weakref
from typing import Any, NamedTuple

import hiredis
import redis
from redis.backoff import ExponentialBackoff
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
