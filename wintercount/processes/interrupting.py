"""An operator asks a process to end: by Ctrl-C or by SIGTERM."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

NUMBERS = (signal.SIGINT, signal.SIGTERM)
RESTORED = (*NUMBERS, signal.SIGHUP)


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


def on_hangup(reload: Callable[[], None], interrupt: Interrupt) -> Callable[[int, FrameType | None], None]:
    """A handler of SIGHUP that calls `reload`; if it comes because our terminal was closed, it interrupts us."""
    had_terminal = _has_terminal()

    def handle(number: int, frame: FrameType | None) -> None:
        if had_terminal and not _has_terminal():
            interrupt(number, frame)
        reload()

    return handle


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def listen(handler: Any) -> None:
    """Has both signals handled so."""
    for number in NUMBERS:
        signal.signal(number, handler)


@contextmanager
def handlers_restored() -> Iterator[None]:
    """After the block, or the function that it decorates, all these signals are handled as they were before."""
    before = {number: signal.getsignal(number) for number in RESTORED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
