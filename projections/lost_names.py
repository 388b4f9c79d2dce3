"""Segments of the archive whose name the store has lost, while heads of tables point to them.

On a cluster the names lie elsewhere than the heads, and may go back alone: then these tables can be read, and no list
has them. A segment to which no head points was left over, and stays without a name.
"""

import logging

from events.archiving import segments
from events.log import LogUnreadable
from events.store import RedisLog
from projections import catalogue

log = logging.getLogger(__name__)


def name_again(store: RedisLog) -> int:
    """Names them again; how many. Raises `ArchiveUnavailable`."""
    known = {segment.name for segment in catalogue.named(store.client, 1)}
    unnamed = {name: size for name, size in segments.sizes(store.archive).items() if name not in known}
    lost = [name for name, size in unnamed.items() if _is_pointed_to(store, name, size)]
    for name in lost:
        catalogue.register(store.client, name)
    return len(lost)


def _is_pointed_to(store: RedisLog, segment: str, size: int) -> bool:
    """Whether a table that the segment lists is where the store says; not where the list cannot be read."""
    try:
        tables = segments.tables_said(store.archive, segment, size)
    except LogUnreadable as damage:
        log.error("%s: whether any table lies there is not known", damage)
        return False
    return any(place and place.segment == segment for place in store.places(tables))
