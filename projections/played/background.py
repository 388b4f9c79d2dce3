"""Work that is done in a thread of its own whenever somebody wants it, so that nobody has to wait for its end."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait


class NotFilled(Exception):
    """Games played are not told: the index is being made, and holds only some of them."""


class Filling:
    """Runs the work once at a time, in daemon threads: a process that ends waits for none."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work, self._working, self._lock = work, threading.Lock(), threading.Lock()
        self._wanted: Future[None] | None = None  # the next run, which those share who want it before it begins

    def run(self, patience_s: float) -> bool:
        """Wants a run that begins now or later; whether it was over in time. Raises what it raised."""
        with self._lock:
            run = self._wanted
            if run is None:
                run = self._wanted = Future()
                threading.Thread(target=self._run, args=(run,), name="games played", daemon=True).start()
        if not wait((run,), patience_s).done:
            return False
        run.result()
        return True

    def _run(self, run: Future[None]) -> None:
        with self._working:
            with self._lock:
                self._wanted = None
            try:
                run.set_result(self._work())
            except Exception as error:  # noqa: BLE001 - whoever waits raises it
                run.set_exception(error)
