"""Segments: archive files of many packed tables, with a list of them at the end. Each table is read by its range.

A segment never changes. Its name is the beginning of the SHA-256 of its content.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.archiving.objects import NAME, MissingObject, Objects, name_of
from events.archiving.packing import unpack_events
from events.canonical import canonical
from events.envelopes import Head, Recorded
from events.log import LogDamaged

LENGTH = 8  # bytes at the end of a segment: the length of its list, big endian
FILE = re.compile(rf"tables/[0-9a-f]{{2}}/([0-9a-f]{{{NAME}}})\.segment")
PLACE = re.compile(rb"([0-9a-f]{%d}):(\d{1,15}):(\d{1,15})" % NAME)


class SegmentRange(NamedTuple):
    """The place of an archived table: the segment, the offset in it and the number of bytes."""

    segment: str
    offset: int
    length: int

    @classmethod
    def read(cls, kept: bytes) -> "SegmentRange":
        """Parses the stored form; anything else gives an empty place, at which `read_events` reports damage."""
        found = PLACE.fullmatch(kept)
        return cls(found[1].decode(), int(found[2]), int(found[3])) if found else cls("", 0, 0)

    @property
    def kept(self) -> str:
        """The stored form."""
        return ":".join(map(str, self))


class ListedTable(msgspec.Struct, frozen=True):
    """A table in a segment's list: its head, its range, and the `facts` that lists of tables show."""

    table: str
    version: int
    hash: str
    offset: int
    length: int
    facts: dict[str, Any]

    def place(self, segment: str) -> SegmentRange:
        """Returns the place of the table."""
        return SegmentRange(segment, self.offset, self.length)


class Listing(msgspec.Struct, frozen=True):
    """The list of a segment."""

    format: Literal["wintercount-segment"]
    format_version: Literal[1]
    tables: list[ListedTable]


class ClosedTable(NamedTuple):
    """A table to be archived: its head, and the facts that lists of tables show."""

    table: str
    head: Head
    facts: dict[str, Any]


_listing = msgspec.json.Decoder(Listing)


def write_segment(objects: Objects, tables: Sequence[tuple[ClosedTable, bytes]]) -> tuple[str, list[ListedTable]]:
    """Writes a segment of packed tables and reads it back; returns its name and its list.

    Raises `ArchiveUnavailable` if the archive does not keep it.
    """
    listed = list(_ranges(tables))
    packed_list = compress(canonical(Listing("wintercount-segment", 1, listed)))
    content = b"".join([*(packed for _, packed in tables), packed_list, len(packed_list).to_bytes(LENGTH)])
    return objects.add(path_of, content), listed


def _ranges(tables: Iterable[tuple[ClosedTable, bytes]]) -> Iterable[ListedTable]:
    offset = 0
    for closed, packed in tables:
        head = closed.head
        yield ListedTable(closed.table, head.version, head.hash.hex(), offset, len(packed), closed.facts)
        offset += len(packed)


def path_of(segment: str) -> str:
    """Returns the file of a segment, in one of 256 directories."""
    return f"tables/{segment[:2]}/{segment}.segment"


def sizes(objects: Objects) -> dict[str, int]:
    """Returns the sizes in bytes of all segments in the archive, including those the store does not name."""
    files = ((FILE.fullmatch(found.name), found.bytes) for found in objects.list_files("tables"))
    return {match[1]: size for match, size in files if match}


def listed_tables(objects: Objects, segment: str, size: int) -> list[str]:
    """Returns the tables in the list of a segment of that size, read by ranges and not verified.

    Raises `LogDamaged` if there is no such segment, or no list in it.
    """
    with _raising_damage(segment):
        length = int.from_bytes(objects.read_range(path_of(segment), max(0, size - LENGTH), LENGTH))
        if length > size - LENGTH:
            raise LogDamaged(f"segment {segment} has no list")
        return [one.table for one in _listed(objects.read_range(path_of(segment), size - LENGTH - length, length))]


def read_listing(objects: Objects, segment: str) -> list[ListedTable]:
    """Returns the list of a segment, after checking the whole segment against its name; raises `LogDamaged`."""
    with _raising_damage(segment):
        content = objects.read(path_of(segment))
        if name_of(content) != segment:
            raise LogDamaged(f"segment {segment} does not have the content that was written")
        length = int.from_bytes(content[-LENGTH:])
        return _listed(content[-LENGTH - length : -LENGTH])


@contextmanager
def _raising_damage(segment: str) -> Iterator[None]:
    try:
        yield
    except (MissingObject, ZstdError, msgspec.MsgspecError, RecursionError, OverflowError) as error:
        raise LogDamaged(f"segment {segment} cannot be read: {error}") from error


def _listed(packed: bytes) -> list[ListedTable]:
    return _listing.decode(decompress(packed)).tables


def read_events(objects: Objects, table: str, place: SegmentRange) -> tuple[Recorded, ...]:
    """Returns the events of an archived table; raises `LogDamaged` if they are not at that place."""
    if not place.segment:
        raise LogDamaged(f"{table} is archived, but its place in the archive is unreadable")
    try:
        found = unpack_events(objects.read_range(path_of(place.segment), place.offset, place.length))
    except (MissingObject, ValueError) as error:
        raise LogDamaged(f"{table} is not where the store says, in segment {place.segment}: {error}") from error
    if found[0].envelope.table != table:
        raise LogDamaged(f"segment {place.segment} has {found[0].envelope.table} where the store says {table} is")
    return found
