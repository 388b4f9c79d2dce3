"""Archived parts of the feeds: one file for each 2048 pointers of a partition, in order."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Literal, NamedTuple

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.archiving.objects import MissingObject, Objects, name_of
from events.canonical import canonical
from events.log import LogDamaged, Pointer

PART = 2048  # pointers of a part
KEPT = 256  # the newest pointers, which stay in the store for those who follow the feed
HASH = 32  # bytes
CACHED = 192  # parts of some 75 kB: a page of the feed takes a little of one or two parts of each partition


class FeedPart(msgspec.Struct):
    """A part of a feed by columns: the tables that it names; of each pointer its table, by number, and its versions."""

    format: Literal["wintercount-feed"]
    format_version: Literal[1]
    partition: int
    first: int
    tables: list[str]
    table: list[int]
    span: list[tuple[int, int]]


_part = msgspec.json.Decoder(FeedPart)


class PartName(NamedTuple):
    """The number of a part in the feed of a partition, and the name under which it lies in the archive."""

    partition: int
    number: int
    name: str

    def __str__(self) -> str:
        return f"part {self.name} of the feed of partition {self.partition}"


def number_of(position: int) -> int:
    """The part, counted from 0, that has a position."""
    return (position - 1) // PART


def first_of(number: int) -> int:
    """The first position of a part."""
    return number * PART + 1


def written(objects: Objects, partition: int, pointers: Sequence[Pointer]) -> str:
    """Writes a part, reads it back and returns its name.

    Raises `ArchiveUnavailable` if the archive does not keep it, `LogDamaged` if the pointers would not come back.
    """
    content = _content(partition, pointers)
    name = objects.add(partial(path_of, partition), content)
    part = PartName(partition, number_of(pointers[0].position), name)
    if _told_in(content, part) != tuple(pointers):
        raise LogDamaged(f"{part} is not read as it was written")
    return name


def path_of(partition: int, name: str) -> str:
    """The file of a part."""
    return f"feeds/{partition:02d}/{name}.feed"


def pointers_of(objects: Objects, part: PartName, first: int, last: int) -> list[Pointer]:
    """The pointers of a part from position `first` to `last`.

    Raises `LogDamaged` where there is no such part, or another.
    What comes back has a pointer for each of these positions, so that whoever goes through the parts comes to an end.
    """
    columns, hashes = _columns(_kept(objects, part))
    return _pointers(columns, hashes, first, last)


@lru_cache(CACHED)
def _kept(objects: Objects, part: PartName) -> bytes:
    """The content of a part, as it lies in the archive: all of its pointers would take ten times as much memory."""
    try:
        content = objects.read(path_of(part.partition, part.name))
    except MissingObject as error:
        raise LogDamaged(f"{part} cannot be read: {error}") from error
    if name_of(content) != part.name:
        raise LogDamaged(f"{part} is not what was written")
    _told_in(content, part)
    return content


def _told_in(content: bytes, part: PartName) -> tuple[Pointer, ...]:
    """The pointers that the content of a part tells; raises `LogDamaged`."""
    try:
        columns, hashes = _columns(content)
        length = max(len(columns.table), len(columns.span))
        found = tuple(_pointers(columns, hashes, columns.first, columns.first + length - 1))
    except (ZstdError, msgspec.MsgspecError, LookupError, ValueError, RecursionError) as error:
        raise LogDamaged(f"{part} cannot be read: {error}") from error
    if (columns.partition, columns.first, len(found)) != (part.partition, first_of(part.number), PART):
        raise LogDamaged(f"part {part.name} is not number {part.number} of the feed of partition {part.partition}")
    return found


def _columns(content: bytes) -> tuple[FeedPart, bytes]:
    """A part by columns, and its hashes one behind the other."""
    length = int.from_bytes(content[:4])
    return _part.decode(decompress(content[4 : 4 + length])), content[4 + length :]


def _pointers(part: FeedPart, hashes: bytes, first: int, last: int) -> list[Pointer]:
    """Those from position `first` to `last`."""
    begin, end = first - part.first, last - part.first + 1
    told = zip(part.table[begin:end], part.span[begin:end], strict=True)
    return [
        Pointer(part.first + at, part.tables[table], *span, hashes[at * HASH : (at + 1) * HASH])
        for at, (table, span) in enumerate(told, begin)
    ]


def _content(partition: int, pointers: Sequence[Pointer]) -> bytes:
    """The length of the compressed columns, the columns, and the hashes, which do not compress."""
    tables = list(dict.fromkeys(pointer.table for pointer in pointers))
    numbers = {table: number for number, table in enumerate(tables)}
    part = FeedPart(
        "wintercount-feed",
        1,
        partition,
        pointers[0].position,
        tables,
        [numbers[pointer.table] for pointer in pointers],
        [(pointer.first, pointer.last) for pointer in pointers],
    )
    told = compress(canonical(part))
    return len(told).to_bytes(4) + told + b"".join(pointer.hash for pointer in pointers)
