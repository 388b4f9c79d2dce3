"""What a report is about, as far as whoever reports may see it."""

from typing import NamedTuple

from events.lifecycle import TEXTS
from events.recorded import Recorded
from projections.history import History
from service.accounts.callers import Caller
from service.commands import CommandHandler
from service.errors import Refused, refuse_first
from service.tables.event_rows import SAT
from service.tables.viewing import seen_for


class Subject(NamedTuple):
    """A player, a table, or the event of that version that holds what the player is called or wrote."""

    player: str | None = None
    table: str | None = None
    version: int | None = None


def subject_of(handler: CommandHandler, caller: Caller, named: Subject) -> Subject:
    """What is reported, with the player who wrote it; raises `Refused` for what the caller may not see."""
    refuse_first(
        "contradictory",
        (named.player is None and named.table is None, "name a player or a table"),
        (named.version is not None and named.table is None, "a version is of a table: name it"),
        (named.version is not None and named.player is not None, "a version tells who wrote by itself"),
    )
    if named.table is None:
        return named
    history = seen_for(handler, named.table, caller)
    if named.version is not None:
        return named._replace(player=_writer(history, named.version))
    if named.player is not None and named.player not in _people(history):
        raise Refused("no-such-player", f"{named.player!r} has not been at that table")
    return named


def _writer(history: History, version: int) -> str:
    """Who wrote the text of an event; raises `Refused` if there is none."""
    if not 1 <= version <= history.table.version:
        raise Refused("no-such-version", f"the table has the versions 1 to {history.table.version}")
    event = history.events[version - 1]
    writer = event.writer if _holds_text(event) else None
    if writer is None:
        raise Refused("no-such-version", f"event {version} holds nothing that a player wrote")
    return writer


def _holds_text(event: Recorded) -> bool:
    field = "player" if event.envelope.type == SAT else TEXTS.get(event.envelope.type)
    return bool(field and event.envelope.payload[field])


def _people(history: History) -> set[str | None]:
    """Everybody who has sat at a table, has opened it, or arbitrates there."""
    sat = {event.writer for event in history.events if event.envelope.type == SAT}
    return {history.table.opened.opened_by, history.table.opened.arbiter, *sat}
