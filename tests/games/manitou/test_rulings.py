"""The rulings of Manitou, section 8, in what their cases in their folder leave open."""

from typing import Any

import pytest

from games.kernel import first_of_all as in_order
from games.manitou import game as manitou
from games.manitou.components import CARDS, STRENGTH
from tests.games.manitou.spec import Table, dealt
from tests.games.spec import payload


def started(players: int = 2, **options: Any) -> dict[str, Any]:
    """What `GameStarted` says."""
    return payload(manitou.start(players, manitou.read_options(options, players), in_order).events[0])


def test_ma_r2_all_sixteen_buffalo_may_be_played() -> None:
    """MA-R2: `"none"` plays all; with four players one is never seen."""
    assert sum(row["count"] for row in started(small_herd_omit="none")["buffalo_counts"]) == 16
    state = manitou.start(2, manitou.read_options({"small_herd_omit": "none"}, 2), in_order).state
    assert "buffalo-4-2" in state.small


def test_ma_r3_eleven_hunters_come_to_60() -> None:
    """MA-R3: eleven hunters, the 5 twice, sum 60."""
    assert sorted(STRENGTH.values()) == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]
    assert len(CARDS) == 21


@pytest.mark.parametrize("count", [7, 10])
def test_ma_r4_seven_or_ten_hide_thieves_are_the_supply(count: int) -> None:
    """MA-R4: the supply; the box has 110 cards with 7."""
    state = manitou.start(3, manitou.read_options({"hide_thief_cards": count}, 3), in_order).state
    assert state.hide_thieves[-1] == f"hide-thief-{count}"
    assert len(manitou.census(state)) == len(set(manitou.census(state))) == 103 + count


def test_ma_r6_the_dealer_goes_round() -> None:
    """MA-R6, MA-3.2: seats 1, 2, 3 deal; of two, seat 1 deals again."""
    for players, dealers in ((2, [1, 2, 1]), (3, [1, 2, 3]), (4, [1, 2, 3])):
        assert [payload(event)["dealer"] for event in hunts(players)] == dealers


def hunts(players: int) -> list[Any]:
    """The beginnings of the hunts of a game in which everybody does the first thing possible."""
    turn = manitou.start(players, manitou.read_options({}, players), in_order)
    events = list(turn.events)
    while acting := manitou.to_act(turn.state):
        move = manitou.legal_moves(turn.state, acting[0])[0]
        chosen = move.sample(in_order) if turn.state.phase == "party" else move
        turn = manitou.play(turn.state, acting[0], chosen, in_order)
        events += turn.events
    return [event for event in events if type(event).__name__ == "HuntStarted"]


@pytest.mark.parametrize(("size", "turns_with_a_draw"), [(7, 4), (8, 5)])
def test_r7_party_of_the_dealer(size: int, turns_with_a_draw: int) -> None:
    """MA-R7, MA-3.6: 7 are all played; of 8 one is left."""
    table = dealt([" ".join(CARDS[:size]), " ".join(CARDS[:8])], dealer_party=size)
    while table.state.hunt == 1:
        seat = manitou.to_act(table.state)[0]
        table.plays(seat, manitou.legal_moves(table.state, seat)[0])
    assert sum(row["seat"] == 1 for row in table.payloads("CardsDrawn")) == 1 + turns_with_a_draw
    left = [row["count"] for row in table.payloads("UnplayedCardsReturned") if row["seat"] == 1]
    assert left == [1] * (size - 7)


def test_r12_equal_where_it_is_not_enough_is_illegal() -> None:
    """MA-R12 with MA-R11: under both house rules an equal hero is refused too."""
    table = Table(pair_attack_weaker="illegal", sacrifice_needs="stronger").lays(1, "scout chief", 1)
    assert table.refusal(2, "chief", 1) == "MA-4.5c"


def test_r14_a_pass_before_turn_7() -> None:
    """MA-R14: where a vain attack is illegal; hand and pile are kept, the turn counts, and all goes home in the end."""
    table = Table(3, pair_attack_weaker="illegal")
    table.lays(1, "chief chief", 1).lays(3, "chief chief", 2).lays(1, "medicine_man medicine_man", 3)
    table.holds(2, "rainmaker-1", "rainmaker-2", pile=("hunter-2", "hunter-1")).turn_of(2, turn=3)
    before = table.state.camps[1]
    table.plays(2, {"type": "pass_turn"})
    rules = ["MA-4.4", "MA-R14"]
    assert table.last("TurnPassed") == {"hunt": 1, "seat": 2, "turn": 3, "hand_count": 2, "rules": rules}
    assert type(table.events[-1]).__name__ == "TurnPassed"
    assert table.state.camps[1] == before
    assert manitou.to_act(table.state) == (3,)
    table.holds(1, "hunter-3").turn_of(1, turn=7).plays(1, {"type": "play_card", "card": "hunter-3", "ground": 1})
    cards = ["hunter-1", "hunter-2", "rainmaker-1", "rainmaker-2"]
    assert table.payloads("UnplayedCardsReturned") == [{"hunt": 1, "seat": 2, "count": 4, "cards": cards}]


def test_r17_alone_with_one_card_at_stake() -> None:
    """MA-R17 bears only on a second card."""
    found = Table().stake(2, "7").lays(1, "hunter-3", 2).scored().payloads("GroundEvaluated")[1]
    assert (found["rules"], found["majority"], found["removed"]) == (["MA-5.7"], 1, [])


def test_r18_a_seat_without_hunters_is_not_second() -> None:
    """MA-R18: and the removed second card does not go to it."""
    table = Table(alone="never").stake(1, "9", "1").lays(1, "hunter-3", 1).lays(2, "chief", 1).scored()
    found = table.payloads("GroundEvaluated")[0]
    assert (found["runner_up"], found["seats_present"]) == (None, [1, 2])
