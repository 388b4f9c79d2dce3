"""How a process cares for its memory: garbage is looked for seldom, and what is free is given back (by glibc)."""

import ctypes
import gc
from typing import Any

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
MAPPED_FROM = 256 * 1024  # bytes; set by hand it stays there, where it would grow with the largest block freed
COLLECTED_AFTER = 20_000  # objects made and not yet freed: hardly anything here has cycles
ARENAS = 2  # pools of blocks; by default eight a core, each of which keeps what its threads once needed


def _library() -> Any:
    found = ctypes.CDLL(None)
    return found if hasattr(found, "mallopt") and hasattr(found, "malloc_trim") else None


def keep_little() -> None:
    """Returns large blocks when they are freed and keeps few pools of small ones; call it before threads start."""
    if library := _library():
        library.mallopt(M_MMAP_THRESHOLD, MAPPED_FROM)
        library.mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Gives what is free back to the system."""
    if library := _library():
        library.malloc_trim(0)


def collect_seldom() -> None:
    """Lets the garbage collector look less often: while a process imports its modules, nothing is garbage."""
    gc.set_threshold(COLLECTED_AFTER)
