"""One at a time does what two would spoil for one another.

Of two restores, each would write among the other's records, and find all of its own there; of two rebuilds of a
projection, each would remove rows that the other has made.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial

from redis.exceptions import LockError, RedisError
from redis.lock import Lock

from events.scripts import Client

HELD = "wintercount:alone:"  # and what is done
HELD_MS = 10_000  # for which one that was killed is waited for
TELL_S = 2.0


class AnotherIsAtIt(Exception):
    """Somebody else does the same, and what to do."""


def held_for(what: str) -> str:
    """The key that says who is at it, as long as he tells so."""
    return HELD + what.replace(" ", "-")


@contextlib.contextmanager
def alone(client: Client, what: str) -> Iterator[Callable[[], None]]:
    """Lets nobody else do the same, such as a `restore`, at the store meanwhile; raises `AnotherIsAtIt`.

    Gives what raises the same at the end, if another has come to it because this process stood still for too long.
    """
    lock = client.lock(held_for(what), timeout=HELD_MS / 1000, blocking=False, thread_local=False)
    if not lock.acquire():
        raise AnotherIsAtIt(
            f"another {what} is at it; one that was killed holds the store for {HELD_MS // 1000} s more"
        )
    stop = threading.Event()
    telling = threading.Thread(target=_tell_until, args=(stop, lock), daemon=True)
    telling.start()
    try:
        yield partial(_check_held, lock, what)
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


def _check_held(lock: Lock, what: str) -> None:
    if not lock.owned():
        raise AnotherIsAtIt(f"another {what} has begun while this one stood still: begin it again")
