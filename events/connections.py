"""The connections to one server: each thread has its own."""

import threading
from typing import Any

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

# About as long as a supervised server takes to come back; of itself redis-py repeats nothing for a client from a URL.
RETRY = Retry(ExponentialBackoff(cap=0.5, base=0.02), 6)


class OwnConnections(redis.ConnectionPool):
    """A connection for every thread, which keeps it.

    A pool that lends looks at a connection each time it lends it: with many threads that hands the interpreter's lock
    round once more for every command. A connection that the server has closed shows when it is used, and is repeated.
    """

    def reset(self) -> None:
        """Forgets all connections, as after a fork."""
        super().reset()
        self._own = threading.local()

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """The thread's connection; it connects when it is first used."""
        self._checkpid()
        if not hasattr(self._own, "connection"):
            self._own.connection = self.make_connection()
        return self._own.connection

    def release(self, connection: Any) -> None:
        """The thread keeps it."""


def own_connections(url: str) -> OwnConnections:
    """Connections to the server at the URL, none of them made yet."""
    found: OwnConnections = OwnConnections.from_url(url, retry=RETRY)
    return found
