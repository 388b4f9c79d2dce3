"""Timers of a table: turns of AI seats, deadlines of people and disputes, abandoned games, and webhooks.

The log stores each as a name and a time. The append that makes something due writes its timer, the append that settles
it removes the timer.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from events.lifecycle import DAY_S
from events.log import Log, Timer
from events.times import millis
from projections.table import OpenDecision, Table

Kind = Literal["ai", "alone", "hook", "clock", "dispute", "idle"]
DEADLINES = ("clock", "dispute", "idle")
DAY_MS = DAY_S * 1000
TURNS = ("ai", "alone")  # of AI seats: with people at the table, who wait for them, or without
SEPARATOR = "|"  # of the fields in a name


def all_timers(log: Log) -> Iterator[Timer]:
    """Yields the timers of all partitions, due now or later."""
    return (entry for partition in range(log.partitions) for entry in log.timers(partition))


class TimerName(NamedTuple):
    """The name of a timer. `what` is the version that opened the decision of `seat`, or the id of a dispute.

    `last` distinguishes timers of one decision: the time (Unix time in ms) of one of `DEADLINES`; for other kinds the
    number of settled disputes, as a turn that a dispute held up becomes due again.
    """

    table: str
    kind: Kind
    seat: int
    what: str
    last: int

    @classmethod
    def read(cls, member: str) -> "TimerName":
        """Parses a name from the log; raises `ValueError`."""
        table, kind, seat, what, last = member.split(SEPARATOR)
        return cls(table, kind, int(seat), what, int(last))  # type: ignore[arg-type]

    @property
    def member(self) -> str:
        """The name in the log."""
        return SEPARATOR.join(map(str, self))

    @property
    def decision(self) -> str:
        """The recorded id of the decision."""
        return f"{self.what}-{self.seat}"

    @property
    def ends_ms(self) -> int:
        """The deadline; 0 for timers that are due at once."""
        return self.last if self.kind in DEADLINES else 0


def timers(table: Table) -> dict[str, Timer]:
    """Returns the timers of a table by their names, computed once. A paused table has only those of its disputes.

    The turn of a bot is due as a webhook if the bot listens.
    """
    known: dict[str, Timer] | None = vars(table).get("timers")
    if known is None:
        found = [Timer(entry.member, entry.ends_ms) for entry in _disputes(table)] if table.disputes else []
        if not table.paused:
            found += [entry for decision in table.decisions for entry in _of_decision(table, decision)]
        if not [entry for entry in found if not entry.listener] and (ends := _idle_until(table)):  # none moves it on
            found.append(Timer(f"{table.id}|idle|0|0|{ends}", ends))
        known = vars(table)["timers"] = {entry.member: entry for entry in found}
    return known


def abandoned_ms(table: Table) -> int | None:
    """Returns when a table will be abandoned (Unix time), if nothing happens; None if an AI or a clock moves it on."""
    names = map(TimerName.read, timers(table))
    return next((name.last for name in names if name.kind == "idle"), None)


def _idle_until(table: Table) -> int | None:
    """Whole days: most moves leave the timer as it is."""
    days = table.opened.idle_days
    if not days or table.over or table.closed:
        return None
    return -(-millis(table.active_at) // DAY_MS) * DAY_MS + days * DAY_MS


def _settled(table: Table) -> int:
    return sum(dispute.outcome is not None for dispute in table.disputes)


def _disputes(table: Table) -> list[TimerName]:
    opened = [dispute for dispute in table.disputes if dispute.outcome is None]
    return [TimerName(table.id, "dispute", one.seat, one.dispute, millis(one.deadline)) for one in opened]


def _of_decision(table: Table, decision: OpenDecision) -> Iterator[Timer]:
    seat, what = table.seats[decision.seat - 1], (decision.seat, str(decision.opened))
    if seat.ai is not None:
        kind: Kind = "ai" if any(seat.ai is None for seat in table.seats) else "alone"
        yield Timer(TimerName(table.id, kind, *what, _settled(table)).member, millis(decision.since))
        return
    if decision.deadline is not None and not decision.expired:
        ends = millis(decision.deadline)
        yield Timer(TimerName(table.id, "clock", *what, ends).member, ends)
    if seat.bot and seat.player:
        yield Timer(TimerName(table.id, "hook", *what, _settled(table)).member, millis(decision.since), seat.player)
