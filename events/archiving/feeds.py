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
KEPT = 256  # the newest pointers always stay in the store, for subscribers
HASH = 32  # bytes
CACHED = 192  # parts of about 75 kB: a page of all feeds reads one or two parts of each partition


class FeedPart(msgspec.Struct):
    """A part of a feed in columns: its tables; for each pointer the index of its table, and its versions."""

    format: Literal["wintercount-feed"]
    format_version: Literal[1]
    partition: int
    first: int
    tables: list[str]
    table: list[int]
    span: list[tuple[int, int]]


_part = msgspec.json.Decoder(FeedPart)


class PartName(NamedTuple):
    """A part's partition, its number in that feed, and its name in the archive."""

    partition: int
    number: int
    name: str

    def __str__(self) -> str:
        return f"part {self.name} of the feed of partition {self.partition}"


def part_number(position: int) -> int:
    """Returns the number, counted from 0, of the part that holds a position."""
    return (position - 1) // PART


def first_position(number: int) -> int:
    """Returns the first position of a part."""
    return number * PART + 1


def write_part(objects: Objects, partition: int, pointers: Sequence[Pointer]) -> str:
    """Writes a part, reads it back and returns its name.

    Raises `ArchiveUnavailable` if the archive does not keep it, `LogDamaged` if it does not decode to these pointers.
    """
    content = _content(partition, pointers)
    name = objects.add(partial(path_of, partition), content)
    part = PartName(partition, part_number(pointers[0].position), name)
    if _decoded(content, part) != tuple(pointers):
        raise LogDamaged(f"{part} does not decode to the pointers that were written")
    return name


def path_of(partition: int, name: str) -> str:
    """Returns the file of a part."""
    return f"feeds/{partition:02d}/{name}.feed"


def read_pointers(objects: Objects, part: PartName, first: int, last: int) -> list[Pointer]:
    """Returns the pointer at each position of a part from `first` to `last`; raises `LogDamaged`."""
    columns, hashes = _columns(_checked_content(objects, part))
    return _pointers(columns, hashes, first, last)


@lru_cache(CACHED)
def _checked_content(objects: Objects, part: PartName) -> bytes:
    """Returns the content of a part, still packed: its pointers would take ten times as much memory."""
    try:
        content = objects.read(path_of(part.partition, part.name))
    except MissingObject as error:
        raise LogDamaged(f"{part} cannot be read: {error}") from error
    if name_of(content) != part.name:
        raise LogDamaged(f"{part} does not have the content that was written")
    _decoded(content, part)
    return content


def _decoded(content: bytes, part: PartName) -> tuple[Pointer, ...]:
    """Returns all pointers in the content of a part; raises `LogDamaged`."""
    try:
        columns, hashes = _columns(content)
        length = max(len(columns.table), len(columns.span))
        found = tuple(_pointers(columns, hashes, columns.first, columns.first + length - 1))
    except (ZstdError, msgspec.MsgspecError, LookupError, ValueError, RecursionError) as error:
        raise LogDamaged(f"{part} cannot be read: {error}") from error
    if (columns.partition, columns.first, len(found)) != (part.partition, first_position(part.number), PART):
        raise LogDamaged(f"part {part.name} is not number {part.number} of the feed of partition {part.partition}")
    return found


def _columns(content: bytes) -> tuple[FeedPart, bytes]:
    """Returns a part's columns and its concatenated hashes."""
    length = int.from_bytes(content[:4])
    return _part.decode(decompress(content[4 : 4 + length])), content[4 + length :]


def _pointers(part: FeedPart, hashes: bytes, first: int, last: int) -> list[Pointer]:
    begin, end = first - part.first, last - part.first + 1
    rows = zip(part.table[begin:end], part.span[begin:end], strict=True)
    return [
        Pointer(part.first + at, part.tables[table], *versions, hashes[at * HASH : (at + 1) * HASH])
        for at, (table, versions) in enumerate(rows, begin)
    ]


def _content(partition: int, pointers: Sequence[Pointer]) -> bytes:
    """Returns the length of the compressed columns, the columns, and the hashes, which do not compress."""
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
    columns = compress(canonical(part))
    return len(columns).to_bytes(4) + columns + b"".join(pointer.hash for pointer in pointers)
