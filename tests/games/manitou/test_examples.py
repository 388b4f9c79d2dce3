"""The worked examples of the rules of Manitou, section 9, under their ids."""

from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.kernel import first_of_all as in_order
from games.manitou import game as manitou
from games.manitou.components import BEATS, CARDS
from games.manitou.events import GroundsStocked, HuntStarted
from games.manitou.evolve import Scribe
from games.manitou.house_rules import Options
from games.manitou.moves import PassTurn, PlayCard
from games.manitou.scoring import game_ended
from games.manitou.setup import begin_hunt, grounds_stocked
from games.manitou.state import Camp, PointsPile, State
from games.manitou_family_parties import PartyChoice, SeatCard
from games.payloads import event_type
from games.rows import swapped
from tests.games.manitou.spec import HEROES_ONLY, Orders, Table, buffalo, dealt, refusal
from tests.games.spec import payload

SMALL = ("1", "2-1", "2-2", "3", "4-1", "5-1", "5-2", "6", "7")
LARGE = ("9", "10-1", "10-2", "11", "12", "13")


def stakes(players: int) -> list[list[str]]:
    """What lies on the grounds when hunt 1 begins with the piles of MA-E1."""
    luck = Orders(shuffle_small_buffalo=[buffalo(*SMALL)], shuffle_large_buffalo=[buffalo(*LARGE)])
    state = manitou.start(players, manitou.read_options({}, players), luck).state
    return [list(ground.buffalo) for ground in state.grounds]


def test_ma_e1_the_buffalo_of_four_players_are_laid_out() -> None:
    """MA-E1: 9 + 1, 10 + 2, 2; six small and four large cards are left."""
    assert stakes(4) == [["buffalo-9", "buffalo-1"], ["buffalo-10-1", "buffalo-2-1"], ["buffalo-2-2"]]
    stocked = next(e for e in manitou.start(4, Options(), in_order).events if isinstance(e, GroundsStocked))
    assert (stocked.small_left, stocked.large_left) == (6, 4)


def test_ma_e2_the_buffalo_of_two_and_three_players_are_laid_out() -> None:
    """MA-E2: as many buffalo cards as the table of grounds has."""
    assert stakes(3) == [["buffalo-9", "buffalo-1"], ["buffalo-10-1"], ["buffalo-2-1"]]
    assert stakes(2) == [["buffalo-9", "buffalo-1"], ["buffalo-2-1"], ["buffalo-2-2"]]


def party(*cards: str) -> dict[str, Any]:
    """The move that chooses these cards."""
    return {"type": "choose_party", "cards": list(cards)}


def test_ma_e3_the_dealer_keeps_seven_cards() -> None:
    """MA-E3: the dealer takes 7, in `online` 8."""
    turn = manitou.start(2, manitou.read_options({}, 2), in_order)
    started = next(payload(event) for event in turn.events if isinstance(event, HuntStarted))
    assert started["turn_order"] == [2, 1]
    assert started["party_sizes"] == [{"seat": 1, "size": 7}, {"seat": 2, "size": 8}]
    assert refusal(turn.state, 1, party(*CARDS[:8])) == "MA-4.2a"
    assert refusal(turn.state, 1, party(*CARDS[:7])) is None
    assert refusal(turn.state, 1, party(*CARDS[:6], CARDS[0])) == "MA-4.2b"
    assert refusal(turn.state, 1, party(*CARDS[:6], "sorcerer-1")) == "MA-4.2c"
    online = manitou.start(2, manitou.read_options({"edition": "online"}, 2), in_order).state
    assert refusal(online, 1, party(*CARDS[:7])) == "MA-4.2a"
    assert refusal(online, 1, party(*CARDS[:8])) is None


SEVEN = ("hunter-10", "hunter-9", "hunter-2", "hunter-1", "chief-1", "scout-1", "rainmaker-1")


