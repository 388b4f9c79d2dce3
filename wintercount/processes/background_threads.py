"""Background threads of a process."""

import logging
import threading
from collections.abc import Callable
from typing import Any

AGAIN_S = 10.0  # after which a failed thread starts again

log = logging.getLogger(__name__)


class Part(threading.Thread):
    """A thread that starts again when it fails, until `end` is set."""

    def __init__(
        self, end: threading.Event, name: str, does: Callable[..., None], *given: Any, daemon: bool = False
    ) -> None:
        super().__init__(name=name, daemon=daemon)
        self._end, self._does, self._given = end, does, given

    def run(self) -> None:
        """Calls the function until it returns."""
        while not self._end.is_set():
            try:
                self._does(*self._given)
            except Exception:
                log.critical("the thread %s failed, and starts again in %g s", self.name, AGAIN_S, exc_info=True)
                self._end.wait(AGAIN_S)
            else:
                return
