"""Players that no table should rely on, for a process of players to be given."""

import os
import signal
import time
from typing import Any

from worker.ai_process import think_or_cut_off
from worker.players import PLAYERS, Chosen

__all__ = ["think_or_cut_off"]


def hangs(*_: Any) -> Chosen:
    """Turns round for ever."""
    while True:
        pass


def hears_nothing(*_: Any) -> Chosen:
    """Waits for ever, and does not listen to those who want it to end."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(3600)
    raise AssertionError


def dies(*_: Any) -> Chosen:
    """Takes the whole process with it, as a fault in compiled code does."""
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def eats_memory(*_: Any) -> Chosen:
    """Wants more memory than there is for it."""
    return Chosen(bytearray(1 << 40), 0)


def fails(*_: Any) -> Chosen:
    """Has a fault of its own."""
    raise ZeroDivisionError


def talks_nonsense(*_: Any) -> Any:
    """Hands back no choice at all."""
    return "hunter-1"


PLAYERS.update(
    {(player.__name__, 1): player for player in (hangs, hears_nothing, dies, eats_memory, fails, talks_nonsense)}
)
