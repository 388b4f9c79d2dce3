"""Clocks of tables: who settles one that ran out, and how a machine's clock that is wrong for a while is survived."""

import itertools
import logging
from collections.abc import Callable

import pytest
from freezegun.api import FrozenDateTimeFactory
from msgspec.structs import replace

from events.envelopes import Recorded
from events.lifecycle import DisputeRules
from events.times import millis, stamp
from rulings.replay import batch_at, replay
from service.accounts.callers import Player
from service.command_handler import Outcome
from service.errors import Refused
from service.machine_clock import Clock
from service.tables.disputes import Contested, dispute
from service.tables.expired_clocks import expire, hand_over, wait
from service.tables.playing import Play
from service.tables.record_again import Reruns
from service.tables.table_documents import is_ruling
from tests.fixtures import START
from tests.tables import ANN, BEN, CAT, DAN, Visit
from worker.play_turn import play_turns

START_MS = millis(START)
JUMP_S = 10 * 365 * 86_400
DECISION_S, WINDOW_S = 60, 30


pytestmark = pytest.mark.usefixtures("now")


@pytest.fixture
def table(visit: Visit) -> str:
    """A table that Ann opened and plays with Ben; Dan is its arbiter; each has a minute for each decision."""
    opened = visit.open("manitou", "ann open", decision_s=DECISION_S, arbiter=DAN.id)
    visit.sit(opened, 2, BEN)
    return opened


@pytest.fixture
def expired(visit: Visit, table: str, now: FrozenDateTimeFactory) -> str:
    """The same table when Ben's time is over."""
    now.tick(DECISION_S)
    assert run_out(visit, table, 2)
    return table


def run_out(visit: Visit, table: str, seat: int) -> Outcome | None:
    """What the dispatcher does when a deadline has come."""
    decision = visit.table(table).decision_of(seat)
    return expire(visit.handler, table, seat, decision.recorded_id if decision else "none")


def last(visit: Visit, table: str) -> tuple[str, dict[str, object]]:
    """Type and payload of the last event."""
    event = visit.history(table).events[-1]
    return event.envelope.type, event.payload


