"""The worked examples of the rules (section 9), each under its id."""

from typing import Any

import pytest
from msgspec import UNSET

from games.kernel import first_of_all as as_given
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.cards import group_of_three
from games.plenty_coups.components import DECK
from games.plenty_coups.scoring import scores
from tests.games.plenty_coups.spec import Table, card, cards, given, proposal, raid

FOUR = ("black", "yellow", "green", "red")


def seated(players: int, *tribes: str, order: tuple[str, ...] = DECK, **options: Any) -> Any:
    """A game in which the tribes were chosen; the state and the events of the last choice."""

    def chance(kind: str, population: Any, count: int) -> Any:
        return order if kind == "shuffle_deck" else as_given(kind, population, count)

    state = plenty_coups.start(players, plenty_coups.read_options(options, players), chance).state
    events: Any = ()
    for seat, tribe in enumerate(tribes, 1):
        events, state, _ = plenty_coups.play(state, seat, {"type": "choose_tribe", "tribe": tribe}, chance)
    return state, events


def opened(text: str) -> tuple[str, ...]:
    """A shuffled deck that begins with these cards."""
    rest = list(DECK)
    for shown in cards(text):
        rest.remove(shown)
    return (*cards(text), *rest)


def test_pc_e1_four_players_set_up() -> None:
    """PC-E1: 24 horses, herds of 1, plain 20, hands of 3, display 4, pile 38."""
    mixed = opened("B-1 Y-1 horse G-1 R-1 horse U-1 W-1 horse B-2 Y-2 weapon-2 weapon-3 horse stick B-3")
    state, events = seated(4, *FOUR, order=mixed)
    view = plenty_coups.view(state, None)
    assert [camp.horses for camp in view.camps] == [1, 1, 1, 1]
    assert [camp.hand_count for camp in view.camps] == [3, 3, 3, 3]
    assert (view.plain, len(view.display), view.pile_count) == (20, 4, 38)
    assert view.neutral_tribes == ("blue", "white")
    names = [type(event).__name__ for event in events]
    assert names == ["TribeChosen", "CampsSetUp", "DeckShuffled", *["CardsDrawn"] * 4, "DisplayRefilled", *names[8:]]
    assert names[8:] == ["RoundStarted", "TurnStarted"]


def test_pc_e2_two_players_set_up_and_share_a_tribe() -> None:
    """PC-E2: black is shared and sits between yellow and red; plain 15, pile 41; who plays in rounds 1 and 2."""
    state, events = seated(
        2, "yellow", "red", order=opened("B-1 Y-1 horse G-1 R-1 horse U-1 W-1 horse B-2 weapon-2 stick")
    )
    assert state.tribes == ("yellow", "black", "red")
    assert (state.plain, len(state.pile), state.neutral) == (15, 41, ("green", "blue", "white"))
    camps = events[1]
    rows = [(row.seat, row.tribe, row.horses) for row in camps.camps]
    assert rows == [(1, "yellow", 1), (None, "black", 1), (2, "red", 1)]
    assert camps.shared_tribe == "black"
    assert camps.rules == ("PC-2.3", "PC-R41", "PC-R44", "PC-2.4", "PC-2.5")
    tribes = ("yellow", "black", "red")
    players = {
        number: [plenty_coups.to_act(given(2, tribes, round=number, turn=tribe).state)[0] for tribe in tribes]
        for number in (1, 2)
    }
    assert players == {1: [1, 1, 2], 2: [1, 2, 2]}


def test_pc_e3_three_alike_are_a_group() -> None:
    """PC-E3: three weapons or warriors of one value, whatever the tribes; two and two are no group."""
    assert group_of_three(cards("weapon-3 B-2 weapon-3 weapon-3")) == ("weapon-3", 3)
    assert group_of_three(cards("B-2 Y-2 R-2 horse")) == ("warrior-2", 3)
    assert group_of_three(cards("weapon-2 weapon-3 weapon-4 weapon-4")) == ("", 0)
    assert group_of_three(cards("horse horse stick stick")) == ("", 0)
    hand = "W-1 W-2 W-3 W-4 U-1 U-2 U-3 U-4 R-1"
    _, events = seated(
        3, "black", "yellow", "green", order=opened(f"{hand} B-2 Y-2 R-2 horse weapon-2 weapon-3 stick G-1")
    )
    swept = next(event for event in events if type(event).__name__ == "DisplaySwept")
    assert (swept.group, swept.number, swept.rules) == ("warrior-2", 3, ("PC-5.3", "PC-R17"))
    assert swept.cards == cards("B-2 Y-2 R-2 horse")
    assert events[-3].display == cards("weapon-2 weapon-3 stick G-1")


def test_pc_e4_warriors_of_the_own_tribe_attack_at_one_more() -> None:
    """PC-E4: the +1 makes 4 of 3; weapon-4 repels it, weapon-3 does not, and there is no coup."""
    table = given(hands={"black": "B-3 horse horse"}, actions=1)
    table.play({"type": "raid", "target": "red", "cards": [card("B-3")]})
    launched = table.first("RaidLaunched")
    assert (launched["printed"], launched["bonus"], launched["attack"]) == (3, 1, 4)
    table = given(turn="red", hands={"red": "weapon-3 weapon-4 stick"}, raids=[raid("black", "red", "B-3")])
    table.refuses({"type": "defend", "cards": ["weapon-3"]}, "PC-4.48")
    table.play({"type": "defend", "cards": ["weapon-4"]})
    repelled = table.first("RaidRepelled")
    assert (repelled["cost"], repelled["strictly_greater"], repelled["coup_open"]) == (1, False, False)
    assert repelled["rules"] == ["PC-4.48", "PC-R9", "PC-5.8", "PC-4.50", "PC-R10"]
    table.refuses({"type": "mark_defence_coup"}, "PC-4.50")


