"""Holds back the moves of searching AI players: the time of a search follows the number of its legal moves.

Each move is played at a fixed time after its decision opened, or after a longer search at the next multiple of it.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import redis
from redis.exceptions import RedisError

from events.failures import place_of

SPARE_MS = 2_000  # lifetime of a note after the move's time, in which it has to be played

log = logging.getLogger(__name__)


def release_ms(opened_ms: int, now_ms: int, step_ms: int) -> int:
    """Returns when a move that is ready now is played: at most a step from now, as another clock may be ahead."""
    steps = max(1, -((opened_ms - now_ms) // step_ms))
    return min(opened_ms + step_ms * steps, now_ms + step_ms)


class Releases:
    """Plays moves at their time, each in a thread of its own: no worker waits, and none holds a lock meanwhile.

    A note in the queue's Redis keeps other workers from the same decision. It expires, so that a worker that dies only
    delays the move: its timer in the log is still due, and another worker chooses the same move again.
    """

    def __init__(self, client: redis.Redis, now_ms: Callable[[], int], step_ms: int) -> None:
        self._client, self._now_ms, self._step_ms = client, now_ms, step_ms

    def holds(self, name: str) -> bool:
        """Returns whether some worker has the move of a decision, by its name across tables."""
        return bool(self._client.exists(_note(name)))

    def hold(self, name: str, opened_ms: int, play: Callable[[int], Any]) -> None:
        """Calls `play` when it is time, with the time to record."""
        now_ms = self._now_ms()
        at_ms = release_ms(opened_ms, now_ms, self._step_ms)
        self._client.set(_note(name), "", px=at_ms - now_ms + SPARE_MS)
        timer = threading.Timer((at_ms - now_ms) / 1000, self._release, (name, at_ms, play))
        timer.daemon = True
        timer.start()

    def _release(self, name: str, at_ms: int, play: Callable[[int], Any]) -> None:
        try:
            play(min(at_ms, self._now_ms()))
        except Exception as error:  # noqa: BLE001 - whatever it was, the turn is still due and is played again
            log.error("a held move of %s was not played and is due again: %s", name, place_of(error))
        with suppress(RedisError):
            self._client.delete(_note(name))


def _note(name: str) -> str:
    return f"wintercount-ai:held:{name}"
