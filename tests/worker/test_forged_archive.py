"""An archive that was forged, cut or altered, or that hangs: it is noticed, bounded, and keeps nobody from the rest."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.archiving import feeds
from events.archiving.compression import MOST_UNPACKED, compress, decompress
from events.archiving.objects import Objects
from events.canonical import canonical
from events.log import LogDamaged
from projections.archived_tables import Catalogue
from projections.history import TableCache
from tests.archives import Archive
from tests.long import quick_first
from tests.worker.test_archiver import long_feed

Forge = Callable[[dict[str, Any]], Any]
NESTED = "[" * 100_000 + "]" * 100_000
DEEP = (
    '{"table":"t","batches":[[1,"",{},null,{},null]],"type":["x"],"schema":[1],'
    '"payload":[{"a":' + NESTED + '}],"readers":[{}],"sealed":[{}]}'
)


def only(archive: Archive, pattern: str) -> Path:
    """The one file of the archive that there is of a kind."""
    (path,) = archive.directory.glob(pattern)
    return path


TABLES: dict[str, Forge] = {
    "no batches": lambda packed: packed | {"batches": []},
    "batches of less than nothing": lambda packed: packed | {"batches": [[-5, *b[1:]] for b in packed["batches"]]},
    "too many events": lambda packed: packed | {"batches": [[2**62, *packed["batches"][0][1:]]]},
    "no columns": lambda packed: packed | {"batches": [], "type": [], "payload": []},
    "deeply nested": lambda _: DEEP.encode(),
    "a seed that is none": lambda packed: packed | {"payload": [{"seed": "zz"}, *packed["payload"][1:]]},
    "secrets that are not there": lambda packed: packed | {"readers": [{"none": [1]}] * len(packed["readers"])},
    "a bomb": lambda _: b'{"table":"' + b"a" * MOST_UNPACKED,
}


@pytest.mark.parametrize("forge", quick_first(TABLES.values(), quick=2), ids=TABLES)
def test_what_was_put_in_place_of_a_table_is_damage(archive: Archive, forge: Forge) -> None:
    """However it was forged: readers that skip damaged tables skip this one."""
    table = archive.played().table.id
    archive.archive()
    path, place = only(archive, "tables/*/*.segment"), archive.log.places([table])[0]
    assert place
    packed = json.loads(decompress(path.read_bytes()[place.offset : place.offset + place.length]))
    forged = forge(packed)
    content = compress(forged if isinstance(forged, bytes) else canonical(forged))
    path.write_bytes(content)
    archive.client.hset(archive.log.table_key(table, "head"), "place", f"{place.segment}:0:{len(content)}")

    with pytest.raises(LogDamaged):
        TableCache(archive.opened()).load(table)


@pytest.mark.parametrize(
    "place", ["", "x", "a:b:c", "0123456789ab:-5:10", "../../../etc/passwd:0:10", f"0123456789ab:0:{2**70}"]
)
def test_a_place_that_is_none_is_damage(archive: Archive, place: str) -> None:
    """Of that table alone."""
    table = archive.played().table.id
    archive.archive()
    archive.client.hset(archive.log.table_key(table, "head"), "place", place)

    with pytest.raises(LogDamaged):
        TableCache(archive.opened()).load(table)


LISTS: dict[str, Callable[[bytes], bytes]] = {
    "a length beyond all": lambda content: content[:-8] + b"\xff" * 8,
    "a length of nothing": lambda content: content[:-8] + bytes(8),
    "cut": lambda content: content[:5],
    "empty": lambda _: b"",
    "a bit": lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
    "another winner": lambda content: _relisted(content, b'"winners":[', b'"winners":[9,'),
    "a table that was private": lambda content: _relisted(content, b'"public"', b'"privat"'),
    "no facts": lambda content: _relisted(content, b'"row"', b'"wor"'),
}


def _relisted(content: bytes, was: bytes, becomes: bytes) -> bytes:
    """A segment with another list, which is whole."""
    told = int.from_bytes(content[-8:])
    listed = compress(decompress(content[-8 - told : -8]).replace(was, becomes))
    assert was in decompress(content[-8 - told : -8])
    return content[: -8 - told] + listed + len(listed).to_bytes(8)


@pytest.mark.parametrize("forge", quick_first(LISTS.values(), quick=2), ids=LISTS)
def test_a_forged_list_tells_nothing_and_keeps_nobody_from_others(
    archive: Archive, forge: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    """A segment is held against its name before its list is believed."""
    forged = archive.played().table.id
    archive.archive()
    path = only(archive, "tables/*/*.segment")
    path.write_bytes(forge(path.read_bytes()))
    kept = archive.played().table.id
    archive.archive()
    known = Catalogue(archive.client, Objects(str(archive.directory)))

    assert [set(known.facts([forged, kept])) for _ in range(2)] == [{kept}] * 2
    assert "its tables are in no list" in caplog.text


PARTS: dict[str, Callable[[bytes, bytes], bytes]] = {
    "another part": lambda _, other: other,
    "too short": lambda content, _: _repacked(
        content, lambda part: {"table": part["table"][:3], "span": part["span"][:3]}
    ),
    "empty": lambda content, _: _repacked(content, lambda _: {"table": [], "span": []}),
    "elsewhere": lambda content, _: _repacked(content, lambda _: {"first": -100}),
    "of another table": lambda content, _: _repacked(content, lambda _: {"tables": ["t_other"]}),
    "uneven": lambda content, _: _repacked(content, lambda part: {"table": part["table"][:3]}),
    "a bit": lambda content, _: content[:-5] + bytes([content[-5] ^ 1]) + content[-4:],
    "nothing": lambda _content, _other: b"",
}


def _repacked(content: bytes, change: Forge) -> bytes:
    length = int.from_bytes(content[:4])
    part = json.loads(decompress(content[4 : 4 + length]))
    told = compress(canonical(part | change(part)))
    return len(told).to_bytes(4) + told + content[4 + length :]


@pytest.mark.parametrize("forge", PARTS.values(), ids=PARTS)
def test_a_forged_part_of_a_feed_is_damage(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, forge: Callable[[bytes, bytes], bytes]
) -> None:
    """Every reader ends, and believes nothing of it."""
    monkeypatch.setattr(feeds, "PART", 16)
    monkeypatch.setattr(feeds, "KEPT", 4)
    partition = long_feed(archive, 2)
    while archive.log.archive_part(partition, 10**6):
        pass
    names = archive.client.hgetall(archive.log.partition_key(partition, "feed:parts"))
    first, second = (archive.directory / feeds.path_of(partition, names[number].decode()) for number in (b"0", b"1"))
    first.write_bytes(forge(first.read_bytes(), second.read_bytes()))
    feeds._checked_content.cache_clear()

    again = archive.opened()
    for read in (
        lambda: again.feed(partition, 0),
        lambda: again.pointers({partition: 3}),
        lambda: list(again.wait_for_pointers({partition: 0}, 0.1)),
    ):
        with pytest.raises(LogDamaged):
            read()
