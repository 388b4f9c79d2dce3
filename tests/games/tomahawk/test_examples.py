"""The worked examples of section 9, under their ids."""

from typing import Any

import msgspec
import pytest

from games.payloads import event_type, payload_of
from games.tomahawk import game as tomahawk
from games.tomahawk.components import SPECIES
from games.tomahawk.scoring import game_ended, most_wanted
from games.tomahawk.state import Side, State, Won
from tests.games.spec import as_json
from tests.games.tomahawk.reference import game_a, script_a
from tests.games.tomahawk.spec import FACES, Script, Table, faced, fought, placing, played, types


def taken(first: str, second: str, **given: Any) -> tuple[int | None, int]:
    """Who takes how many tokens when these two are turned up face to face."""
    duel = faced(first, second, **given).duel
    assert duel is not None
    return duel["winner"], duel["tokens"]


def outcome(face: str, first: str, second: str, **options: Any) -> tuple[tuple[int, int], int | None]:
    """The totals of a battle, and its winner."""
    found = fought(face, first, second, **options)
    return found.totals, found.winner


def test_to_e1_the_stronger_takes_the_scalps_of_the_weaker() -> None:
    """TO-E1: 8/1 takes the three scalps of 6/3; both cards stay."""
    assert taken("6/3", "8/1") == (2, 3)
    table = played("17 01 02 03", "20 01 02 03")
    (duel,) = [d for d in table.payloads("ScalpDuelJudged") if d["pile"] == 1]
    assert (duel["winner"], duel["tokens"], duel["rules"]) == (2, 3, ["TO-5.5", "TO-R11"])
    assert [side.scalps for side in table.state.sides] == [0, 3]
    assert table.state.piles[0].slots[0].cards == ("a17", "b20")


def test_to_e2_equals_take_no_scalp() -> None:
    """TO-E2: no scalp between equals, none from a card without hair, and no event where nobody has hair."""
    assert taken("6/3", "6/1") == (None, 0)
    assert taken("10/2", "2/0") == (None, 0)
    assert faced("4/0", "9/0").duel is None


def test_to_e3_windswept_skull_takes_double() -> None:
    """TO-E3: the skull takes double, but not from a stronger one, and has no hair itself."""
    assert taken("windswept_skull", "5/2") == (1, 4)
    assert taken("windswept_skull", "9/4") == (None, 0)


def test_to_e4_teasing_cloud_charms_the_strong() -> None:
    """TO-E4: the cloud charms a 9, loses its hair to a 6, and equals a 1."""
    charmed = faced("teasing_cloud", "9/4")
    assert charmed.values == (1, 0)
    assert taken("teasing_cloud", "9/4") == (1, 4)
    assert fought("T11", "teasing_cloud", "9/4=0").totals == (1, 0)
    assert faced("teasing_cloud", "6/1").effects == []
    assert taken("teasing_cloud", "6/1") == (2, 4)
    assert taken("teasing_cloud", "1/0") == (None, 0)


def test_to_e5_sky_power_has_the_value_that_it_faces() -> None:
    """TO-E5: sky power has the value of the warrior that it faces, even of the cloud."""
    assert faced("sky_power", "10/2").values == (10, 10)
    assert taken("sky_power", "10/2") == (None, 0)
    found = faced("sky_power", "teasing_cloud")
    assert found.values == (1, 1)
    (effect,) = found.effects
    assert (effect["effect"], effect["value_before"], effect["value_after"]) == ("value_copied", 6, 1)
    assert effect["rules"] == ["TO-5.3a", "TO-R15"]


def test_to_e6_the_higher_total_wins_the_territory() -> None:
    """TO-E6: 16 against 17 for T01; seat 2 wins 5 points."""
    assert outcome("T01", "4 7 5", "6 3 8") == ((16, 17), 2)
    assert FACES["T01"].animals == 5


def test_to_e7_a_tied_territory_is_discarded() -> None:
    """TO-E7: 11 against 11 for T09: nobody takes it, it is discarded, and nobody looks into the forests."""
    assert outcome("T09", "4 7", "5 6") == ((11, 11), None)
    first = "01 02 03 04 / 06 07 08 10 / 13 15 20 09 / 16 17 21 18"
    second = "01 02 03 04 / 06 07 08 09 / 13 16 17 12 / 18 19 20 15"
    table = played(first, second)
    assert table.state.turn == 5
    (gone,) = [event for event in table.payloads("TerritoryDiscarded", turn=4) if event["pile"] == 4]
    assert gone == {"turn": 4, "pile": 4, "territory": "p4-3", "reason": "tie", "rules": ["TO-5.7", "TO-R27"]}
    assert table.payloads("ForestCardsSeen", turn=4) == []
    assert len(table.payloads("CardsKeptHidden", turn=4)) == 2


