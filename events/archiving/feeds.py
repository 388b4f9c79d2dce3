"""Archived parts of the feeds: one file for each 2048 pointers of a partition, in order."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.archiving.forms import check_known
from events.archiving.objects import ArchiveUnavailable, MissingObject, Objects
from events.canonical import canonical
from events.log import LogDamaged, Pointer

FORMAT, FORMAT_VERSION = "wintercount-feed", 1
PART = 2048  # pointers of a part
KEPT = 256  # the newest pointers, which stay in the store for those who follow the feed
NAME = 12  # hexadecimal digits
HASH = 32  # bytes
CACHED = 8  # parts


class FeedPart(msgspec.Struct):
    """A part of a feed by columns: the tables that it names; each pointer's table, by number, and its versions.

    And how many entries became due with it, where that was told.
    """

    format: str
    format_version: int
    partition: int
    first: int
    tables: list[str]
    table: list[int]
    span: list[tuple[int, int]]
    due: list[int | None] = []


_part = msgspec.json.Decoder(FeedPart)


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
    name = _name(content)
    objects.write(path_of(partition, name), content)
    if objects.kept(path_of(partition, name)) != content:
        raise ArchiveUnavailable(f"the archive does not keep part {name} of a feed as it was written")
    if _told_in(content, partition, number_of(pointers[0].position), name) != tuple(pointers):
        raise LogDamaged(f"part {name} of the feed of partition {partition} is not read as it was written")
    return name


def path_of(partition: int, name: str) -> str:
    """The file of a part."""
    return f"feeds/{partition:02d}/{name}.feed"


@lru_cache(CACHED)
def pointers_of(objects: Objects, partition: int, number: int, name: str) -> tuple[Pointer, ...]:
    """The pointers of a part by its number and name.

    Raises `LogDamaged` where there is no such part, or another, and `LogNewer` for one of a later form.
    What comes back has a pointer for each position of the part, so that whoever goes through the parts comes to an end.
    """
    try:
        content = objects.read(path_of(partition, name))
    except MissingObject as error:
        raise LogDamaged(f"part {name} of the feed of partition {partition} cannot be read: {error}") from error
    if _name(content) != name:
        raise LogDamaged(f"part {name} of the feed of partition {partition} is not what was written")
    return _told_in(content, partition, number, name)


def _told_in(content: bytes, partition: int, number: int, name: str) -> tuple[Pointer, ...]:
    """The pointers that the content of a part tells; raises `LogDamaged` or `LogNewer`."""
    try:
        length = int.from_bytes(content[:4])
        told = decompress(content[4 : 4 + length])
        check_known(told, FORMAT_VERSION, f"part {name} of the feed of partition {partition}")
        part = _part.decode(told)
        found = tuple(_pointers(part, content[4 + length :]))
    except (ZstdError, msgspec.MsgspecError, LookupError, ValueError, RecursionError) as error:
        raise LogDamaged(f"part {name} of the feed of partition {partition} cannot be read: {error}") from error
    if (part.partition, part.first, len(found)) != (partition, first_of(number), PART):
        raise LogDamaged(f"part {name} is not number {number} of the feed of partition {partition}")
    return found


def _name(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:NAME]


def _pointers(part: FeedPart, hashes: bytes) -> list[Pointer]:
    told = zip(part.table, part.span, part.due or [None] * len(part.table), strict=True)
    return [
        Pointer(part.first + at, part.tables[table], first, last, _hash(hashes[at * HASH : (at + 1) * HASH]), due)
        for at, (table, (first, last), due) in enumerate(told)
    ]


def _hash(kept: bytes) -> bytes:
    """Pointers of earlier releases have none."""
    return kept if any(kept) else b""


def _content(partition: int, pointers: Sequence[Pointer]) -> bytes:
    """The length of the compressed columns, the columns, and the hashes, which do not compress."""
    tables = list(dict.fromkeys(pointer.table for pointer in pointers))
    numbers = {table: number for number, table in enumerate(tables)}
    part = FeedPart(
        FORMAT,
        FORMAT_VERSION,
        partition,
        pointers[0].position,
        tables,
        [numbers[pointer.table] for pointer in pointers],
        [(pointer.first, pointer.last) for pointer in pointers],
        [pointer.due for pointer in pointers],
    )
    told = compress(canonical(part))
    return len(told).to_bytes(4) + told + b"".join(pointer.hash.ljust(HASH, b"\0") for pointer in pointers)
