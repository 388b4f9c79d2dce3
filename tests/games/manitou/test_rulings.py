"""The rulings of Manitou, section 8: each with its options in each of their values."""

from typing import Any

import pytest
from msgspec.structs import replace

from games import manitou
from games.manitou.components import CARDS, STRENGTH, VALUE
from games.manitou.state import PointsPile
from games.parties import SeatCard
from tests.games.manitou.spec import Table, buffalo, dealt, in_order, payload


def started(players: int = 2, **options: Any) -> dict[str, Any]:
    """What `GameStarted` says."""
    return payload(manitou.start(players, manitou.read_options(options, players), in_order).events[0])


@pytest.mark.parametrize(("low", "total"), [(9, 65), (8, 64)])
def test_r1_lowest_large_buffalo(low: int, total: int) -> None:
    """MA-R1: 9, or 8 as A prints it."""
    large = [row for row in started(large_herd_low=low)["buffalo_counts"] if row["herd"] == "large"]
    assert large[0] == {"herd": "large", "value": low, "count": 1}
    assert sum(row["value"] * row["count"] for row in large) == total


@pytest.mark.parametrize(("omit", "counts"), [(4, [1, 2, 1, 1, 2]), (2, [1, 1, 1, 2, 2]), (5, [1, 2, 1, 2, 1])])
def test_r2_fifteen_buffalo(omit: int, counts: list[int]) -> None:
    """MA-R2: one of the doubled small cards is left out."""
    rows = started(small_herd_omit=omit)["buffalo_counts"]
    assert [row["count"] for row in rows[:5]] == counts
    assert sum(row["count"] for row in rows) == 15


def test_r2_all_sixteen() -> None:
    """MA-R2: `"none"` plays all; with four players one is never seen."""
    assert sum(row["count"] for row in started(small_herd_omit="none")["buffalo_counts"]) == 16
    state = manitou.start(2, manitou.read_options({"small_herd_omit": "none"}, 2), in_order).state
    assert "buffalo-4-2" in state.small


def test_r3_hunters() -> None:
    """MA-R3: eleven hunters, the 5 twice, sum 60."""
    assert sorted(STRENGTH.values()) == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]
    assert len(CARDS) == 21


@pytest.mark.parametrize("count", [7, 10])
def test_r4_hide_thieves(count: int) -> None:
    """MA-R4: the supply; the box has 110 cards with 7."""
    state = manitou.start(3, manitou.read_options({"hide_thief_cards": count}, 3), in_order).state
    assert state.hide_thieves[-1] == f"hide-thief-{count}"
    assert len(manitou.census(state)) == len(set(manitou.census(state))) == 103 + count


def test_r6_dealers() -> None:
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


@pytest.mark.parametrize(("limit", "rule"), [("face_up", None), ("all", "MA-4.5b")])
def test_r9_beaten_heroes(limit: str, rule: str | None) -> None:
    """MA-R9: two beaten heroes on a ground count only by house rule."""
    table = Table(hero_limit=limit).lays(1, "chief", 1).lays(2, "scout scout", 1)
    assert table.refusal(2, "matriarch", 1) == rule


@pytest.mark.parametrize(
    ("attacked", "expected"),
    [
        ("last_played", ("attacker_beats", [2, 1], ("scout-1",))),
        ("first_played", ("defender_beats", [2], ("scout-1", "chief-1"))),
    ],
)
def test_r10_attacked_of_a_pair(attacked: str, expected: Any) -> None:
    """MA-R10: a matriarch against scout (older) and chief."""
    table = Table(attacked_of_pair=attacked).lays(1, "scout chief", 1).lays(2, "matriarch", 1)
    assert table.trial() == expected
    assert table.last("TrialOfStrengthResolved")["attacked_of_pair"] == attacked


@pytest.mark.parametrize(("needs", "down"), [("equal_or_stronger", [2, 1]), ("stronger", [2])])
def test_r11_sacrifice_of_an_equal(needs: str, down: list[int]) -> None:
    """MA-R11."""
    table = Table(sacrifice_needs=needs).lays(1, "scout chief", 1).lays(2, "chief", 1)
    assert table.trial()[:2] == ("identical", down)
    assert table.last("TrialOfStrengthResolved")["sacrifice_needs"] == needs


@pytest.mark.parametrize(("weaker", "rule"), [("loses", None), ("illegal", "MA-4.5c")])
def test_r12_too_weak_for_a_pair(weaker: str, rule: str | None) -> None:
    """MA-R12: lost, or refused; and not offered where it is refused."""
    table = Table(pair_attack_weaker=weaker).lays(1, "scout chief", 1)
    assert table.refusal(2, "rainmaker", 1) == rule
    assert len(manitou.legal_moves(table.state, 2)) == (3 if rule is None else 2)


def test_r12_equal_where_it_is_not_enough_is_illegal() -> None:
    """MA-R12 with MA-R11: under both house rules an equal hero is refused too."""
    table = Table(pair_attack_weaker="illegal", sacrifice_needs="stronger").lays(1, "scout chief", 1)
    assert table.refusal(2, "chief", 1) == "MA-4.5c"


def test_r13_a_card_that_loses_at_once() -> None:
    """MA-R13: legal."""
    assert Table().lays(1, "chief", 1).lays(2, "scout", 1).trial() == ("defender_beats", [2], ("chief-1",))


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


@pytest.mark.parametrize(("tie", "ranks"), [("shared", [1, 1, 3]), ("buffalo", [1, 2, 3]), ("prisoners", [2, 1, 3])])
def test_r21_ties(tie: str, ranks: list[int]) -> None:
    """MA-R21, MA-6.3: 12 by buffalo against 11 and a prisoner; a shared rank skips the next."""
    points = (PointsPile(buffalo("12")), PointsPile(buffalo("11"), (SeatCard(3, "chief-1"),)), PointsPile())
    scores = manitou.scores(replace(Table(3, victory_tie=tie).state, points=points))
    assert [row.total for row in scores.scores] == [12, 12, 0]
    assert [row.rank for row in scores.scores] == ranks
    assert scores.winners == tuple(seat for seat, rank in enumerate(ranks, 1) if rank == 1)


def test_r23_unplayed_cards_are_not_shown() -> None:
    """MA-R23: `cards` is for its seat alone."""
    table = dealt([" ".join(CARDS[:7]), " ".join(CARDS[:8])])
    while table.state.hunt == 1:
        seat = manitou.to_act(table.state)[0]
        table.plays(seat, manitou.legal_moves(table.state, seat)[0])
    returned = next(event for event in table.events if type(event).__name__ == "UnplayedCardsReturned")
    assert manitou.readers(table.state, returned) == {"cards": [2]}


def test_r31_tribes() -> None:
    """MA-R31: colours in seat order, with no effect on play."""
    assert started(3)["options"]["tribes"] == ["red", "blue", "green"]
    assert started(tribes=["green", "red"])["options"]["tribes"] == ["green", "red"]


def test_r35_a_pair_of_one_kind() -> None:
    """MA-R35: equal kinds cancel only between seats."""
    table = Table().lays(1, "scout scout", 1)
    assert table.face_up(1) == (1, ("scout-1", "scout-2"))
    assert table.payloads("TrialOfStrengthResolved") == []


def test_values_are_those_of_the_ids() -> None:
    """MA-1.5: the first number of an id is the value."""
    assert VALUE["buffalo-10-2"] == 10
    assert VALUE["buffalo-8"] == 8
