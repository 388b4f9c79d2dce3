"""Clocks of seats: what is used and what is left follow from the times of events, whatever the machine's clock says."""

import pytest
from freezegun.api import FrozenDateTimeFactory

from events.lifecycle import DisputeRules, TimeControl
from events.times import millis, stamp
from projections.clocks import SeatClock
from projections.due_timers import timers
from service.command_handler import CommandContext
from service.tables.expired_clocks import expire, hand_over, wait
from service.tables.forks import Forking, fork
from tests.disputed_tables import Court
from tests.fixtures import START
from tests.tables import ANN, BEN, CAT, Visit

START_MS = millis(START)
FISCHER = {"kind": "fischer", "initial_s": 300, "increment_s": 5}
BANK = TimeControl("fischer", initial_s=300, increment_s=5)
DAYS = TimeControl(kind="days", days=3)
TEN_YEARS_S = 10 * 365 * 86_400

pytestmark = pytest.mark.usefixtures("now")


def after(seconds: float) -> str:
    """So long after the start."""
    return stamp(START_MS + round(seconds * 1000))


def begun(visit: Visit, clock: TimeControl | None = BANK, game: str = "manitou") -> str:
    """A table of Ann and Ben, who choose their parties at the same time."""
    table = visit.open(game, "ann open", clock=clock)
    visit.sit(table, 2, BEN)
    return table


def clock_of(visit: Visit, table: str, seat: int) -> SeatClock:
    return visit.table(table).clocks[seat - 1]


def in_turn(visit: Visit, table: str) -> int:
    """Both choose, at once; the seat whose turn it is then."""
    visit.play(table, ANN)
    visit.play(table, BEN)
    return visit.table(table).decisions[0].seat