def test_a_clock_that_is_set_right_meanwhile_spoils_no_record(
    visit: Visit, table: str, now: FrozenDateTimeFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is decided by a time is recorded by it, however often the clock says another one until then."""
    now.tick(DECISION_S)
    with monkeypatch.context() as set_back:
        set_back.setattr(visit.handler, "now_ms", each_time(visit, later_ms=1000, step_ms=-1000))
        run_out(visit, table, 2)
    assert visit.decision(table, BEN).expired
    with monkeypatch.context() as slept:
        slept.setattr(visit.handler, "now_ms", each_time(visit, later_ms=0, step_ms=6000))
        wait(visit.handler, table, visit.sent(ANN), 2, 5)

    assert replay(visit.history(table), rerun=Reruns()).fault is None


def each_time(visit: Visit, later_ms: int, step_ms: int) -> Callable[[], int]:
    """A clock that says another time whenever it is asked."""
    times = itertools.count(visit.handler.now_ms() + later_ms, step_ms)
    return lambda: next(times)


@pytest.mark.parametrize(("seconds", "granted_s"), [(None, DECISION_S), (7, 7)])
def test_the_others_wait(visit: Visit, expired: str, seconds: int | None, granted_s: int) -> None:
    """The waiting player grants as much time as a decision has from the start, or more or less."""
    wait(visit.handler, expired, visit.sent(ANN), 2, seconds)
    deadline = stamp(millis(START) + (DECISION_S + granted_s) * 1000)

    decision = visit.decision(expired, BEN)
    assert (decision.expired, decision.deadline) == (False, deadline)
    assert last(visit, expired) == (
        "DeadlineExtended",
        {"seat": 2, "decision": decision.recorded_id, "deadline": deadline, "by_seat": 1},
    )


def test_the_seat_is_handed_over(visit: Visit, expired: str) -> None:
    """An AI takes the seat, plays the decision that was open, and goes on from there."""
    decision = visit.decision(expired, BEN)
    hand_over(visit.handler, expired, visit.sent(ANN), 2, "greedy")
    handed = visit.table(expired)

    assert last(visit, expired) == (
        "SeatHandedOver",
        {"seat": 2, "player": BEN.id, "ai": {"player": "greedy", "version": 2, "level": "greedy"}, "by_seat": 1},
    )
    assert handed.seat_of(BEN.id) is None
    waiting = handed.decision_of(2)
    assert waiting is not None
    assert waiting.recorded_id == decision.recorded_id

    assert play_turns(visit.handler, expired).played == 1
    assert visit.log.find_answer(expired, f"ai|{decision.recorded_id}") is not None
    assert visit.play_to_the_end(expired).table.closed == "game_over"


def test_who_lost_his_seat_has_none(visit: Visit, expired: str) -> None:
    """Handed over, the seat is not the person's any more: he cannot play for it."""
    move = visit.move(expired, BEN)
    decision = visit.decision(expired, BEN)
    hand_over(visit.handler, expired, visit.sent(ANN), 2, "greedy")

    with pytest.raises(Refused, match="not_your_seat"):
        visit.play_move(expired, BEN, Play(2, move, decision.recorded_id))


def test_the_seat_itself_may_still_play(visit: Visit, expired: str) -> None:
    """As long as nobody has settled it, an expired decision is the seat's to take."""
    visit.play(expired, BEN)

    assert visit.table(expired).decision_of(2) is None
    with pytest.raises(Refused, match="decision_closed"):
        hand_over(visit.handler, expired, visit.sent(ANN), 2, "greedy")


SETTLE: dict[str, Callable[[Visit, str, int, Player], Outcome]] = {
    "wait": lambda visit, table, seat, player: wait(visit.handler, table, visit.sent(player), seat, None),
    "hand over": lambda visit, table, seat, player: hand_over(visit.handler, table, visit.sent(player), seat, "greedy"),
}
both_ways = pytest.mark.parametrize("how", SETTLE)


@both_ways
@pytest.mark.parametrize("player", [ANN, DAN])
def test_others_settle_an_expired_clock(visit: Visit, expired: str, how: str, player: Player) -> None:
    """Another seat may, and so may the arbiter, who has no seat."""
    SETTLE[how](visit, expired, 2, player)

    assert last(visit, expired)[1]["by_seat"] == (1 if player is ANN else None)
    assert visit.history(expired).events[-1].envelope.by == {"kind": "player", "player": player.id}


@both_ways
def test_who_opened_the_table_settles_without_a_seat(visit: Visit, now: FrozenDateTimeFactory, how: str) -> None:
    """At a table that somebody opened for others, he settles their clocks."""
    table = visit.open("manitou", "open open", decision_s=DECISION_S, by=CAT)
    visit.sit(table, 1, ANN)
    visit.sit(table, 2, BEN)
    now.tick(DECISION_S)
    run_out(visit, table, 2)

    SETTLE[how](visit, table, 2, CAT)


@both_ways
@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ((2, BEN), "not_allowed"),  # the seat itself
        ((2, CAT), "not_allowed"),  # no part of the table
        ((1, BEN), "decision_open"),  # who has time left
        ((0, ANN), "no_such_seat"),
        ((3, ANN), "no_such_seat"),
    ],
)
def test_what_is_not_settled(visit: Visit, expired: str, how: str, asked: tuple[int, Player], code: str) -> None:
    """Neither by the seat itself nor by strangers; nor where time is left, or no seat is."""
    with pytest.raises(Refused, match=code):
        SETTLE[how](visit, expired, *asked)


@both_ways
def test_who_has_nothing_to_decide_has_no_clock(visit: Visit, table: str, how: str) -> None:
    """A seat that has answered waits for the others; there is nothing to settle."""
    visit.play(table, BEN)

    with pytest.raises(Refused, match="decision_closed"):
        SETTLE[how](visit, table, 2, ANN)


def test_without_a_clock_no_time_runs_out(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """At a table without a clock a decision has no deadline, however long it takes."""
    table = visit.open("manitou", "ann ai")
    now.tick(10**6)

    assert run_out(visit, table, 1) is None


# A machine's clock that is wrong


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
    """The first seat to act plays, so many times."""
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
        dispute(visit.handler, table, visit.sent(ANN), Contested(seat, version, rule, "?", {"correction": 1}))


def ruled(visit: Visit, table: str) -> tuple[int, str]:
    """Plays until a ruling has been made by a move; its version and one of its rules."""
    for number in itertools.count(1):
        play_on(visit, table, 1)
        for event in visit.history(table).events:
            if is_ruling(event) and batch_at(visit.history(table), event.version):
                return event.version, event.envelope.payload["rules"][0]
        assert number < 200
    raise AssertionError


def test_a_tables_time_ahead_is_logged_once(visit: Visit, jumped: str, caplog: pytest.LogCaptureFixture) -> None:
    """With table and figures; further events say nothing new."""
    visit.play(jumped, ANN)
    visit.play(jumped, BEN)

    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        f"table {jumped} is at {after(JUMP_S)}, which is {JUMP_S - 1}.0 s ahead of this machine's clock ({after(1)}): "
        "a clock was wrong; deadlines count from the earlier of both"
    ]


def test_machines_that_differ_a_little_are_not_logged(
    visit: Visit, now: FrozenDateTimeFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """Clocks of several machines are never quite the same; deadlines count from the earlier one all the same."""
    table = begun(visit)
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
