"""Segments: files that hold many packed tables and a list of them; each table is read by its range.

A segment is never changed. Its name is the beginning of the SHA-256 of its content.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.archiving.objects import NAME, MissingObject, Objects, name_of
from events.archiving.packing import unpacked
from events.canonical import canonical
from events.log import LogDamaged
from events.recorded import Head, Recorded

LENGTH = 8  # bytes at the end of a segment: the length of its list, big endian
FILE = re.compile(rf"tables/[0-9a-f]{{2}}/([0-9a-f]{{{NAME}}})\.segment")
PLACE = re.compile(rb"([0-9a-f]{%d}):(\d{1,15}):(\d{1,15})" % NAME)


class SegmentRange(NamedTuple):
    """Where an archived table is: the segment, the offset in it and the number of bytes."""

    segment: str
    offset: int
    length: int

    @classmethod
    def read(cls, kept: bytes) -> "SegmentRange":
        """The place that `kept` wrote; for anything else one at which nothing lies."""
        found = PLACE.fullmatch(kept)
        return cls(found[1].decode(), int(found[2]), int(found[3])) if found else cls("", 0, 0)

    @property
    def kept(self) -> str:
        """The stored form."""
        return ":".join(map(str, self))


class ListedTable(msgspec.Struct, frozen=True):
    """A table in the list of a segment: its last event, its range, and the `facts` that lists of tables show."""

    table: str
    version: int
    hash: str
    offset: int
    length: int
    facts: dict[str, Any]

    def place(self, segment: str) -> SegmentRange:
        """Where the table is."""
        return SegmentRange(segment, self.offset, self.length)


class Listing(msgspec.Struct, frozen=True):
    """The list of a segment."""

    format: Literal["wintercount-segment"]
    format_version: Literal[1]
    tables: list[ListedTable]


class Closed(NamedTuple):
    """A table to be archived: its last event, and the facts that lists of tables show.

    Its events are packed by then: those of a whole segment would take gigabytes.
    """

    table: str
    head: Head
    facts: dict[str, Any]


_listing = msgspec.json.Decoder(Listing)


def written(objects: Objects, tables: Sequence[tuple[Closed, bytes]]) -> tuple[str, list[ListedTable]]:
    """Writes a segment of packed tables and reads it back; returns its name and its list.

    Raises `ArchiveUnavailable` if the archive does not keep it.
    """
    listed = list(_ranges(tables))
    told = compress(canonical(Listing("wintercount-segment", 1, listed)))
    content = b"".join([*(kept for _, kept in tables), told, len(told).to_bytes(LENGTH)])
    return objects.add(path_of, content), listed


def _ranges(tables: Iterable[tuple[Closed, bytes]]) -> Iterable[ListedTable]:
    offset = 0
    for closed, kept in tables:
        head = closed.head
        yield ListedTable(closed.table, head.version, head.hash.hex(), offset, len(kept), closed.facts)
        offset += len(kept)


def path_of(segment: str) -> str:
    """The file of a segment, in one of 256 directories."""
    return f"tables/{segment[:2]}/{segment}.segment"


def sizes(objects: Objects) -> dict[str, int]:
    """The segments of an archive, whether the store names them or not, with their sizes in bytes."""
    files = ((FILE.fullmatch(found.name), found.bytes) for found in objects.listed("tables"))
    return {match[1]: size for match, size in files if match}


def tables_said(objects: Objects, segment: str, size: int) -> list[str]:
    """The tables of which a segment of that size says that it lists them: read by ranges, and proved by nothing.

    Raises `LogDamaged` where there is no such segment, or no list in it.
    """
    with _told_as_damage(segment):
        length = int.from_bytes(objects.part(path_of(segment), max(0, size - LENGTH), LENGTH))
        if length > size - LENGTH:
            raise LogDamaged(f"segment {segment} has no list")
        told = objects.part(path_of(segment), size - LENGTH - length, length)
        return [listed.table for listed in _listed(told)]


def listing(objects: Objects, segment: str) -> list[ListedTable]:
    """What a segment lists.

    Raises `LogDamaged` where there is no such segment, or another.
    The list proves nothing itself, so the whole segment is held against its name: lists of tables and standings that
    are made anew believe it.
    """
    with _told_as_damage(segment):
        content = objects.read(path_of(segment))
        if name_of(content) != segment:
            raise LogDamaged(f"segment {segment} is not what was written")
        length = int.from_bytes(content[-LENGTH:])
        return _listed(content[-LENGTH - length : -LENGTH])


@contextmanager
def _told_as_damage(segment: str) -> Iterator[None]:
    try:
        yield
    except (MissingObject, ZstdError, msgspec.MsgspecError, RecursionError, OverflowError) as error:
        raise LogDamaged(f"segment {segment} cannot be read: {error}") from error


def _listed(packed: bytes) -> list[ListedTable]:
    return _listing.decode(decompress(packed)).tables


def events_at(objects: Objects, table: str, place: SegmentRange) -> tuple[Recorded, ...]:
    """The events of an archived table; raises `LogDamaged` if they are not there."""
    if not place.segment:
        raise LogDamaged(f"{table} has no place in the archive that could be read")
    try:
        found = unpacked(objects.part(path_of(place.segment), place.offset, place.length))
    except (MissingObject, ValueError) as error:
        raise LogDamaged(f"{table} is not where the store says, in segment {place.segment}: {error}") from error
    if found[0].envelope.table != table:
        raise LogDamaged(f"segment {place.segment} has {found[0].envelope.table} where the store says {table} is")
    return found
