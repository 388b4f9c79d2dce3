"""Files that may be packed with gzip."""

import gzip
from pathlib import Path

from events.verify import lines_of

GZIP = b"\x1f\x8b"


def beginning(path: Path) -> tuple[bool, bytes]:
    """Whether a file is packed, and how what is in it begins."""
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
    try:
        with gzip.open(path) if packed else path.open("rb") as opened:
            return packed, opened.read(500)
    except (OSError, EOFError):  # it was cut off, which its reader tells
        return packed, b""


def packed_lines(path: Path) -> list[bytes]:
    """The lines of a file, packed or not."""
    packed, _ = beginning(path)
    with gzip.open(path) if packed else path.open("rb") as opened:
        return list(lines_of(opened))
