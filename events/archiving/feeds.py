"""Old parts of the feeds: files of so many pointers each, in the order of their partition."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.archiving.objects import MissingObject, Objects
from events.canonical import canonical
from events.log import LogDamaged, Pointer

FORMAT, FORMAT_VERSION = "wintercount-feed", 1
PART = 2048  # pointers of a part
KEPT = 256  # newest pointers at least that stay in the store, for those who follow it
NAME = 12  # hexadecimal digits
HASH = 32  # bytes
CACHED = 8  # parts


class Part(msgspec.Struct):
    """A part of a feed by columns: the tables that it names, and of each pointer table (by number), first and last."""

    format: str
    format_version: int
    partition: int
    first: int
    tables: list[str]
    table: list[int]
    span: list[tuple[int, int]]


_part = msgspec.json.Decoder(Part)


def number_of(position: int) -> int:
    """The part, counted from 0, that has a position."""
    return (position - 1) // PART


def first_of(number: int) -> int:
    """The first position of a part."""
    return number * PART + 1


def written(objects: Objects, partition: int, pointers: Sequence[Pointer]) -> str:
    """Writes a part and reads it back; its name. Raises `LogDamaged` if another is read."""
    content = _content(partition, pointers)
    name = hashlib.sha256(content).hexdigest()[:NAME]
    objects.write(path_of(partition, name), content)
    if pointers_of(objects, partition, name) != tuple(pointers):
        raise LogDamaged(f"part {name} of the feed of partition {partition} is not read as it was written")
    return name


def path_of(partition: int, name: str) -> str:
    """The file of a part."""
    return f"feeds/{partition:02d}/{name}.feed"


@lru_cache(CACHED)
def pointers_of(objects: Objects, partition: int, name: str) -> tuple[Pointer, ...]:
    """The pointers of a part; raises `LogDamaged` where there is no such part."""
    try:
        content = objects.read(path_of(partition, name))
        length = int.from_bytes(content[:4])
        part = _part.decode(decompress(content[4 : 4 + length]))
        return tuple(_pointers(part, content[4 + length :]))
    except (MissingObject, ZstdError, msgspec.MsgspecError, LookupError) as error:
        raise LogDamaged(f"part {name} of the feed of partition {partition} cannot be read: {error}") from error


def _pointers(part: Part, hashes: bytes) -> list[Pointer]:
    return [
        Pointer(part.first + at, part.tables[table], first, last, _hash(hashes[at * HASH : (at + 1) * HASH]))
        for at, (table, (first, last)) in enumerate(zip(part.table, part.span, strict=True))
    ]


def _hash(kept: bytes) -> bytes:
    """Pointers of earlier releases have none."""
    return kept if any(kept) else b""


def _content(partition: int, pointers: Sequence[Pointer]) -> bytes:
    """The columns, compressed, with their length before them; behind them the hashes, which nothing compresses."""
    tables = list(dict.fromkeys(pointer.table for pointer in pointers))
    numbers = {table: number for number, table in enumerate(tables)}
    part = Part(
        FORMAT,
        FORMAT_VERSION,
        partition,
        pointers[0].position,
        tables,
        [numbers[pointer.table] for pointer in pointers],
        [(pointer.first, pointer.last) for pointer in pointers],
    )
    told = compress(canonical(part))
    return len(told).to_bytes(4) + told + b"".join(pointer.hash.ljust(HASH, b"\0") for pointer in pointers)
