"""The rulings of section 8, in what their cases in their folder leave open."""

import random
from typing import Any

import pytest

from games.plenty_coups import game as plenty_coups
from games.plenty_coups.components import WINTER
from games.plenty_coups.moves import ExchangeGiftsFree, PassTurn, ReturnRaid
from tests.games.plenty_coups.spec import Table, card, given, proposal, raid
from wintercount.testing.random_games import random_game, random_options

TWO = ("yellow", "black", "red")


def ends_turn(**said: Any) -> Table:
    """A table whose turn of black ends by breeding."""
    table = given(**{"hands": {"black": "horse"}, "actions": 1, **said})
    table.play({"type": "breed"})
    return table


def test_pc_r8_raids_return_before_all_else_or_at_any_time() -> None:
    """PC-R8: before all else, or at any time."""
    said: dict[str, Any] = {"hands": {"black": "horse stick"}, "raids": [raid("black", "red", "R-2", round_=2)]}
    move = {"type": "return_raid", "target": "red", "coup": True}
    first = given(**said)
    assert {m["type"] for m in first.listed(1)} == {"return_raid"}
    any_time = given(**said, options={"raid_return": "any"})
    any_time.play({"type": "breed"})
    any_time.play(move)
    assert any_time.types[:3] == ["RaidReturned", "CoupMarked", "PrestigeGained"]


def test_pc_r10_the_bonus_counts_always_or_in_defence_only() -> None:
    """PC-R10: the +1 counts for the strict test of a coup in defence, or only for whether weapons suffice."""
    said: dict[str, Any] = {
        "turn": "red",
        "hands": {"red": "weapon-4 stick horse"},
        "raids": [raid("yellow", "red", "Y-3")],
    }
    for value, is_open in (("always", False), ("defence_only", True)):
        table = given(**said, options={"bonus_counts": value})
        table.play({"type": "defend", "cards": ["weapon-4"]})
        assert table.first("RaidRepelled")["coup_open"] is is_open
    rules = ["PC-4.48", "PC-R9", "PC-5.8", "PC-4.50", "PC-R10", "PC-4.51"]
    assert table.first("RaidRepelled")["rules"] == rules
    table.play({"type": "mark_defence_coup"})
    assert table.first("CoupMarked")["rules"] == ["PC-4.50", "PC-R10", "PC-4.51", "PC-5.8"]


def test_r12_the_attack_value_stays() -> None:
    """PC-R12: a bonus of an ally lost since stays, and is cited."""
    raids = [raid("yellow", "red", "W-3", bonus=1)]
    table = given(turn="red", hands={"red": "weapon-4 stick horse"}, raids=raids)
    table.play({"type": "defend", "cards": ["weapon-4"]})
    repelled = table.first("RaidRepelled")
    assert repelled["attack"] == 4
    assert repelled["rules"][:2] == ["PC-R12", "PC-4.48"]
    still = given(turn="red", hands={"red": "weapon-4"}, raids=raids, allies={"yellow": ("white", "W-2")})
    still.play({"type": "defend", "cards": ["weapon-4"]})
    assert still.first("RaidRepelled")["rules"][0] == "PC-4.48"
    driven = given(hands={"black": "B-4"}, raids=raids)
    driven.play({"type": "raid", "target": "red", "cards": [card("B-4")]})
    assert driven.first("RaidDrivenOff")["rules"] == ["PC-R12", "PC-4.42", "PC-R10", "PC-5.5"]


def test_pc_r14_prestige_stops_at_four_markers_or_goes_on() -> None:
    """PC-R14: four markers at most, or extra points, which go first."""
    said: dict[str, Any] = {"hands": {"black": "horse"}, "herds": {"black": 3}, "prestige": {"black": 4}}
    move = {"type": "donate_horses", "to": "red", "discard": "horse"}
    for value, marker, after in (("markers", "none", 4), ("none", "extra", 5)):
        table = given(**said, options={"prestige_limit": value})
        table.play(move)
        gained = table.first("PrestigeGained")
        assert (gained["marker"], gained["after"], gained["rules"]) == (marker, after, ["PC-5.6", "PC-R14"])
        assert table.prestige("black") == after
    lost = given(hands={"black": "stick", "red": ""}, prestige={"red": 4}, extra={"red": 1})
    lost.play({"type": "disdain", "target": "red"})
    lost.play({"type": "endure_disdain"})
    assert (lost.first("PrestigeLost")["marker"], lost.first("PrestigeLost")["rules"]) == (
        "extra",
        ["PC-5.7", "PC-R14"],
    )
    assert (lost.camp("red").extra, lost.prestige("red")) == (0, 4)