def test_to_e8_shifting_spirit_and_its_like_are_worth_nine() -> None:
    """TO-E8: shifting spirit and another 2 are worth 9; a third 2 stays 2; duels compare 2."""
    assert outcome("T01", "shifting_spirit 2 3", "4 3 4") == ((12, 11), 1)
    assert fought("T01", "shifting_spirit 2 2", "1 1 1").totals[0] == 11
    assert taken("shifting_spirit", "3/0") == (2, 1)


def test_to_e9_the_puma_takes_all_of_the_highest_value() -> None:
    """TO-E9: the puma takes all of the highest value on both sides."""
    assert outcome("T02", "9 3 4", "6 2 1") == ((7, 9), 2)
    assert outcome("T02", "9 3 4", "9 5 1") == ((7, 6), 1)
    assert outcome("T12", "8", "2") == ((0, 2), 2)
    assert outcome("T12", "5", "5") == ((0, 0), None)
    assert outcome("T02", "9 3 4", "6 2 1", picto_scope="each_player") == ((7, 3), 1)


def test_to_e10_at_a_gathering_the_lowest_counts_double() -> None:
    """TO-E10: the lowest value counts double, on both sides; a charmed 0 is the lowest and stays 0."""
    assert outcome("T15", "5", "9") == ((10, 9), 1)
    assert outcome("T15", "5", "5") == ((10, 10), None)
    assert outcome("T10", "2 6", "2 7") == ((10, 11), 2)
    assert outcome("T10", "3 6", "8 9=0") == ((9, 8), 1)


def test_to_e11_great_spirit_wins_against_more_than_double() -> None:
    """TO-E11: it wins against more than double its side's total, unless the puma takes it."""
    found = fought("T11", "great_spirit", "7")
    assert (found.totals, found.winner, found.great_spirit is not None) == ((3, 7), 1, True)
    assert outcome("T11", "great_spirit", "6") == ((3, 6), 2)
    wins = fought("T11", "great_spirit", "2")
    assert wins.winner == 1
    assert wins.great_spirit is not None
    assert not wins.great_spirit.triggered
    assert outcome("T12", "great_spirit", "2") == ((0, 2), 2)
    assert outcome("T12", "great_spirit", "2", great_spirit_at_puma="keeps_power") == ((0, 2), 1)
    assert outcome("T02", "4 great_spirit 1", "9 7 6") == ((8, 13), 2)
    assert outcome("T02", "4 great_spirit 1", "9 7 6", great_spirit_totals="before_picto") == ((8, 13), 1)


def test_to_e12_sequoia_heart_doubles_the_caribou() -> None:
    """TO-E12: the caribou of a forest count double for whoever wins, or for its owner only."""
    assert outcome("T07", "sequoia_heart 2", "8 1") == ((7, 9), 2)
    assert fought("T07", "sequoia_heart 2", "8 1").animals_multiplier == 2
    assert fought("T07", "sequoia_heart 2", "8 1", sequoia_benefits="owner_only").animals_multiplier == 1
    assert fought("T07", "sequoia_heart 9", "8 1", sequoia_benefits="owner_only").animals_multiplier == 2
    assert fought("T01", "sequoia_heart 9 9", "1 1 1").animals_multiplier == 1


def test_to_e13_shifting_spirit_and_pictos() -> None:
    """TO-E13: mushrooms double the cards, not the bonus; the puma may take both 2s; sky power may be the other 2."""
    assert outcome("T10", "shifting_spirit 2", "6 6") == ((13, 12), 1)
    assert fought("T10", "shifting_spirit 2", "6 6", pair_with_gathering="bonus_doubled").totals[0] == 18
    assert outcome("T08", "shifting_spirit 2", "1 1") == ((0, 2), 2)
    assert outcome("T09", "shifting_spirit sky_power=2", "6 2") == ((9, 8), 1)