def test_pc_e5_a_raid_comes_home_with_a_horse_and_a_coup() -> None:
    """PC-E5: the raid comes home with a horse and a coup."""
    raids = [raid("black", "red", "G-2", round_=3)]
    table = given(round=4, hands={"black": "stick horse horse"}, herds={"black": 1, "red": 2}, raids=raids)
    table.play({"type": "return_raid", "target": "red", "coup": True})
    assert table.types == ["RaidReturned", "CoupMarked", "PrestigeGained"]
    assert table.first("RaidReturned") == {
        "seat": 1,
        "tribe": "black",
        "target": "red",
        "cards": ["warrior-green-2"],
        "horses": 1,
        "herds_before": [{"tribe": "black", "horses": 1}, {"tribe": "red", "horses": 2}],
        "herds": [{"tribe": "black", "horses": 2}, {"tribe": "red", "horses": 1}],
        "marker": "raid",
        "coup": True,
        "left_over": False,
        "rules": ["PC-3.6", "PC-5.8"],
    }
    marked, gained = table.first("CoupMarked"), table.first("PrestigeGained")
    assert (marked["occasion"], marked["against"]) == ("raid", "red")
    assert marked["rules"] == ["PC-4.21", "PC-4.22", "PC-5.8"]
    assert (gained["reason"], gained["before"], gained["after"], gained["marker"]) == ("raid_coup", 0, 1, "raid:red")
    assert table.prestige("black") == 1
    assert table.state.actions == 1
    assert (table.camp("black").raid_markers, table.camp("black").prestige_markers) == (3, 1)


def test_pc_e6_a_stronger_raid_drives_a_raid_off() -> None:
    """PC-E6: B-4 beats Y-3 with its 5 to 4, G-4 does not; printed sums where the bonus counts in defence only."""
    said: dict[str, Any] = {"hands": {"black": "B-4 G-4"}, "raids": [raid("yellow", "red", "Y-3")]}
    table = given(**said)
    table.refuses({"type": "raid", "target": "red", "cards": [card("G-4")]}, "PC-4.42")
    table.play({"type": "raid", "target": "red", "cards": [card("B-4")]})
    assert table.first("RaidDrivenOff") == {
        "seat": 2,
        "tribe": "yellow",
        "target": "red",
        "cards": ["warrior-yellow-3"],
        "attack": 4,
        "printed": 3,
        "by_seat": 1,
        "by_tribe": "black",
        "by_attack": 5,
        "by_printed": 4,
        "rules": ["PC-4.42", "PC-R10", "PC-5.5"],
    }
    assert table.camp("yellow").raid_markers == 4
    printed = given(**said, options={"bonus_counts": "defence_only"})
    printed.play({"type": "raid", "target": "red", "cards": [card("G-4")]})
    assert printed.types == ["RaidDrivenOff", "RaidLaunched"]


def test_pc_e7_a_double_attack_ends_the_turn() -> None:
    """PC-E7: B-3 and B-4 attack at 8 and end the turn; only weapon-4 twice repels them."""
    table = given(hands={"black": "B-3 B-4 G-3 horse horse"})
    table.refuses({"type": "raid", "target": "red", "cards": list(cards("B-3 G-3"))}, "PC-4.36")
    table.play({"type": "raid", "target": "red", "cards": list(cards("B-4 B-3"))})
    launched = table.first("RaidLaunched")
    assert (launched["printed"], launched["bonus"], launched["attack"]) == (7, 1, 8)
    assert launched["cost"] == 2
    assert launched["cards"] == list(cards("B-3 B-4"))
    assert table.first("TurnEnded")["hand_count"] == 3
    plain = given(hands={"black": "G-1 G-2"})
    plain.play({"type": "raid", "target": "red", "cards": list(cards("G-1 G-2"))})
    assert plain.first("RaidLaunched")["attack"] == 3
    answer = given(
        turn="red", hands={"red": "weapon-3 weapon-4 weapon-4 stick horse"}, raids=[raid("black", "red", "B-3 B-4")]
    )
    answer.refuses({"type": "defend", "cards": ["weapon-3", "weapon-4"]}, "PC-4.48")
    answer.play({"type": "defend", "cards": ["weapon-4", "weapon-4"]})
    repelled = answer.first("RaidRepelled")
    assert (repelled["cost"], repelled["strictly_greater"], repelled["coup_open"]) == (2, False, False)
    assert "TurnEnded" in answer.types


def test_pc_e8_a_strictly_greater_weapon_opens_a_coup_in_defence() -> None:
    """PC-E8: a strictly greater weapon opens a coup, but not against a lone young warrior."""

    def after(warriors: str, weapon: str, raider: str = "yellow") -> Table:
        raids = [raid(raider, "red", warriors)]
        table = given(turn="red", hands={"red": f"{weapon} stick horse"}, raids=raids)
        table.play({"type": "defend", "cards": [weapon]})
        return table

    table = after("G-2", "weapon-3")
    assert table.first("RaidRepelled")["coup_open"] is True
    table.play({"type": "mark_defence_coup"})
    assert table.types[:2] == ["CoupMarked", "PrestigeGained"]
    assert table.first("PrestigeGained")["reason"] == "defence_coup"
    assert table.prestige("red") == 1
    young = after("G-1", "weapon-3")
    repelled = young.first("RaidRepelled")
    assert (repelled["strictly_greater"], repelled["coup_open"]) == (True, False)
    young.refuses({"type": "mark_defence_coup"}, "PC-4.51")
    after("G-1", "weapon-3", raider="green").refuses({"type": "mark_defence_coup"}, "PC-4.51")
    pair = after("G-1 G-2", "weapon-4")
    pair.play({"type": "mark_defence_coup"})
    marked = pair.first("CoupMarked")
    assert marked["rules"] == ["PC-4.50", "PC-4.51", "PC-R46", "PC-5.8"]
    assert (marked["seat"], marked["tribe"]) == (4, "red")
    assert (marked["occasion"], marked["against"]) == ("defence", "yellow")