def test_ma_e4_parties_are_dealt_when_the_last_has_chosen() -> None:
    """MA-E4: parties are dealt when the last has chosen; who sees what is drawn."""
    state = manitou.start(3, manitou.read_options({}, 3), in_order).state
    state = manitou.play(state, 1, party(*SEVEN), in_order).state
    assert refusal(state, 1, party(*SEVEN)) == "MA-4.1e"
    assert manitou.to_act(state) == (2, 3)
    state = manitou.play(state, 3, party(*SEVEN, "matriarch-1"), in_order).state
    turn = manitou.play(state, 2, party(*SEVEN, "matriarch-1"), in_order)
    caused = [(event_type(type(event)), event.seat) for event in turn.events]
    dealing = [(name, seat) for seat in (2, 3, 1) for name in ("PartyShuffled", "CardsDrawn")]
    assert caused == [("PartyChosen", 2), *dealing]
    assert all(manitou.readers(state, turn.events[n]) == {"order": []} for n in (1, 3, 5))
    state = turn.state
    assert state.camps[1].hand == ("hunter-1", "hunter-2", "hunter-9")
    assert len(manitou.legal_moves(state, 2)) == 9
    turn = manitou.play(state, 2, {"type": "play_card", "card": "hunter-9", "ground": 3}, in_order)
    drawn = turn.events[-1]
    assert payload(drawn) == {"hunt": 1, "seat": 2, "count": 1, "cards": ["hunter-10"], "pile_left": 4, "phase": "play"}
    assert manitou.readers(state, drawn) == {"cards": [2]}
    hidden = replace(drawn, cards=msgspec.UNSET)
    assert msgspec.json.encode(payload(hidden)) == b'{"hunt":1,"seat":2,"count":1,"pile_left":4,"phase":"play"}'
    assert manitou.to_act(turn.state) == (3,)
    assert refusal(turn.state, 2, {"type": "play_card", "card": "hunter-1", "ground": 3}) == "MA-4.1e"


def relation_of(attacker: str, defender: str) -> str:
    """What the trial between two heroes gives."""
    relation: str = Table().lays(1, defender, 1).lays(2, attacker, 1).trial()[0]
    return relation


def test_ma_e5_the_medicine_man_meets_heroes_in_four_relations() -> None:
    """MA-E5: four relations of the medicine man; ten victories over all kinds."""
    found = {hero: relation_of("medicine_man", hero) for hero in BEATS}
    assert found == {
        "chief": "defender_beats",
        "scout": "defender_beats",
        "rainmaker": "attacker_beats",
        "matriarch": "attacker_beats",
        "medicine_man": "identical",
    }
    assert [relation_of(*pair) for pair in product(BEATS, repeat=2)].count("attacker_beats") == 10


def test_ma_e6_to_e8_a_stronger_hero_wins_a_weaker_falls_and_equals_both_fall() -> None:
    """MA-E6, MA-E7, MA-E8: one trial after another on ground 1."""
    table = Table(3).lays(2, "medicine_man", 1).lays(3, "scout", 1)
    assert table.trial() == ("attacker_beats", [2], ("scout-1",))
    table.lays(1, "matriarch", 1)
    assert table.trial() == ("defender_beats", [1], ("scout-1",))
    assert table.face_up(1) == (3, ("scout-1",))
    table.lays(2, "scout", 1)
    assert table.trial() == ("identical", [2, 3], None)
    table.lays(1, "matriarch", 1)
    assert len(table.payloads("TrialOfStrengthResolved")) == 3
    assert table.face_up(1) == (1, ("matriarch-2",))


def pair_on_2(players: int = 3, **options: Any) -> Table:
    """MA-E9: a rainmaker, then a chief of seat 1 on ground 2."""
    return Table(players, **options).lays(1, "rainmaker chief", 2)


def test_ma_e9_a_sacrifice_opens_the_protected_hero() -> None:
    """MA-E9: a matriarch or another chief opens the rainmaker."""
    assert pair_on_2().payloads("TrialOfStrengthResolved") == []
    table = pair_on_2().lays(2, "matriarch", 2)
    found = table.last("TrialOfStrengthResolved")
    assert found["contest"] == "pair"
    assert found["defender"] == {"seat": 1, "card": "chief-1", "hero": "chief", "protected": "rainmaker-1"}
    assert found["rules"] == ["MA-5.4", "MA-R10", "MA-5.2"]
    assert table.trial() == ("attacker_beats", [2, 1], ("rainmaker-1",))
    equal = pair_on_2().lays(2, "chief", 2)
    assert equal.trial() == ("identical", [2, 1], ("rainmaker-1",))
    assert equal.last("TrialOfStrengthResolved")["rules"] == ["MA-5.4", "MA-R10", "MA-5.2", "MA-R11"]
    table.lays(3, "medicine_man", 2)
    assert table.last("TrialOfStrengthResolved")["contest"] == "single"
    assert table.trial() == ("attacker_beats", [1], ("medicine_man-1",))


