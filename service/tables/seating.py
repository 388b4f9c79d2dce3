"""Sitting down at a table and getting up from it before the game begins."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from events.recorded import NewEvent
from projections.history import History
from projections.table import Seat, Table
from service.accounts.callers import Player
from service.commands import CommandContext, Decided, Outcome, TableHandler
from service.errors import Refused
from service.levels import kind_of
from service.tables.opening import begin, taken
from service.tables.table_luck import seed_of


class Sitting(NamedTuple):
    """What a person brings to a seat: a contribution to the table's luck, and the arbiter that was shown."""

    contribution: str | None = None
    arbiter: str | None = None


NOTHING_BROUGHT = Sitting()


def with_anybody(_: Table) -> None:
    """Sits down with whoever is there."""


def take_seat(  # noqa: PLR0913 - who sits down where, with what and with whom
    handler: TableHandler,
    table: str,
    number: int,
    sent: CommandContext,
    sitting: Sitting = NOTHING_BROUGHT,
    *,
    check: Callable[[Table], None] = with_anybody,
) -> Outcome:
    """A person sits down; with the last seat the game begins. `check` raises `Refused` for others' tables."""
    player, contribution = sent.player, sitting.contribution

    def decide(history: History) -> Decided:
        table = history.table
        _check_free(table, number, player)
        _check_shown(table, sitting.arbiter)
        if contribution is not None and table.fork and table.fork.chance == "continued":
            raise Refused("contradictory", "the luck of this branch is its parent's: it takes no contribution")
        check(table)  # last: it may note who comes
        return _sit(table, Seat(number, player.id, player.bot, contribution=contribution), sent)

    return handler.change(table, decide, sent.request)


def seat_ai(handler: TableHandler, table: str, number: int, sent: CommandContext, level: str) -> Outcome:
    """The player who opened the table gives an open seat to an AI player."""

    def decide(history: History) -> Decided:
        table = history.table
        if sent.player.id != table.opened.opened_by:
            raise Refused("not-allowed", "only the player who opened the table gives a seat to an AI")
        _check_empty(table, number)
        return _sit(table, Seat(number, ai=kind_of(level)), sent)

    return handler.change(table, decide, sent.request)


def _sit(table: Table, seat: Seat, sent: CommandContext) -> Decided:
    seats = [*(s for s in table.seats if s.taken), seat]
    opened = msgspec.to_builtins(table.opened) | {"seed": seed_of(table)}
    begun, draws = begin(table.game, opened, seats)
    return Decided((taken(seat), *begun), sent.by, draws=draws)


def _check_free(table: Table, number: int, player: Player) -> None:
    _check_empty(table, number)
    offer = table.opened.seats[number - 1]
    if offer.kind == "player" and offer.player != player.id:
        raise Refused("seat-kept", f"seat {number} is kept for another player")
    if table.seat_of(player.id) is not None:
        raise Refused("already-seated", f"you have seat {table.seat_of(player.id)} at this table")
    if player.id == table.opened.arbiter:
        raise Refused("not-allowed", "the arbiter of a table has no seat at it")


def _check_shown(table: Table, arbiter: str | None) -> None:
    """Raises `Refused` unless the named arbiter is the table's: nobody sits down without having seen it."""
    shown = table.opened.arbiter
    if shown is None and arbiter is not None:
        raise Refused("arbiter-not-named", "this table has no arbiter: leave `arbiter` out")
    if shown != arbiter:
        told = f"{shown} is the arbiter here and may look at any hand in a dispute: if you agree, send it as `arbiter`"
        raise Refused("arbiter-not-named", told)


def _check_empty(table: Table, number: int) -> None:
    if not 1 <= number <= table.opened.players:
        raise Refused("no-such-seat", f"the table has the seats 1 to {table.opened.players}")
    if table.closed:
        raise Refused("table-finished", "everybody has left this table")
    if table.seats[number - 1].taken:
        raise Refused("seat-taken", f"seat {number} is taken")


def leave_seat(handler: TableHandler, table: str, number: int, sent: CommandContext) -> Outcome:
    """A person leaves before the game begins; when nobody is left, the table closes."""

    def decide(history: History) -> Decided:
        table = history.table
        if table.seat_of(sent.player.id) != number:
            raise Refused("not-your-seat", f"seat {number} is not yours")
        if table.state is not None:
            raise Refused("table-started", "the game has begun: a seat is given up by letting its clock run out")
        return Decided(seat_left(table, number), sent.by)

    return handler.change(table, decide, sent.request)


def seat_left(table: Table, number: int) -> tuple[NewEvent, ...]:
    """What happens when a person gives a seat up before the game begins."""
    left = NewEvent("SeatLeft", {"seat": number, "player": table.seats[number - 1].player}, {})
    if any(seat.player for seat in table.seats if seat.seat != number):
        return (left,)
    return (left, NewEvent("TableClosed", {"reason": "abandoned"}, {}))
