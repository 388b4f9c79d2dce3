"""Who may hold the threads that send letters: bots that are slow to answer share a few of them."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ALLOWED_S = 20.0  # of threads that a bot may take before it counts as slow
GIVEN_BACK_S = 60.0  # in which so much is given back
SLOW_AT_ONCE = 4  # letters to slow bots that are under way at once
MANY = 1000  # bots that are remembered; then those that owe nothing are forgotten


class Lanes:
    """Counts the time of threads that each bot takes. Safe for threads."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._taken: dict[str, tuple[float, float]] = {}  # by player: seconds, and when these were reckoned
        self._slow = threading.BoundedSemaphore(SLOW_AT_ONCE)

    @contextmanager
    def entered(self, player: str) -> Iterator[bool]:
        """Whether a letter to a player's bot may be sent now; what the block takes is counted."""
        is_slow = self._owed_s(player) > ALLOWED_S
        if is_slow and not self._slow.acquire(blocking=False):
            yield False
            return
        began = self._now_s()
        try:
            yield True
        finally:
            self._count(player, self._now_s() - began)
            if is_slow:
                self._slow.release()

    def _owed_s(self, player: str) -> float:
        """What a bot has taken and was not given back yet."""
        now_s = self._now_s()
        taken_s, at_s = self._taken.get(player, (0.0, now_s))
        return max(0.0, taken_s - (now_s - at_s) * ALLOWED_S / GIVEN_BACK_S)

    def _count(self, player: str, taken_s: float) -> None:
        with self._lock:
            self._taken[player] = (self._owed_s(player) + taken_s, self._now_s())
            if len(self._taken) > MANY:
                self._taken = {one: kept for one, kept in self._taken.items() if self._owed_s(one) > 0}