def test_ma_e10_the_hero_laid_later_defends_its_pair() -> None:
    """MA-E10: the defender is the scout, laid later, which beats the medicine man."""
    table = pair_on_2().lays(2, "matriarch", 2).lays(1, "scout", 2).lays(2, "medicine_man", 2)
    assert table.trial() == ("defender_beats", [2], ("rainmaker-1", "scout-1"))
    assert table.last("TrialOfStrengthResolved")["rules"] == ["MA-5.4", "MA-R10", "MA-5.2", "MA-R12"]


def test_ma_e11_a_weaker_attack_is_refused_where_it_is_illegal() -> None:
    """MA-E11: the attack on a pair by a weaker hero is refused."""
    table = pair_on_2(pair_attack_weaker="illegal").lays(2, "matriarch", 2).lays(1, "scout", 2)
    assert table.refusal(2, "medicine_man", 2) == "MA-4.5c"


def test_ma_e12_a_chief_falls_with_the_protector_online() -> None:
    """MA-E12: a chief falls with the medicine man that protects a scout."""

    def given(**options: Any) -> Table:
        return Table(edition="online", **options).lays(1, "scout medicine_man", 1).lays(2, "chief", 1)

    assert given().last("TrialOfStrengthResolved")["defender"]["protected"] == "scout-1"
    assert given().trial() == ("attacker_beats", [2, 1], ("scout-1",))
    assert given().lays(2, "rainmaker", 1).trial() == ("attacker_beats", [1], ("rainmaker-1",))
    table = given().lays(1, "chief", 1).lays(2, "rainmaker", 1)
    assert table.trial() == ("defender_beats", [2], ("scout-1", "chief-1"))
    found = table.last("TrialOfStrengthResolved")
    assert (found["contest"], found["defender"]["protected"]) == ("pair", "scout-1")
    assert given(attacked_of_pair="first_played").trial() == ("attacker_beats", [2, 1], ("medicine_man-1",))


@pytest.mark.fault
def test_ma_e13_an_equal_hero_opens_no_pair_online() -> None:
    """MA-E13: a sacrifice needs a hero that beats, unless `sacrifice_needs` says that an equal one is enough."""

    def given(**options: Any) -> Table:
        return Table(edition="online", **options).lays(1, "scout medicine_man", 1).lays(2, "medicine_man", 1)

    assert given().trial() == ("identical", [2], ("scout-1", "medicine_man-1"))
    assert given().last("TrialOfStrengthResolved")["rules"] == ["MA-5.4", "MA-R10", "MA-5.2", "MA-R11", "MA-R12"]
    equal = given(sacrifice_needs="equal_or_stronger")
    assert equal.trial() == ("identical", [2, 1], ("scout-1",))
    assert equal.last("TrialOfStrengthResolved")["rules"] == ["MA-5.4", "MA-R10", "MA-5.2", "MA-R11"]


@pytest.mark.parametrize(("hero_limit", "afterwards"), [("face_up", None), ("all", "MA-4.5b")])
def test_ma_e14_a_third_face_up_hero_is_refused(hero_limit: str, afterwards: str | None) -> None:
    """MA-E14: only face-up heroes count, but by house rule all."""
    table = Table(hero_limit=hero_limit).lays(1, "chief-1 chief-2", 3)
    assert table.refusal(1, "scout", 3) == "MA-4.5b"
    table.lays(2, "chief", 3)
    assert table.trial() == ("identical", [2, 1], ("chief-1",))
    assert table.refusal(1, "scout", 3) == afterwards


