"""Compares two branches of one game: where they part, and how each went on."""

from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from events.recorded import Recorded, as_read
from projections.history import History, effective_events
from projections.lobby import forked_from
from projections.table import Table
from service.accounts.callers import Caller
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.event_rows import event_row
from service.tables.lobby_rows import origin_shown
from service.tables.viewing import Viewer, may_see, viewer_of
from service.transcripts import is_transcript

MOST_FORKS = 100  # of forks, that one question follows back


class Told(NamedTuple):
    """An event of the game on a line of ancestors, as the caller may read it there."""

    table: str
    event: Recorded
    viewer: Viewer

    def new_event(self) -> tuple[str, dict[str, Any]]:
        """What happened, wherever it was recorded."""
        row = as_read(self.event, self.viewer.seat, over=self.viewer.over)
        return row["type"], row["payload"]


def comparison(handler: CommandHandler, one: History, other: History, caller: Caller, language: str) -> dict[str, Any]:
    """Where two tables of one game part and what came of each; raises `Refused` if neither stems from the other's line.

    The first difference is the first event after the common version that the caller reads differently in the two.
    """
    lines = [lineage(handler, history, caller) for history in (one, other)]
    common = _common(lines[0], lines[1])
    if common is None:
        raise Refused("unrelated-tables", "neither is a branch of the other, nor are both of one that you may see")
    table, version = common
    told = [_since(line, table, version, caller) for line in lines]
    pairs = enumerate(zip_longest(*told), 1)
    differs = ((number, pair) for number, pair in pairs if not _same(*pair))
    number, pair = next(differs, (None, (None, None)))
    return {
        "common": {"table": table, "version": version},
        "branches": [_branch(history.table, len(events)) for history, events in zip((one, other), told, strict=True)],
        "first_difference": None
        if number is None
        else {"number": number, "events": [_row(event, one.table, language) for event in pair]},
    }


def lineage(handler: CommandHandler, history: History, caller: Caller) -> list[tuple[History, int]]:
    """The table and its ancestors, the oldest first, each with the version up to which it counts."""
    line = [(history, history.table.version)]
    while (fork := line[0][0].table.fork) and len(line) < MOST_FORKS:
        parent = _parent(handler, fork.parent, caller)
        if parent is None or not may_see(parent.table, caller):
            break
        line.insert(0, (parent, fork.parent_version))
    return line


def _parent(handler: CommandHandler, table: str, caller: Caller) -> History | None:
    if not is_transcript(table):
        return handler.histories.fresh(table)
    try:
        return handler.transcripts.history(table, caller)
    except Refused:  # it is deleted, or for somebody else
        return None


def _common(one: list[tuple[History, int]], other: list[tuple[History, int]]) -> tuple[str, int] | None:
    """The last table and version that both lines have."""
    found = None
    for (history, until), (with_history, with_until) in zip(one, other, strict=False):
        if history.table.id != with_history.table.id:
            break
        found = history.table.id, min(until, with_until)
    return found


def _since(line: list[tuple[History, int]], table: str, version: int, caller: Caller) -> list[Told]:
    """The game's events on a line after a version of one of its tables."""
    names = [history.table.id for history, _ in line]
    told: list[Told] = []
    for history, until in line[names.index(table) :]:
        kinds, viewer = history.table.game.kinds, viewer_of(history.table, caller)
        after = version if history.table.id == table else 0
        effective = effective_events(history.events[:until])
        own = (event for event in effective if event.version > after and event.envelope.type in kinds)
        told += [Told(history.table.id, event, viewer) for event in own]
    return told


def _same(one: Told | None, other: Told | None) -> bool:
    """Whether both say the same."""
    return one is not None and other is not None and one.new_event() == other.new_event()


def _row(told: Told | None, table: Table, language: str) -> dict[str, Any] | None:
    return None if told is None else event_row(told.event, table, told.viewer, language)


def _branch(table: Table, events: int) -> dict[str, Any]:
    """How a branch went on; `events` are the game's since the branches parted."""
    return {
        "table": table.id,
        "game": table.opened.game,
        "forked_from": origin_shown(forked_from(table)),
        "version": table.version,
        "status": table.status,
        "options": dict(table.options),
        "events": events,
        "scores": None if table.state is None else msgspec.to_builtins(table.game.scores(table.state)),
    }