def test_a_decision_costs_its_time_and_brings_the_increment(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """Five minutes and five seconds: who takes 20 s has 285 s left, and its next deadline lies so far away."""
    table = begun(visit)
    now.tick(20)
    visit.play(table, ANN)

    assert clock_of(visit, table, 1) == SeatClock(used_ms=20_000, bank_ms=285_000, earned=(visit.table(table).version,))
    assert visit.table(table).answers[-1].used_ms == 20_000
    now.tick(5)
    visit.play(table, BEN)
    seat = visit.table(table).decisions[0].seat
    assert visit.table(table).decisions[0].deadline == after(25 + (285, 280)[seat - 1])


def test_a_bank_that_is_empty_runs_out_once(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """At zero, as any time runs out; the seat may still play, and goes on with its increment alone."""
    table = begun(visit)
    decision = visit.decision(table, ANN)
    assert decision.deadline == after(300)
    now.tick(299.999)
    assert expire(visit.handler, table, 1, decision.recorded_id) is None
    now.tick(0.001)
    assert expire(visit.handler, table, 1, decision.recorded_id)
    now.tick(60)
    assert expire(visit.handler, table, 1, decision.recorded_id) is None
    visit.play(table, ANN)

    assert (clock_of(visit, table, 1).used_ms, clock_of(visit, table, 1).bank_ms) == (360_000, 5_000)


@pytest.mark.parametrize(("seconds", "left_s"), [(None, 300), (30, 30)])
def test_granted_time_goes_into_the_bank(
    visit: Visit, now: FrozenDateTimeFactory, seconds: int | None, left_s: int
) -> None:
    """The others wait: by default as long as a whole bank. What is not used of it stays."""
    table = begun(visit)
    now.tick(310)
    expire(visit.handler, table, 1, visit.decision(table, ANN).recorded_id)
    wait(visit.handler, table, visit.sent(BEN), 1, seconds)

    assert visit.decision(table, ANN).deadline == after(310 + left_s)
    assert clock_of(visit, table, 1).bank_ms == left_s * 1000
    now.tick(10)
    visit.play(table, ANN)
    assert clock_of(visit, table, 1).bank_ms == (left_s - 10 + 5) * 1000
    assert clock_of(visit, table, 1).used_ms == 320_000


def test_an_ai_uses_no_time_of_a_person(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """Handed over, a seat has used what its person used; the AI has no deadline."""
    table = begun(visit)
    now.tick(300)
    expire(visit.handler, table, 1, visit.decision(table, ANN).recorded_id)
    now.tick(7)
    hand_over(visit.handler, table, visit.sent(BEN), 1, "greedy")
    now.tick(100)
    visit.play(table, BEN)
    handed = visit.play_to_the_end(table).table

    assert (handed.clocks[0].used_ms, handed.clocks[0].since_ms) == (307_000, None)
    assert {answer.seat for answer in handed.answers} == {2}


def test_days_a_move(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """Each decision has its days, however many of them earlier ones took."""
    table = begun(visit, DAYS)
    assert visit.decision(table, ANN).deadline == after(3 * 86_400)
    now.tick(2 * 86_400)
    in_turn(visit, table)

    assert visit.table(table).decisions[0].deadline == after(5 * 86_400)
    assert [clock.bank_ms for clock in visit.table(table).clocks] == [None, None]


def test_a_pause_stops_clocks_and_a_bank_goes_on_as_it_was(court: Court, now: FrozenDateTimeFactory) -> None:
    """While a dispute pauses play nobody uses time; then the deadline lies where the rest of the bank puts it."""
    table, dispute = disputed(court, now, "pauses")
    seat = court.table(table).decisions[0].seat
    assert court.table(table).clocks[seat - 1] == SeatClock(*used(court, table, seat), 20_000, 280_000)
    now.tick(1000)
    court.resolve(table, dispute, "upheld")

    assert court.table(table).decisions[0].deadline == after(20 + 1000 + 280)
    assert [entry for entry in timers(court.table(table)) if "|clock|" in entry]
    now.tick(30)
    court.step(table)
    assert used(court, table, seat) == (50_000,)


def test_a_dispute_beside_play_stops_no_clock(court: Court, now: FrozenDateTimeFactory) -> None:
    table, dispute = disputed(court, now, "goes_on")
    seat = court.table(table).decisions[0].seat
    now.tick(30)
    court.resolve(table, dispute, "upheld")
    court.step(table)

    assert used(court, table, seat) == (50_000,)


def disputed(court: Court, now: FrozenDateTimeFactory, play: str) -> tuple[str, str]:
    """A table at which nobody has used time until a ruling, which is disputed after 20 s of the next decision."""
    clock = TimeControl(kind="fischer", initial_s=300, increment_s=0)
    table = court.open_disputable("manitou", "ann ben", clock=clock, rules=DisputeRules(play=play))
    ruling = court.play_until(table, lambda event: event.envelope.type == "TrialOfStrengthResolved")
    while len(court.table(table).decisions) != 1:
        court.step(table)
    now.tick(20)
    return table, court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])


def used(court: Court, table: str, seat: int) -> tuple[int]:
    return (court.table(table).clocks[seat - 1].used_ms,)


def test_a_takeback_gives_no_time_back_and_no_increment_twice(court: Court, now: FrozenDateTimeFactory) -> None:
    """Choosing in secret and taking it back, over and over, fills no bank."""
    table = begun(court)
    for _ in range(3):
        now.tick(10)
        court.play(table, ANN)
        assert clock_of(court, table, 1).bank_ms is not None
        court.take_back(table, ANN)
    found = clock_of(court, table, 1)

    assert (found.used_ms, found.bank_ms, found.earned) == (30_000, 270_000, ())
    assert court.decision(table, ANN).deadline == after(30 + 270)
    assert clock_of(court, table, 2).total_ms == 30_000


def test_a_choice_that_is_taken_again_keeps_its_increment(court: Court, now: FrozenDateTimeFactory) -> None:
    """Of three who choose in secret, one takes back; what another chose meanwhile stands, and so does its increment."""
    table = court.open("manitou", "ann open open", clock=BANK)
    court.sit(table, 2, BEN)
    court.sit(table, 3, CAT)
    now.tick(10)
    court.play(table, ANN)
    court.play(table, BEN)
    court.take_back(table, ANN)

    assert [clock.bank_ms for clock in court.table(table).clocks] == [290_000, 295_000, 290_000]
    assert court.table(table).decision_of(2) is None
    assert court.table(table).clocks[1].earned == (court.table(table).version - 1,)


def test_a_clock_that_ran_ahead_costs_nobody_his_bank(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """A game that begins ten years ahead: with the next event the clocks run from now, with the whole bank."""
    now.tick(TEN_YEARS_S)
    table = begun(visit)
    now.tick(1 - TEN_YEARS_S)
    visit.play(table, BEN)

    assert clock_of(visit, table, 1) == SeatClock(bank_ms=300_000, since_ms=START_MS + 1000)
    assert clock_of(visit, table, 2).bank_ms == 305_000
    assert visit.decision(table, ANN).deadline == after(301)


def test_a_branch_begins_with_clocks_of_its_own(visit: Visit, now: FrozenDateTimeFactory) -> None:
    parent = begun(visit)
    now.tick(100)
    visit.play_to_the_end(parent)
    asked = CommandContext(ANN, visit.request(), ("play", "watch"))
    branch = fork(visit.handler, visit.history(parent), asked, Forking(20, clock=BANK)).history

    first = branch.events[0].envelope
    assert first.payload["clock"] == {"kind": "fischer", "initial_s": 300, "increment_s": 5}
    assert [clock.used_ms for clock in branch.table.clocks] == [0, 0]
    assert branch.table.clocks[0].bank_ms == 300_000


@pytest.mark.parametrize("clock", [TimeControl("decision", 60), BANK, DAYS])
def test_a_table_with_a_clock_is_decided_again(court: Court, now: FrozenDateTimeFactory, clock: TimeControl) -> None:
    """The audit takes every decision again, those of the clock too."""
    table = begun(court, clock)
    for _ in range(2):
        now.tick(clock.whole_s)
        decision = court.table(table).decisions[0]
        expire(court.handler, table, decision.seat, decision.recorded_id)
        wait(court.handler, table, court.sent((BEN, ANN)[decision.seat - 1]), decision.seat, None)
        court.step(table)
    court.finish(table)

    assert court.holds(table)
