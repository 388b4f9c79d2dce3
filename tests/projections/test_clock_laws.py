"""Laws of clocks, over all games and numbers of seats: whatever machines say, time used and left follow from events."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.lifecycle import TimeControl
from events.times import millis, stamp
from games import GAMES
from projections.folding import fold
from projections.table import Table
from service.command_handler import CommandHandler
from service.errors import Refused
from service.tables.expired_clocks import expire, wait
from tests.disputed_tables import Court
from tests.fixtures import START
from tests.tables import PEOPLE

START_MS = millis(START)
NAMES = tuple(PEOPLE)  # as many as there are; further seats hold nothing new
TEN_YEARS_S = 10 * 365 * 86_400
DAYS = TimeControl(kind="days", days=3)

TIMES_MS = st.integers(0, 120_000)
JUMPS_MS = st.one_of(
    TIMES_MS, st.sampled_from([-3_600_000, -5_000, 3_600_000, TEN_YEARS_S * 1000, -TEN_YEARS_S * 1000])
)
CLOCKS = st.one_of(
    st.none(),
    st.builds(TimeControl, st.just("decision"), st.integers(5, 200)),
    st.builds(
        lambda i, j: TimeControl(kind="fischer", initial_s=i, increment_s=j), st.integers(5, 400), st.integers(0, 60)
    ),
    st.just(DAYS),
)
SEATS = [(game, players) for game in GAMES for players in GAMES[game].players if players <= len(PEOPLE)]


class Course(NamedTuple):
    """A court, and a machine's clock that is set to whatever comes."""

    court: Court
    set: Callable[[int], None]


@contextmanager
def course() -> Iterator[Course]:
    now = [START_MS]
    with patch.object(CommandHandler, "now_ms", lambda _: now[0]):
        yield Course(Court(), lambda ms: now.__setitem__(0, ms))


def opened(court: Court, game: str, players: int, clock: TimeControl | None) -> str:
    table = court.open(game, " ".join(["ann", *["open"] * (players - 1)]), clock=clock)
    for seat, name in enumerate(NAMES[1:players], 2):
        court.sit(table, seat, PEOPLE[name])
    return table


def act(court: Court, table: str, rng: random.Random) -> None:
    """Somebody plays, takes back, lets a clock run out, or waits for a late seat."""
    now = court.table(table)
    decision = rng.choice(now.decisions)
    expire(court.handler, table, decision.seat, decision.recorded_id)
    players = [PEOPLE[name] for name in NAMES[: now.opened.players]]
    if rng.random() < 0.3:
        settle_or_take_back(court, table, decision.seat, rng)
    else:
        court.play(table, players[decision.seat - 1], rng.randrange(1000))


def settle_or_take_back(court: Court, table: str, seat: int, rng: random.Random) -> None:
    other = PEOPLE[NAMES[seat % court.table(table).opened.players]]
    try:
        if rng.random() < 0.5:
            wait(court.handler, table, court.sent(other), seat, rng.choice([None, 5, 100]))
        else:
            court.take_back(table, PEOPLE[NAMES[seat - 1]])
    except Refused:
        pass


def check(table: Table) -> None:
    """What holds at every moment."""
    for decision in table.decisions:
        clock = table.clocks[decision.seat - 1]
        assert clock.since_ms is not None
        if clock.bank_ms is not None and not decision.expired:
            assert decision.deadline == stamp(clock.since_ms + clock.bank_ms)
    deciding = {decision.seat for decision in table.decisions}
    for seat, clock in enumerate(table.clocks, 1):
        assert min(clock.used_ms, clock.spent_ms, clock.bank_ms or 0) >= 0
        assert (clock.since_ms is not None) == (seat in deciding)


@pytest.mark.parametrize(("game", "players"), SEATS)
@settings(max_examples=6)
@given(clock=CLOCKS, seed=st.integers(0, 2**32), steps=st.lists(JUMPS_MS, min_size=1, max_size=12))
@example(
    TimeControl(kind="fischer", initial_s=5, increment_s=0), 11342, [3_600_000, -3_600_000]
)  # waited for in between
def test_whatever_clocks_say_replay_equals_play(
    game: str, players: int, clock: TimeControl | None, seed: int, steps: list[int]
) -> None:
    """Clocks that jump both ways: no bank is negative, time used never shrinks, and a replay knows no clock."""
    rng = random.Random(seed)
    with course() as (court, set_clock):
        table, ms = opened(court, game, players, clock), START_MS
        for step in steps:
            ms += step
            set_clock(max(ms, 0))
            before = court.table(table).clocks
            act(court, table, rng)
            now = court.table(table)
            check(now)
            assert all(one.total_ms <= other.total_ms for one, other in zip(before, now.clocks, strict=True))
        events = court.history(table).events
        assert fold(None, events) == court.table(table)


@pytest.mark.parametrize(("game", "players"), SEATS)
@settings(max_examples=6)
@given(clock=CLOCKS, seed=st.integers(0, 2**32), steps=st.lists(TIMES_MS, min_size=1, max_size=12))
def test_time_used_is_the_time_that_decisions_were_open(
    game: str, players: int, clock: TimeControl | None, seed: int, steps: list[int]
) -> None:
    """Counted from outside: while a seat has to decide, its time runs, and no other does."""
    rng, waited = random.Random(seed), Counter[int]()
    with course() as (court, set_clock):
        table, ms = opened(court, game, players, clock), START_MS
        for step in steps:
            ms += step
            set_clock(ms)
            waited.update({decision.seat: step for decision in court.table(table).decisions})
            act(court, table, rng)
        used_ms = {
            seat: clock.total_ms + (ms - clock.since_ms if clock.since_ms is not None else 0)
            for seat, clock in enumerate(court.table(table).clocks, 1)
        }
        assert used_ms == {seat: waited[seat] for seat in used_ms}
        answered = Counter[int]()
        for answer in court.table(table).answers:
            answered[answer.seat] += answer.used_ms
        assert all(answered[seat] <= used_ms[seat] for seat in used_ms)