def test_to_e14_a_forest_stays_face_down_for_two_turns() -> None:
    """TO-E14: a three-turn forest stays face down for two turns; then all is turned up and judged slot by slot."""
    first = "01 02 03 04 / 06 07 08 10 / 13 15 20 09 / 16 17 11 18 / 19 21 12 x2 / 22 23 24 x3"
    second = "01 02 03 04 / 06 07 08 09 / 13 16 17 12 / 18 19 23 15 / x5 14 20 10 / 22 x4 24 05"
    table = played(first, second)
    hidden = [event for event in table.payloads("CardsKeptHidden") if event["territory"] == "p3-3"]
    assert [(event["turn"], event["slot"]) for event in hidden] == [(4, 1), (5, 2)]
    about = [event for event in table.events if getattr(event, "territory", None) == "p3-3"]
    assert types(about) == [
        "TerritoryRevealed",
        *["CardsKeptHidden"] * 2,
        "CardsRevealed",
        *["ScalpDuelJudged"] * 3,
        "TerritoryJudged",
        "TerritoryWon",
        "WarriorsDiscarded",
    ]
    (shown,) = [event for event in table.payloads("CardsRevealed", turn=6) if event["pile"] == 3]
    assert [(slot["slot"], slot["turn"]) for slot in shown["slots"]] == [(1, 4), (2, 5), (3, 6)]
    duels = [event for event in table.payloads("ScalpDuelJudged", turn=6) if event["pile"] == 3]
    assert [duel["slot"] for duel in duels] == [1, 2, 3]
    assert ["TO-R10" in duel["rules"] for duel in duels] == [True, True, False]


def danced(pile_of_dance: int = 1) -> Table:
    """TO-E15: seat 2 plays the dusk dance in turn 1; seat 1 has a02, a05, a09 and a11 left."""
    cards = ["b01", "b02", "b03", "b04"]
    cards[pile_of_dance - 1] = "x4"
    script = Script(army_1="a01 a03 a04 a06 a02 a05 a09 a11", army_2=" ".join(cards), dusk_dance="a09")
    table = Table(script).choose(1, "x1/a08 x3/a14").choose(2, "x4/b11 x5/b21")
    rows = [{"pile": pile, "card": card} for pile, card in enumerate(cards, 1)]
    return table.place("1: 01 03 04 06").move(2, {"type": "play_cards", "cards": rows})


def test_to_e15_dusk_dance_forces_a_card_of_the_four() -> None:
    """TO-E15: a card of the four held back is forced; the seat then places only the other three."""
    table = danced()
    (forced,) = [event for event in table.events if event_type(type(event)) == "NextCardForced"]
    payload = as_json(payload_of(forced))
    assert (payload["hand_count"], payload["for_turn"], payload["seat"], payload["pile"]) == (4, 2, 1, 1)
    assert payload["forced_card"]["card"] == "a09"
    assert tomahawk.readers(table.state, forced) == {"forced_card": [1]}
    assert ("dusk_dance", ("a02", "a05", "a09", "a11"), 1) in table.script.asked
    assert len(table.state.sides[0].hand) == 7
    assert table.state.piles[0].laid == ("a09", None)
    (offered,) = tomahawk.legal_moves(table.state, 1)
    assert as_json(offered) == {
        "type": "play_cards",
        "choose": 3,
        "from": sorted(table.state.sides[0].hand),
        "piles": [2, 3, 4],
    }
    assert len(list(offered.expansions())) == 210
    table.then_refused("TO-4.3b", 1, placing(1, "02 05 11 07"))
    table.then_refused("TO-4.3c", 1, placing(1, "- 02 05"))
    table.place("1: - 02 05 11")


@pytest.mark.parametrize("pile", [2, 3])
def test_to_e15_no_dance_in_a_forest_or_a_last_slot(pile: int) -> None:
    """TO-E15: played at pile 3 (a forest) or pile 2 (one turn) the dusk dance does nothing."""
    table = danced(pile)
    assert not {"NextCardForced", "CharacterEffectApplied"} & set(types(table.events))
    assert len(table.state.sides[0].hand) == 8


def test_to_e16_dusk_dance_in_turn_5() -> None:
    """TO-E16: one of the last four cards is drawn; in turn 6 three are left for three piles."""
    first = "01 02 03 04 / 06 07 08 10 / 13 15 20 09 / 16 17 11 18 / 19 21 12 x2"
    second = "01 02 03 04 / 06 07 08 09 / 13 16 17 12 / 18 19 23 15 / x4 x5 20 10"
    table = played(first, second)
    (forced,) = table.payloads("NextCardForced")
    assert (forced["turn"], forced["for_turn"], forced["pile"], forced["hand_count"]) == (5, 6, 1, 4)
    assert table.payloads("CardsDrawn")[-1]["pile_left"] == 0
    (offered,) = tomahawk.legal_moves(table.state, 1)
    assert (offered.choose, len(offered.hand), len(list(offered.expansions()))) == (3, 3, 6)


