"""Files that the server sends itself, as fast as each client takes them."""

from typing import NamedTuple

FILE = "wintercount.file"  # in the WSGI environment: a `File` that is the content of the answer


class File(NamedTuple):
    """A part of a file on this machine: the bytes from `start` up to `end`."""

    path: str
    start: int
    end: int
