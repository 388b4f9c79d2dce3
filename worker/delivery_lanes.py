"""Who may hold the threads that send letters, so that bots that are slow to answer hold up one another alone.

Few letters to a bot are under way at once; some others to it follow these. A bot that has taken more than its time of
threads shares some of them with its like, and no letter follows another to it: those that wait take room from others.
A letter that kept its thread waiting for long counts as several times as long. Else each bot could hang for its time of
every minute, and fewer than one address may make in an hour would hold all threads.
"""

import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AT_ONCE = 2  # letters to a bot that are under way
MOST_FOLLOWING = 100  # letters to a bot that wait for these; more are left, and are due again
ALLOWED_S = 20.0  # of threads that a bot may take before it counts as slow
GIVEN_BACK_S = 60.0  # in which so much is given back
LATE_S = 3.0  # in which a bot is to answer
LATE_TIMES = 10  # what takes longer counts so many times
MOST_OWED_S = 200.0  # given back in ten minutes, however long a bot has hung
SLOW_AT_ONCE = 8  # letters to slow bots that are under way
MANY = 1000  # bots that are remembered; then those that owe nothing are forgotten


class Follows(Exception):
    """Others to the same bot are under way: `again` is called when one of them is through."""


class Lanes:
    """Counts the letters to each bot, and the time of threads that it takes. Safe for threads."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._under_way: Counter[str] = Counter()  # by player
        self._following: defaultdict[str, deque[Callable[[], object]]] = defaultdict(deque)
        self._taken: dict[str, tuple[float, float]] = {}  # by player: seconds, and when these were reckoned
        self._slow = threading.BoundedSemaphore(SLOW_AT_ONCE)

    @contextmanager
    def entered(self, player: str, again: Callable[[], object]) -> Iterator[bool]:
        """Whether a letter to a player's bot may be sent now, and not later; raises `Follows`."""
        if not self._enter(player, again):
            yield False
            return
        try:
            with self._timed(player) as is_free:
                yield is_free
        finally:
            self._leave(player)

    def _enter(self, player: str, again: Callable[[], object]) -> bool:
        """Whether there is room for a further letter to a bot; raises `Follows` if it waits for one."""
        with self._lock:
            if self._under_way[player] < AT_ONCE:
                self._under_way[player] += 1
                return True
            if self._is_slow(player) or len(self._following[player]) >= MOST_FOLLOWING:
                return False
            self._following[player].append(again)
            raise Follows

    def _leave(self, player: str) -> None:
        """Lets the next letter follow; behind one to a slow bot all come, as none waits for it."""
        with self._lock:
            self._under_way -= Counter([player])
            following = self._following[player]
            count = len(following) if self._is_slow(player) else min(1, len(following))
            come = [following.popleft() for _ in range(count)]
            if not following:
                del self._following[player]
        for again in come:
            again()

    @contextmanager
    def _timed(self, player: str) -> Iterator[bool]:
        """Whether there is room for a bot, by how slow it was; what the block takes is counted."""
        is_slow = self._is_slow(player)
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

    def _is_slow(self, player: str) -> bool:
        """Whether a bot has taken more than its time."""
        return self._owed_s(player) > ALLOWED_S

    def _owed_s(self, player: str) -> float:
        """What a bot has taken and was not given back yet."""
        now_s = self._now_s()
        taken_s, at_s = self._taken.get(player, (0.0, now_s))
        return max(0.0, taken_s - (now_s - at_s) * ALLOWED_S / GIVEN_BACK_S)

    def _count(self, player: str, taken_s: float) -> None:
        counted_s = taken_s * (LATE_TIMES if taken_s > LATE_S else 1)
        with self._lock:
            self._taken[player] = (min(MOST_OWED_S, self._owed_s(player) + counted_s), self._now_s())
            if len(self._taken) > MANY:
                self._taken = {one: kept for one, kept in self._taken.items() if self._owed_s(one) > 0}