def test_ma_e15_who_can_lay_nothing_passes() -> None:
    """MA-E15: six heroes of one's own lie face up and the hand holds only heroes."""
    table = Table().lays(2, "chief chief", 1).lays(2, "scout scout", 2).lays(2, "matriarch matriarch", 3)
    table.holds(2, "rainmaker-1", "rainmaker-2").holds(1, "hunter-1").turn_of(2, turn=7)
    assert manitou.legal_moves(table.state, 2) == [PassTurn()]
    table.plays(2, {"type": "pass_turn"})
    passed = {"hunt": 1, "seat": 2, "turn": 7, "hand_count": 2, "rules": ["MA-4.4", "MA-R14"]}
    assert table.last("TurnPassed") == passed
    assert manitou.to_act(table.state) == (1,)
    assert refusal(table.state, 1, {"type": "pass_turn"}) == "MA-4.4"


def test_ma_e16_both_leaders_pay_the_penalty_of_force() -> None:
    """MA-E16: both leaders pay, and the last card goes by turn order."""
    table = Table(3).lays(1, "hunter-10", 1).lays(1, "hunter-4", 2).lays(2, "hunter-9 hunter-5-1", 3)
    table.lays(3, "hunter-8", 1)
    table.state = replace(table.state, hide_thieves=("hide-thief-7",))
    found = table.scored().last("ForcePenaltyAssessed")
    assert [(row["seat"], row["total"]) for row in found["totals"]] == [(1, 14), (2, 14), (3, 8)]
    assert (found["highest"], found["penalised"], found["hide_thieves_left"]) == (14, [2, 1], 0)
    assert found["penalties"] == [
        {"seat": 2, "card": "hide-thief-7", "points": -10},
        {"seat": 1, "card": None, "points": -10},
    ]
    assert found["rules"] == ["MA-5.6", "MA-R16", "MA-R29"]
    assert [row["penalties"] for row in table.last("HuntEnded")["earned"]] == [-10, -10, 0]


def test_ma_e16_without_hunters_nobody_pays() -> None:
    """MA-E16: without hunters nobody pays."""
    found = Table(3).lays(1, "chief", 1).lays(2, "scout", 2).scored().last("ForcePenaltyAssessed")
    assert (found["highest"], found["penalised"], found["penalties"]) == (0, [], [])
    assert (found["rules"], found["hide_thieves_left"]) == (["MA-5.6", "MA-R15"], 7)


def test_ma_e17_hunters_win_buffalo_and_the_chief_prisoners() -> None:
    """MA-E17: hunters win buffalo, the chief makes six prisoners."""
    table = Table(4).stake(1, "12", "5-1")
    table.lays(1, "hunter-9 hunter-2", 1).lays(2, "hunter-10 scout", 1).lays(3, "hunter-5-1 hunter-4", 1)
    table.lays(4, "chief", 1).scored()
    found = table.payloads("GroundEvaluated")[0]
    assert [(row["seat"], row["total"]) for row in found["totals"]] == [(1, 11), (2, 10), (3, 9)]
    assert (found["majority"], found["runner_up"], found["seats_present"]) == (1, 2, [1, 2, 3, 4])
    assert [(row["step"], row["seat"], row["value"]) for row in found["awards"]] == [
        ("majority", 1, 12),
        ("runner_up", 2, 5),
    ]
    cleared = table.payloads("GroundCleared")[0]
    assert (cleared["hero"], cleared["points"]) == ({"seat": 4, "cards": ["chief-1"]}, 6)
    assert [(row["seat"], len(row["cards"])) for row in cleared["prisoners"]] == [(1, 2), (2, 2), (3, 2)]
    assert cleared["returned"] == [{"seat": 4, "cards": ["chief-1"]}]
    ended = table.last("HuntEnded")
    assert [row["total"] for row in ended["earned"]] == [2, 5, 0, 6]
    assert [row["count"] for row in ended["cards_owned"]] == [19, 19, 19, 21]


def evaluated(table: Table) -> dict[str, Any]:
    """What ground 1 brings."""
    return table.scored().payloads("GroundEvaluated")[0]


def test_ma_e18_a_tie_for_first_wins_nothing() -> None:
    """MA-E18: nobody gets anything."""
    table = Table(3).stake(1, "9", "1")
    found = evaluated(table.lays(1, "hunter-7", 1).lays(2, "hunter-4 hunter-3", 1).lays(3, "hunter-6", 1))
    assert (found["tied_out"], found["majority"], found["runner_up"], found["awards"]) == ([1, 2], None, None, [])
    assert [(row["value"], row["reason"]) for row in found["removed"]] == [(9, "tie_for_first"), (1, "tie_for_first")]
    assert found["rules"] == ["MA-5.7", "MA-5.8"]


