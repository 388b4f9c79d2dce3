"""The clock of each seat, folded from the times of events: how much time a person has used, and what a bank has left.

Time counts up to the event that stops the clock. It never runs backwards, so a machine's fast clock neither takes time
nor gives any.
"""

from collections.abc import Sequence

import msgspec

replace = msgspec.structs.replace


class SeatClock(msgspec.Struct, frozen=True, gc=False):
    """A seat's clock, in milliseconds.

    `used_ms` was used for past decisions and `spent_ms` for the open one, both up to `since_ms` (Unix time), when the
    clock last started; None while it is stopped. `bank_ms` is what the bank had then, at a table with banks. `earned`
    are the versions at which a decision added its increment.
    """

    used_ms: int = 0
    spent_ms: int = 0
    bank_ms: int | None = None
    since_ms: int | None = None
    earned: tuple[int, ...] = ()

    @property
    def total_ms(self) -> int:
        """All time used up to when the clock last started."""
        return self.used_ms + self.spent_ms


class TimeTaken(msgspec.Struct, frozen=True, gc=False, order=True):
    """How long a person took for a decision; `version` is the last of the batch that answered it."""

    version: int
    seat: int
    used_ms: int


Clocks = tuple[SeatClock, ...]


def started(clock: SeatClock, now_ms: int) -> SeatClock:
    """Returns the clock running from now on."""
    return replace(clock, since_ms=now_ms)


def stopped(clock: SeatClock, now_ms: int) -> SeatClock:
    """Returns the clock stopped now; a bank does not fall below 0."""
    if clock.since_ms is None:
        return clock
    spent_ms = max(0, now_ms - clock.since_ms)
    bank_ms = None if clock.bank_ms is None else max(0, clock.bank_ms - spent_ms)
    return replace(clock, spent_ms=clock.spent_ms + spent_ms, bank_ms=bank_ms, since_ms=None)


def closed(clock: SeatClock, now_ms: int) -> SeatClock:
    """Returns the clock after its decision is closed: the time spent on it is used."""
    clock = stopped(clock, now_ms)
    return SeatClock(clock.total_ms, 0, clock.bank_ms, None, clock.earned)


def granted(clock: SeatClock, now_ms: int, until_ms: int) -> SeatClock:
    """Returns the clock after the others granted time until then: a bank gets the time that is left until then."""
    runs, clock = clock.since_ms is not None, stopped(clock, now_ms)
    if clock.bank_ms is not None:
        clock = replace(clock, bank_ms=max(0, until_ms - now_ms))
    return started(clock, now_ms) if runs else clock


def earned(clock: SeatClock, version: int, increment_ms: int) -> SeatClock:
    """Returns the clock after a decision was taken: a bank gets its increment."""
    if clock.bank_ms is None or not increment_ms:
        return clock
    return replace(clock, bank_ms=clock.bank_ms + increment_ms, earned=(*clock.earned, version))


def undone(clock: SeatClock, to: int, again: Sequence[int], increment_ms: int) -> SeatClock:
    """Returns the clock after play went back to version `to`: the increments of later decisions are gone.

    Those in `again`, the versions of decisions that are taken again, stay. Used time stays used.
    """
    if clock.bank_ms is None or not clock.earned:
        return clock
    standing = (*(version for version in clock.earned if version <= to), *again)
    lost_ms = (len(clock.earned) - len(standing)) * increment_ms
    return replace(clock, bank_ms=max(0, clock.bank_ms - lost_ms), earned=standing)


def changed(clocks: Clocks, news: dict[int, SeatClock]) -> Clocks:
    """Returns the clocks with those of some seats replaced."""
    if not news:
        return clocks
    after = list(clocks)
    for seat, clock in news.items():
        after[seat - 1] = clock
    return tuple(after)
