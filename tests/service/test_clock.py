"""A machine's clock that is wrong for a while spoils no deadline after it, and is logged once."""

import itertools
import logging

import pytest
from freezegun.api import FrozenDateTimeFactory
from msgspec.structs import replace

from events.lifecycle import DisputeRules
from events.recorded import Recorded
from events.times import millis, stamp
from rulings.replay import made_at
from service.clock import Clock
from service.errors import Refused
from service.tables.disputes import Contested, dispute
from service.tables.event_rows import is_ruling
from tests.fixtures import START
from tests.tables import ANN, BEN, Visit

START_MS = millis(START)
JUMP_S = 10 * 365 * 86_400
DECISION_S, WINDOW_S = 60, 30


pytestmark = pytest.mark.usefixtures("now")


@pytest.fixture
def table(visit: Visit) -> str:
    """A table of Ann and Ben, who have a minute for each decision and choose at the same time at first."""
    return begun(visit)


@pytest.fixture
def jumped(visit: Visit, now: FrozenDateTimeFactory) -> str:
    """A table that begins while the clock is ten years ahead; then it is right again, a second later."""
    now.tick(JUMP_S)
    opened = begun(visit)
    now.tick(1 - JUMP_S)
    return opened


def begun(visit: Visit) -> str:
    opened = visit.open("manitou", "ann open", decision_s=DECISION_S, disputes=DisputeRules("vote", window_s=WINDOW_S))
    visit.sit(opened, 2, BEN)
    return opened


def play_on(visit: Visit, table: str, moves: int) -> None:
    """Whoever has to decide first plays, so many times."""
    for _ in range(moves):
        found = visit.table(table)
        visit.play(table, (ANN, BEN)[found.decisions[0].seat - 1])


def after(seconds: float) -> str:
    """So long after the start."""
    return stamp(START_MS + round(seconds * 1000))


def times(event: Recorded) -> tuple[str, str | None]:
    return event.envelope.at, event.envelope.now


def test_what_was_opened_meanwhile_is_as_if_opened_now(visit: Visit, jumped: str) -> None:
    """With the next event of the table, a decision that the wrong clock dated has a minute from now as well."""
    waiting = visit.decision(jumped, BEN)
    visit.play(jumped, ANN)

    assert visit.decision(jumped, BEN) == replace(waiting, since=after(1), deadline=after(1 + DECISION_S))


def test_a_ruling_may_be_disputed_as_long_as_ever(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """Its window begins at the machine's time, not ten years ahead."""
    now.tick(JUMP_S)
    table = begun(visit)
    now.tick(1 - JUMP_S)
    version, rule = ruled(visit, table)
    now.tick(WINDOW_S + 1)
    seat = visit.table(table).seat_of(ANN.id) or 0

    with pytest.raises(Refused, match="too_late"):
        dispute(visit.handler, table, visit.sent(ANN), Contested(seat, version, rule, "?", {}))


def ruled(visit: Visit, table: str) -> tuple[int, str]:
    """Plays until a ruling has been made by a move; its version and one of its rules."""
    for number in itertools.count(1):
        play_on(visit, table, 1)
        for event in visit.history(table).events:
            if is_ruling(event) and made_at(visit.history(table), event.version):
                return event.version, event.envelope.payload["rules"][0]
        assert number < 200
    raise AssertionError


def test_a_tables_time_ahead_is_logged_once(visit: Visit, jumped: str, caplog: pytest.LogCaptureFixture) -> None:
    """With table and figures; further events say nothing new."""
    visit.play(jumped, ANN)
    visit.play(jumped, BEN)

    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        f"table {jumped} tells {after(JUMP_S)}, which is {JUMP_S - 1}.0 s ahead of this machine's clock ({after(1)}): "
        "a clock was wrong; deadlines count from the earlier of both"
    ]


def test_machines_that_differ_a_little_are_not_logged(
    visit: Visit, table: str, now: FrozenDateTimeFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """Clocks of several machines are never quite the same; deadlines count from the earlier one all the same."""
    visit.play(table, ANN)
    now.tick(-0.5)
    visit.play(table, BEN)

    assert times(visit.history(table).events[-1]) == (START, after(-0.5))
    assert caplog.records == []


@pytest.mark.parametrize(("jump_s", "way"), [(JUMP_S, "ahead"), (-3600, "back")])
def test_a_jump_is_logged_once(jump_s: int, way: str, caplog: pytest.LogCaptureFixture) -> None:
    """Held against a clock that nobody sets: the jump is told when it is first seen, with figures."""
    wall, steady = [START_MS / 1000], [0.0]
    clock = Clock(lambda: wall[0], lambda: steady[0])
    for wall[0], steady[0] in ((START_MS / 1000 + 5, 5.0), *[(START_MS / 1000 + jump_s + s, float(s)) for s in (6, 7)]):
        clock.now_ms()

    assert [record.message for record in caplog.records] == [
        f"this machine's clock jumped {way} by {abs(jump_s)}.0 s, from {after(6)} to {after(jump_s + 6)}, "
        "or the machine slept"
    ]
