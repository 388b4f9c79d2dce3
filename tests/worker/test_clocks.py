"""Clocks: when a person's time is over, the others wait or hand the seat to an AI; the person may still play."""

import itertools
from collections.abc import Callable

import pytest
from freezegun.api import FrozenDateTimeFactory

from events.times import millis, stamp
from rulings.replay import replay
from service.accounts.callers import Player
from service.commands import Outcome
from service.errors import Refused
from service.tables.clocks import expire, hand_over, wait
from service.tables.playing import Play
from service.tables.rerun import Reruns
from tests.fixtures import START
from tests.tables import ANN, BEN, CAT, DAN, Visit
from worker.turns import play_turns

DECISION_S = 60


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
        wait(visit.handler, table, 2, visit.sent(ANN), 5)

    assert replay(visit.history(table), rerun=Reruns()).fault is None


def each_time(visit: Visit, later_ms: int, step_ms: int) -> Callable[[], int]:
    """A clock that says another time whenever it is asked."""
    times = itertools.count(visit.handler.now_ms() + later_ms, step_ms)
    return lambda: next(times)


@pytest.mark.parametrize(("seconds", "granted_s"), [(None, DECISION_S), (7, 7)])
def test_the_others_wait(visit: Visit, expired: str, seconds: int | None, granted_s: int) -> None:
    """Whoever waits gives as much time as a decision has from the start, or more or less."""
    wait(visit.handler, expired, 2, visit.sent(ANN), seconds)
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
    hand_over(visit.handler, expired, 2, visit.sent(ANN), "greedy")
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
    hand_over(visit.handler, expired, 2, visit.sent(ANN), "greedy")

    with pytest.raises(Refused, match="not_your_seat"):
        visit.play_move(expired, BEN, Play(2, move, decision.recorded_id))


def test_the_seat_itself_may_still_play(visit: Visit, expired: str) -> None:
    """As long as nobody has settled it, an expired decision is the seat's to take."""
    visit.play(expired, BEN)

    assert visit.table(expired).decision_of(2) is None
    with pytest.raises(Refused, match="decision_closed"):
        hand_over(visit.handler, expired, 2, visit.sent(ANN), "greedy")


SETTLE: dict[str, Callable[[Visit, str, int, Player], Outcome]] = {
    "wait": lambda visit, table, seat, player: wait(visit.handler, table, seat, visit.sent(player), None),
    "hand over": lambda visit, table, seat, player: hand_over(visit.handler, table, seat, visit.sent(player), "greedy"),
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
