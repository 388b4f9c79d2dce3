"""Signals by which an operator ends a process: Ctrl-C and SIGTERM."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

NUMBERS = (signal.SIGINT, signal.SIGTERM)
RESTORED = (*NUMBERS, signal.SIGHUP)


class Interrupted(Exception):
    """The operator asked the process to stop."""


class Interrupt:
    """A signal handler that raises `Interrupted` once, wherever the main thread is.

    Python swallows exceptions in finalizers, so the handler remembers that it was called, and long loops call `check`.
    """

    def __init__(self) -> None:
        self._called = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        listen(signal.SIG_IGN)  # a second signal must not interrupt the shutdown
        self._called = True
        raise Interrupted

    def check(self) -> None:
        """Raises `Interrupted` if the handler was called."""
        if self._called:
            raise Interrupted


def on_hangup(reload: Callable[[], None], interrupt: Interrupt) -> Callable[[int, FrameType | None], None]:
    """Returns a handler of SIGHUP that calls `reload`, or interrupts if the terminal was closed."""
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
    """Sets the handler of both signals."""
    for number in NUMBERS:
        signal.signal(number, handler)


@contextmanager
def handlers_restored() -> Iterator[None]:
    """Restores the handlers of these signals after the block, or the function that it decorates."""
    before = {number: signal.getsignal(number) for number in RESTORED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
