"""Open decisions, and clocks, as views and events tell them to everybody alike."""

from typing import Any

from events.recorded import Recorded
from events.times import stamp
from projections.table import Decision, Table


def decision_row(decision: Decision) -> dict[str, Any]:
    """An open decision as everybody may see it."""
    return {
        "decision": decision.public_id,
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