def test_to_e17_who_wins_the_mountain_looks_into_the_forest() -> None:
    """TO-E17: who wins the mountain sees the opponent's card of this turn in the forest, once."""
    table = played("01 02 03 18 / 06 07 08 10", "04 06 07 09 / 01 02 03 05")
    (seen,) = table.payloads("ForestCardsSeen")
    assert (seen["turn"], seen["seat"], seen["piles"], seen["count"]) == (1, 1, [3], 1)
    assert seen["cards"] == [
        {"pile": 3, "territory": "p3-1", "slot": 1, "card": "b07", "name": "warrior", "value": 3, "hair": 0}
    ]
    assert seen["rules"] == ["TO-5.9", "TO-R24", "TO-R26"]
    assert tomahawk.readers(table.state, table.events[types(table.events).index("ForestCardsSeen")]) == {
        "cards": [1, 2]
    }


def test_to_e18_a_limited_supply_gives_what_is_left() -> None:
    """TO-E18: with a limit one gets what is left; without, all of it, and the supply stays at 0."""
    limited = faced("9/4", "10/2", supply=3, scalp_supply="limited").duel
    assert limited is not None
    assert (limited["tokens_due"], limited["tokens"], limited["supply_after"]) == (4, 3, 0)
    assert limited["rules"] == ["TO-5.5", "TO-R11", "TO-5.5d", "TO-R9"]
    free = faced("9/4", "10/2", supply=3).duel
    assert free is not None
    assert (free["tokens_due"], free["tokens"], free["supply_after"]) == (4, 4, 0)
    assert free["rules"] == ["TO-5.5", "TO-R11", "TO-R9"]


def test_to_e19_moves_are_refused_in_every_phase() -> None:
    """TO-E19: the refusals of turn 1, of set-up and after the end."""
    at_set_up = Table(script_a())
    for rule, keep in (
        ("TO-4.2a", [("x1", "a16")]),
        ("TO-4.2b", [("x1", "a16"), ("x1", "a17")]),
        ("TO-4.2c", [("x1", "a16"), ("x5", "a06")]),
        ("TO-4.2d", [("x1", "a16"), ("x3", "a16")]),
        ("TO-4.2e", [("x1", "b16"), ("x3", "a09")]),
    ):
        rows = [{"card": card, "replaces": replaces} for card, replaces in keep]
        at_set_up.then_refused(rule, 1, {"type": "choose_specials", "keep": rows})
    wrong_value = [{"card": "x5", "replaces": "b16"}, {"card": "x6", "replaces": "b01"}]
    at_set_up.then_refused("TO-4.2f", 2, {"type": "choose_specials", "keep": wrong_value})

    table = game_a(0)
    good = placing(1, "17 21 20 11")
    table.then_refused("TO-4.1a", 1, {**good, "why": "because"})
    table.then_refused("TO-4.1a", 1, {**good, "cards": [{"pile": "1", "card": "a17"}, *good["cards"][1:]]})
    table.then_refused("TO-4.1b", 3, good)
    table.then_refused("TO-4.1d", 1, {"type": "choose_specials", "keep": []})
    table.then_refused("TO-4.3a", 1, {**good, "cards": [*good["cards"], {"pile": 2, "card": "a02"}]})
    table.then_refused("TO-4.3c", 1, {**good, "cards": good["cards"][:3]})
    table.then_refused("TO-4.3d", 1, placing(1, "17 21 17 11"))
    table.then_refused("TO-4.3e", 1, placing(1, "17 21 20 24"))
    table.move(1, good).then_refused("TO-4.1e", 1, good)

    over = game_a()
    for move in (good, {"type": "look_in_forests"}, {"type": "choose_specials", "keep": []}):
        over.then_refused("TO-4.1c", 1, move)


def won(*faces: str) -> tuple[Won, ...]:
    """Territories taken."""
    return tuple(
        Won("p1-1", face, SPECIES[FACES[face].terrain], FACES[face].animals, FACES[face].animals, 1) for face in faces
    )


def ending(first: Side, second: Side, **options: Any) -> State:
    """Game A with other territories and scalps, and other house rules."""
    over: State = game_a().state
    return msgspec.structs.replace(
        over, options=tomahawk.read_options(options, 2), sides=(first, second), most_wanted="u1", faces=_u1_eagles(over)
    )


def _u1_eagles(over: State) -> Any:
    return msgspec.structs.replace(over.faces, u1=FACES["T14"])


