"""Clocks: when a person's time is over, the other seats wait or hand the seat to an AI player."""

from typing import Any

import msgspec

from events.recorded import NewEvent, Recorded
from events.times import millis, stamp
from projections.history import TableHistory
from projections.table import OpenDecision, Table
from service.accounts.callers import Player
from service.commands import CommandContext, Decision, Outcome, Request, TableHandler
from service.errors import Refused
from service.levels import kind_of


def expire(handler: TableHandler, table: str, seat: int, decision: str) -> Outcome | None:
    """Records that the time for a decision is over; None if it is not, or no longer matters."""
    now_ms = handler.now_ms()

    def decide(history: TableHistory) -> Decision:
        table = history.table
        opened = table.decision_of(seat)
        waits = opened is not None and opened.recorded_id == decision and not opened.expired and not table.paused
        if opened is None or not waits or opened.deadline is None or millis(opened.deadline) > now_ms:
            raise Refused("decision_closed", f"decision {decision!r} does not wait for its clock")
        payload = {"seat": seat, "decision": decision, "deadline": opened.deadline}
        return Decision((NewEvent("ClockExpired", payload, {}),), {"kind": "clock"}, now_ms=now_ms)

    try:
        return handler.change(table, decide, Request(f"clock|{decision}|{now_ms}"))
    except Refused as refusal:
        if refusal.code == "decision_closed":
            return None
        raise


def wait(handler: TableHandler, table: str, seat: int, sent: CommandContext, seconds: int | None) -> Outcome:
    """Another seat grants more time, by default as much as a new decision has, or a bank when the game begins."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        opened = _expired_decision(table, seat, sent.player)
        granted = seconds or (table.opened.clock.whole_s if table.opened.clock else 0)
        now_ms, by_seat = handler.now_ms(), table.seat_of(sent.player.id)
        deadline = stamp(now_ms + granted * 1000)
        payload = {"seat": seat, "decision": opened.recorded_id, "deadline": deadline, "by_seat": by_seat}
        return Decision((NewEvent("DeadlineExtended", payload, {}),), sent.by, now_ms=now_ms)

    return handler.change(table, decide, sent.request)


def hand_over(handler: TableHandler, table: str, seat: int, sent: CommandContext, level: str) -> Outcome:
    """Another seat hands the seat to an AI player, which plays on from here."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        _expired_decision(table, seat, sent.player)
        return Decision((handed_over(table, seat, level, table.seat_of(sent.player.id)),), sent.by)

    return handler.change(table, decide, sent.request)


def handed_over(table: Table, seat: int, level: str, by_seat: int | None) -> NewEvent:
    """An AI player plays on for whoever holds a seat."""
    payload = {
        "seat": seat,
        "player": table.seats[seat - 1].player,
        "ai": msgspec.to_builtins(kind_of(level)),
        "by_seat": by_seat,
    }
    return NewEvent("SeatHandedOver", payload, {})


def _expired_decision(table: Table, seat: int, player: Player) -> OpenDecision:
    """The seat's decision whose time is over; raises `Refused` if there is none, or if the player may not settle it."""
    if not 1 <= seat <= table.opened.players:
        raise Refused("no_such_seat", f"the table has the seats 1 to {table.opened.players}")
    own = table.seat_of(player.id)
    if own == seat or (own is None and player.id not in (table.opened.arbiter, table.opened.opened_by)):
        raise Refused("not_allowed", "another seat, the arbiter or who opened the table settles an expired clock")
    opened = table.decision_of(seat)
    if opened is None:
        raise Refused("decision_closed", f"seat {seat} has nothing to decide")
    if not opened.expired:
        raise Refused("decision_open", f"seat {seat} still has time for its decision", decision=opened.public_id)
    return opened


def decision_row(decision: OpenDecision) -> dict[str, Any]:
    """An open decision as everybody may see it."""
    return {
        "id": decision.public_id,
        "seat": decision.seat,
        "since": decision.since,
        "deadline": decision.deadline,
        "expired": decision.expired,
    }


def seat_clock(table: Table, number: int) -> dict[str, Any] | None:
    """The time of a person: all of it follows from times and seats that everybody may see."""
    if table.seats[number - 1].player is None or table.transcribed:
        return None
    clock, decision = table.clocks[number - 1], table.decision_of(number)
    runs = clock.since_ms is not None
    return {
        "used_ms": clock.told_ms,
        "bank_ms": clock.bank_ms,
        "running_since": stamp(clock.since_ms) if clock.since_ms is not None else None,
        "deadline": decision.deadline if decision and runs else None,
    }


def used_ms_of(event: Recorded, table: Table) -> int | None:
    """How long a person took for the decision that begins with this event; None if it is no such event."""
    first, last = event.envelope.batch
    if event.version != first or event.envelope.table != table.id or table.transcribed:
        return None
    answer = table.answer_at(last)
    return answer.used_ms if answer else None
