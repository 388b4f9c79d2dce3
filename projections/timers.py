"""What is due at a table, and when: turns of AI seats, deadlines of people and disputes, webhooks.

The log keeps it as the name of an entry and a time, written and removed by the append that makes it so.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from events.log import Log, Timer
from events.times import millis
from projections.table import OpenDecision, Table

Kind = Literal["ai", "alone", "hook", "clock", "dispute"]
TURNS = ("ai", "alone")  # of AI seats: with people at the table, whom they keep waiting, or without
BETWEEN = "|"  # the fields of an entry as the log names it


def all_timers(log: Log) -> Iterator[Timer]:
    """What all partitions keep as due, now or later."""
    return (entry for partition in range(log.partitions) for entry in log.timers(partition))


class TimerName(NamedTuple):
    """Something to look at. `what` is the version that opened the decision of `seat`, or the id of a dispute.

    `last` tells an entry from an earlier one of the same decision: the deadline (Unix time in ms) of a `clock` or
    `dispute`; of others the number of disputes that were settled, as a turn that a dispute held up is due anew.
    """

    table: str
    kind: Kind
    seat: int
    what: str
    last: int

    @classmethod
    def read(cls, member: str) -> "TimerName":
        """The entry with this name in the log; raises `ValueError`."""
        table, kind, seat, what, last = member.split(BETWEEN)
        return cls(table, kind, int(seat), what, int(last))  # type: ignore[arg-type]

    @property
    def member(self) -> str:
        """Its name in the log."""
        return BETWEEN.join(map(str, self))

    @property
    def decision(self) -> str:
        """The recorded id of the decision that it is about."""
        return f"{self.what}-{self.seat}"

    @property
    def ends_ms(self) -> int:
        """The deadline that it waits for; 0 if it waits for none."""
        return self.last if self.kind in ("clock", "dispute") else 0


def timers(table: Table) -> dict[str, Timer]:
    """The entries of a table by their names, computed once. Of a table that is paused only its disputes.

    That a bot is told of its turn is due if it has a webhook: then it listens.
    """
    known: dict[str, Timer] | None = vars(table).get("timers")
    if known is None:
        found = [Timer(entry.member, entry.ends_ms) for entry in _disputes(table)]
        if not table.paused:
            found += [entry for decision in table.decisions for entry in _of_decision(table, decision)]
        known = vars(table)["timers"] = {entry.member: entry for entry in found}
    return known


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
