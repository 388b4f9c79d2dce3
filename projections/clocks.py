"""The clock of each seat, folded from the times of events: what a person has used, and what is left of a bank.

A time is counted up to the next event that stops the clock, in the time that deadlines count from. It never runs
backwards, so a clock that ran ahead takes nothing back and gives nothing.
"""

from collections.abc import Sequence

import msgspec

replace = msgspec.structs.replace


class SeatClock(msgspec.Struct, frozen=True, gc=False):
    """What a seat's clock shows, in milliseconds.

    `used_ms` went into decisions that were taken, `spent_ms` into the one that is open, both up to `since_ms` (Unix
    time), when the clock began to run; None if it stands still. `bank_ms` was left then, at a table with banks.
    `earned` are the versions at which a taken decision added its increment.
    """

    used_ms: int = 0
    spent_ms: int = 0
    bank_ms: int | None = None
    since_ms: int | None = None
    earned: tuple[int, ...] = ()

    @property
    def told_ms(self) -> int:
        """All that the seat has used up to when its clock last began to run."""
        return self.used_ms + self.spent_ms


class TimeTaken(msgspec.Struct, frozen=True, gc=False, order=True):
    """How long a person took for a decision, by the last version of the batch that answered it."""

    version: int
    seat: int
    used_ms: int


Clocks = tuple[SeatClock, ...]


def started(clock: SeatClock, now_ms: int) -> SeatClock:
    """The clock runs from now on."""
    return replace(clock, since_ms=now_ms)


def stopped(clock: SeatClock, now_ms: int) -> SeatClock:
    """The clock stands still from now on; no bank falls below nothing."""
    if clock.since_ms is None:
        return clock
    spent_ms = max(0, now_ms - clock.since_ms)
    bank_ms = None if clock.bank_ms is None else max(0, clock.bank_ms - spent_ms)
    return replace(clock, spent_ms=clock.spent_ms + spent_ms, bank_ms=bank_ms, since_ms=None)


def closed(clock: SeatClock, now_ms: int) -> SeatClock:
    """The decision is not open any more: what it took is used."""
    clock = stopped(clock, now_ms)
    return SeatClock(clock.told_ms, 0, clock.bank_ms, None, clock.earned)


def granted(clock: SeatClock, now_ms: int, until_ms: int) -> SeatClock:
    """The others wait until then: a bank holds what is left until then, and goes on as it did."""
    runs, clock = clock.since_ms is not None, stopped(clock, now_ms)
    if clock.bank_ms is not None:
        clock = replace(clock, bank_ms=max(0, until_ms - now_ms))
    return started(clock, now_ms) if runs else clock


def earned(clock: SeatClock, version: int, increment_ms: int) -> SeatClock:
    """A decision was taken: a bank gets its increment."""
    if clock.bank_ms is None or not increment_ms:
        return clock
    return replace(clock, bank_ms=clock.bank_ms + increment_ms, earned=(*clock.earned, version))


def undone(clock: SeatClock, to: int, again: Sequence[int], increment_ms: int) -> SeatClock:
    """Play is back at version `to`: the increments of later decisions are gone, but for those in `again`.

    `again` are the versions of the decisions taken again. Time used stays used: nobody was given it a second time.
    """
    if clock.bank_ms is None or not clock.earned:
        return clock
    standing = (*(version for version in clock.earned if version <= to), *again)
    lost_ms = (len(clock.earned) - len(standing)) * increment_ms
    return replace(clock, bank_ms=max(0, clock.bank_ms - lost_ms), earned=standing)


def changed(clocks: Clocks, news: dict[int, SeatClock]) -> Clocks:
    """The clocks with those of some seats changed."""
    if not news:
        return clocks
    after = list(clocks)
    for seat, clock in news.items():
        after[seat - 1] = clock
    return tuple(after)
