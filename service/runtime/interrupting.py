"""An operator asks a process to end: by Ctrl-C or by SIGTERM."""

import signal
from types import FrameType
from typing import Any


class Interrupted(Exception):
    """The operator asked us to stop."""


class Interrupt:
    """A signal handler that raises `Interrupted` once, wherever the main thread is.

    Python swallows what is raised while it runs a finalizer. Hence the handler remembers that it was called, and
    whoever runs for long calls `check` now and then.
    """

    def __init__(self) -> None:
        self._called = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        listen(signal.SIG_IGN)  # once is enough: a second signal must not cut short what the first began
        self._called = True
        raise Interrupted

    def check(self) -> None:
        """Raises `Interrupted` if the handler was called."""
        if self._called:
            raise Interrupted


def listen(handler: Any) -> None:
    """Has both signals handled so."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)
