"""Archive files over HTTP: a table is exported part by part, and one that was recorded elsewhere is taken in."""

from collections.abc import Iterable
from typing import NamedTuple

from games.kernel import OptionsRefused
from projections.history import TableHistory
from rulings.archive_file import ArchiveRefused, event_lines, header_line, read_history, replay_archive
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.audit import seed_faults
from service.tables.opening import wrong_id
from service.tables.rerun import Reruns
from service.tables.viewing import Viewer, check_version

MOST_EVENTS = 2000  # in one part of an archive


class ArchivePart(NamedTuple):
    """The part of an archive after a version, and where the archive ends."""

    after: int
    until: int


def archive_part(
    history: TableHistory, viewer: Viewer, after: int, until: int | None
) -> tuple[bytes, ArchivePart | None]:
    """A part of the archive as the viewer may read it, and the next part, if any; raises `Refused`.

    The archive ends with the batch of the version `until`: a batch is recorded whole.
    """
    until = history.table.version if until is None else until
    check_version(history, until)
    until = history.events[until - 1].envelope.batch[1]
    if after >= until:
        raise Refused("no_such_version", f"behind version {after} the archive up to {until} has nothing")
    following = min(after + MOST_EVENTS, until)
    part = b"".join(event_lines(history.events[after:following], viewer.seat, over=viewer.over))
    first = header_line(history, until) if after == 0 else b""
    return first + part, ArchivePart(following, until) if following < until else None


def import_archive(handler: CommandHandler, archive: Iterable[bytes]) -> TableHistory:
    """Keeps the table of a complete archive here, under its own name; raises `Refused`, and nothing was kept.

    Everything is checked first: the chain, the seals, that today's rules decide every recorded move as recorded, and
    that every batch would be recorded so. All of it is kept at once.
    """
    try:
        history = read_history(archive)
        report = replay_archive(history, rerun=Reruns())
    except (ArchiveRefused, OptionsRefused) as refusal:
        raise Refused("archive_refused", str(refusal)) from None
    if (name := wrong_id(history)) is not None:
        raise Refused("archive_refused", f"{name!r} is no name that the service gives to a table or a player")
    if not report.same:
        version = report.counterfactual_from
        raise Refused("archive_refused", f"version {version}: today's rules decide otherwise", version=version)
    if fault := next(seed_faults(history), report.fault):
        raise Refused("archive_refused", fault)
    return handler.import_archive(history)
