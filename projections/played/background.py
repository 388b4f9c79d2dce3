"""Work that is done in a thread of its own whenever somebody wants it, so that nobody has to wait for its end."""

import threading
import time
from collections.abc import Callable


class NotFilled(Exception):
    """Games played are not told: the index is being made, and holds only some of them."""


class _Run:
    """One run of the work: whether it is over, and what it raised."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.error: Exception | None = None


class Filling:
    """Runs the work once at a time, in a daemon thread that ends when nobody wants another run."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work, self._lock = work, threading.Lock()
        self._wanted: _Run | None = None
        self._thread: threading.Thread | None = None
        self._began = self._took_s = 0.0

    def run(self, patience_s: float) -> bool:
        """Wants a run that begins now or later; whether it was over in time. Raises what it raised.

        Nobody waits behind a run that has taken that long already, nor for one if the last did: they would wait again
        each time that an archive has to be given up.
        """
        run, is_long = self._joined(patience_s)
        if is_long or not run.over.wait(patience_s):
            return False
        if run.error:
            raise run.error
        return True

    def _joined(self, patience_s: float) -> tuple[_Run, bool]:
        """The next run, which those share who want it before it begins; and whether the present one takes long."""
        with self._lock:
            self._wanted = run = self._wanted or _Run()
            is_long = self._took_s > patience_s or (self._thread and time.monotonic() > self._began + patience_s)
            if not self._thread:
                self._began = time.monotonic()
                self._thread = threading.Thread(target=self._go_on, name="games played", daemon=True)
                self._thread.start()
            return run, bool(is_long)

    def _go_on(self) -> None:
        while run := self._next():
            try:
                self._work()
            except Exception as error:  # noqa: BLE001 - whoever waits raises it
                run.error = error
            self._took_s = time.monotonic() - self._began
            run.over.set()

    def _next(self) -> _Run | None:
        with self._lock:
            run, self._wanted, self._began = self._wanted, None, time.monotonic()
            self._thread = self._thread if run else None
            return run


class Rests:
    """Rests as long as was worked since the last rest: requests are answered by the same interpreter."""

    def __init__(self) -> None:
        self._used_s = time.thread_time()

    def __call__(self) -> None:
        """Sleeps for the processor time that this thread used since the last call."""
        time.sleep(time.thread_time() - self._used_s)
        self._used_s = time.thread_time()