def test_to_e20_a_tie_of_points_is_shared_or_broken_by_scalps() -> None:
    """TO-E20: 23 points each: shared victory, or by scalps seat 2."""
    sixteen = Side((), won=won("T01", "T03", "T04", "T07")[:3] + won("T14"), scalps=7)
    fourteen = Side((), won=won("T01", "T03", "T02"), scalps=9)
    shared = as_json(payload_of(game_ended(ending(sixteen, fourteen))))
    assert [row["total"] for row in shared["scores"]] == [23, 23]
    assert shared["ranking"] == [{"rank": 1, "seats": [1, 2]}]
    assert shared["winners"] == [1, 2]
    broken = as_json(payload_of(game_ended(ending(sixteen, fourteen, tie_break="most_scalps"))))
    assert broken["ranking"] == [{"rank": 1, "seats": [2]}, {"rank": 2, "seats": [1]}]
    assert broken["winners"] == [2]
    assert shared["rules"][-1] == broken["rules"][-1] == "TO-R28"


def test_to_e21_most_animals_of_the_wanted_kind_bring_three_points() -> None:
    """TO-E21: 7 eagles against 5 bring 3 points; 5 against 5 bring nobody anything."""
    (judged,) = most_wanted(ending(Side((), won=won("T09", "T10")), Side((), won=won("T05"))))
    assert as_json(judged.counts) == [{"seat": 1, "animals": 7, "bonus": 3}, {"seat": 2, "animals": 5, "bonus": 0}]
    (tied,) = most_wanted(ending(Side((), won=won("T09", "T15")), Side((), won=won("T05"))))
    assert [(row.animals, row.bonus) for row in tied.counts] == [(5, 0), (5, 0)]


def test_to_e22_an_opening_hand_is_read_by_its_seat_alone() -> None:
    """TO-E22: seat 1 reads its opening hand, nobody else does; nobody reads the order of an army."""
    table = game_a(0)
    drawn = next(event for event in table.events if event_type(type(event)) == "CardsDrawn")
    cards = "x1 sky_power 6 0|a02 warrior 1 0|a21 warrior 8 2|a23 warrior 9 4|a17 warrior 6 3|a11 warrior 4 2"
    rows = [text.split() for text in f"{cards}|a04 warrior 2 0|a20 warrior 8 1".split("|")]
    public = {"seat": 1, "reason": "opening_hand", "count": 8, "pile_left": 16}
    shown = [{"card": c, "name": n, "value": int(v), "hair": int(h)} for c, n, v, h in rows]
    assert as_json(payload_of(drawn)) == {**public, "cards": shown}
    assert list(as_json(payload_of(drawn))) == ["seat", "reason", "count", "cards", "pile_left"]
    assert tomahawk.readers(table.state, drawn) == {"cards": [1]}
    place = table.events.index(drawn)
    assert as_json(payload_of(table.feeds[1][place])) == {**public, "cards": shown}
    assert as_json(payload_of(table.feeds[2][place])) == as_json(payload_of(table.feeds[None][place])) == public
    shuffled = types(table.events).index("ArmyShuffled")
    assert all(as_json(payload_of(feed[shuffled])) == {"seat": 1, "count": 24} for feed in table.feeds.values())


def test_to_e23_one_judgement_in_full() -> None:
    """TO-E23: reference game A, turn 3, pile 1, word for word."""
    table = game_a(3)
    judged = next(e for e in table.latest if event_type(type(e)) == "TerritoryJudged")

    def fighter(slot: int, card: str, name: str, value: int, multiplier: int) -> dict[str, Any]:
        shown = {"slot": slot, "card": card, "name": name, "value": value}
        return {**shown, "multiplier": multiplier, "counts": value * multiplier}

    first = [
        fighter(1, "a17", "warrior", 6, 0),
        fighter(2, "x3", "dusk_dance", 4, 1),
        fighter(3, "a06", "warrior", 3, 1),
    ]
    second = [
        fighter(1, "x5", "great_spirit", 3, 1),
        fighter(2, "b17", "warrior", 6, 0),
        fighter(3, "b15", "warrior", 6, 0),
    ]
    expected = {
        **{"turn": 3, "pile": 1, "territory": "p1-1", "face": "T02", "terrain": "plain", "picto": "puma"},
        "totals": [
            {"seat": 1, "cards": first, "pivot": 6, "pair_bonus": 0, "total": 7},
            {"seat": 2, "cards": second, "pivot": 6, "pair_bonus": 0, "total": 3},
        ],
        "affected": ["a17", "b17", "b15"],
        "great_spirit": {
            **{"seat": 2, "card": "x5", "own_total": 3, "opponent_total": 7},
            **{"active": True, "triggered": True},
        },
        **{"winner": 2, "reason": "great_spirit"},
        "rules": ["TO-5.6", "TO-5.6a", "TO-R22", "TO-5.6e", "TO-R19"],
    }
    assert msgspec.json.encode(payload_of(judged)) == msgspec.json.encode(expected)
    assert tomahawk.readers(table.state, judged) == {}