def test_pc_e9_with_four_prestige_markers_no_coup_is_gained() -> None:
    """PC-E9: with four prestige-face markers a raid takes a horse and no coup; a donation gains nothing."""
    table = given(hands={"black": "G-2 horse"}, prestige={"black": 4})
    table.play({"type": "raid", "target": "red", "cards": [card("G-2")]})
    assert table.first("RaidLaunched")["marker"] == "prestige"
    raids = [raid("black", "red", "G-2", round_=3, marker="prestige")]
    home = given(round=4, hands={"black": "stick"}, prestige={"black": 3}, raids=raids)
    home.refuses({"type": "return_raid", "target": "red", "coup": True}, "PC-4.22")
    home.play({"type": "return_raid", "target": "red", "coup": False})
    assert home.herds()["black"] == 2
    donor = given(hands={"black": "horse horse"}, herds={"black": 4, "red": 4}, prestige={"black": 4})
    donor.play({"type": "donate_horses", "to": "red", "discard": "horse"})
    gained = donor.first("PrestigeGained")
    assert (gained["before"], gained["after"], gained["marker"]) == (4, 4, "none")
    assert gained["rules"] == ["PC-5.6", "PC-R14"]
    assert donor.first("HorsesDonated")["rules"] == ["PC-4.102", "PC-4.103", "PC-R24", "PC-5.8"]


def test_pc_e10_an_accepted_proposal_ends_the_old_alliance() -> None:
    """PC-E10: green proposes with B-4 to black, allied with yellow by 3; black accepts with G-3."""
    allies = {"black": ("yellow", "Y-3"), "yellow": ("black", "B-3")}
    green = given(turn="green", hands={"green": "B-2 B-4 horse"}, allies=allies)
    green.refuses({"type": "propose_alliance", "to": "black", "card": card("B-2")}, "PC-4.76")
    green.play({"type": "propose_alliance", "to": "black", "card": card("B-4")})
    assert green.first("AllianceProposed")["ally_value"] == 3
    table = given(hands={"black": "G-2 G-3"}, allies=allies, proposals=[proposal("green", "black", "B-4")])
    table.refuses({"type": "accept_alliance", "from": "green", "card": card("G-2")}, "PC-4.82")
    table.play({"type": "accept_alliance", "from": "green", "card": card("G-3")})
    assert table.types == ["AllianceEnded", "AllianceSealed", "PrestigeGained"]
    assert table.first("AllianceEnded") == {
        "seat": 1,
        "tribe": "black",
        "allies": [
            {"seat": 1, "tribe": "black", "card": "warrior-yellow-3"},
            {"seat": 2, "tribe": "yellow", "card": "warrior-black-3"},
        ],
        "reason": "changed",
        "by_card": "warrior-green-3",
        "rules": ["PC-5.8"],
    }
    assert table.first("AllianceSealed") == {
        "seat": 1,
        "tribe": "black",
        "card": "warrior-green-3",
        "value": 3,
        "proposer": "green",
        "proposer_card": "warrior-black-4",
        "needed": 3,
        "rules": ["PC-4.82", "PC-5.8"],
    }
    gained = table.first("PrestigeGained")
    assert (gained["seat"], gained["tribe"], gained["reason"]) == (3, "green", "alliance")
    assert (table.camp("black").ally, table.camp("green").ally, table.camp("yellow").ally) == ("green", "black", None)
    assert [table.prestige(tribe) for tribe in FOUR] == [0, 0, 1, 0]


def test_pc_e11_proposing_to_ones_attacker() -> None:
    """PC-E11: the raid leaves at once with a horse, if there is one; no attack while the proposal is open."""
    for herd, moved in ((2, 1), (0, 0)):
        table = given(hands={"black": "R-1 horse"}, herds={"black": herd}, raids=[raid("red", "black", "R-3")])
        table.play({"type": "propose_alliance", "to": "red", "card": card("R-1")})
        assert table.types[:2] == ["AllianceProposed", "RaidBoughtOff"]
        bought = table.first("RaidBoughtOff")
        assert (bought["seat"], bought["tribe"], bought["horses"], bought["marker"]) == (4, "red", moved, "raid")
        assert (table.herds()["black"], table.herds()["red"]) == (herd - moved, 1 + moved)
        assert table.camp("red").raid_markers == 4
    attacker = given(turn="red", hands={"red": "R-3"}, proposals=[proposal("black", "red", "R-1")])
    attacker.refuses({"type": "raid", "target": "black", "cards": [card("R-3")]}, "PC-4.39")


