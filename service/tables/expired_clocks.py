"""Clocks: when a person's time is over, the other seats wait or hand the seat to an AI player."""

import msgspec

from events.envelopes import NewEvent
from events.times import millis, stamp
from projections.history import TableHistory
from projections.table import OpenDecision, Table
from service.accounts.callers import Player
from service.command_handler import CommandContext, Decision, Outcome, TableHandler, by_clock, command
from service.errors import Refused
from service.levels import kind_of
from service.tables.authorisation import check_seat


def expire(handler: TableHandler, table: str, seat: int, decision: str) -> Outcome | None:
    """Records that the time for a decision is over; returns None if it is not, or no longer matters."""

    def decide(history: TableHistory, now_ms: int) -> tuple[NewEvent, ...]:
        table = history.table
        opened = table.decision_of(seat)
        waits = opened is not None and opened.recorded_id == decision and not opened.expired and not table.paused
        if opened is None or not waits or opened.deadline is None or millis(opened.deadline) > now_ms:
            raise Refused("decision_closed", f"the time for decision {decision!r} is not over")
        payload = {"seat": seat, "decision": decision, "deadline": opened.deadline}
        return (NewEvent("ClockExpired", payload, {}),)

    return by_clock(handler, table, f"clock|{decision}", decide, "decision_closed")


@command
def wait(
    handler: TableHandler, history: TableHistory, sent: CommandContext, seat: int, seconds: int | None
) -> Decision:
    """Grants a seat more time: by default that of a new decision, or a whole bank."""
    table = history.table
    opened = _expired_decision(table, seat, sent.player)
    granted = seconds or (table.opened.clock.whole_s if table.opened.clock else 0)
    now_ms, by_seat = handler.now_ms(), table.seat_of(sent.player.id)
    deadline = stamp(now_ms + granted * 1000)
    payload = {"seat": seat, "decision": opened.recorded_id, "deadline": deadline, "by_seat": by_seat}
    return Decision((NewEvent("DeadlineExtended", payload, {}),), sent.by, now_ms=now_ms)


@command
def hand_over(_: TableHandler, history: TableHistory, sent: CommandContext, seat: int, level: str) -> Decision:
    """Hands a seat whose time is over to an AI player."""
    table = history.table
    _expired_decision(table, seat, sent.player)
    ai, by_seat = msgspec.to_builtins(kind_of(level)), table.seat_of(sent.player.id)
    payload = {"seat": seat, "player": table.seats[seat - 1].player, "ai": ai, "by_seat": by_seat}
    return Decision((NewEvent("SeatHandedOver", payload, {}),), sent.by)


def _expired_decision(table: Table, seat: int, player: Player) -> OpenDecision:
    """Returns the seat's decision whose time is over; raises `Refused` if the player may not settle it."""
    check_seat(table, seat)
    own = table.seat_of(player.id)
    if own == seat or (own is None and player.id not in (table.opened.arbiter, table.opened.opened_by)):
        raise Refused("not_allowed", "another seat, the arbiter or the opener of the table settles an expired clock")
    opened = table.decision_of(seat)
    if opened is None:
        raise Refused("decision_closed", f"seat {seat} has nothing to decide")
    if not opened.expired:
        raise Refused("decision_open", f"seat {seat} still has time for its decision", decision=opened.public_id)
    return opened
