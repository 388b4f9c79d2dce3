"""Batches to which a feed points: their events, and the table after them."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.envelopes import Head
from events.log import Diverged, LogDamaged, LogUnreadable, Pointer
from projections.history import TableCache, TableHistory
from projections.table import Table

MOST_AHEAD = 200  # tables read in one trip

log = logging.getLogger(__name__)


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lists and standings need of a table, kept when it is archived.

    `row` is that of the lobby, `concerned` are the players in whose lists it is, `ended` is the version of its result.
    `counted` says whether its result counts in the standings, if the table is public.
    """

    row: dict[str, Any]
    concerned: list[str]
    ended: int | None = None
    counted: bool = False


def history_up_to(cache: TableCache, pointer: Pointer) -> TableHistory:
    """Returns a history with the batch of the pointer; raises `LogUnreadable` if the store has none."""
    history = cache.peek(pointer.table)
    if history is None or not _has(history, pointer):
        history = _load(cache, pointer.table)
    if history is None or not _has(history, pointer):
        raise LogDamaged(f"{pointer.table} lacks version {pointer.last} as the feed names it")
    return history


def read_ahead(cache: TableCache, pointers: Iterable[Pointer]) -> None:
    """Loads the tables that pointers name and memory lacks, in one trip; damaged ones show when they are asked for."""
    known = ((pointer, cache.peek(pointer.table)) for pointer in pointers)
    lacking = dict.fromkeys(pointer.table for pointer, history in known if not history or not _has(history, pointer))
    cache.load_each(list(lacking)[:MOST_AHEAD])


def _load(cache: TableCache, table: str) -> TableHistory | None:
    """Returns what the store holds, even if memory differs: projections are built from the store only."""
    try:
        return cache.load(table)
    except Diverged as damage:
        log.critical("%s", damage)
        return cache.load(table)


def _has(history: TableHistory, pointer: Pointer) -> bool:
    """Whether a history has the events that a pointer names."""
    return history.holds(Head(pointer.last, pointer.hash))


class FedBatch(NamedTuple):
    """A batch of a table; `followed` if the same page of the feed has a later one of that table."""

    pointer: Pointer
    history: TableHistory
    followed: bool

    @property
    def types(self) -> frozenset[str]:
        """The types of the events."""
        events = self.history.events[self.pointer.first - 1 : self.pointer.last]
        return frozenset(event.envelope.type for event in events)

    def table(self, before: Table | None) -> Table:
        """Returns the table after it, folded from an earlier one if that is of the same history."""
        return self.history.at(self.pointer.last, before if before and self.history.holds(before.head) else None)


class ArchivedBatch(NamedTuple):
    """A batch of an archived table, of which only the facts are known."""

    pointer: Pointer
    facts: Facts

    @property
    def ends(self) -> bool:
        """Whether the game ended in it."""
        return self.facts.ended is not None and self.pointer.first <= self.facts.ended <= self.pointer.last


def batches(
    cache: TableCache, pointers: Sequence[Pointer], archived: Mapping[str, Facts]
) -> Iterator[tuple[Pointer, FedBatch | ArchivedBatch | None]]:
    """Yields the batches of a page; None for one of a damaged table, which is logged and delays no other."""
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
        log.critical("%s; the projections skip it: rebuild them once it is mended", damage)
        return None
