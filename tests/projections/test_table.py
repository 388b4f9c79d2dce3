"""A table is the fold of its events: who sits there, what has to be decided and until when, what is due."""

import pytest
from freezegun.api import FrozenDateTimeFactory

from events.recorded import Head
from events.times import millis, stamp
from projections.folding import fold
from projections.table import Table
from projections.timers import Kind, TimerName, timers
from service.tables.clocks import expire, hand_over, wait
from tests.fixtures import START
from tests.tables import ANN, BEN, CAT, Visit
from worker.turns import play_turns

DECISION_S = 60


pytestmark = pytest.mark.usefixtures("now")


def decisions(table: Table) -> dict[int, str]:
    """The ids of the decisions open, by seat."""
    return {decision.seat: decision.recorded_id for decision in table.decisions}


def test_an_open_table_waits_for_its_seats(visit: Visit) -> None:
    """Seats kept for the opener and for AI are taken at once; with the others open, nothing has to be decided."""
    table = visit.table(visit.open("manitou", "ann open ai"))

    assert (table.status, table.version, table.state, table.decisions) == ("open", 3, None, ())
    assert [(seat.player, seat.ai and seat.ai.level) for seat in table.seats] == [
        ("p_ann", None),
        (None, None),
        (None, "uniform"),
    ]
    assert (table.at, table.opened_at, table.opened.opened_by) == (START, START, "p_ann")


def test_the_last_seat_begins_the_game(visit: Visit) -> None:
    """With the last seat taken the table runs; every seat that acts has a decision, named after the last event."""
    table = visit.open("manitou", "ann open")
    sat = visit.sit(table, 2, BEN).table

    assert sat.status == "running"
    assert decisions(sat) == {1: f"{sat.version}-1", 2: f"{sat.version}-2"}
    assert (sat.seat_of(ANN.id), sat.seat_of(BEN.id), sat.seat_of(CAT.id), sat.seat_of(None)) == (1, 2, None, None)


def test_a_seat_that_is_left_is_nobodys(visit: Visit) -> None:
    """Who gets up leaves nothing behind, no contribution to the luck either."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, BEN, "mine")

    left = visit.leave(table, 2, BEN).table

    assert [(seat.player, seat.contribution) for seat in left.seats][1] == (None, None)
    assert left.seat_of(BEN.id) is None


def test_a_decision_stays_the_same_until_its_seat_has_taken_it(visit: Visit) -> None:
    """The secret choice of one seat does not rename the others'; when all have chosen, new decisions are open."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, BEN)
    begun = decisions(visit.sit(table, 3, CAT).table)

    first = decisions(visit.play(table, BEN).table)
    second = decisions(visit.play(table, ANN).table)
    third = decisions(visit.play(table, CAT).table)

    assert first == {1: begun[1], 3: begun[3]}
    assert second == {3: begun[3]}
    assert set(third.values()).isdisjoint(begun.values())
    assert len(third) == 1


def test_a_seat_that_goes_on_has_a_new_decision(visit: Visit) -> None:
    """A seat that acts twice in a row answers two decisions, which have two names."""
    table = visit.open("tomahawk", "ann open")
    visit.sit(table, 2, BEN)
    goes_on = 0
    for number in range(12):
        before = decisions(visit.table(table))
        player = ANN if 1 in before else BEN
        seat = 1 if player is ANN else 2
        after = decisions(visit.play(table, player, number).table)
        goes_on += seat in after
        assert after.get(seat) != before[seat]
    assert goes_on


