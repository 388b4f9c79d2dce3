"""Folds events and checks what they lead to: what fits no table is damage, named with the first event that does not."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from events.log import LogDamaged
from events.recorded import Recorded
from projections.folding import fold
from projections.table import Table
from projections.upcasting import UnknownSchema

FAULTS = (  # of events that nobody could have recorded: what folding them, and deciding by them, may raise
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,  # also what becomes of the next one in a generator
    StopIteration,  # of what is looked for in a state, and is not there
    TypeError,
    ValueError,
    msgspec.MsgspecError,
)
MARK = 16  # versions at least between two moments of a table that are kept


def folded(name: str, table: Table | None, news: Sequence[Recorded]) -> Iterator[Table]:
    """The table after so many events each that a moment may be kept, and after the last."""
    for begin in range(0, len(news), MARK):
        events = news[begin : begin + MARK]
        try:
            table = fold(table, events) if _are_next(table, events) else _one_by_one(name, table, events)
        except FAULTS:
            table = _one_by_one(name, table, events)
        if table is not None:
            yield table


def _are_next(table: Table | None, events: Sequence[Recorded]) -> bool:
    """Whether events follow the table, and each other, by their numbers."""
    first = table.version + 1 if table else 1
    return [event.version for event in events] == list(range(first, first + len(events)))


def _one_by_one(name: str, table: Table | None, events: Iterable[Recorded]) -> Table | None:
    """The table after the events; the error names the first that does not fit."""
    for event in events:
        due = table.version + 1 if table else 1
        if event.version != due:
            raise LogDamaged(f"{name} lacks version {due}")
        try:
            table = fold(table, (event,))
        except UnknownSchema as unknown:
            raise LogDamaged(f"{name} version {event.version}: {unknown}") from None
        except FAULTS as error:
            told = f"{name} version {event.version} ({event.envelope.type}) fits no table ({type(error).__name__})"
            raise LogDamaged(told) from error
    return table


def conserved(before: Table | None, events: tuple[Recorded, ...], states: list[Any]) -> Table:
    """The table after a batch to be written; raises `LogDamaged` if it would lose or double a piece of the game."""
    after = fold(before, events, states)
    if after is None or (before and before.state and before.census != after.census):
        raise LogDamaged("the batch would lose or double a piece of the game; nothing was written")
    return after
