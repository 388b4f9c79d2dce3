"""Batches as a feed points to them: what kind of events each has, and the table after it."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from events.log import LogUnreadable, Pointer
from projections.history import Histories, History
from projections.pointed_events import history_told
from projections.table import Table
from projections.table_facts import Facts

log = logging.getLogger(__name__)


class FedBatch(NamedTuple):
    """A batch of a table; `followed` if the same page of the feed has a later one of it."""

    pointer: Pointer
    history: History
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
    histories: Histories, pointers: Sequence[Pointer], archived: Mapping[str, Facts]
) -> Iterator[tuple[Pointer, FedBatch | ArchivedBatch | None]]:
    """What a page points to; None for a batch of a damaged table, which is logged and delays no other."""
    behind = Counter(pointer.table for pointer in pointers)
    for pointer in pointers:
        behind[pointer.table] -= 1
        if pointer.table in archived:
            yield pointer, ArchivedBatch(pointer, archived[pointer.table])
            continue
        history = _history(histories, pointer)
        yield pointer, FedBatch(pointer, history, behind[pointer.table] > 0) if history else None


def _history(histories: Histories, pointer: Pointer) -> History | None:
    try:
        return history_told(histories, pointer)
    except LogUnreadable as damage:
        log.critical("%s; the projections pass over it: rebuild them once it is mended", damage)
        return None