def test_ma_e19_a_tie_for_second_removes_the_second_card() -> None:
    """MA-E19: the second card is removed."""
    table = Table(3).stake(1, "9", "1")
    found = evaluated(table.lays(1, "hunter-7", 1).lays(2, "hunter-6", 1).lays(3, "hunter-6", 1))
    assert (found["tied_out"], found["majority"], found["runner_up"]) == ([2, 3], 1, None)
    assert [(row["seat"], row["value"]) for row in found["awards"]] == [(1, 9)]
    assert found["removed"] == [{"card": "buffalo-1", "value": 1, "reason": "tie_for_second"}]
    assert table.state.removed[0] == "buffalo-1"


BOTH: tuple[list[tuple[str, int]], list[str], list[str]] = ([("majority", 9), ("alone", 1)], [], ["MA-5.7", "MA-R17"])
HIGHER = ([("majority", 9)], ["nobody_second"], ["MA-5.7", "MA-R17", "MA-5.8"])


@pytest.mark.parametrize(
    ("options", "with_scout", "expected"),
    [
        ({}, False, BOTH),
        ({}, True, BOTH),
        ({"alone": "only_cards"}, False, BOTH),
        ({"alone": "only_cards"}, True, HIGHER),
        ({"edition": "online"}, False, HIGHER),
        ({"edition": "online"}, True, HIGHER),
    ],
)
@pytest.mark.fault
def test_ma_e20_who_is_alone_takes_both_cards(options: dict[str, Any], with_scout: bool, expected: Any) -> None:
    """MA-E20: who is alone with hunters takes both cards, in `online` the large one only."""
    table = Table(**options).stake(1, "9", "1").lays(1, "hunter-3", 1)
    found = evaluated(table.lays(2, "scout", 1) if with_scout else table)
    awards = [(row["step"], row["value"]) for row in found["awards"]]
    assert (awards, [row["reason"] for row in found["removed"]], found["rules"]) == expected


def test_ma_e21_heroes_alone_win_no_buffalo() -> None:
    """MA-E21: heroes win no buffalo; beaten ones go home where none is left face up."""
    table = Table().lays(1, "scout", 1).lays(2, "scout", 1).lays(1, "scout", 2).scored()
    first, second, third = table.payloads("GroundEvaluated")
    assert first["rules"] == second["rules"] == ["MA-5.7", "MA-R18", "MA-5.8"]
    assert third["rules"] == ["MA-5.7", "MA-5.8"]
    assert {row["reason"] for found in (first, second, third) for row in found["removed"]} == {"no_hunter"}
    cleared = table.payloads("GroundCleared")
    assert (cleared[0]["hero"], cleared[0]["prisoners"]) == (None, [])
    assert cleared[0]["returned"] == [{"seat": 1, "cards": ["scout-1"]}, {"seat": 2, "cards": ["scout-1"]}]
    assert (cleared[1]["hero"], cleared[1]["points"]) == ({"seat": 1, "cards": ["scout-2"]}, 0)
    assert (cleared[2]["hero"], cleared[2]["returned"]) == (None, [])


def test_ma_e22_a_beaten_hero_and_two_hunters_are_prisoners() -> None:
    """MA-E22: a beaten hero and two hunters."""
    table = Table(3, edition="online").lays(2, "rainmaker", 2).lays(1, "medicine_man", 2)
    table.lays(2, "hunter-2", 2).lays(3, "hunter-6", 2).lays(1, "hunter-1", 2).scored()
    cleared = table.payloads("GroundCleared")[1]
    assert cleared["points"] == 3
    assert cleared["returned"] == [{"seat": 1, "cards": ["hunter-1", "medicine_man-1"]}]
    assert table.last("HuntEnded")["earned"][0]["prisoners"] == 3
    assert table.state.points[0].prisoners == (
        SeatCard(2, "hunter-2"),
        SeatCard(2, "rainmaker-1"),
        SeatCard(3, "hunter-6"),
    )