def test_pc_e12_a_higher_warrior_outbids_an_ally() -> None:
    """PC-E12: R-3 outbids R-2; R-4 outbids R-3, R-1 does not; red accepts with any yellow warrior."""
    table = given(turn="green", hands={"green": "R-3 horse"}, proposals=[proposal("black", "red", "R-2")])
    table.play({"type": "propose_alliance", "to": "red", "card": card("R-3")})
    outbid = table.first("ProposalOutbid")
    assert (outbid["seat"], outbid["tribe"]) == (1, "black")
    assert (outbid["card"], outbid["by_card"]) == (card("R-2"), card("R-3"))
    assert outbid["rules"] == ["PC-4.75", "PC-5.8"]
    yellow = given(turn="yellow", hands={"yellow": "R-1 R-4"}, proposals=[proposal("green", "red", "R-3")])
    yellow.refuses({"type": "propose_alliance", "to": "red", "card": card("R-1")}, "PC-4.75")
    yellow.allows({"type": "propose_alliance", "to": "red", "card": card("R-4")})
    red = given(turn="red", hands={"red": "Y-1"}, proposals=[proposal("yellow", "red", "R-4")])
    red.play({"type": "accept_alliance", "from": "yellow", "card": card("Y-1")})
    assert red.first("AllianceSealed")["needed"] is None


def test_pc_e13_warriors_of_a_neutral_ally_attack_at_one_more() -> None:
    """PC-E13: white warriors of white's ally attack at +1; the alliance is outbid, replaced and outweighed."""
    allies = {"black": ("white", "W-2")}
    table = given(hands={"black": "W-3 U-2 W-4 horse"}, allies=allies)
    table.refuses({"type": "ally_neutral", "card": card("W-4")}, "PC-4.87")
    table.allows({"type": "ally_neutral", "card": card("U-2")})
    table.play({"type": "raid", "target": "red", "cards": [card("W-3")]})
    assert table.first("RaidLaunched")["attack"] == 4
    yellow = given(turn="yellow", hands={"yellow": "W-3"}, allies=allies)
    yellow.play({"type": "ally_neutral", "card": card("W-3")})
    ended = yellow.first("NeutralAllianceEnded")
    assert (ended["tribe"], ended["reason"]) == ("black", "outbid")
    assert (ended["by_tribe"], ended["by_card"]) == ("yellow", card("W-3"))
    assert ended["rules"] == ["PC-4.88", "PC-5.8"]
    assert yellow.first("NeutralAllianceFormed")["rules"] == ["PC-4.88", "PC-5.8"]
    assert (yellow.camp("black").ally, yellow.camp("yellow").ally) == (None, "white")
    replaced = given(hands={"black": "U-2"}, allies=allies)
    replaced.play({"type": "ally_neutral", "card": card("U-2")})
    assert replaced.first("NeutralAllianceEnded")["rules"] == ["PC-4.87", "PC-5.8"]
    assert replaced.first("NeutralAllianceFormed")["rules"] == ["PC-4.87", "PC-5.8"]
    wooed = given(hands={"black": "G-1 G-2"}, allies=allies, proposals=[proposal("green", "black", "B-1")])
    wooed.refuses({"type": "accept_alliance", "from": "green", "card": card("G-1")}, "PC-4.82")
    wooed.play({"type": "accept_alliance", "from": "green", "card": card("G-2")})
    assert wooed.first("NeutralAllianceEnded")["rules"] == ["PC-4.82", "PC-R49", "PC-5.8"]
    assert wooed.first("AllianceSealed")["rules"] == ["PC-4.82", "PC-R49", "PC-5.8"]


def test_pc_e14_a_disdained_tribe_proves_its_worth_or_loses_a_point() -> None:
    """PC-E14: red proves its worth or loses a point; in its upkeep the stick goes and a card is drawn."""
    said: dict[str, Any] = {
        "hands": {"black": "stick stick horse", "red": "weapon-4 horse horse"},
        "prestige": {"red": 2},
    }
    table = given(**said)
    table.play({"type": "disdain", "target": "red"})
    assert plenty_coups.to_act(table.state) == (4,)
    table.refuses({"type": "prove_worth", "card": "horse"}, "PC-4.95")
    table.play({"type": "prove_worth", "card": "weapon-4"})
    assert (table.prestige("red"), len(table.hand("red"))) == (2, 2)
    table.refuses({"type": "disdain", "target": "red"}, "PC-4.92")
    endured = given(**said)
    endured.play({"type": "disdain", "target": "red"})
    endured.play({"type": "endure_disdain"})
    assert endured.first("DisdainEndured")["loss"] == 1
    assert endured.prestige("red") == 1
    assert endured.state.phase == "actions"
    green = given(turn="green", hands={"green": "horse horse", "red": "horse horse"}, actions=1, disdained=["red"])
    green.play({"type": "breed"})
    start = green.types.index("TurnStarted")
    assert green.types[start:] == ["TurnStarted", "DisdainLifted", "CardsDrawn"]
    assert green.events[-1].reason == "disdain"
    assert green.readers[-1] == {"cards": [4]}
    assert len(green.hand("red")) == 3
    calm = given(hands={"black": "stick", "red": "horse"})
    calm.play({"type": "disdain", "target": "red"})
    calm.play({"type": "endure_disdain"})
    assert calm.first("DisdainEndured")["loss"] == 0
    assert calm.first("PrestigeLost")["marker"] == "none"


@pytest.mark.parametrize(("before", "after"), [(1, 0), (0, 0)])
def test_pc_e15_disdain_ends_an_alliance_first(before: int, after: int) -> None:
    """PC-E15: the alliance ends, its author loses a point if it has one, then the ally answers."""
    allies = {"black": ("yellow", "Y-3"), "yellow": ("black", "B-3")}
    table = given(hands={"black": "stick horse", "yellow": "horse"}, allies=allies, prestige={"black": before})
    table.play({"type": "disdain", "target": "yellow"})
    assert table.types == ["DisdainCast", "AllianceEnded", "PrestigeLost"]
    assert table.first("DisdainCast")["was_ally"] is True
    assert table.first("AllianceEnded")["reason"] == "disdain"
    assert table.first("AllianceEnded")["by_card"] == "coup-stick"
    lost = table.first("PrestigeLost")
    assert (lost["tribe"], lost["reason"], lost["before"], lost["after"]) == ("black", "disdained_ally", before, after)
    assert plenty_coups.to_act(table.state) == (2,)


