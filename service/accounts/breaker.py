"""A circuit breaker (the pattern of that name): of a server that does not answer one thread at a time asks again.

All others go on without it, at once: each would hold one of the few threads of its process until its patience ends.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import redis


class NotAsked(Exception):
    """The server did not answer the last question, and another thread finds out whether it does by now."""


class CircuitBreaker:
    """Lets threads ask a server. Safe for threads."""

    def __init__(self) -> None:
        self._is_open, self._trial = False, threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """A context in which the server is asked, once; raises `NotAsked` if it is better not to."""
        if not self._is_open:
            yield from self._asked()
            return
        if not self._trial.acquire(blocking=False):
            raise NotAsked("it does not answer, and is asked again")
        try:
            yield from self._asked()
        finally:
            self._trial.release()

    def _asked(self) -> Iterator[None]:
        try:
            yield
        except (redis.ConnectionError, redis.TimeoutError):
            self._is_open = True
            raise
        self._is_open = False