def test_ma_e23_a_small_reserve_is_chosen_whole() -> None:
    """MA-E23: seven cards are all chosen, although it is not the dealer."""
    table = Table(2, hunt=2)
    camps = swapped(table.state.camps, 2, Camp(CARDS[:7]))
    scribe = Scribe(replace(table.state, camps=camps))
    begin_hunt(scribe)
    assert (scribe.state.hunt, scribe.state.dealer) == (3, 1)
    assert payload(scribe.events[0])["party_sizes"] == [{"seat": 1, "size": 7}, {"seat": 2, "size": 7}]
    assert manitou.legal_moves(scribe.state, 2) == [PartyChoice(7, CARDS[:7])]


def final(victory_tie: str) -> dict[str, Any]:
    """The end of MA-E24."""
    prisoners = tuple(SeatCard(1, card) for card in CARDS[:4])
    points = (PointsPile(buffalo("12", "10-1"), (), ("hide-thief-1",)), PointsPile(buffalo("5-1", "3"), prisoners))
    state = replace(Table(victory_tie=victory_tie).state, points=points)
    return payload(game_ended(state))


def test_ma_e24_a_tied_final_score_is_shared_or_broken() -> None:
    """MA-E24: 12 each; shared, or by buffalo, or by prisoners."""
    assert final("shared") == {
        "scores": [
            {"seat": 1, "buffalo": 22, "prisoners": 0, "penalties": -10, "total": 12, "rank": 1},
            {"seat": 2, "buffalo": 8, "prisoners": 4, "penalties": 0, "total": 12, "rank": 1},
        ],
        "ranking": [{"rank": 1, "seats": [1, 2]}],
        "winners": [1, 2],
        "rules": ["MA-6.1", "MA-6.2", "MA-6.3", "MA-R21"],
    }
    assert final("buffalo")["winners"] == [1]
    assert final("buffalo")["ranking"] == [{"rank": 1, "seats": [1]}, {"rank": 2, "seats": [2]}]
    assert final("prisoners")["winners"] == [2]


HUNT_ORDERS: dict[str, Any] = {
    "shuffle_small_buffalo": [buffalo("5-1", "3", "7", "1", "2-1", "2-2", "4-1", "5-2", "6")],
    "shuffle_large_buffalo": [buffalo("12", "9", "10-1", "10-2", "11", "13")],
    "shuffle_party": [
        ["chief-1", "hunter-3", "hunter-8", "rainmaker-1", "hunter-10", "matriarch-1", "scout-1", "hunter-2"],
        ["scout-1", "hunter-9", "hunter-1", "medicine_man-1", "chief-1", "hunter-4", "hunter-5-1"],
    ],
}
TURNS = (  # MA-E25: what seat 2 lays, then seat 1, and the drawn cards
    ("hunter-8", 1, "rainmaker-1", "hunter-9", 1, "medicine_man-1"),
    ("rainmaker-1", 1, "hunter-10", "medicine_man-1", 1, "chief-1"),
    ("chief-1", 1, "matriarch-1", "hunter-1", 2, "hunter-4"),
    ("matriarch-1", 1, "scout-1", "scout-1", 1, "hunter-5-1"),
    ("hunter-3", 3, "hunter-2", "chief-1", 1, None),
    ("scout-1", 1, None, "hunter-5-1", 1, None),
    ("hunter-2", 2, None, "hunter-4", 3, None),
)
FACE_UP_ON_1 = (None, (1, ("medicine_man-1",)), (2, ("chief-1",)), (2, ("chief-1",)), None, (2, ("scout-1",)))


def whole_hunt(turns: int = 7, **options: Any) -> Table:
    """The hunt of MA-E25, up to some turn of both seats."""
    parties = [" ".join(order) for order in reversed(HUNT_ORDERS["shuffle_party"])]
    table = dealt(parties, Orders(**HUNT_ORDERS), **options)
    for number, (card2, ground2, _, card1, ground1, _) in enumerate(TURNS[:turns]):
        table.plays(2, PlayCard(card2, ground2))  # type: ignore[arg-type]
        table.plays(1, PlayCard(card1, ground1))  # type: ignore[arg-type]
        if number < len(FACE_UP_ON_1) and not options:
            assert table.face_up(1) == FACE_UP_ON_1[number], f"turn {number + 1}"
    return table


