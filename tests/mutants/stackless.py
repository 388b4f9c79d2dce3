"""`python -m mutmut`, without the context variable that it sets at each call of a function.

It notes by it which function was called by which, which nobody asks for here (`track_dependencies`), and a run of all
tests under CPython 3.11 ends in `ContextVar.set` with a segmentation fault.
"""

import runpy
import signal
import sys
from typing import Any


class NoStack:
    """Notes nobody."""

    @staticmethod
    def get() -> tuple[None, int]:
        """No caller."""
        return None, 0

    @staticmethod
    def set(_: Any) -> None:
        """Notes nothing."""

    @staticmethod
    def reset(_: None) -> None:
        """There is nothing to put back."""


def main() -> None:
    """Runs the command."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has programs in the background ignore it
    sys.path[0] = ""  # the folder that it works in, and not that of this file
    from mutmut import core

    core.MutmutCallStack = NoStack
    runpy.run_module("mutmut", run_name="__main__", alter_sys=True)  # what it pickles is found there


if __name__ == "__main__":
    main()
