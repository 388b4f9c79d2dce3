"""A child process ends with its parent, however that happens: it reads a pipe whose other end only the parent holds."""

import ctypes
import os
import signal
import sys
import threading
import time
from multiprocessing import parent_process
from multiprocessing.connection import wait

VARIABLE = "WINTERCOUNT_LIFELINE"  # between a supervisor and its children: the number of the pipe's descriptor
PATIENCE_S = 10.0  # for a child to end when asked to
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class Lifeline:
    """The parent's end of the pipe: closing it tells the children, and the kernel closes it in any case."""

    def __init__(self) -> None:
        self.theirs, self._ours = os.pipe()

    @property
    def environment(self) -> dict[str, str]:
        """The environment that a child needs; it must inherit `theirs`."""
        return {VARIABLE: str(self.theirs)}

    def close(self) -> None:
        """Lets go."""
        os.close(self.theirs)
        os.close(self._ours)


def end_with_supervisor() -> None:
    """Ends this process when the supervisor that started it has ended; does nothing without one."""
    if descriptor := os.environ.pop(VARIABLE, None):  # not for this process's own children
        threading.Thread(target=_end_after, args=(int(descriptor),), name="lifeline", daemon=True).start()


def _end_after(descriptor: int) -> None:
    os.read(descriptor, 1)  # nothing is ever written: it returns when the other end is closed
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE_S)
    os._exit(1)


def end_with_parent() -> None:
    """Ends this process of `multiprocessing` as soon as its parent dies; it would continue to answer."""
    if parent := parent_process():
        threading.Thread(target=_exit_after, args=(parent.sentinel,), name="lifeline", daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def ask_to_end_with(parent: int) -> None:
    """For a program that is not ours, between fork and exec: the kernel ends it with its parent (only on Linux).

    With the thread of the parent that starts it, to be exact: that has to live as long.
    """
    if LIBC is None:
        return
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before that
        os._exit(1)