def test_people_have_deadlines_and_ai_have_none(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """A decision's time begins with the event that opened it; without a clock there is none."""
    table = visit.table(visit.open("manitou", "ann ai", decision_s=DECISION_S))
    assert [decision.deadline for decision in table.decisions] == [stamp(millis(START) + DECISION_S * 1000), None]

    table = visit.table(visit.open("manitou", "ann ai"))
    assert [decision.deadline for decision in table.decisions] == [None, None]


def test_a_deadline_is_not_moved_by_the_others(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """Another seat's move gives no more time."""
    table = visit.open("manitou", "ann ai", decision_s=DECISION_S)
    before = visit.decision(table, ANN)
    now.tick(30)
    play_turns(visit.handler, table)

    assert visit.decision(table, ANN) == before


def test_an_ai_is_due_at_once_and_a_person_at_the_deadline(visit: Visit) -> None:
    """What must be looked at names table, seat and decision, and the time."""
    table = visit.table(visit.open("manitou", "ann ai", decision_s=DECISION_S))
    name, opened, end = table.id, table.version, millis(START) + DECISION_S * 1000

    told = {member: entry.at_ms for member, entry in timers(table).items()}
    assert told == {f"{name}|clock|1|{opened}|{end}": end, f"{name}|ai|2|{opened}|0": millis(START)}


def test_without_a_clock_only_ai_are_due(visit: Visit) -> None:
    """Nobody looks after a person who has all the time in the world."""
    table = visit.table(visit.open("manitou", "ann ai"))

    assert list(timers(table)) == [f"{table.id}|ai|2|{table.version}|0"]


def test_dues_follow_the_clock(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """An expired decision is nobody's business until the others settle it: by waiting, or with an AI, due at once."""
    table = visit.open("manitou", "ann open", decision_s=DECISION_S)
    visit.sit(table, 2, BEN)
    decision = visit.decision(table, BEN)
    now.tick(DECISION_S)

    expire(visit.handler, table, 2, decision.recorded_id)
    assert visit.decision(table, BEN).expired
    assert [due.split("|")[1:3] for due in timers(visit.table(table))] == [["clock", "1"]]

    wait(visit.handler, table, 2, visit.sent(ANN), 30)
    extended = millis(START) + (DECISION_S + 30) * 1000
    assert (visit.decision(table, BEN).expired, visit.decision(table, BEN).deadline) == (False, stamp(extended))
    assert f"{table}|clock|2|{decision.opened}|{extended}" in timers(visit.table(table))

    now.tick(30)
    expire(visit.handler, table, 2, decision.recorded_id)
    hand_over(visit.handler, table, 2, visit.sent(ANN), "greedy")
    handed = visit.table(table)
    assert (handed.seats[1].player, handed.seats[1].ai and handed.seats[1].ai.level) == (None, "greedy")
    assert f"{table}|ai|2|{decision.opened}|0" in timers(handed)
    waiting = handed.decision_of(2)
    assert waiting is not None
    assert waiting.recorded_id == decision.recorded_id


def test_a_finished_table_has_nothing_left(visit: Visit) -> None:
    """After the end nothing has to be decided and nothing is due; the seed was told, and the stream is closed."""
    table = visit.play_to_the_end(visit.open("tomahawk", "ann ai", decision_s=DECISION_S)).table

    assert (table.status, table.over, table.closed) == ("finished", True, "game_over")
    assert (table.decisions, timers(table)) == ((), {})
    assert table.ended == table.version - 2


def test_an_abandoned_table_is_finished(visit: Visit) -> None:
    """A table that everybody left before the game began is finished without having been played."""
    table = visit.open("manitou", "ann open")
    left = visit.leave(table, 1, ANN).table

    assert (left.status, left.closed, left.over, left.ended) == ("finished", "abandoned", False, None)


def test_draws_are_counted_over_all_decisions(visit: Visit) -> None:
    """The table knows how many draws of each kind were made, so that the next one has its own number."""
    history = visit.play_to_the_end(visit.open("manitou", "ann ai"))
    kinds = {kind for event in history.events for kind in event.envelope.draws}
    summed = {kind: sum(event.envelope.draws.get(kind, 0) for event in history.events) for kind in kinds}

    assert history.table.draws == summed
    assert max(summed.values()) > 1


def test_a_fold_goes_on_where_it_stopped(visit: Visit) -> None:
    """Folding events in parts is folding them at once."""
    events = visit.play_to_the_end(visit.open("manitou", "ann ai")).events

    for cut in range(1, len(events), 7):
        assert fold(fold(None, events[:cut]), events[cut:]) == fold(None, events)
    assert fold(None, ()) is None


def test_the_head_is_the_last_event(visit: Visit) -> None:
    """Version, hash and time of a table are those of its last event."""
    history = visit.history(visit.open("manitou", "ann ai"))

    assert history.table.head == Head(len(history.events), history.events[-1].hash)
    assert history.table.at == history.events[-1].envelope.at


@pytest.mark.parametrize("kind", ["ai", "alone", "hook", "clock", "dispute"])
def test_an_entry_that_is_due_is_read_as_it_was_written(kind: Kind) -> None:
    """Its name holds all of it, so that whoever takes it out of the store knows what to do."""
    entry = TimerName("t_1", kind, 2, "57", 1_795_338_941_123)
    assert TimerName.read(entry.member) == entry
    assert (entry.decision, entry.ends_ms) == ("57-2", entry.last if kind in ("clock", "dispute") else 0)


@pytest.mark.parametrize("member", ["", "t_1", "t_1|ai|2|57", "t_1|ai|two|57|0", "t_1|ai|2|57|0|1"])
def test_what_is_no_entry_is_not_read(member: str) -> None:
    """It would be attended to as something else."""
    with pytest.raises(ValueError, match=r"unpack|invalid literal"):
        TimerName.read(member)
