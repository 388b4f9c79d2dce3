"""A table is the fold of its events: who sits there, what has to be decided and until when, what is due."""

import pytest
from freezegun.api import FrozenDateTimeFactory

from projections.table import Table
from tests.tables import ANN, BEN, CAT, Visit
from worker.play_turn import play_turns

DECISION_S = 60


pytestmark = pytest.mark.usefixtures("now")


def decisions(table: Table) -> dict[int, str]:
    """The ids of the decisions open, by seat."""
    return {decision.seat: decision.recorded_id for decision in table.decisions}


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


def test_a_deadline_is_not_moved_by_the_others(visit: Visit, now: FrozenDateTimeFactory) -> None:
    """Another seat's move gives no more time."""
    table = visit.open("manitou", "ann ai", decision_s=DECISION_S)
    before = visit.decision(table, ANN)
    now.tick(30)
    play_turns(visit.handler, table)

    assert visit.decision(table, ANN) == before
