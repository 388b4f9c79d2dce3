"""Segments: files that hold many packed tables, each read by its range, and a list of what they hold.

A segment is never changed. Its name is the beginning of the SHA-256 of its content.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.archiving.objects import MissingObject, Objects
from events.archiving.packing import unpacked
from events.canonical import canonical
from events.log import LogDamaged
from events.recorded import Head, Recorded

FORMAT, FORMAT_VERSION = "wintercount-segment", 1
LENGTH = 8  # bytes at the end of a segment: the length of its list, big endian
NAME = 12  # hexadecimal digits


class Place(NamedTuple):
    """Where an archived table lies: the segment, and the first byte and number of bytes in it."""

    segment: str
    offset: int
    length: int

    @classmethod
    def read(cls, kept: bytes) -> "Place":
        """The place that `kept` wrote."""
        segment, offset, length = kept.decode().split(":")
        return cls(segment, int(offset), int(length))

    @property
    def kept(self) -> str:
        """The stored form."""
        return ":".join(map(str, self))


class Shelved(msgspec.Struct, frozen=True):
    """A table in the list of a segment: its last event, its range, and `facts` for those who list tables."""

    table: str
    version: int
    hash: str
    offset: int
    length: int
    facts: dict[str, Any]

    def place(self, segment: str) -> Place:
        """Where it lies."""
        return Place(segment, self.offset, self.length)


class Listing(msgspec.Struct, frozen=True):
    """The list of a segment."""

    format: str
    format_version: int
    tables: list[Shelved]


class Closed(NamedTuple):
    """A table to be archived: all its events, and what is told of it in lists."""

    events: tuple[Recorded, ...]
    facts: dict[str, Any]

    @property
    def head(self) -> Head:
        """Its last event."""
        return Head(self.events[-1].version, self.events[-1].hash)


_listing = msgspec.json.Decoder(Listing)


def written(objects: Objects, tables: Sequence[tuple[Closed, bytes]]) -> tuple[str, list[Shelved]]:
    """Writes a segment of packed tables and reads it back; its name, and what it lists.

    Raises `LogDamaged` if what is read is not what was written.
    """
    listed = list(_ranges(tables))
    told = compress(canonical(Listing(FORMAT, FORMAT_VERSION, listed)))
    content = b"".join([*(kept for _, kept in tables), told, len(told).to_bytes(LENGTH)])
    name = hashlib.sha256(content).hexdigest()[:NAME]
    objects.write(path_of(name), content)
    if objects.read(path_of(name)) != content:
        raise LogDamaged(f"segment {name} is not read as it was written")
    return name, listed


def _ranges(tables: Iterable[tuple[Closed, bytes]]) -> Iterable[Shelved]:
    offset = 0
    for closed, kept in tables:
        head, table = closed.head, closed.events[0].envelope.table
        yield Shelved(table, head.version, head.hash.hex(), offset, len(kept), closed.facts)
        offset += len(kept)


def path_of(segment: str) -> str:
    """The file of a segment: they are spread over 256 directories."""
    return f"tables/{segment[:2]}/{segment}.segment"


def listing(objects: Objects, segment: str) -> list[Shelved]:
    """What a segment lists; raises `LogDamaged` where there is no such segment."""
    path = path_of(segment)
    try:
        size = objects.size(path)
        told = int.from_bytes(objects.part(path, size - LENGTH, LENGTH))
        return _listing.decode(decompress(objects.part(path, size - LENGTH - told, told))).tables
    except (MissingObject, ZstdError, msgspec.MsgspecError, ValueError) as error:
        raise LogDamaged(f"segment {segment} cannot be read: {error}") from error


def events_at(objects: Objects, table: str, place: Place) -> tuple[Recorded, ...]:
    """The events of an archived table; raises `LogDamaged` where its place does not hold them."""
    try:
        found = unpacked(objects.part(path_of(place.segment), place.offset, place.length))
    except (MissingObject, ValueError) as error:
        raise LogDamaged(f"{table} is not in segment {place.segment} as the store says: {error}") from error
    if found[0].envelope.table != table:
        raise LogDamaged(f"segment {place.segment} has {found[0].envelope.table} in the place of {table}")
    return found