def test_ma_e25_the_turns_of_a_whole_hunt_follow_each_other() -> None:
    """MA-E25: layout, draws and trials."""
    table = whole_hunt(7)
    stakes = [[row["value"] for row in ground["buffalo"]] for ground in table.payloads("GroundsStocked")[0]["grounds"]]
    assert stakes == [[12, 5], [3], [7]]
    drawn = [(row["seat"], row["cards"]) for row in table.payloads("CardsDrawn")[2:]]
    expected = [(seat, [card]) for turn in TURNS for seat, card in ((2, turn[2]), (1, turn[5])) if card]
    assert drawn == expected
    assert table.last("UnplayedCardsReturned") == {"hunt": 1, "seat": 2, "count": 1, "cards": ["hunter-10"]}
    assert [row["relation"] for row in table.payloads("TrialOfStrengthResolved")] == [
        "attacker_beats",
        "attacker_beats",
        "attacker_beats",
        "identical",
    ]
    assert table.payloads("TrialOfStrengthResolved")[2] == {
        "hunt": 1,
        "ground": 1,
        "contest": "pair",
        "attacker": {"seat": 1, "card": "scout-1", "hero": "scout"},
        "defender": {"seat": 2, "card": "matriarch-1", "hero": "matriarch", "protected": "chief-1"},
        "attacked_of_pair": "last_played",
        "sacrifice_needs": "equal_or_stronger",
        "relation": "attacker_beats",
        "turned_down": [{"seat": 1, "card": "scout-1"}, {"seat": 2, "card": "matriarch-1"}],
        "face_up_after": {"seat": 2, "cards": ["chief-1"]},
        "rules": ["MA-5.4", "MA-R10", "MA-5.2"],
    }


def test_ma_e25_the_penalty_of_force_is_paid_at_19_to_13() -> None:
    """MA-E25: hunters of 19 against hunters of 13; the seat with 19 pays."""
    assert whole_hunt().last("ForcePenaltyAssessed") == {
        "hunt": 1,
        "totals": [
            {"seat": 1, "cards": ["hunter-1", "hunter-4", "hunter-5-1", "hunter-9"], "total": 19},
            {"seat": 2, "cards": ["hunter-2", "hunter-3", "hunter-8"], "total": 13},
        ],
        "highest": 19,
        "penalised": [1],
        "penalties": [{"seat": 1, "card": "hide-thief-1", "points": -10}],
        "hide_thieves_left": 6,
        "rules": ["MA-5.6"],
    }


def test_ma_e25_buffalo_and_prisoners_are_won_ground_by_ground() -> None:
    """MA-E25: ground 1 in full, who takes the others."""
    table = whole_hunt()
    first, second, third = table.payloads("GroundEvaluated")
    assert first == {
        "hunt": 1,
        "ground": 1,
        "buffalo": [{"card": "buffalo-12", "value": 12}, {"card": "buffalo-5-1", "value": 5}],
        "seats_present": [1, 2],
        "totals": [
            {
                "seat": 1,
                "cards": [{"card": "hunter-5-1", "strength": 5}, {"card": "hunter-9", "strength": 9}],
                "total": 14,
            },
            {"seat": 2, "cards": [{"card": "hunter-8", "strength": 8}], "total": 8},
        ],
        "tied_out": [],
        "majority": 1,
        "runner_up": 2,
        "awards": [
            {"step": "majority", "seat": 1, "card": "buffalo-12", "value": 12},
            {"step": "runner_up", "seat": 2, "card": "buffalo-5-1", "value": 5},
        ],
        "removed": [],
        "rules": ["MA-5.7"],
    }
    assert [(row["majority"], row["runner_up"], row["awards"][0]["value"]) for row in (second, third)] == [
        (2, 1, 3),
        (1, 2, 7),
    ]
    prisoners = ["hunter-5-1", "hunter-9", "chief-1", "medicine_man-1", "scout-1"]
    assert table.payloads("GroundCleared")[0] == {
        "hunt": 1,
        "ground": 1,
        "hero": {"seat": 2, "cards": ["scout-1"]},
        "prisoners": [{"seat": 1, "cards": prisoners}],
        "returned": [{"seat": 2, "cards": ["hunter-8", "chief-1", "rainmaker-1", "scout-1", "matriarch-1"]}],
        "points": 5,
        "rules": ["MA-5.9"],
    }


