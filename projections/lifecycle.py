"""What each of a table's own events does to it: one small function an event, and their list."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from events.lifecycle import (
    ArbiterLooked,
    ClockExpired,
    DeadlineExtended,
    DisputeCommented,
    DisputeOpened,
    DisputeResolved,
    DisputeVoted,
    PlayContinued,
    PlayTakenBack,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    TableClosed,
    TakebackAnswered,
    TakebackAsked,
)
from events.times import millis, stamp
from projections import clocks, disputes
from projections.clocks import Clocks, SeatClock
from projections.table import Seat, Table


def deadline_of(table: Table, seat: int, clock: SeatClock, counted_from: str) -> str | None:
    """The deadline of a decision whose clock runs from then on; an AI player and a table without a clock have none."""
    rules = table.opened.clock
    if rules is None or table.transcribed or not table.seats[seat - 1].is_clocked:
        return None
    return stamp(millis(counted_from) + (rules.whole_s * 1000 if clock.bank_ms is None else clock.bank_ms))


def _with_seat(table: Table, seat: int, **changes: Any) -> Table:
    return replace(table, seats=tuple(replace(s, **changes) if s.seat == seat else s for s in table.seats))


def _taken(table: Table, event: SeatTaken) -> Table:
    changes = {name: getattr(event, name) for name in ("player", "bot", "ai", "contribution")}
    return _with_seat(table, event.seat, **changes)


def _left(table: Table, event: SeatLeft) -> Table:
    return replace(table, seats=tuple(Seat(s.seat) if s.seat == event.seat else s for s in table.seats))


def _continued(table: Table, _: PlayContinued) -> Table:
    state = (table.fork.state if table.fork else None) or {}
    return replace(table, state=msgspec.convert(state, table.game.state_type))


def _with_decision(table: Table, seat: int, **changes: Any) -> Table:
    decisions = tuple(replace(d, **changes) if d.seat == seat else d for d in table.decisions)
    return replace(table, decisions=decisions)


def _expired(table: Table, event: ClockExpired) -> Table:
    return _with_decision(table, event.seat, expired=True)


def _extended(table: Table, event: DeadlineExtended) -> Table:
    clock = clocks.granted(table.clocks[event.seat - 1], table.counted_ms, millis(event.deadline))
    table = replace(table, clocks=clocks.changed(table.clocks, {event.seat: clock}))
    return _with_decision(table, event.seat, deadline=event.deadline, expired=False)


def _handed_over(table: Table, event: SeatHandedOver) -> Table:
    table = _stand_still(table, (event.seat,), clocks.closed)
    table = _with_decision(table, event.seat, deadline=None, expired=False)
    left_by = event.player or table.seats[event.seat - 1].left_by
    return _with_seat(table, event.seat, player=None, bot=False, ai=event.ai, left_by=left_by)


def _disputed(table: Table, event: DisputeOpened) -> Table:
    """Clocks stand still from here on if play is paused."""
    table = replace(table, disputes=disputes.opened(table.disputes, event, table.at, table.head.mark))
    return _stand_still(table, _clocked(table), clocks.stopped) if table.paused else table


def _commented(table: Table, event: DisputeCommented) -> Table:
    return replace(table, disputes=disputes.commented(table.disputes, event, table.at))


def _looked(table: Table, event: ArbiterLooked) -> Table:
    return replace(table, disputes=disputes.looked(table.disputes, event, table.at))


def _voted(table: Table, event: DisputeVoted) -> Table:
    return replace(table, disputes=disputes.voted(table.disputes, event))


def _resolved(table: Table, event: DisputeResolved) -> Table:
    """Clocks that stood still while play was paused run again: a bank goes on, and a decision has its whole time.

    One that had run out gets no more of it.
    """
    paused = table.paused
    table = replace(table, disputes=disputes.resolved(table.disputes, event, table.version))
    if not paused or table.paused:
        return table
    again = tuple(d if d.expired else replace(d, deadline=_anew(table, d.seat)) for d in table.decisions)
    return replace(table, decisions=again, clocks=_run(table, _clocked(table)))


def _anew(table: Table, seat: int) -> str | None:
    return deadline_of(table, seat, table.clocks[seat - 1], table.counted_from)


def _taken_back(table: Table, event: PlayTakenBack) -> Table:
    """Play is as it was at an earlier version; every decision opens again, under a new id.

    Time used stays used; the increments of what was undone are gone.
    """
    table = _stand_still(table, _clocked(table), clocks.closed)
    increment_ms = table.increment_ms
    earned = tuple(
        clocks.undone(clock, event.to, (table.version,) * event.again.count(seat), increment_ms)
        for seat, clock in enumerate(table.clocks, 1)
    )
    state = msgspec.convert(event.state or {}, table.game.state_type)
    options = table.options | event.options
    alone = sum(seat.player is not None for seat in table.seats) == 1
    retried = table.retried or (alone and event.reason == "takeback")
    noted = {of: one for of, one in table.noted.items() if one.version <= event.to}
    table = replace(table, state=state, options=options, draws=event.draws, clocks=earned, noted=noted)
    return replace(table, decisions=(), takeback=None, retried=retried, undone=table.undone + 1)


def _takeback_asked(table: Table, event: TakebackAsked) -> Table:
    return replace(table, takeback=disputes.asked(event, table.head.mark))


def _takeback_answered(table: Table, event: TakebackAnswered) -> Table:
    return replace(table, takeback=disputes.answered(table.takeback, event))


def _revealed(table: Table, _: SeedRevealed) -> Table:
    return table


def _closed(table: Table, event: TableClosed) -> Table:
    return replace(table, closed=event.reason)


AFTER: dict[str, Callable[[Table, Any], Table]] = {
    "SeatTaken": _taken,
    "SeatLeft": _left,
    "PlayContinued": _continued,
    "ClockExpired": _expired,
    "DeadlineExtended": _extended,
    "SeatHandedOver": _handed_over,
    "DisputeOpened": _disputed,
    "DisputeCommented": _commented,
    "ArbiterLooked": _looked,
    "DisputeVoted": _voted,
    "DisputeResolved": _resolved,
    "PlayTakenBack": _taken_back,
    "TakebackAsked": _takeback_asked,
    "TakebackAnswered": _takeback_answered,
    "SeedRevealed": _revealed,
    "TableClosed": _closed,
}


def _clocked(table: Table) -> list[int]:
    """The seats that have to decide, and whose time counts."""
    return [decision.seat for decision in table.decisions if table.seats[decision.seat - 1].is_clocked]


def _stand_still(table: Table, seats: Iterable[int], how: Callable[[SeatClock, int], SeatClock]) -> Table:
    now_ms = table.counted_ms
    news = {seat: how(table.clocks[seat - 1], now_ms) for seat in seats}
    return replace(table, clocks=clocks.changed(table.clocks, news))


def _run(table: Table, seats: Iterable[int]) -> Clocks:
    """The clocks with those of the seats running from now on, unless play is paused."""
    if table.paused:
        return table.clocks
    now_ms = table.counted_ms
    return clocks.changed(table.clocks, {seat: clocks.started(table.clocks[seat - 1], now_ms) for seat in seats})