def test_pc_e16_a_donation_to_a_herd_not_larger_gains_a_point() -> None:
    """PC-E16: 4 and 4 become 2 and 6 for a point; not to a larger herd, not where a raid stands."""
    move = {"type": "donate_horses", "to": "red", "discard": "weapon-2"}
    table = given(hands={"black": "weapon-2 horse"}, herds={"black": 4, "red": 4})
    table.play(move)
    assert (table.herds()["black"], table.herds()["red"], table.prestige("black")) == (2, 6, 1)
    assert scores(table.state).scores[3].herd_points == 1
    given(hands={"black": "weapon-2"}, herds={"black": 4, "red": 5}).refuses(move, "PC-4.103")
    raided: dict[str, Any] = {
        "hands": {"black": "weapon-2 horse"},
        "herds": {"black": 4},
        "raids": [raid("green", "red", "G-2")],
    }
    given(**raided).refuses(move, "PC-4.102")
    lenient = given(**raided, options={"donation_peace": "not_each_other"})
    lenient.play(move)
    assert lenient.first("HorsesDonated")["rules"] == ["PC-4.102", "PC-R23", "PC-4.103", "PC-5.8"]


def test_pc_e17_gifts_are_exchanged_unseen() -> None:
    """PC-E17: black discards horse, offers weapon-2, and gets the coup-stick that red gives unseen."""
    said: dict[str, Any] = {"hands": {"black": "horse weapon-2 B-1 B-2 B-3", "red": "stick R-1 R-2"}}
    table = given(**said)
    table.play({"type": "exchange_gifts", "to": "red", "give": "weapon-2", "discard": "horse"})
    assert table.read_by("GiftOffered") == {"give": [1]}
    offers = {seat: plenty_coups.view(table.state, seat).offer for seat in (1, 4, None)}
    assert {seat: offer and offer.give for seat, offer in offers.items()} == {1: "weapon-2", 4: UNSET, None: UNSET}
    table.play({"type": "answer_gift", "give": "coup-stick"})
    assert (len(table.hand("black")), len(table.hand("red"))) == (4, 3)
    assert table.first("GiftsExchanged") == {
        "seat": 4,
        "tribe": "red",
        "to": "black",
        "given": "coup-stick",
        "received": "weapon-2",
    }
    assert table.read_by("GiftsExchanged") == {"given": [1, 4], "received": [1, 4]}
    for raids in ([raid("black", "red", "B-4", round_=3)], [raid("red", "black", "R-4")]):
        given(**said, raids=raids).refuses(
            {"type": "exchange_gifts", "to": "red", "give": "weapon-2", "discard": "horse"}, "PC-4.55"
        )


def test_pc_e18_a_hunt_draws_as_many_as_the_deck_gives() -> None:
    """PC-E18: 5 cards, 4, 6, 4; with 1 card in the pile the discards, the horse too, come back for the second."""
    table = given(hands={"black": "horse B-1 B-2 B-3 weapon-2"})
    table.play({"type": "hunt", "discard": "horse"})
    assert table.types == ["CardsDiscarded", "CardsDrawn"]
    assert len(table.hand("black")) == 6
    table.play({"type": "discard_after_hunt", "cards": ["warrior-black-1", "weapon-2"]})
    discarded = table.first("CardsDiscarded")
    assert (discarded["reason"], discarded["count"], len(table.hand("black"))) == ("after_hunt", 2, 4)
    short = given(hands={"black": "horse B-1 B-2 B-3 weapon-2"}, pile="U-1", discards="U-2")
    short.play({"type": "hunt", "discard": "horse"})
    assert short.types == ["CardsDiscarded", "DeckReshuffled", "CardsDrawn"]
    assert short.first("CardsDiscarded")["cards"] == ["horse"]
    assert short.first("DeckReshuffled")["order"] == [card("U-2"), "horse"]
    assert (short.first("CardsDrawn")["count"], short.first("CardsDrawn")["pile_left"]) == (2, 1)


def test_pc_e19_a_herd_scores_from_six_horses_on() -> None:
    """PC-E19: 5 horses 0 points, 6: 1, 8: 3, 7: 2."""
    for horses, points in ((5, 0), (6, 1), (8, 3), (7, 2)):
        assert scores(given(herds={"black": horses}).state).scores[0].herd_points == points


def test_pc_e20_winter_has_one_action_a_turn() -> None:
    """PC-E20: one action in winter, a double defence in round 10 alone, no disdain, and the cost of passing."""
    for round_, before, after in ((10, 4, 3), (11, 3, 2), (12, 2, 1)):
        table = given(round=round_, hands={"black": "horse " * before})
        table.play({"type": "breed"})
        assert table.first("TurnEnded")["hand_count"] == after
    said: dict[str, Any] = {
        "turn": "red",
        "hands": {"red": "weapon-2 weapon-4 stick horse"},
        "raids": [raid("green", "red", "Y-4")],
    }
    double = {"type": "defend", "cards": ["weapon-2", "weapon-4"]}
    table = given(round=10, **said)
    table.refuses({"type": "disdain", "target": "black"}, "PC-4.90")
    table.play(double)
    assert table.first("RaidRepelled")["cost"] == 1
    assert table.first("RaidRepelled")["rules"] == ["PC-4.48", "PC-R45", "PC-R21", "PC-5.8", "PC-4.50"]
    assert table.first("TurnEnded")["hand_count"] == 2
    given(round=11, **said).refuses(double, "PC-4.1g")
    table = given(round=10, hands={"black": "horse horse horse horse"})
    table.play({"type": "pass_turn"})
    assert table.first("TurnPassed") == {
        "round": 10,
        "seat": 1,
        "tribe": "black",
        "actions_left": 1,
        "hand_count": 4,
        "phase": "excess",
        "rules": ["PC-4.120", "PC-R5"],
    }
    assert table.state.phase == "excess"
    table.play({"type": "discard_excess", "cards": ["horse"]})
    assert table.types[:2] == ["CardsDiscarded", "TurnEnded"]
    assert table.first("TurnEnded")["hand_count"] == 3