def test_ma_e25_the_hunt_ends_step_by_step() -> None:
    """MA-E25: 9 to 13, and what happens in which order."""
    table = whole_hunt()
    assert table.last("HuntEnded") == {
        "hunt": 1,
        "earned": [
            {"seat": 1, "buffalo": 19, "prisoners": 0, "penalties": -10, "total": 9},
            {"seat": 2, "buffalo": 8, "prisoners": 5, "penalties": 0, "total": 13},
        ],
        "totals": [{"seat": 1, "total": 9}, {"seat": 2, "total": 13}],
        "cards_owned": [{"seat": 1, "count": 16}, {"seat": 2, "count": 21}],
        "next_dealer": 2,
    }
    assert [event_type(type(event)) for event in table.events[-12:]] == [
        "CardPlayed",
        "UnplayedCardsReturned",
        "ForcePenaltyAssessed",
        *["GroundEvaluated"] * 3,
        *["GroundCleared"] * 3,
        "HuntEnded",
        "HuntStarted",
        "GroundsStocked",
    ]


def test_ma_e26_the_same_cards_lead_to_the_same_events_online() -> None:
    """MA-E26: every event is the same, but for the options that the first and the sacrifice of turn 4 state."""
    online, usual = whole_hunt(edition="online", dealer_party=7), whole_hunt()
    others = [pair for pair in zip(online.events[1:], usual.events[1:], strict=True) if pair[0] != pair[1]]
    ((sacrifice, usual_one),) = others
    assert sacrifice == msgspec.structs.replace(usual_one, sacrifice_needs="stronger")
    assert payload(online.events[0])["options"]["edition"] == "online"


def test_ma_e26_the_variants_of_pairs_decide_otherwise() -> None:
    """MA-E26: the chief, laid first, is attacked; an equal hero is not enough; a third hero is refused."""
    table = whole_hunt(5, edition="online", dealer_party=7, attacked_of_pair="first_played")
    fourth, fifth = table.payloads("TrialOfStrengthResolved")[-2:]
    pair = {"seat": 2, "cards": ["chief-1", "matriarch-1"]}
    assert (fourth["defender"]["hero"], fourth["relation"], fifth["relation"]) == (
        "chief",
        "defender_beats",
        "identical",
    )
    assert fourth["turned_down"] == [{"seat": 1, "card": "scout-1"}]
    assert fifth["turned_down"] == [{"seat": 1, "card": "chief-1"}]
    assert fourth["face_up_after"] == fifth["face_up_after"] == pair
    assert refusal(table.state, 2, {"type": "play_card", "card": "scout-1", "ground": 1}) == "MA-4.5b"


def test_ma_e27_a_spectator_sees_numbers_of_cards() -> None:
    """MA-E27: numbers of cards, and which cards are out of sight or still in the herds."""
    view = manitou.view(whole_hunt(1).state, None)
    first, second = view.seats
    assert (first.hand_count, second.hand_count) == (3, 3)
    assert (second.pile_count, first.pile_count) == (4, 3)
    assert (second.reserve_count, first.reserve_count) == (13, 14)
    assert second.unseen_cards == tuple(card for card in CARDS if card != "hunter-8")
    assert view.small_pile.cards == buffalo("1", "2-1", "2-2", "4-1", "5-2", "6")
    assert view.large_pile.cards == buffalo("9", "10-1", "10-2", "11", "13")
    hidden = (second.hand, second.pile, second.reserve, second.party)
    assert all(cards is msgspec.UNSET for cards in hidden)


def test_heroes_only_is_a_party() -> None:
    """MA-4.2: any mixture is allowed."""
    table = dealt([" ".join(CARDS[:7]), HEROES_ONLY])
    assert isinstance(table.state, State)
    assert table.state.camps[1].hand == ("chief-1", "chief-2", "medicine_man-1")


def test_layout_is_what_the_piles_show() -> None:
    """MA-2.6: the stock of a hunt follows from the piles alone."""
    state = Table(4).state
    assert grounds_stocked(state).small_left == len(state.small) - 3