def test_pc_r15_a_loss_turns_a_marker_in_camp_first() -> None:
    """PC-R15: a loss turns a marker in camp first, else that of the oldest raid."""
    raids = [raid("red", "green", "R-1", marker="prestige"), raid("red", "yellow", "R-2", marker="prestige")]
    for turned, marker in ((1, "camp"), (0, "raid:green")):
        table = given(hands={"black": "stick"}, prestige={"red": turned}, raids=raids)
        table.play({"type": "disdain", "target": "red"})
        table.play({"type": "endure_disdain"})
        lost = table.first("PrestigeLost")
        assert (lost["marker"], lost["rules"]) == (marker, ["PC-5.7", "PC-R15"])
    assert [r.marker for r in table.state.raids] == ["raid", "prestige"]


def test_pc_r5_passing_is_free_in_winter_or_always() -> None:
    """PC-R5: free in winter only, or always."""
    said: dict[str, Any] = {"hands": {"black": "horse horse horse weapon-2 stick"}}
    given(**said).refuses({"type": "pass_turn"}, "PC-4.120")
    table = given(**said, options={"voluntary_pass": "always"})
    table.play({"type": "pass_turn"})
    assert table.first("TurnPassed")["rules"] == ["PC-4.120", "PC-R5"]
    assert table.state.phase == "excess"
    table.play({"type": "discard_excess", "cards": ["weapon-2", "horse"]})
    assert table.first("CardsDiscarded")["cards"] == ["weapon-2", "horse"]


@pytest.mark.parametrize("seed", range(10))
def test_pc_4_120_passing_is_legal_exactly_when_no_other_legal_move_costs_an_action(seed: int) -> None:
    """PC-4.120: or no action is left, it is winter, or `voluntary_pass` is "always"; PC-3.6: raids return first."""
    rng = random.Random(seed)
    options = random_options(plenty_coups, rng) | {"voluntary_pass": "winter"}
    for step in random_game(plenty_coups, rng.choice(plenty_coups.players), options, rng):
        state = step.turn.state
        if state.phase == "actions" and state.actions and state.round < WINTER:
            (seat,) = plenty_coups.to_act(state)
            listed = plenty_coups.legal_moves(state, seat)
            returns_first = options["raid_return"] == "first" and any(type(move) is ReturnRaid for move in listed)
            assert (PassTurn() in listed) == (not returns_first and not any(map(costs_an_action, listed)))


def costs_an_action(move: Any) -> bool:
    """PC-3.7."""
    return not isinstance(move, ExchangeGiftsFree | PassTurn) and getattr(move, "coup", True)


def test_pc_r26_a_tribe_proposes_to_several_others() -> None:
    """PC-R26: to different tribes; once allied with a neutral tribe they are withdrawn."""
    table = given(hands={"black": "R-2 W-1"}, proposals=[proposal("black", "green", "G-1")])
    table.play({"type": "propose_alliance", "to": "red", "card": card("R-2")})
    assert table.first("AllianceProposed")["rules"] == ["PC-4.72", "PC-R26", "PC-5.8"]
    table.play({"type": "ally_neutral", "card": card("W-1")})
    assert table.types[:3] == ["NeutralAllianceFormed", "ProposalWithdrawn", "ProposalWithdrawn"]
    assert [e.seat for e in table.events if type(e).__name__ == "ProposalWithdrawn"] == [1, 1]
    assert not table.state.proposals


def test_r35_in_round_ten() -> None:
    """PC-R35: the card that proved worth is replaced in round 10 too."""
    table = ends_turn(round=10, disdained=["yellow"], options={"winter_draw": "deck"})
    assert table.first("DisdainLifted")["rules"] == ["PC-3.4", "PC-R34", "PC-R35"]
    assert [e.reason for e in table.events if type(e).__name__ == "CardsDrawn"] == ["disdain", "winter"]