def test_pc_e21_a_raid_of_the_last_round_is_lost() -> None:
    """PC-E21: a raid of round 11 returns in round 12; one of round 12 is lost and its marker keeps its side."""
    home = given(round=12, hands={"black": "horse"}, raids=[raid("black", "red", "B-3", round_=11)])
    home.play({"type": "return_raid", "target": "red", "coup": False})
    assert home.herds()["black"] == 2
    raids = [raid("black", "red", "B-3", round_=12, marker="prestige")]
    table = given(round=12, turn="red", hands={"red": "horse"}, raids=raids)
    table.play({"type": "pass_turn"})
    assert table.types == ["TurnPassed", "TurnEnded", "RaidLost", "GameEnded"]
    lost = table.first("RaidLost")
    assert (lost["marker"], lost["rules"]) == ("prestige", ["PC-5.10", "PC-R39"])
    assert table.camp("black").prestige_markers == 1
    assert table.herds()["red"] == 1


def ranking_of(table: Table) -> list[tuple[int, tuple[int, ...]]]:
    return [(place.rank, place.seats) for place in scores(table.state).ranking]


def test_pc_e22_allies_add_their_points_if_both_have_two() -> None:
    """PC-E22: allies add their points if both have 2 off-herd; jointly or one by one."""
    said: dict[str, Any] = {
        "prestige": {"black": 3, "yellow": 2, "green": 4, "red": 2},
        "herds": {"black": 7, "yellow": 4, "green": 8, "red": 0},
        "plain": 5,
    }
    allies = {"black": ("yellow", "Y-3"), "yellow": ("black", "B-3")}
    joint = given(**said, allies=allies)
    rows = scores(joint.state).scores
    assert [row.own_total for row in rows] == [5, 2, 7, 1]
    assert [row.total for row in rows] == [7, 7, 7, 1]
    assert [row.tiebreak_off_herd for row in rows] == [5, 5, 4, 1]
    assert rows[3].horseless_penalty == 1
    assert ranking_of(joint) == [(1, (1, 2)), (3, (3,)), (4, (4,))]
    assert scores(joint.state).winners == (1, 2)
    single = given(**said, allies=allies, options={"allied_ranking": "individual"})
    assert scores(single.state).winners == (3,)
    assert ranking_of(single) == [(1, (3,)), (2, (1,)), (3, (2,)), (4, (4,))]
    apart = given(**said, allies={"red": ("green", "G-3"), "green": ("red", "R-3")})
    assert [row.combined for row in scores(apart.state).scores] == [False] * 4


def test_pc_e23_tribes_tied_in_everything_share_a_rank() -> None:
    """PC-E23: two tied in everything share rank 1, and the next has rank 3."""
    table = given(prestige={"black": 3, "red": 3, "yellow": 1}, herds=dict.fromkeys(FOUR, 2))
    assert ranking_of(table) == [(1, (1, 4)), (3, (2,)), (4, (3,))]
    assert scores(table.state).winners == (1, 4)


def end_with_two(black: tuple[int, int], yellow: tuple[int, int], red: tuple[int, int]) -> Table:
    """The last turn of a game of two, black being shared, with (markers, horses) of each."""
    table = given(
        2,
        ("yellow", "black", "red"),
        round=12,
        turn="red",
        hands={"red": "horse"},
        prestige={"black": black[0], "yellow": yellow[0], "red": red[0]},
        herds={"black": black[1], "yellow": yellow[1], "red": red[1]},
    )
    table.play({"type": "pass_turn"})
    return table


def test_pc_e24_the_shared_tribe_takes_no_prize() -> None:
    """PC-E24: the shared tribe takes no prize; the better placed player wins."""
    table = end_with_two((4, 7), (4, 2), (3, 1))
    assert table.first("GameEnded") == {
        "scores": [
            {
                "seat": 1,
                "tribe": "yellow",
                "markers": 4,
                "extra": 0,
                "horses": 2,
                "horseless_penalty": 0,
                "off_herd": 4,
                "herd_points": 0,
                "own_total": 4,
                "ally": None,
                "combined": False,
                "tiebreak_off_herd": 4,
                "tiebreak_horses": 2,
                "total": 4,
                "rank": 1,
            },
            {
                "seat": 2,
                "tribe": "red",
                "markers": 3,
                "extra": 0,
                "horses": 1,
                "horseless_penalty": 0,
                "off_herd": 3,
                "herd_points": 0,
                "own_total": 3,
                "ally": None,
                "combined": False,
                "tiebreak_off_herd": 3,
                "tiebreak_horses": 1,
                "total": 3,
                "rank": 2,
            },
        ],
        "shared_tribe": {
            "tribe": "black",
            "markers": 4,
            "extra": 0,
            "horses": 7,
            "horseless_penalty": 0,
            "off_herd": 4,
            "herd_points": 2,
            "own_total": 6,
            "ally": None,
            "combined": False,
            "tiebreak_off_herd": 4,
            "tiebreak_horses": 7,
            "total": 6,
            "would_rank": 1,
        },
        "ranking": [{"rank": 1, "seats": [1]}, {"rank": 2, "seats": [2]}],
        "winners": [1],
        "rules": ["PC-6.1", "PC-6.2", "PC-6.3", "PC-6.4", "PC-6.5", "PC-6.6", "PC-6.8", "PC-R51"],
    }


