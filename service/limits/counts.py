"""Counts spending in memory for the sliding windows of `limits`, and shares it with other processes."""

import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import NamedTuple

from limits.storage import Storage
from limits.storage.base import SlidingWindowCounterSupport, TimestampedSlidingWindow
from redis.exceptions import RedisError

from events.scripts import Client

MOST_KEYS = 100_000  # windows that are counted at once: some 20 MB; the oldest are forgotten before more are kept
LITTLE = 10  # less than such a part of them: else a look at all of them would soon follow
# By what was spent a hash: a field for each process. Earlier releases keep their sums beside these.
SHARED = "wintercount:spent:by:"
TOLD = "wintercount:spent:told:"  # by process how often it has told: a Redis that knows of fewer times has lost some
TOLD_S = 7200  # for which that is kept: longer than anything that was spent counts


class Counts(Storage, SlidingWindowCounterSupport, TimestampedSlidingWindow):
    """Counters in memory. `share` tells a Redis what was spent here and reads what was spent elsewhere.

    Each process tells what it has spent in all, under a name of its own: told twice it counts once, and a Redis that
    was emptied or put back is told all of it again. The memory storage of `limits` itself starts a thread for every few
    requests, which looks at every counter.
    """

    STORAGE_SCHEME = None

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        super().__init__()
        self._clock = clock
        self._process = uuid.uuid4().hex
        self._own: dict[str, int] = {}  # spent here
        self._others: dict[str, int] = {}  # spent elsewhere, as far as this process has read it
        self._expires: dict[str, float] = {}
        self._untold: dict[str, int] = {}  # spent here since it was told last
        self._times, self._times_kept = 0, 0  # that it was told, and how many of these the Redis has known of
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
            if key not in self._own and len(self._own) >= MOST_KEYS:
                self._forget()
            self._expires.setdefault(key, self._now() + expiry)
            self._own[key] = self._own.get(key, 0) + amount
            self._untold[key] = self._untold.get(key, 0) + amount
            return self.get(key)

    def _forget(self) -> None:
        """What is over; if that is little, the half that came first.

        The Redis still holds what is forgotten here, so this process goes on under another name, and what it has told
        under the one before counts like what others have spent: else it would take back what it had told.
        """
        now = self._now()
        over = [key for key, at in self._expires.items() if at <= now]
        for key in over if len(over) >= MOST_KEYS // LITTLE else list(self._own)[: MOST_KEYS // 2]:
            self._drop(key)
        self._process = uuid.uuid4().hex
        for key, amount in self._own.items():
            self._own[key] = self._untold.get(key, 0)
            self._others[key] = self._others.get(key, 0) + amount - self._own[key]

    def _drop(self, key: str) -> None:
        for kept in (self._own, self._others, self._expires, self._untold):
            kept.pop(key, None)

    def get(self, key: str) -> int:
        """What has been counted."""
        return self._own.get(key, 0) + self._others.get(key, 0)

    def get_expiry(self, key: str) -> float:
        """When the counter ends."""
        return self._expires.get(key, self._now())

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forgets everything; how much that was."""
        with self._lock:
            found = len(self._own)
            for kept in (self._own, self._others, self._expires, self._untold):
                kept.clear()
            return found

    def clear(self, key: str) -> None:
        """Forgets a counter."""
        with self._lock:
            self._drop(key)

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

    def untold(self, key: str, expiry: int) -> int:
        """What was spent here in the present window since the other processes were told last."""
        return self._untold.get(self.sliding_window_keys(key, expiry, self._now())[1], 0)

    def share(self, client: Client) -> None:
        """Tells what was spent here since the last time, and reads what others have spent of the same.

        Raises `RedisError` if some of it could not be told, which is told next time.
        """
        self._look_for_losses(client)
        with self._lock:
            told, self._untold = self._untold, {}
            process, now = self._process, self._now()
            spent = {key: Spent(self._own[key], int(self._expires[key] - now) + 1) for key in told}
        spent = {key: one for key, one in spent.items() if one.left_s > 0}
        try:
            totals, errors = _shared(client, process, spent)
        except RedisError as error:
            totals, errors = {}, dict.fromkeys(spent, error)
        with self._lock:
            for key, total in totals.items():
                if key in self._own:  # what others have spent only grows: a Redis that was emptied knows less of it
                    self._others[key] = max(self._others.get(key, 0), total - spent[key].amount)
            for key in errors:
                self._tell_again(key, told[key])
        if errors:
            raise next(iter(errors.values()))

    def _look_for_losses(self, client: Client) -> None:
        """Has all told again if the Redis knows of fewer times that it was told: it was emptied, or put back.

        Whoever has spent a budget spends no more of it, and would not tell it again by that.
        """
        if not self._own:
            return
        self._times += 1
        kept = client.set(TOLD + self._process, self._times, ex=TOLD_S, get=True)
        known, before = int(kept) if kept and kept.isdigit() else 0, self._times_kept
        self._times_kept = self._times
        if known < before:
            with self._lock:
                now = self._now()
                self._untold = {key: amount for key, amount in self._own.items() if self._expires[key] > now}

    def _tell_again(self, key: str, amount: int) -> None:
        if key in self._own:
            self._untold[key] = self._untold.get(key, 0) + amount


class Spent(NamedTuple):
    """What a process has spent in a window, and the seconds for which that may count."""

    amount: int
    left_s: int


def _shared(client: Client, process: str, spent: Mapping[str, Spent]) -> tuple[dict[str, int], dict[str, RedisError]]:
    """What all have spent, by key, after telling what a process has; and why that could not be told of other keys."""
    totals: dict[str, int] = {}
    errors: dict[str, RedisError] = {}
    if not spent:
        return totals, errors
    with client.pipeline(transaction=False) as pipe:
        for key, one in spent.items():
            pipe.hset(SHARED + key, process, one.amount)
            pipe.expire(SHARED + key, one.left_s)
            pipe.hvals(SHARED + key)
        answers = iter(pipe.execute(raise_on_error=False))
    for key, *told in zip(spent, answers, answers, answers, strict=False):
        if error := next((one for one in told if isinstance(one, RedisError)), None):
            errors[key] = error
        else:
            totals[key] = sum(int(amount) for amount in told[-1] if amount.isdigit())
    return totals, errors
