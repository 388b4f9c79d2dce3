"""One restore at a time: of two, each would write among the other's records, and find all of its own there."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial

from redis.exceptions import LockError, RedisError
from redis.lock import Lock

from events.scripts import Client

HELD = "wintercount:restoring:by"  # which restore is at it, as long as it tells so
HELD_MS = 10_000  # for which one that was killed is waited for
TELL_S = 2.0


class AnotherRestores(Exception):
    """Another restore is at it, and what to do."""


@contextlib.contextmanager
def alone(client: Client) -> Iterator[Callable[[], None]]:
    """Lets nobody else restore into the store meanwhile; raises `AnotherRestores`.

    Gives what raises the same at the end, if another has come to it because this process stood still for too long.
    """
    lock = client.lock(HELD, timeout=HELD_MS / 1000, blocking=False, thread_local=False)
    if not lock.acquire():
        raise AnotherRestores(
            f"another restore is at it; one that was killed holds the store for {HELD_MS // 1000} s more"
        )
    stop = threading.Event()
    telling = threading.Thread(target=_tell_until, args=(stop, lock), daemon=True)
    telling.start()
    try:
        yield partial(_check_held, lock)
    finally:
        stop.set()
        telling.join()
        with contextlib.suppress(LockError):  # another has come to it
            lock.release()


def _tell_until(stop: threading.Event, lock: Lock) -> None:
    """Goes on holding the store until `stop` is set, unless another has come to it."""
    while not stop.wait(TELL_S):
        with contextlib.suppress(RedisError):
            lock.reacquire()


def _check_held(lock: Lock) -> None:
    if not lock.owned():
        raise AnotherRestores("another restore has begun while this one stood still: restore again")
