"""What a process does beside what it is asked for, each part in a thread of its own."""

import logging
import threading
from collections.abc import Callable
from typing import Any

AGAIN_S = 10.0  # after which a thread that has failed begins anew

log = logging.getLogger(__name__)


class Part(threading.Thread):
    """A thread that begins anew where it fails, until `end` is set: nobody else would start it again."""

    def __init__(
        self, end: threading.Event, name: str, does: Callable[..., None], *given: Any, daemon: bool = False
    ) -> None:
        super().__init__(name=name, daemon=daemon)
        self._end, self._does, self._given = end, does, given

    def run(self) -> None:
        """Does it."""
        while not self._end.is_set():
            try:
                self._does(*self._given)
            except Exception:
                log.critical("the thread %s failed, and begins anew in %g s", self.name, AGAIN_S, exc_info=True)
                self._end.wait(AGAIN_S)
            else:
                return
