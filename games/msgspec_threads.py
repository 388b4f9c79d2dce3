"""Makes msgspec safe for threads by preparing each struct before threads start.

msgspec prepares a decoder when a struct is first decoded, and other threads can see it half-finished: if two threads
decode a struct for the first time, the process ends with SIGSEGV (seen with 0.22.0).
"""

import contextlib
from collections.abc import Iterator

import msgspec


def learn_structs() -> None:
    """Prepares decoding for every struct loaded so far."""
    for kind in _descendants(msgspec.Struct):
        with contextlib.suppress(TypeError):  # from structs that are only encoded, as their unions are ambiguous
            msgspec.json.Decoder(kind)


def _descendants(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _descendants(one)
