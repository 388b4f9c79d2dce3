"""Reads of an archive by those who cannot wait long: what comes too late for them is kept for whoever asks again."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar

MOST_KEPT = 8  # reads that came too late, and were not asked for again


class Patience:
    """The seconds that somebody still waits for an archive, for all that is read of it together."""

    def __init__(self, seconds: float) -> None:
        self._left_s = seconds

    def wait(self, read: Future[bytes]) -> bool:
        """Waits for a read; whether it has ended in time."""
        began = time.monotonic()
        has_ended = bool(wait((read,), self._left_s).done)
        self._left_s = max(0.0, self._left_s - (time.monotonic() - began))
        return has_ended


_PATIENCE: ContextVar[Patience | None] = ContextVar("patience", default=None)


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """A context in which this thread waits for reads of an archive so long in all, and no longer."""
    before = _PATIENCE.set(Patience(seconds))
    try:
        yield
    finally:
        _PATIENCE.reset(before)


class Reads:
    """The reads of an archive that are under way, and those that came too late. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: dict[Hashable, Future[bytes]] = {}  # the first that was begun first

    def read(self, what: Hashable, fetch: Callable[[], bytes]) -> bytes:
        """What `fetch` gives; raises `TimeoutError` for whom it takes too long, and goes on meanwhile."""
        patience = _PATIENCE.get()
        if patience is None:
            return fetch()
        found = self._under_way(what, fetch)
        if not patience.wait(found):
            raise TimeoutError
        with self._lock:
            self._begun.pop(what, None)
        return found.result()

    def _under_way(self, what: Hashable, fetch: Callable[[], bytes]) -> Future[bytes]:
        """The read of that name, which is begun unless it was before; one that has failed since is begun anew."""
        with self._lock:
            found = self._begun.get(what)
            if found is None or (found.done() and found.exception()):
                self._forget()
                found = self._begun[what] = Future()
                threading.Thread(target=_fetch, args=(found, fetch), name="archive", daemon=True).start()
            return found

    def _forget(self) -> None:
        late = [what for what, read in self._begun.items() if read.done()]
        for what in late[:-MOST_KEPT]:
            del self._begun[what]


def _fetch(read: Future[bytes], fetch: Callable[[], bytes]) -> None:
    try:
        read.set_result(fetch())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised to whoever waits
        read.set_exception(error)