def test_pc_r43_the_shared_hand_is_seen_by_both_or_by_who_plays_it() -> None:
    """PC-R43: seen by both, or by who plays it in the round and by who must answer for it."""
    said: dict[str, Any] = {"tribes": TWO, "hands": {"yellow": "horse weapon-2", "black": "stick"}, "turn": "yellow"}
    for value, round_, seats in (("open", 1, [1, 2]), ("controller", 1, [1]), ("controller", 2, [2])):
        table = given(2, **said, round=round_, options={"shared_hand": value})
        seen = [seat for seat in (1, 2) if plenty_coups.view(table.state, seat).camps[1].hand == ("coup-stick",)]
        assert seen == seats
        table.play({"type": "exchange_gifts", "to": "black", "give": "horse", "discard": "weapon-2"})
        assert plenty_coups.view(table.state, 2).camps[1].hand == ("coup-stick",)
        table.play({"type": "answer_gift", "give": "coup-stick"})
        assert table.read_by("GiftsExchanged") == {"given": [1, 2], "received": [1, 2]}


def test_r42_the_other_player_answers() -> None:
    """PC-R42: questions to the shared tribe go to the other player; one's own are answered by oneself."""
    table = given(2, TWO, round=1, turn="red", hands={"red": "stick"}, prestige={"black": 1})
    table.play({"type": "disdain", "target": "black"})
    assert table.first("DisdainCast")["rules"] == ["PC-R32", "PC-4.92", "PC-5.8"]
    assert plenty_coups.to_act(table.state) == (1,)
    table.play({"type": "endure_disdain"})
    assert table.first("DisdainEndured")["rules"] == ["PC-R42", "PC-4.96", "PC-R33", "PC-5.7", "PC-5.8"]
    assert (table.first("DisdainEndured")["seat"], table.first("PrestigeLost")["seat"]) == (1, 1)
    proving = given(2, TWO, round=1, turn="red", hands={"red": "stick", "black": "weapon-4"})
    proving.play({"type": "disdain", "target": "black"})
    proving.play({"type": "prove_worth", "card": "weapon-4"})
    assert proving.first("WorthProved")["rules"] == ["PC-R42", "PC-4.95", "PC-5.8"]
    hands = {"black": "stick", "yellow": "weapon-4"}
    own = given(2, TWO, round=1, turn="black", hands=hands, options={"shared_dealings": "any"})
    own.play({"type": "disdain", "target": "yellow"})
    assert plenty_coups.to_act(own.state) == (1,)


@pytest.mark.parametrize(("round_", "own", "other"), [(1, "yellow", "red"), (2, "red", "yellow")])
def test_r52_nobody_deals_with_a_tribe_for_which_he_would_answer_himself(round_: int, own: str, other: str) -> None:
    """PC-4.57, PC-4.93: in the shared tribe's turn, by whoever plays it; the other player's tribe may be dealt with."""
    hands = {"black": "stick horse weapon-2", "yellow": "horse", "red": "horse"}
    table = given(2, TWO, round=round_, turn="black", hands=hands)
    table.refuses({"type": "disdain", "target": own}, "PC-4.93")
    table.refuses({"type": "exchange_gifts", "to": own, "give": "horse", "discard": "weapon-2"}, "PC-4.57")
    (seat,) = plenty_coups.to_act(table.state)
    dealings = [move for move in table.listed(seat) if move["type"] in ("disdain", "exchange_gifts")]
    assert {move.get("target", move.get("to")) for move in dealings} == {other}
    any_ = given(2, TWO, round=round_, turn="black", hands=hands, options={"shared_dealings": "any"})
    any_.allows({"type": "disdain", "target": own})


def test_r44_the_shared_tribe_as_an_ally() -> None:
    """PC-R44: proposed to in one turn, accepted in its own by whoever plays it; what nobody plays has no seat."""
    options = {"shared_alliance": "allowed"}
    proposals = [proposal("yellow", "black", "B-3")]
    table = given(
        2, TWO, round=1, turn="black", hands={"black": "Y-2 horse"}, options=options, actions=1, proposals=proposals
    )
    table.play({"type": "accept_alliance", "from": "yellow", "card": card("Y-2")})
    assert (table.first("AllianceSealed")["seat"], table.first("PrestigeGained")["seat"]) == (1, 1)
    assert table.camp("yellow").ally == "black"


