"""Child processes that end with their parent: they read a pipe whose other end only the parent holds."""

import ctypes
import os
import signal
import sys
import threading
import time
from multiprocessing import parent_process
from multiprocessing.connection import wait

VARIABLE = "WINTERCOUNT_LIFELINE"  # from a supervisor to its children: the descriptor of the pipe
PATIENCE_S = 10.0  # for a child to end when asked to
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class Lifeline:
    """The parent's end of the pipe: closing it ends the children, and the kernel closes it in any case."""

    def __init__(self) -> None:
        self.theirs, self._ours = os.pipe()

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a child, which must inherit `theirs`."""
        return {VARIABLE: str(self.theirs)}

    def close(self) -> None:
        """Closes the pipe."""
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
    """Ends this process of `multiprocessing` when its parent dies; otherwise it would continue to serve."""
    if parent := parent_process():
        threading.Thread(target=_exit_after, args=(parent.sentinel,), name="lifeline", daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def ask_to_end_with(parent: int) -> None:
    """Asks the kernel, between fork and exec, to end another program with its parent (only on Linux).

    More exactly, it ends with the thread that starts it, which therefore has to live as long.
    """
    if LIBC is None:
        return
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # the parent died before the call
        os._exit(1)
