"""The moderation queue: reports, and disputes without an arbiter."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from events.lifecycle import TEXTS
from events.log import LogUnreadable
from projections import lobby_queries
from projections.disputes import Dispute
from projections.history import TableHistory
from projections.store import ProjectionStore
from projections.table import Table
from service.accounts.callers import Caller
from service.accounts.shown_names import Presenter
from service.command_handler import CommandHandler
from service.errors import Refused, refuse_first
from service.moderation.reports import PREFIX, Report, Reports
from service.tables.authorisation import authorise
from service.tables.table_documents import SAT, texts_of
from service.tables.time_travel import event_at

REPORT, DISPUTE = "report", "dispute"
FIELDS = ("by", "at", "reason", "player", "table", "version")
Row = dict[str, Any]
Settled = Mapping[str, int]  # the action that settled an item, by item


class Queue(NamedTuple):
    """The queue of a service. `rows` is its lobby, which may lag behind the log by a second."""

    moderation: Reports
    handler: CommandHandler
    rows: ProjectionStore
    presenter: Presenter

    def reports(self, after: int = 0, *, everything: bool = False) -> Iterator[tuple[int, Row]]:
        """Yields the open reports after a number, or all of them. A report about an erased player is closed."""
        settled = self._settled
        for number, report in self.moderation.after(after):
            if everything or not (report.id in settled or self.handler.texts.count_erased([report.player])):
                yield number, self._reported(report, settled)

    def disputes(self) -> Iterator[Row]:
        """Yields the open disputes without an arbiter that no operator has settled."""
        settled = self._settled
        for history in self.handler.intact(lobby_queries.disputed(self.rows)):
            if _lacks_arbiter(history.table):
                waiting = [one for one in history.table.disputes if one.outcome is None]
                rows = (self._disputed(history.table, one, settled) for one in waiting)
                yield from (row for row in rows if row["settled_by"] is None)

    def found(self, item: str) -> Row:
        """Returns an item, settled or not; raises `Refused` if there is none."""
        return self._found(item, self._settled)

    def named(self, items: Iterable[str]) -> tuple[str, ...]:
        """Returns the full ids of items; raises `Refused` for one that does not exist."""
        settled = self._settled
        return tuple(dict.fromkeys(str(self._found(item, settled)["id"]) for item in items))

    @property
    def _settled(self) -> Settled:
        return self.moderation.actions.current().settled

    def _found(self, item: str, settled: Settled) -> Row:
        if item.startswith(PREFIX):
            return self._reported(self.moderation.get(item), settled)
        name, _, dispute = item.partition("/")
        table = self.handler.history(name).table
        contested = next((one for one in table.disputes if one.is_named(dispute)), None)
        if contested is None or not _lacks_arbiter(table):
            raise Refused("no_such_dispute", f"no dispute {dispute!r} of {name} waits for an operator")
        return self._disputed(table, contested, settled)

    def _reported(self, report: Report, settled: Settled) -> Row:
        return report_row(self.moderation, report, settled) | {"kind": REPORT, "quoted": self._quoted(report)}

    def _quoted(self, report: Report) -> str | None:
        """Returns the text that a report is about, as people see it now."""
        if report.table is None or report.version is None:
            return None
        try:
            event = self.handler.history(report.table).events[report.version - 1]
        except LogUnreadable:
            return None
        told = texts_of(report.table, event.envelope.type, event.envelope.payload, self.presenter)
        return next(iter(told.values()), None)

    def _disputed(self, table: Table, dispute: Dispute, settled: Settled) -> Row:
        item, by = f"{table.id}/{dispute.name}", table.seats[dispute.seat - 1].player
        about = dict.fromkeys(FIELDS) | {"by": by, "at": dispute.at, "table": table.id, "version": dispute.version}
        claim = self.presenter.text(table.id, "DisputeOpened", dispute.claim)
        told = {"id": item, "kind": DISPUTE, "text": claim, "quoted": None}
        return about | told | {"settled_by": settled.get(item)}


def report_row(reports: Reports, report: Report, settled: Settled) -> Row:
    """Returns a report as its author sees it."""
    fields = {name: getattr(report, name) for name in FIELDS}
    return fields | {"id": report.id, "text": reports.text(report), "settled_by": settled.get(report.id)}


def _lacks_arbiter(table: Table) -> bool:
    return table.opened.disputes is not None and table.opened.arbiter is None


class Subject(NamedTuple):
    """A player, a table, or an event that holds a player's name or text."""

    player: str | None = None
    table: str | None = None
    version: int | None = None


def subject_of(handler: CommandHandler, caller: Caller, named: Subject) -> Subject:
    """Returns the subject of a report with the author of its text; raises `Refused` if the caller may not see it."""
    refuse_first(
        "contradictory",
        (named.player is None and named.table is None, "name a player or a table"),
        (named.version is not None and named.table is None, "a version needs a table: name it"),
        (named.version is not None and named.player is not None, "a version already names the player who wrote"),
    )
    if named.table is None:
        return named
    history = authorise(handler, named.table, caller)
    if named.version is not None:
        return named._replace(player=_writer(history, named.version))
    seated = {event.writer for event in history.events if event.envelope.type == SAT}
    opened = history.table.opened
    if named.player not in (None, opened.opened_by, opened.arbiter, *seated):
        raise Refused("no_such_player", f"{named.player!r} has not been at that table")
    return named


def _writer(history: TableHistory, version: int) -> str:
    """Returns the author of an event's text; raises `Refused` if it has none."""
    event = event_at(history, version)
    field = "player" if event.envelope.type == SAT else TEXTS.get(event.envelope.type)
    if not field or not event.envelope.payload[field] or event.writer is None:
        raise Refused("no_such_version", f"event {version} holds no text of a player")
    return event.writer