@pytest.mark.parametrize(
    ("black", "yellow", "red", "would_rank", "winners"),
    [
        ((4, 2), (4, 2), (3, 1), 1, (1,)),
        ((4, 7), (3, 2), (3, 2), 1, (1, 2)),
        ((3, 2), (2, 2), (4, 2), 2, (2,)),
        ((1, 1), (2, 2), (4, 2), 3, (2,)),
    ],
)
def test_pc_e24_two_players_end_level_tied_or_behind(
    black: Any, yellow: Any, red: Any, would_rank: int, winners: tuple[int, ...]
) -> None:
    """PC-E24: level, tied behind, and behind."""
    ended = end_with_two(black, yellow, red).events[-1]
    assert (ended.shared_tribe.would_rank, ended.winners) == (would_rank, winners)


def test_pc_e24_the_other_player_answers() -> None:
    """PC-E24: yellow's gift to black is answered by red's seat, with a card of black's hand."""
    table = given(2, ("yellow", "black", "red"), turn="yellow", hands={"yellow": "horse weapon-2", "black": "stick"})
    table.play({"type": "exchange_gifts", "to": "black", "give": "weapon-2", "discard": "horse"})
    offered = table.first("GiftOffered")
    assert (offered["seat"], offered["tribe"]) == (1, "yellow")
    table.play({"type": "answer_gift", "give": "coup-stick"}, seat=2)
    exchanged = table.first("GiftsExchanged")
    assert (exchanged["seat"], exchanged["tribe"]) == (2, "black")


def test_pc_e25_marker_on_a_raid() -> None:
    """PC-E25: with none left raid-face in camp the marker on the older raid is turned, and marks no coup."""
    raids = [raid("black", "yellow", "W-2", round_=3), raid("black", "green", "W-1", round_=3)]
    proposals = [proposal("black", "red", "R-1")]
    table = given(turn="red", hands={"red": "B-1"}, prestige={"black": 2}, raids=raids, proposals=proposals)
    table.play({"type": "accept_alliance", "from": "black", "card": card("B-1")})
    gained = table.first("PrestigeGained")
    assert (gained["marker"], gained["before"], gained["after"]) == ("raid:yellow", 2, 3)
    assert gained["rules"] == ["PC-5.6", "PC-R15"]
    home = given(round=4, hands={"black": "stick"}, prestige={"black": 2}, raids=table.state.raids)
    home.refuses({"type": "return_raid", "target": "yellow", "coup": True}, "PC-4.22")
    home.allows({"type": "return_raid", "target": "green", "coup": True})


def test_pc_e26_the_last_action_and_the_free_exchange() -> None:
    """PC-E26: after two breedings an ally may still exchange or pass; without an ally the turn ends."""
    allies = {"black": ("red", "R-3"), "red": ("black", "B-3")}
    said: dict[str, Any] = {"hands": {"black": "horse horse B-1", "red": "R-1 R-2"}}
    table = given(**said, allies=allies)
    table.play({"type": "breed"})
    table.play({"type": "breed"})
    assert table.types == ["HorseBred"]
    table.allows({"type": "exchange_gifts_free", "give": card("B-1")})
    passing = given(**said, allies=allies, actions=0)
    passing.play({"type": "pass_turn"})
    passed = passing.first("TurnPassed")
    assert (passed["actions_left"], passed["rules"]) == (0, ["PC-4.120", "PC-R36"])
    table.play({"type": "exchange_gifts_free", "give": card("B-1")})
    table.play({"type": "answer_gift", "give": card("R-2")})
    assert table.types[0] == "GiftsExchanged"
    assert "TurnEnded" in table.types
    alone = given(**said)
    alone.play({"type": "breed"})
    alone.play({"type": "breed"})
    assert "TurnEnded" in alone.types


def test_pc_e27_winter_two_raids_one_coup() -> None:
    """PC-E27: the coup costs the one action of winter; the other raid brings a horse only."""
    raids = [raid("black", "red", "R-1", round_=9), raid("black", "green", "R-2", round_=9)]
    table = given(round=10, hands={"black": "stick stick horse horse"}, raids=raids)
    table.play({"type": "return_raid", "target": "green", "coup": True})
    assert table.first("RaidReturned")["rules"] == ["PC-3.6", "PC-R40", "PC-5.8"]
    table.refuses({"type": "return_raid", "target": "red", "coup": True}, "PC-4.1g")
    table.play({"type": "return_raid", "target": "red", "coup": False})
    assert table.first("RaidReturned")["rules"] == ["PC-3.6", "PC-R40", "PC-5.8"]
    assert "TurnEnded" in table.types
    assert (table.herds()["black"], table.prestige("black")) == (3, 1)


