"""Tables that no dump can have, as their segment of the archive is damaged: the store still names them."""

from collections.abc import Collection, Iterator
from itertools import islice

from events.all_keys import all_keys
from events.archiving.segments import SegmentRange
from events.store import RedisLog
from projections.played.damage import damaged_segments, unlisted
from projections.played.index import Played

AT_ONCE = 1000  # heads that are asked for in one go
HEADS = "{p*}:*:head"


def missing(store: RedisLog, played: Played) -> int:
    """How many tables no list has; all heads are read if a segment is damaged, and none otherwise."""
    segments = played.read(damaged_segments)
    if not segments:
        return 0
    tables = sorted({*_tables_in(store, segments)})  # a scan may come upon a key twice
    return len(played.read(lambda database: unlisted(database, tables)))


def _tables_in(store: RedisLog, segments: Collection[str]) -> Iterator[str]:
    """The tables that the store says lie in one of these segments."""
    heads = all_keys(store.client, HEADS, AT_ONCE)
    while tables := [key.decode(errors="replace").split(":")[1] for key in islice(heads, AT_ONCE)]:
        found: list[SegmentRange | None] = store.places(tables)
        yield from (table for table, place in zip(tables, found, strict=True) if place and place.segment in segments)
