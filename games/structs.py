"""What msgspec has to know of a struct before threads ask for it.

msgspec works out how a struct is read when it is read for the first time, and lets other threads see that while parts
of it are still missing: two threads that are the first to read the same struct end their process by SIGSEGV (seen with
0.22.0). So a process learns its structs before it has threads.
"""

import contextlib
from collections.abc import Iterator

import msgspec


def learn_structs() -> None:
    """Has msgspec work out how every struct is read that is loaded by now."""
    for kind in _descendants(msgspec.Struct):
        with contextlib.suppress(TypeError):  # of structs that are only written, as they cannot be told apart
            msgspec.json.Decoder(kind)


def _descendants(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _descendants(one)