@pytest.mark.parametrize(("yellow", "left"), [("G-2", 0), ("G-4", 1)])
def test_pc_e28_proposals_fall_with_a_new_alliance(yellow: str, left: int) -> None:
    """PC-E28: who is allied proposes no more, and a proposal not above the new ally's warrior falls."""
    open_ = [proposal("green", "red", "R-2"), proposal("green", "black", "B-2"), proposal("yellow", "green", yellow)]
    table = given(hands={"black": "G-3"}, proposals=open_)
    table.play({"type": "accept_alliance", "from": "green", "card": card("G-3")})
    reasons = [(e.tribe, e.to, e.reason) for e in table.events if type(e).__name__ == "ProposalWithdrawn"]
    expected = [("green", "red", "proposer_allied"), ("yellow", "green", "value_too_low")]
    assert reasons == expected[: 2 - left]
    assert len(table.state.proposals) == left


def test_pc_e29_a_raid_left_over_comes_home_by_itself() -> None:
    """PC-E29: with `raid_return: "any"` a raid that was not returned comes home by itself."""
    raids = [raid("black", "red", "R-2", round_=2)]
    table = given(hands={"black": "horse horse stick"}, raids=raids, options={"raid_return": "any"})
    table.play({"type": "breed"})
    table.play({"type": "breed"})
    assert table.types[:2] == ["HorseBred", "RaidReturned"]
    returned = table.first("RaidReturned")
    assert (returned["left_over"], returned["coup"], returned["horses"]) == (True, False, 1)
    assert returned["rules"] == ["PC-3.12", "PC-R8", "PC-5.8"]
    assert "TurnEnded" in table.types


def test_pc_e30_a_display_of_horses_is_swept_ten_times() -> None:
    """PC-E30: four horses are swept and reshuffled ten times; then they stay."""
    table = given(hands={"black": "B-1 B-2 B-3"}, pile="horse horse horse horse", actions=0)
    table.play({"type": "pass_turn"})
    assert table.types.count("DisplaySwept") == table.types.count("DeckReshuffled") == 10
    assert table.types.count("DisplayRefilled") == 11
    assert table.state.display == ("horse",) * 4
    assert table.first("DisplaySwept")["rules"] == ["PC-5.3"]


def test_pc_e31_a_tribe_without_cards_can_only_pass() -> None:
    """PC-E31: a tribe without cards can only pass."""
    assert given(round=5).listed(1) == [{"type": "pass_turn"}]


def test_pc_e32_a_short_hand_is_filled_up_but_in_winter() -> None:
    """PC-E32: after two breedings with two cards three are drawn; in winter none."""
    table = given(round=5, hands={"black": "horse horse"})
    table.play({"type": "breed"})
    table.play({"type": "breed"})
    drawn = table.first("CardsDrawn")
    assert (drawn["reason"], drawn["count"], len(table.hand("black"))) == ("refill", 3, 3)
    winter = given(round=11, hands={"black": "horse horse"})
    winter.play({"type": "breed"})
    assert winter.first("TurnEnded")["hand_count"] == 1


def test_pc_e33_the_deal_of_the_shared_tribe_is_read_by_its_players() -> None:
    """PC-E33: who reads the deal of the shared tribe, with either value of `shared_hand`."""
    order = opened("Y-1 Y-2 Y-3 R-1 weapon-3 horse")
    for shared_hand, seats in (("open", [1, 2]), ("controller", [1])):
        state, events = seated(2, "yellow", "red", order=order, shared_hand=shared_hand)
        before = plenty_coups.start(2, plenty_coups.read_options({"shared_hand": shared_hand}, 2), as_given).state
        before = plenty_coups.evolve(before, plenty_coups.events[1](1, "yellow"))
        told = []
        for event in events:
            told.append((event, plenty_coups.readers(before, event)))
            before = plenty_coups.evolve(before, event)
        assert before == state
        assert told[2][1] == {"order": []}
        assert (told[3][0].seat, told[3][0].pile_left, told[3][1]) == (1, 51, {"cards": [1]})
        deal, readers = told[4]
        assert (deal.seat, deal.tribe, deal.reason) == (None, "black", "opening_hand")
        assert (deal.count, deal.pile_left) == (3, 48)
        assert deal.cards == cards("R-1 weapon-3 horse")
        assert readers == {"cards": seats}
        known = [plenty_coups.view(state, seat).camps[1].hand == deal.cards for seat in (1, 2, None)]
        assert known == [True, shared_hand == "open", False]


def test_pc_e34_who_is_refused_first() -> None:
    """PC-E34: the order of the common checks."""
    table = given(round=5, hands={"black": "horse"})
    for seat in (1, 2, 9):
        table.refuses({"type": "breed", "card": "horse"}, "PC-4.1a", seat=seat)
    table.refuses({"type": "breed"}, "PC-4.1b", seat=5)
    ended = given(round=12, turn="red")
    ended.play({"type": "pass_turn"})
    ended.refuses({"type": "breed"}, "PC-4.1c", seat=1)
    for seat in (1, 2):
        table.refuses({"type": "answer_gift", "give": "horse"}, "PC-4.1d", seat=seat)
    table.refuses({"type": "breed"}, "PC-4.1e", seat=2)
    due = given(round=5, hands={"black": "horse"}, raids=[raid("black", "red", "B-2", round_=4)])
    due.refuses({"type": "pass_turn"}, "PC-4.1f")
    one = given(round=5, hands={"black": "horse"}, actions=1)
    one.refuses({"type": "raid", "target": "black", "cards": ["weapon-2", "weapon-2"]}, "PC-4.1g")
    one.refuses({"type": "raid", "target": "black", "cards": ["weapon-2"]}, "PC-4.1h")
    one.refuses({"type": "raid", "target": "black", "cards": ["horse"]}, "PC-4.1i")
    one.refuses({"type": "raid", "target": "red", "cards": ["horse"]}, "PC-4.35")
