"""Batches as a feed points to them: the events, what kind they are of, and the table after them."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.log import Diverged, LogDamaged, LogUnreadable, Pointer
from events.recorded import Head
from projections.history import TableCache, TableHistory
from projections.table import Table

MOST_AHEAD = 200  # tables that are read in one trip

log = logging.getLogger(__name__)


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """`row` is that of the lobby; `concerned` are the players in whose lists it is; `ended` the version of `GameEnded`.

    `counted` says whether its result counts in the standings, if its table is public.
    """

    row: dict[str, Any]
    concerned: list[str]
    ended: int | None = None
    counted: bool = False


def history_up_to(cache: TableCache, pointer: Pointer) -> TableHistory:
    """A history that has the batch of the pointer; raises `LogUnreadable` where the store holds none."""
    history = cache.peek(pointer.table)
    if history is None or not _tells_of(pointer, history):
        history = _load(cache, pointer.table)
    if history is None or not _tells_of(pointer, history):
        raise LogDamaged(f"{pointer.table} lacks version {pointer.last} as the feed names it")
    return history


def read_ahead(cache: TableCache, pointers: Iterable[Pointer]) -> None:
    """Reads together what pointers tell of and memory lacks; a table that is not whole shows when it is asked for."""
    known = ((pointer, cache.peek(pointer.table)) for pointer in pointers)
    lacking = dict.fromkeys(
        pointer.table for pointer, history in known if not history or not _tells_of(pointer, history)
    )
    cache.load_each(list(lacking)[:MOST_AHEAD])


def _load(cache: TableCache, table: str) -> TableHistory | None:
    """What the store holds, even where memory differs: what is made of a feed is made only from the store."""
    try:
        return cache.load(table)
    except Diverged as damage:
        log.critical("%s", damage)
        return cache.load(table)


def _tells_of(pointer: Pointer, history: TableHistory) -> bool:
    """Whether a history has the events that a pointer of the store's feed names."""
    return history.holds(Head(pointer.last, pointer.hash))


class FedBatch(NamedTuple):
    """A batch of a table; `followed` if the same page of the feed has a later one of it."""

    pointer: Pointer
    history: TableHistory
    followed: bool

    @property
    def types(self) -> frozenset[str]:
        """The types of its events."""
        events = self.history.events[self.pointer.first - 1 : self.pointer.last]
        return frozenset(event.envelope.type for event in events)

    def table(self, before: Table | None) -> Table:
        """The table after it, folded on from an earlier one where that is of the same history."""
        return self.history.at(self.pointer.last, before if before and self.history.holds(before.head) else None)


class ArchivedBatch(NamedTuple):
    """A batch of an archived table, of which only the facts are read."""

    pointer: Pointer
    facts: Facts

    @property
    def ends(self) -> bool:
        """Whether the game ended in it."""
        return self.facts.ended is not None and self.pointer.first <= self.facts.ended <= self.pointer.last


def batches(
    cache: TableCache, pointers: Sequence[Pointer], archived: Mapping[str, Facts]
) -> Iterator[tuple[Pointer, FedBatch | ArchivedBatch | None]]:
    """What a page points to; None for a batch of a damaged table, which is logged and delays no other."""
    behind = Counter(pointer.table for pointer in pointers)
    for pointer in pointers:
        behind[pointer.table] -= 1
        if pointer.table in archived:
            yield pointer, ArchivedBatch(pointer, archived[pointer.table])
            continue
        history = _history(cache, pointer)
        yield pointer, FedBatch(pointer, history, behind[pointer.table] > 0) if history else None


def _history(cache: TableCache, pointer: Pointer) -> TableHistory | None:
    try:
        return history_up_to(cache, pointer)
    except LogUnreadable as damage:
        log.critical("%s; the projections pass over it: rebuild them once it is mended", damage)
        return None
