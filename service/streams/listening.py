"""Who waits for news: listeners of a table, of a player's inbox, or of the whole feed."""

import asyncio
import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class Listener:
    """Waits for news of tables; any thread may notify it."""

    def __init__(self) -> None:
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        self._tables: set[str] = set()

    def tell(self, table: str) -> None:
        """There is something new at a table."""
        self._loop.call_soon_threadsafe(self._note, table)

    def _note(self, table: str) -> None:
        self._tables.add(table)
        self._event.set()

    async def news(self, until: float) -> set[str]:
        """The tables with news since the last call; none if nothing happens until then (by `time.monotonic`)."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), until - time.monotonic())
        self._event.clear()
        found, self._tables = self._tables, set()
        return found


class Topic:
    """The listeners of one kind, by what they listen to; any thread may ask."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._lock = threading.Lock()

    @contextmanager
    def listener(self, name: str) -> Iterator[Listener]:
        """A new listener to this name, for as long as the block lasts."""
        listener = Listener()
        with self._lock:
            self._listeners[name].add(listener)
        try:
            yield listener
        finally:
            with self._lock:
                self._listeners[name].discard(listener)
                if not self._listeners[name]:
                    del self._listeners[name]

    def names(self) -> list[str]:
        """What somebody listens to."""
        with self._lock:
            return list(self._listeners)

    def to(self, names: Iterable[str]) -> set[Listener]:
        """Those who listen to one of the names."""
        with self._lock:
            return set().union(*(self._listeners.get(name, ()) for name in names))


ALL = "all"  # the one name in the topic of the whole feed


class Topics:
    """All listeners of a process."""

    def __init__(self) -> None:
        self.tables, self.players, self.feed = Topic(), Topic(), Topic()
