"""From a pointer of a feed to the events that it points to."""

import logging
from collections.abc import Iterable

from events.log import Diverged, LogDamaged, Pointer
from events.recorded import Head
from projections.history import Histories, History

MOST_AHEAD = 200  # tables that are read in one trip

log = logging.getLogger(__name__)


def history_told(histories: Histories, pointer: Pointer) -> History:
    """A history that has the batch of the pointer; raises `LogUnreadable` where the store holds none."""
    history = histories.known(pointer.table)
    if history is None or not _tells_of(pointer, history):
        history = _fresh(histories, pointer.table)
    if history is None or not _tells_of(pointer, history):
        raise LogDamaged(f"{pointer.table} lacks version {pointer.last} as the feed names it")
    return history


def read_ahead(histories: Histories, pointers: Iterable[Pointer]) -> None:
    """Reads together what pointers tell of and memory lacks; a table that is not whole shows when it is asked for."""
    known = ((pointer, histories.known(pointer.table)) for pointer in pointers)
    lacking = dict.fromkeys(
        pointer.table for pointer, history in known if not history or not _tells_of(pointer, history)
    )
    histories.fresh_each(list(lacking)[:MOST_AHEAD])


def _fresh(histories: Histories, table: str) -> History | None:
    """What the store holds, even where memory differs: what is made of a feed is made only from the store."""
    try:
        return histories.fresh(table)
    except Diverged as damage:
        log.critical("%s", damage)
        return histories.fresh(table)


def _tells_of(pointer: Pointer, history: History) -> bool:
    """Whether a history has the events that a pointer of the store's feed names."""
    return history.holds(Head(pointer.last, pointer.hash))
