"""Storing a table that was recorded elsewhere, unchanged and all of it at once."""

from itertools import groupby

from events.log import Conflict, Log, RequestReused, batch_fault
from events.recorded import Head, Recorded
from events.store import chained_batches
from projections.history import TableHistory
from projections.timers import timers
from service.errors import Refused


def take_in(log: Log, history: TableHistory) -> None:
    """Stores what is not here yet of a table; raises `Refused`, and nothing was stored.

    Half of it would be a table that runs, and whoever moved there would keep the rest out. What is here already has to
    be the same; so a repeat completes what the store has lost in part. That it was
    recorded elsewhere is noted first, unless it is known here: so no table is here of which that is missing.
    """
    table, head = history.table, log.head(history.table.id)
    if head.version and (head.version > table.version or history.events[head.version - 1].hash != head.hash):
        raise Refused("archive_refused", f"another table with the name {table.id!r} is here")
    batches = _batches_after(history, head)
    if not head.version:
        log.note_imported(table.id)
    if not batches:
        return
    settled = tuple(timers(history.at(head.version))) if head.version else ()
    try:
        log.append_all(table.id, list(chained_batches(head, batches, settled)))
    except (Conflict, RequestReused):
        raise Refused("archive_refused", f"somebody has played on at {table.id} meanwhile") from None


def _batches_after(history: TableHistory, head: Head) -> list[tuple[Recorded, ...]]:
    """The batches behind a head; raises `Refused` for one that could not have been recorded."""
    groups = groupby(history.events[head.version :], key=lambda event: event.envelope.batch)
    batches = [tuple(group) for _, group in groups]
    if fault := next((found for found in map(batch_fault, batches) if found), None):
        raise Refused("archive_refused", f"a batch that could not have been recorded: {fault}")
    return batches
