"""Files that may be packed with gzip, and that anybody may have written."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from events.verify import lines_of
from rulings.archive_file import is_packed

MOST_UNPACKED = 256 << 20  # bytes of lines that are kept at once: a million receipts


class Unread(Exception):
    """A source that cannot be read, and why."""


def beginning(path: Path) -> tuple[bool, bytes]:
    """Whether a file is packed, and how what is in it begins."""
    packed = is_packed(path)
    try:
        with gzip.open(path) if packed else path.open("rb") as opened:
            return packed, opened.read(500)
    except (OSError, EOFError, zlib.error):  # it was cut off or altered, which its reader tells
        return packed, b""


def packed_lines(path: Path) -> list[bytes]:
    """The lines of a file, packed or not; raises `Unread` where it is damaged or holds more than is kept."""
    try:
        packed, _ = beginning(path)
        with gzip.open(path) if packed else path.open("rb") as opened:
            return list(_bounded(lines_of(opened)))
    except (OSError, EOFError, zlib.error) as damage:
        raise Unread(f"it cannot be unpacked: {damage}") from None


def _bounded(lines: Iterable[bytes]) -> Iterator[bytes]:
    left = MOST_UNPACKED
    for line in lines:
        left -= len(line)
        if left < 0:
            raise Unread(f"it holds more than {MOST_UNPACKED} bytes: cut it into several files")
        yield line
