"""Archive files: a table is exported part by part, and a table that was recorded elsewhere is imported."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from events.envelopes import Head, Recorded
from events.log import Conflict, RequestReused, batch_fault
from events.store import chained_batches
from games.kernel import OptionsRefused
from projections.due_timers import timers
from projections.history import TableHistory
from rulings.archive_format import ArchiveRefused, event_lines, header_line, read_history, replay_archive
from service.command_handler import CommandHandler
from service.errors import Refused
from service.tables.audit import seed_faults
from service.tables.authorisation import Viewer
from service.tables.opening import wrong_id
from service.tables.record_again import Reruns
from service.tables.time_travel import event_at

MOST_EVENTS = 2000  # in one part of an archive


class ArchivePart(NamedTuple):
    """The part of an archive after a version, and where the archive ends."""

    after: int
    until: int


def archive_part(
    history: TableHistory, viewer: Viewer, after: int, until: int | None
) -> tuple[bytes, ArchivePart | None]:
    """Returns a part of the archive as the viewer may read it, and the next part; raises `Refused`.

    The archive ends with the batch of version `until`.
    """
    until = history.table.version if until is None else until
    until = event_at(history, until).envelope.batch[1]
    if after >= until:
        raise Refused("no_such_version", f"the archive up to version {until} has nothing after version {after}")
    following = min(after + MOST_EVENTS, until)
    part = b"".join(event_lines(history.events[after:following], viewer.seat, over=viewer.over))
    first = header_line(history, until) if after == 0 else b""
    return first + part, ArchivePart(following, until) if following < until else None


def import_archive(handler: CommandHandler, archive: Iterable[bytes]) -> TableHistory:
    """Stores the table of a complete archive under its own id; raises `Refused`, and then stores nothing.

    First checks the chain, the seals, and that this release would decide and record every batch as it was recorded.
    """
    try:
        history = read_history(archive)
        report = replay_archive(history, rerun=Reruns())
    except (ArchiveRefused, OptionsRefused) as refusal:
        raise Refused("archive_refused", str(refusal)) from None
    if (name := wrong_id(history)) is not None:
        raise Refused("archive_refused", f"{name!r} is not an id that the service gives to a table or a player")
    if not report.same:
        version = report.counterfactual_from
        raise Refused("archive_refused", f"version {version}: today's rules decide otherwise", version=version)
    if fault := next(seed_faults(history), report.fault):
        raise Refused("archive_refused", fault)
    return store_table(handler, history)


def store_table(handler: CommandHandler, history: TableHistory) -> TableHistory:
    """Stores a table that was recorded elsewhere, all of it or nothing; raises `Refused`.

    What is here already must be the same, so that a repeat restores what the store has lost. A new table is marked as
    imported first, so that no table lacks the mark.
    """
    log, table, head = handler.log, history.table, handler.log.head(history.table.id)
    if head.version and (head.version > table.version or history.events[head.version - 1].hash != head.hash):
        raise Refused("archive_refused", f"another table with the id {table.id!r} is here")
    batches = _batches_after(history, head)
    if not head.version:
        log.note_imported(table.id)
    settled = tuple(timers(history.at(head.version))) if head.version else ()
    try:
        if batches:
            log.append_all(table.id, list(chained_batches(head, batches, settled)))
    except (Conflict, RequestReused):
        raise Refused("archive_refused", f"somebody has played on at {table.id} in the meantime") from None
    return handler.history(table.id)


def _batches_after(history: TableHistory, head: Head) -> list[tuple[Recorded, ...]]:
    """Returns the batches after a head; raises `Refused` for one that could not have been recorded."""
    groups = groupby(history.events[head.version :], key=lambda event: event.envelope.batch)
    batches = [tuple(group) for _, group in groups]
    if fault := next((found for found in map(batch_fault, batches) if found), None):
        raise Refused("archive_refused", f"a batch that could not have been recorded: {fault}")
    return batches