def test_r44_the_shared_tribe_as_a_neutral_ally() -> None:
    """PC-R44: it binds the one that took it; no free exchange, no added points, and disdain does not end it."""
    options = {"shared_alliance": "neutral"}
    allies = {"yellow": ("black", "B-2")}
    hands = {"yellow": "B-3 B-4 stick horse", "black": "Y-2 Y-4 B-1", "red": "B-3 R-1 Y-1"}
    prestige = {"yellow": 2, "black": 2}
    own, other, shared = (
        given(2, TWO, round=1, turn=turn, hands=hands, options=options, allies=allies, prestige=prestige)
        for turn in ("yellow", "red", "black")
    )
    own.refuses({"type": "raid", "target": "black", "cards": [card("B-3")]}, "PC-4.38")
    own.refuses({"type": "exchange_gifts_free", "give": "horse"}, "PC-4.60")
    own.refuses({"type": "ally_neutral", "card": card("B-4")}, "PC-4.87")
    own.refuses({"type": "donate_horses", "to": "black", "discard": "horse"}, "PC-4.100")
    shared.refuses({"type": "ally_neutral", "card": card("B-1")}, "PC-4.85")
    shared.allows({"type": "raid", "target": "red", "cards": [card("Y-2")]})
    assert plenty_coups.scores(own.state).scores[0].combined is False
    own.play({"type": "raid", "target": "red", "cards": [card("B-3")]})
    assert own.first("RaidLaunched")["attack"] == 4
    disdained = given(2, TWO, round=1, turn="yellow", hands=hands, options=options, allies=allies)
    disdained.play({"type": "disdain", "target": "black"})
    assert (disdained.first("DisdainCast")["was_ally"], disdained.camp("yellow").ally) == (False, "black")
    other.play({"type": "ally_neutral", "card": card("B-3")})
    assert (other.camp("yellow").ally, other.camp("red").ally, other.camp("black").ally) == (None, "black", None)
    at_war = given(2, TWO, turn="red", hands=hands, options=options, raids=[raid("red", "black", "R-2")], round=1)
    at_war.refuses({"type": "ally_neutral", "card": card("B-3")}, "PC-4.89")


def test_a_proposal_of_the_shared_tribe_falls_in_a_turn_of_another() -> None:
    """PC-5.1: nobody plays the proposer then, so the event has no seat."""
    proposals = [proposal("black", "yellow", "Y-2"), proposal("black", "red", "R-2")]
    options = {"shared_alliance": "allowed"}
    table = given(2, TWO, round=1, turn="red", hands={"red": "B-3"}, options=options, proposals=proposals)
    table.play({"type": "accept_alliance", "from": "black", "card": card("B-3")})
    fallen = table.first("ProposalWithdrawn")
    assert (fallen["seat"], fallen["tribe"], fallen["reason"]) == (None, "black", "proposer_allied")


@pytest.mark.parametrize(("value", "stands"), [("to_any", True), ("to_unallied", False)])
def test_r29_a_proposal_falls_when_its_target_allies(value: str, stands: bool) -> None:
    """PC-5.9: by `to_unallied` a tribe with a neutral ally does not go on proposing to one that has a seated ally."""
    table = given(
        turn="red",
        hands={"red": "G-1"},
        options={"neutral_ally_may_propose": value},
        allies={"black": ("white", "W-2")},
        proposals=[proposal("black", "green", "G-4"), proposal("green", "red", "R-2")],
    )
    table.play({"type": "accept_alliance", "from": "green", "card": card("G-1")})
    assert ("ProposalWithdrawn" in table.types) != stands


def test_r16_the_pile_is_renewed_before_a_sweep() -> None:
    """PC-5.2: right behind the event that took the last card, at once also when a display is filled."""
    options = {"pile_renewal": "at_once"}
    table = ends_turn(options=options, display="weapon-2 weapon-3", pile="horse stick Y-1 weapon-2 weapon-2")
    names = table.types
    at = names.index("DisplayRefilled")
    assert names[at : at + 3] == ["DisplayRefilled", "DeckReshuffled", "DisplaySwept"]


def test_what_befalls_the_shared_tribe_has_no_seat() -> None:
    """PC-5.1: in another tribe's turn nobody plays the shared tribe."""
    raids = [raid("black", "red", "W-1", round_=1)]
    table = given(2, TWO, round=2, turn="yellow", hands={"yellow": "Y-4"}, raids=raids)
    table.play({"type": "raid", "target": "red", "cards": [card("Y-4")]})
    assert table.first("RaidDrivenOff")["seat"] is None
