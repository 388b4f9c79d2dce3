"""Counts spending in memory for the sliding windows of `limits`, and shares it with other processes."""

import threading
import time
from collections.abc import Callable

from limits.storage import Storage
from limits.storage.base import SlidingWindowCounterSupport, TimestampedSlidingWindow
from redis.exceptions import RedisError

from events.scripts import Client

MOST_KEYS = 100_000  # windows that are counted at once: some 20 MB; the oldest are forgotten before more are kept
SHARED = "wintercount:spent:"


class Counts(Storage, SlidingWindowCounterSupport, TimestampedSlidingWindow):
    """Counters in memory. `share` adds to a Redis what was spent here and reads what was spent elsewhere.

    The memory storage of `limits` itself starts a thread for every few requests, which looks at every counter.
    """

    STORAGE_SCHEME = None

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        super().__init__()
        self._clock = clock
        self._counts: dict[str, int] = {}
        self._expires: dict[str, float] = {}
        self._own: dict[str, int] = {}  # spent here and not yet told
        self._lock = threading.Lock()

    def _now(self) -> float:
        return self._clock() if self._clock else time.time()

    @property
    def base_exceptions(self) -> type[Exception]:
        """What can go wrong with counting: nothing of its own."""
        return RedisError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Counts `amount` more; what that makes in all."""
        with self._lock:
            if key not in self._counts and len(self._counts) >= MOST_KEYS:
                self._forget()
            self._expires.setdefault(key, self._now() + expiry)
            self._own[key] = self._own.get(key, 0) + amount
            self._counts[key] = found = self._counts.get(key, 0) + amount
            return found

    def _forget(self) -> None:
        """What is over; if that is little, the half that came first."""
        now = self._now()
        gone = [key for key, at in self._expires.items() if at <= now] or list(self._counts)[: MOST_KEYS // 2]
        for key in gone:
            for kept in (self._counts, self._expires, self._own):
                kept.pop(key, None)

    def get(self, key: str) -> int:
        """What has been counted."""
        return self._counts.get(key, 0)

    def get_expiry(self, key: str) -> float:
        """When the counter ends."""
        return self._expires.get(key, self._now())

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forgets everything; how much that was."""
        with self._lock:
            found = len(self._counts)
            for kept in (self._counts, self._expires, self._own):
                kept.clear()
            return found

    def clear(self, key: str) -> None:
        """Forgets a counter."""
        with self._lock:
            for kept in (self._counts, self._expires, self._own):
                kept.pop(key, None)

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Counts `amount` more if that is within the limit."""
        if self.spent(key, expiry) + amount > limit:
            return False
        self.add(key, expiry, amount)
        return True

    def spent(self, key: str, expiry: int) -> int:
        """What counts now: the present window, and of the one before the share that is not over."""
        before, left_s, present, _ = self.get_sliding_window(key, expiry)
        return int(before * left_s / expiry) + present

    def add(self, key: str, expiry: int, amount: int) -> None:
        """Counts `amount` more in the present window, whatever there is already."""
        self.incr(self.sliding_window_keys(key, expiry, self._now())[1], 2 * expiry, amount)

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """The count of the window before and the seconds that it still counts, and both of the present one."""
        now = self._now()
        before, present = self.sliding_window_keys(key, expiry, now)
        left_s = expiry - now % expiry
        return self.get(before), left_s, self.get(present), left_s + expiry

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forgets both windows."""
        for window in self.sliding_window_keys(key, expiry, self._now()):
            self.clear(window)

    def share(self, client: Client) -> None:
        """Adds what was spent here since the last time, and reads the totals."""
        with self._lock:
            told, self._own = self._own, {}
            left_s = {key: int(self._expires[key] - self._now()) + 1 for key in told}
        told = {key: amount for key, amount in told.items() if left_s[key] > 0}
        try:
            totals = _added(client, told, left_s)
        except RedisError:
            self._take_back(told)
            raise
        with self._lock:
            for key, total in totals.items():
                if key in self._counts:
                    self._counts[key] = max(self._counts[key], total + self._own.get(key, 0))

    def _take_back(self, told: dict[str, int]) -> None:
        with self._lock:
            for key, amount in told.items():
                if key in self._counts:
                    self._own[key] = self._own.get(key, 0) + amount


def _added(client: Client, told: dict[str, int], left_s: dict[str, int]) -> dict[str, int]:
    """The totals after adding. A call that redis-py repeats because its answer was lost counts twice."""
    if not told:
        return {}
    with client.pipeline(transaction=False) as pipe:
        for key, amount in told.items():
            pipe.incrby(SHARED + key, amount)
            pipe.expire(SHARED + key, left_s[key])
        return dict(zip(told, pipe.execute()[::2], strict=True))
