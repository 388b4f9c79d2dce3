"""Who may see what of a table, and the table at a version as they see it, with the decisions that wait."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from games import GAMES
from projections.disputes import Dispute, Takeback
from projections.history import TableHistory
from projections.lobby import forked_from
from projections.table import Table
from rulings.notation.transcript import UNPROVEN
from service.accounts.callers import Caller
from service.accounts.names import NOBODYS, PLAIN, SOMEBODY, Names, Presenter
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.clocks import decision_row, seat_clock
from service.transcripts import is_transcript

BESIDE = ("options", "scores")  # of a view: a table holds them once, for every seat alike
ALL = -1  # in place of a seat: everything lies open


class Viewer(NamedTuple):
    """Who looks at a table: a seat or a spectator (None); `over` if nothing is secret any more.

    An arbiter looks through a seat up to version `until`; the seat's own player has no such bound.
    """

    seat: int | None
    over: bool
    until: int | None = None
    everything: bool = False

    def check(self, version: int) -> None:
        """Raises `Refused` for a version after the last one that this viewer may see."""
        if self.until is not None and version > self.until:
            told = (
                f"the arbiter sees what seat {self.seat} sees up to version {self.until}: ask `at` that one or earlier"
            )
            raise Refused("not_your_seat", told, version=self.until)


def may_see(table: Table, caller: Caller) -> bool:
    """Whether the table exists for the caller: a private one exists only for those whom it names."""
    if table.opened.visibility == "public" or "admin" in caller.scopes:
        return True
    named = {table.opened.opened_by, table.opened.arbiter, *(offer.player for offer in table.opened.seats)}
    return caller.id is not None and caller.id in named


def authorise_table(handler: CommandHandler, table: str, caller: Caller) -> TableHistory:
    """The history of a table that the caller may see; raises `Refused`."""
    history = handler.history(table)
    if not may_see(history.table, caller):
        raise Refused("no_such_table", f"there is no table {table!r}")
    return history


def authorise(handler: CommandHandler, table: str, caller: Caller) -> TableHistory:
    """The history of a table or of a transcript that the caller may see; raises `Refused`."""
    if is_transcript(table):
        return handler.transcripts.history(table, caller)
    return authorise_table(handler, table, caller)


def authorise_whole(handler: CommandHandler, table: str, caller: Caller, refusal: str) -> TableHistory:
    """A table or a transcript that the caller may see, with all that its seats were told; raises `Refused`.

    That has the code `refusal` where a text begins with a state, and so does not tell that.
    """
    if is_transcript(table):
        return handler.transcripts.whole(table, caller, refusal)
    return authorise_table(handler, table, caller)


def viewer_of(table: Table, caller: Caller, seat: int | None = None) -> Viewer:
    """The caller as viewer, or `seat` if the caller may look through it: after an arbiter's look, or after the game.

    A token without the scope `watch` sees what spectators see, of a private table too.
    """
    own = table.seat_of(caller.id)
    if seat is None:
        return Viewer(own if caller.has("watch") else None, table.laid_open)
    if seat == own:
        if not table.laid_open:
            caller.needs("watch")
        return Viewer(own, table.laid_open)
    if seat == ALL:
        return _everything_open(table)
    if not 1 <= seat <= table.opened.players:
        raise Refused("no_such_seat", f"the table has the seats 1 to {table.opened.players}")
    if table.laid_open:
        return Viewer(seat, over=True)
    until = reach(table, caller, seat)
    if until is None:
        raise Refused("not_your_seat", _closed_to(table, caller, seat))
    caller.needs("watch")  # `arbitrate` posts the look, and decides
    return Viewer(seat, over=False, until=until)


def _everything_open(table: Table) -> Viewer:
    if not table.laid_open:
        raise Refused("not_your_seat", "what all seats see together is open when the game is over")
    return Viewer(None, over=True, everything=True)


def _closed_to(table: Table, caller: Caller, seat: int) -> str:
    if arbitrates(table, caller):
        return f"what seat {seat} sees is open to the arbiter in a dispute: post a look, while the dispute is open"
    return f"what seat {seat} sees is open to others when the game is over"


def reach(table: Table, caller: Caller, seat: int) -> int | None:
    """The version up to which the caller looks through a seat as arbiter of an open dispute; None without a look."""
    if not arbitrates(table, caller):
        return None
    looks = (look for dispute in table.disputes if dispute.outcome is None for look in dispute.looks)
    return max((look.until for look in looks if look.seat == seat and look.player == caller.id), default=None)


def arbitrates(table: Table, caller: Caller) -> bool:
    """Whether the caller is the table's arbiter, with a token that has the scope."""
    return caller.id is not None and caller.id == table.opened.arbiter and "arbitrate" in caller.scopes


def table_at(history: TableHistory, version: int | None, time: str | None) -> Table:
    """The table at a version or at a time (as `events.times.stamp` writes it), by default now."""
    if time is not None:
        version = history.version_at(time)
        if version == 0:
            raise Refused("no_such_version", f"the table was opened at {history.events[0].envelope.at}")
    if version is None:
        return history.table
    check_version(history, version)
    return history.at(version)


