"""Makes msgspec safe for threads: it learns each struct before they start.

msgspec prepares to read a struct when it first reads one, and lets other threads see that while parts of it are still
missing: if two threads are the first to read the same struct, their process ends by SIGSEGV (seen with 0.22.0).
"""

import contextlib
from collections.abc import Iterator

import msgspec


def learn_structs() -> None:
    """Makes msgspec learn how to read every struct that is loaded by now."""
    for kind in _descendants(msgspec.Struct):
        with contextlib.suppress(TypeError):  # of structs that are only written, as they cannot be told apart
            msgspec.json.Decoder(kind)


def _descendants(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _descendants(one)
