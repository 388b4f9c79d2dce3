"""One restore at a time: of two, each would write among the other's records, and find all of its own there."""

import contextlib
import secrets
import threading
from collections.abc import Callable, Iterator
from functools import partial

from redis.exceptions import RedisError

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
    name = secrets.token_hex(8)
    if not client.set(HELD, name, nx=True, px=HELD_MS):
        raise AnotherRestores(
            f"another restore is at it; one that was killed holds the store for {HELD_MS // 1000} s more"
        )
    stop = threading.Event()
    telling = threading.Thread(target=_tell_until, args=(stop, client, name), daemon=True)
    telling.start()
    try:
        yield partial(_check_held, client, name)
    finally:
        stop.set()
        telling.join()
        if _is_held(client, name):
            client.delete(HELD)


def _tell_until(stop: threading.Event, client: Client, name: str) -> None:
    """Goes on holding the store until `stop` is set, unless another has come to it."""
    while not stop.wait(TELL_S):
        with contextlib.suppress(RedisError):
            if _is_held(client, name):
                client.pexpire(HELD, HELD_MS)


def _check_held(client: Client, name: str) -> None:
    if not _is_held(client, name):
        raise AnotherRestores("another restore has begun while this one stood still: restore again")


def _is_held(client: Client, name: str) -> bool:
    return bool(client.get(HELD) == name.encode())
