"""A concurrency limit per destination: few deliveries to a bot are under way at once, and others to it follow these.

So bots that are slow to answer hold up one another's deliveries for a while, but not those to everybody else.
"""

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AT_ONCE = 2  # deliveries to a bot that are under way
MOST_FOLLOWING = 100  # deliveries to a bot that wait for these; more are left, and are due again


class Follows(Exception):
    """Others to the same bot are under way: `again` is called when one of them is through."""


class Lanes:
    """Counts the deliveries to each bot. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: Counter[str] = Counter()  # by player
        self._following: defaultdict[str, deque[Callable[[], object]]] = defaultdict(deque)

    @contextmanager
    def entered(self, player: str, again: Callable[[], object]) -> Iterator[bool]:
        """Whether to deliver to a player's bot now (False: later, when it is due again); raises `Follows`."""
        if not self._enter(player, again):
            yield False
            return
        try:
            yield True
        finally:
            self._leave(player)

    def _enter(self, player: str, again: Callable[[], object]) -> bool:
        with self._lock:
            if self._under_way[player] < AT_ONCE:
                self._under_way[player] += 1
                return True
            if len(self._following[player]) >= MOST_FOLLOWING:
                return False
            self._following[player].append(again)
            raise Follows

    def _leave(self, player: str) -> None:
        """Lets the next delivery follow."""
        with self._lock:
            self._under_way -= Counter([player])
            following = self._following.get(player)
            again = following.popleft() if following else None
            if not following:
                self._following.pop(player, None)
        if again:
            again()