def settled(history: TableHistory, version: int) -> Table:
    """The table where seats decide: at the version, or before the move that led to its event."""
    check_version(history, version)
    return history.settled(version)


def check_version(history: TableHistory, version: int) -> None:
    """Raises `Refused` if the table has no such version."""
    if not 1 <= version <= history.table.version:
        raise Refused("no_such_version", f"the table has the versions 1 to {history.table.version}")


def present_table(table: Table, viewer: Viewer, names: Names = NOBODYS) -> dict[str, Any]:
    """The table as JSON values: who sits where, which decisions are open, and the game as the viewer sees it."""
    opened, counted = table.opened, table.in_standings
    return {
        "table": table.id,
        "game": opened.game,
        "rules_version": opened.rules_version,
        "status": table.status,
        "visibility": opened.visibility,
        "forked_from": present_origin(forked_from(table)),
        "version": table.version,
        "at": table.at,
        "hash": table.head.hash.hex(),
        "options": dict(table.options),
        "opened_by": opened.opened_by,
        "arbiter": opened.arbiter,
        "clock": msgspec.to_builtins(opened.clock),
        "disputes": opened.disputes,
        "paused": table.paused,
        "seats": [_seat(table, number, names) for number in range(1, opened.players + 1)],
        "decisions": [decision_row(decision) for decision in table.decisions],
        "seat": viewer.seat,
        "view": view_of(table, viewer),
        "scores": None if table.state is None else table.game.scores(table.state),
        "counted": counted,
        "rated": counted and opened.rated,
        "aids": opened.aids,
        "ratings": opened.ratings,
        "lesson": opened.lesson,
        "transcribed": table.transcribed,
    }


def view_of(table: Table, viewer: Viewer) -> Any:
    """The game as the viewer sees it, without what the table says beside it; None before it begins."""
    if table.state is None:
        return None
    view = table.game.open_view(table.state) if viewer.everything else table.game.view(table.state, viewer.seat)
    return replace(view, **_said_beside(table.opened.game))


@cache
def _said_beside(game: str) -> dict[str, UnsetType]:
    """The parts of a game's view that the table holds itself: the house rules and the scores."""
    return {name: UNSET for name in BESIDE if name in GAMES[game].view_type.__struct_fields__}


def _seat(table: Table, number: int, names: Names) -> dict[str, Any]:
    seat, offer = table.seats[number - 1], table.opened.seats[number - 1]
    name = table.called[number - 1] if table.called else seat.player and names.get(seat.player, SOMEBODY)
    return {
        "seat": number,
        "offer": offer.kind,
        "kept_for": offer.player,
        "player": seat.player,
        "name": name,
        "bot": seat.bot,
        "ai": seat.ai,
        "clock": seat_clock(table, number),
    }


def waiting(table: Table, player: str) -> list[dict[str, Any]]:
    """The decisions that wait for a player at a table, as the inbox lists them."""
    row = {"table": table.id, "game": table.opened.game, "version": table.version}
    seat = table.seat_of(player)
    return [row | decision_row(decision) for decision in table.decisions if decision.seat == seat]


def open_decisions(table: Table, seat: int | None) -> list[dict[str, Any]]:
    """What the seat has to decide now, with its legal moves."""
    if table.state is None or seat is None:
        return []
    return [
        decision_row(decision) | {"moves": table.game.legal_moves(table.state, decision.seat)}
        for decision in table.decisions
        if decision.seat == seat
    ]


def present_disputes(table: Table, presenter: Presenter = PLAIN) -> list[dict[str, Any]]:
    """The disputes of the table, to be encoded, with what people wrote."""
    return [_dispute(table, dispute, presenter) for dispute in table.disputes]


def present_takeback(takeback: Takeback | None) -> dict[str, Any] | None:
    """A takeback that waits for consent."""
    return None if takeback is None else _fields(takeback)


def _dispute(table: Table, dispute: Dispute, presenter: Presenter) -> dict[str, Any]:
    comments = [
        msgspec.structs.asdict(comment) | {"text": presenter.text(table.id, "DisputeCommented", comment.text)}
        for comment in dispute.comments
    ]
    return _fields(dispute) | {
        "claim": presenter.text(table.id, "DisputeOpened", dispute.claim),
        "text": presenter.text(table.id, "DisputeResolved", dispute.text),
        "comments": comments,
    }


def _fields(one: Dispute | Takeback) -> dict[str, Any]:
    """The fields of a dispute or takeback under its public id, which replaces the recorded name and the mark."""
    fields = msgspec.structs.asdict(one)
    return {"id": one.name} | {name: fields[name] for name in fields if name not in ("dispute", "takeback", "mark")}


def present_origin(origin: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Where a branch comes from, and whether that is a text: it has no hash, since no record proves it."""
    return {**origin, "transcribed": origin["head"] == UNPROVEN.hex()} if origin else None
