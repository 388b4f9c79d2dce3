"""The rulings of section 8, in what their cases in their folder leave open."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from games.tomahawk import game as tomahawk
from games.tomahawk.battles import battle_rules, judgement
from games.tomahawk.components import BALANCED_1, PICTOS, SETS, SPECIES, Special
from games.tomahawk.scoring import game_ended, most_wanted
from games.tomahawk.state import Side, side_of
from tests.games.spec import as_json
from tests.games.tomahawk.reference import OPTIONS_B, game_a, game_b, game_c, script_a, script_b
from tests.games.tomahawk.spec import SPECIALS, Script, Table, faced, fought, hidden, placing, played, types
from tests.games.tomahawk.test_examples import danced, ending, won


def rules(face: str, first: str, second: str, **options: Any) -> list[str]:
    """What a judgement of this battle would cite."""
    return list(battle_rules(fought(face, first, second, **options)))


# TO-R1 to TO-R4: the box


def test_to_r1_a_tribe_has_24_cards_of_value_120() -> None:
    """TO-R1: 24 cards, value 120, hair 24, in catalogue order."""
    warriors = BALANCED_1.warriors
    assert (len(warriors), sum(w.value for w in warriors), sum(w.hair for w in warriors)) == (24, 120, 24)
    assert list(warriors) == sorted(warriors, key=lambda w: (w.value, w.hair))
    written = "1/0 1/0 2/0 2/0 2/1 3/0 3/0 3/2 4/0 4/1 4/2 5/0 5/1 5/2 6/0 6/1 6/3 7/0 7/2 8/1 8/2 9/0 9/4 10/2"
    assert " ".join(f"{w.value}/{w.hair}" for w in warriors) == written


def test_to_r2_seven_specials_have_different_values() -> None:
    """TO-R2: seven specials of different values."""
    assert len({special.value for special in BALANCED_1.specials}) == 7
    assert {s.name: s.value for s in BALANCED_1.specials}["sky_power"] == 6


def test_to_r3_each_terrain_has_five_territories() -> None:
    """TO-R3: five of each terrain with 1 to 5 animals; four pumas, four gatherings."""
    for terrain in ("plain", "forest", "mountain"):
        assert sorted(t.animals for t in BALANCED_1.territories if t.terrain == terrain) == [1, 2, 3, 4, 5]
    pictos = [t.picto for t in BALANCED_1.territories]
    assert (pictos.count("puma"), pictos.count("gathering"), pictos.count("none")) == (4, 4, 7)


def test_to_1_6_a_set_can_be_played_with() -> None:
    """TO-1.6: every component set can be played with; it stands whole in `GameStarted`."""
    for box in SETS.values():
        assert len(box.warriors) == 24
        shown = [(card.value, card.hair) for card in box.warriors] + [(card.value, card.hair) for card in box.specials]
        assert all(1 <= value <= 10 and 0 <= hair <= 4 for value, hair in shown)
        values = {special.name: special.value for special in box.specials}
        assert sorted(values) == sorted(special.name for special in BALANCED_1.specials)
        assert (values["shifting_spirit"], values["sky_power"]) == (2, 6)
        copies, wanted = Counter(warrior.value for warrior in box.warriors), Counter(values.values())
        assert all(copies[value] >= min(2, shared) for value, shared in wanted.items())  # a special replaces one each
        assert len({territory.face for territory in box.territories}) == 15
        assert Counter(territory.turns for territory in box.territories) == {1: 5, 2: 5, 3: 5}
        assert all(1 <= territory.animals <= 5 for territory in box.territories)
        assert all(territory.terrain in SPECIES and territory.picto in PICTOS for territory in box.territories)
    (started,) = Table().payloads("GameStarted")
    assert started["components"] == as_json(SETS["balanced-1"])
    assert list(started["components"]) == ["set", "warriors", "specials", "territories", "scalp_tokens"]


# TO-R5 to TO-R9: set-up and supply


def test_to_r5_the_player_chooses_the_copy() -> None:
    """TO-R5: every copy of the special's value may be replaced; moves are listed in the order of TO-4.6."""
    moves = tomahawk.legal_moves(Table().state, 1)
    listed = [[(row.card, row.replaces) for row in move.keep] for move in moves]
    assert len(listed) == 27
    assert listed[:4] == [
        [("x1", "a06"), ("x2", "a03")],
        [("x1", "a06"), ("x2", "a04")],
        [("x1", "a06"), ("x2", "a05")],
        [("x1", "a07"), ("x2", "a03")],
    ]
    assert listed == sorted(listed, key=lambda rows: list(zip(*rows, strict=True)))


@pytest.mark.parametrize(
    ("specials", "count"),
    [
        ("great_spirit shifting_spirit sequoia_heart", 27),
        ("windswept_skull great_spirit sky_power", 21),
        ("windswept_skull teasing_cloud sky_power", 16),
    ],
)
def test_to_4_2_a_seat_chooses_among_16_21_or_27_moves(specials: str, count: int) -> None:
    """TO-4.2: how many warriors each special may replace makes 16, 21 or 27 moves."""
    assert len(tomahawk.legal_moves(Table(Script(specials=specials)).state, 1)) == count


def test_to_r7_and_r32_the_undealt_special() -> None:
    """TO-R7, TO-R32: nobody sees it before the game is over; then everybody does."""
    assert all(tomahawk.view(game_a(5).state, seat).set_aside is msgspec.UNSET for seat in (None, 1, 2))
    opened = tomahawk.view(game_a().state, None).set_aside
    assert as_json(opened)["name"] == "shifting_spirit"


def test_to_5_5d_an_empty_supply() -> None:
    """TO-5.5d: nothing is given from an empty supply; the duel has its winner all the same."""
    duel = faced("9/4", "10/2", supply=0, scalp_supply="limited").duel
    assert duel is not None
    assert (duel["winner"], duel["tokens_due"], duel["tokens"], duel["supply_after"]) == (2, 4, 0, 0)


# TO-R10 to TO-R16: slots


def test_to_r10_once_slot_by_slot() -> None:
    """TO-R10: a slot is compared once, when it is turned up."""
    duels = game_a().payloads("ScalpDuelJudged")
    places = [(duel["territory"], duel["slot"]) for duel in duels]
    assert len(set(places)) == len(places)
    earlier = faced("6/3", "8/1", earlier=True).duel
    assert earlier is not None
    assert earlier["rules"] == ["TO-5.5", "TO-R10", "TO-R11"]


def test_to_r11_only_the_weaker_loses() -> None:
    """TO-R11: of two with hair only the strictly weaker one is scalped."""
    duel = faced("6/3", "8/2").duel
    assert duel is not None
    assert (duel["winner"], duel["hair"], duel["rules"]) == (2, 3, ["TO-5.5", "TO-R11"])
    equal = faced("6/3", "6/1").duel
    assert equal is not None
    assert equal["rules"] == ["TO-5.5"]


def test_to_r12_the_forced_card_fights_for_its_owner() -> None:
    """TO-R12: the card drawn is played by the opponent himself."""
    table = danced().place("1: - 02 05 11").place("2: 05 06 07 08")
    (shown,) = [event for event in table.payloads("CardsRevealed", turn=2) if event["pile"] == 1]
    assert [row["card"] for row in shown["slots"][0]["cards"]] == ["a09", "b05"]
    assert table.state.forced is None


@pytest.mark.parametrize(("card", "readers"), [("blind", [2]), ("taker_sees", [1, 2])])
def test_to_r14_a_look_is_for_the_owner_alone_or_who_draws_too(card: str, readers: list[int]) -> None:
    """TO-R14: its owner alone, or the one who draws too."""
    table = Table(script_a(), dusk_dance_card=card).choose(1, "x1/a16 x3/a09").choose(2, "x5/b06 x6/b01")
    table.place("1: 17 21 20 11").place("2: x5 11 07 13").place("2: 17 22 21 14").place("1: x3 03 02 04")
    forced = next(event for event in table.events if types([event]) == ["NextCardForced"])
    assert tomahawk.readers(table.state, forced) == {"forced_card": readers}
    for seat in (None, 1, 2):
        view = tomahawk.view(table.state, seat)
        assert view.forced is not None
        assert (view.forced.seat, view.forced.pile, view.forced.for_turn) == (2, 1, 3)
        assert (view.forced.card is not msgspec.UNSET) == (seat in readers)
        assert (view.piles[0].laid[0].card is not msgspec.UNSET) == (seat in readers)


# TO-R17 to TO-R23: battles


def test_to_r15_a_copied_value_is_charmed_if_it_is_high(monkeypatch: pytest.MonkeyPatch) -> None:
    """TO-R15: sky power copies first, then the charm looks at the copied value; in another set the cloud may show 8."""
    monkeypatch.setitem(SPECIALS, "teasing_cloud", Special("teasing_cloud", 8, 4))
    copied, charmed = faced("sky_power", "teasing_cloud").effects
    assert (copied["effect"], copied["value_before"], copied["value_after"]) == ("value_copied", 6, 8)
    assert (charmed["effect"], charmed["value_before"], charmed["value_after"]) == ("opponent_charmed", 8, 0)
    assert (copied["rules"], charmed["rules"]) == (["TO-5.3a", "TO-R15"], ["TO-5.3b", "TO-R15"])


def test_to_r17_one_pair_of_the_own_side_counts() -> None:
    """TO-R17: own side, values after effects, one pair only."""
    assert fought("T01", "shifting_spirit 1 1", "2 2 2").bonuses == (0, 0)
    assert fought("T09", "shifting_spirit sky_power=2", "2 2").bonuses == (5, 0)
    assert fought("T09", "shifting_spirit 8=0", "2 2").bonuses == (0, 0)
    assert fought("T01", "shifting_spirit 2 2", "1 1 1").totals[0] == 11
    assert rules("T09", "shifting_spirit 2", "9 9") == ["TO-5.6", "TO-5.6c", "TO-R17"]


@pytest.mark.parametrize(("value", "bonus"), [("bonus_flat", 5), ("bonus_doubled", 10)])
def test_to_r18_the_pair_and_pictos(value: str, bonus: int) -> None:
    """TO-R18: mushrooms double the bonus only with `bonus_doubled`; the puma may take the pair apart."""
    assert fought("T10", "shifting_spirit 2", "6 6", pair_with_gathering=value).bonuses == (bonus, 0)
    assert fought("T10", "shifting_spirit 2", "1 6", pair_with_gathering=value).bonuses == (5, 0)
    assert fought("T08", "shifting_spirit 2", "1 1", pair_with_gathering=value).bonuses == (0, 0)
    cited = rules("T10", "shifting_spirit 2", "6 6", pair_with_gathering=value)
    assert cited == ["TO-5.6", "TO-5.6b", "TO-R22", "TO-5.6c", "TO-R17", "TO-R18"]


def test_to_r19_before_picto_works_out_the_pair_anew() -> None:
    """TO-5.6e: with `before_picto` the pair gives 5, whatever the mushrooms made of it; a puma does not matter."""
    options = {"great_spirit_totals": "before_picto", "pair_with_gathering": "bonus_doubled"}
    found = fought("T10", "great_spirit 1", "shifting_spirit 2", **options)
    assert found.great_spirit is not None
    assert (found.great_spirit.own_total, found.great_spirit.opponent_total) == (4, 9)
    taken = fought("T12", "great_spirit", "2", great_spirit_totals="before_picto")
    assert taken.great_spirit is not None
    assert (taken.great_spirit.active, taken.great_spirit.triggered, taken.winner) == (True, False, 2)
    assert "TO-R20" not in rules("T12", "great_spirit", "2", great_spirit_totals="before_picto")


@pytest.mark.parametrize(("value", "multiplier"), [("any_winner", 2), ("owner_only", 1)])
def test_to_r21_sequoia_heart_doubles_for_winner_or_owner(value: str, multiplier: int) -> None:
    """TO-R21: double for whoever wins or for the owner; the puma does not matter; a tie doubles nothing."""
    found = fought("T07", "sequoia_heart 2", "8 1", sequoia_benefits=value)
    assert found.animals_multiplier == multiplier
    expected = ["TO-5.6", *["TO-5.6f"] * (multiplier == 2), "TO-R21"]
    assert rules("T07", "sequoia_heart 2", "8 1", sequoia_benefits=value) == expected
    assert fought("T08", "sequoia_heart 4", "2 1", sequoia_benefits=value).animals_multiplier == 2
    assert rules("T07", "sequoia_heart 2", "6 1", sequoia_benefits=value) == ["TO-5.6"]


def test_to_r23_puma_and_mushrooms_look_at_values_after_effects() -> None:
    """TO-R23: puma and mushrooms look at the values after the effects of characters."""
    found = fought("T10", "3 6", "8 9=0")
    assert found.multipliers == ((1, 1), (1, 2))
    assert rules("T10", "3 6", "8 9=0") == ["TO-5.6", "TO-5.6b", "TO-R22", "TO-R23"]


def test_judgement_lists_what_the_picto_changes() -> None:
    """TO-5.6: `affected` has seat 1's cards first, by slot; `counts` is value times multiplier."""
    table = game_a(3)
    judged = judgement(game_a(2).state, 1, fought("T02", "6 4 3", "3 6 6"))
    assert judged.affected == ("a01", "b02", "b03")
    assert [row.counts for row in judged.totals[0].cards] == [0, 4, 3]
    assert table.state.turn == 4


# TO-R24 to TO-R27, TO-R30, TO-R31: looks, ties, cemeteries


@pytest.mark.parametrize("value", ["automatic", "ask"])
def test_to_r24_the_mountain_look_is_done_or_offered(value: str) -> None:
    """TO-R24: the look is done for the winner, or he is asked and may decline."""
    table = Table(script_a(), mountain_look=value).choose(1, "x1/a16 x3/a09").choose(2, "x5/b06 x6/b01")
    table.place("1: 17 21 20 11").place("2: x5 11 07 13")
    if value == "automatic":
        assert table.state.phase == "play_cards"
        assert len(table.payloads("ForestCardsSeen")) == 1
        return
    assert (table.state.phase, table.state.to_act) == ("mountain_look", (2,))
    assert types(table.latest)[-1] == "WarriorsDiscarded"
    assert [payload["asked"] for payload in table.payloads("WarriorsDiscarded", turn=1)] == [[], [2]]
    assert as_json(tomahawk.legal_moves(table.state, 2)) == [
        {"type": "look_in_forests"},
        {"type": "decline_forest_look"},
    ]
    table.then_refused("TO-4.1e", 1, {"type": "look_in_forests"})
    table.then_refused("TO-4.1d", 2, placing(2, "17 22 21 14"))
    table.move(2, {"type": "decline_forest_look"})
    assert types(table.latest)[0] == "ForestLookDeclined"
    assert table.state.phase == "play_cards"


def test_to_3_3_the_question_comes_after_all_battles() -> None:
    """TO-3.3, TO-5.9: a mountain won at pile 2 leads to the question only when the battle at pile 4 is over too."""
    table = played("01 18 02 17", "04 06 07 09", Script(territories_1="T14"), mountain_look="ask")
    states: list[Any] = [None]
    for event in table.events:
        states.append(tomahawk.evolve(states[-1], event))
    after = [
        state for event, state in zip(table.events, states[1:], strict=True) if types([event]) == ["WarriorsDiscarded"]
    ]
    assert [state.phase for state in after] == ["play_cards", "mountain_look"]
    assert [state.to_act for state in after] == [(), (1,)]


def test_to_r25_what_was_seen_stays_visible() -> None:
    """TO-R25, TO-7.5: the card seen stays in the view of the one who looked, until it is turned up."""
    table = game_a(4)
    for _ in range(2):
        seen = {seat: as_json(tomahawk.view(table.state, seat))["piles"][2]["slots"][0] for seat in (None, 1, 2)}
        assert seen[1]["cards"][1]["card"]["card"] == "b19"
        assert "card" not in seen[2]["cards"][0]
        assert "card" in seen[2]["cards"][1]
        assert all("card" not in row for row in seen[None]["cards"])
        table = game_a(5)


def test_to_r26_one_look_a_turn() -> None:
    """TO-R26: one look a turn, at the cards of this turn only."""
    looks = game_c().payloads("ForestCardsSeen")
    assert [(look["turn"], look["piles"]) for look in looks] == [(1, [3]), (4, [2, 3])]
    assert not game_b(4).payloads("ForestCardsSeen", turn=4)


def test_to_r27_a_tie_is_discarded() -> None:
    """TO-R27: a territory tied for is out of the game; the next one is turned up."""
    table = game_a(3)
    assert table.state.discarded == ("p2-2",)
    assert table.state.piles[1].territory == "p2-3"


def test_to_r30_cemeteries_are_face_down() -> None:
    """TO-R30, TO-7.8: the view gives the size of a cemetery, its cards only when the game is over."""
    for seat in (None, 1, 2):
        views = tomahawk.view(game_a(3).state, seat).seats
        assert [row.cemetery_count for row in views] == [11, 11]
        assert all(row.cemetery is msgspec.UNSET for row in views)
    assert len(as_json(tomahawk.view(game_a().state, None).seats[0].cemetery)) == 24


# TO-R28, TO-R29: the end


@pytest.mark.parametrize(("value", "winners"), [("shared", (1, 2)), ("most_scalps", (2,)), ("most_territories", (1,))])
def test_to_r28_tie_of_the_game(value: str, winners: tuple[int, ...]) -> None:
    """TO-R28: equal totals are shared, or broken by scalps or by territories."""
    first = Side((), won=won("T11", "T14", "T04"), scalps=5)
    second = Side((), won=won("T02"), scalps=9)
    ended = game_ended(ending(first, second, tie_break=value))
    assert ended.winners == winners
    assert ended.rules[-1] == "TO-R28"
    still_tied = game_ended(ending(first, first, tie_break=value))
    assert still_tied.winners == (1, 2)


def test_to_6_6_nothing_at_all() -> None:
    """TO-6.6: 0 to 0 is a shared victory."""
    assert game_ended(ending(Side(()), Side(()))).winners == (1, 2)


@pytest.mark.parametrize("most", [False, True])
def test_to_r29_most_wanted_is_off_unless_chosen(most: bool) -> None:
    """TO-R29: off by default; on, one of the unused territories is turned up and judged at the end."""
    table = Table(script_b(), **{**OPTIONS_B, "most_wanted": most}).choose(2, "x4/b15 x5/b09")
    table.choose(1, "x1/a02 x2/a03")
    assert len(table.payloads("MostWantedRevealed")) == most
    if most:
        assert table.payloads("MostWantedRevealed") == [
            {"territory": "u2", "face": "T10", "terrain": "mountain", "species": "eagle"}
        ]
    assert bool(game_b().payloads("MostWantedJudged")) != bool(game_a().payloads("MostWantedJudged"))


@pytest.mark.parametrize(("value", "bonus"), [("nobody", 0), ("both", 3)])
def test_to_r29_a_tie_brings_the_bonus_to_nobody_or_both(value: str, bonus: int) -> None:
    """TO-R29: on a tie nobody gets the bonus, or both do if they have any."""
    side = Side((), won=won("T05"))
    (judged,) = most_wanted(ending(side, side, most_wanted=True, most_wanted_tie=value))
    assert [row.bonus for row in judged.counts] == [bonus, bonus]
    (none,) = most_wanted(ending(Side(()), Side(()), most_wanted=True, most_wanted_tie=value))
    assert [row.bonus for row in none.counts] == [0, 0]


@pytest.mark.parametrize(("value", "animals"), [("counted", 8), ("printed", 4)])
def test_to_r29_doubled_caribou_count_double_or_as_printed(value: str, animals: int) -> None:
    """TO-R29: doubled caribou count double, or as printed."""
    doubled = msgspec.structs.replace(won("T04")[0], points=8)
    state = ending(Side((), won=(doubled,)), Side(()), most_wanted=True, most_wanted_count=value)
    forest = msgspec.structs.replace(state, most_wanted="p3-3")
    (judged,) = most_wanted(forest)
    assert judged.counts[0].animals == animals


# TO-R33 to TO-R35


def test_to_r33_twice_no_hair_is_nothing() -> None:
    """TO-R33: twice no hair is nothing; the skull's own scalp is not there to be taken."""
    duel = faced("windswept_skull", "great_spirit").duel
    assert duel is not None
    assert (duel["hair"], duel["multiplier"], duel["tokens"]) == (2, 2, 4)
    assert faced("windswept_skull", "5/0").duel is None
    beaten = faced("windswept_skull", "10/2").duel
    assert beaten is not None
    assert (beaten["winner"], beaten["multiplier"]) == (None, 1)


def test_to_r35_six_turns_take_four_cards_each() -> None:
    """TO-R35, TO-2.10: six turns of four cards each; nobody lacks a card."""
    table = game_c()
    assert len(table.payloads("TurnEnded")) == 6
    assert all(not side_of(table.state, seat).hand for seat in (1, 2))
    assert [event["pile_left"] for event in table.payloads("CardsDrawn") if event["seat"] == 1] == [16, 12, 8, 4, 0]


def test_to_5_9_a_mountain_in_the_last_turn_shows_nothing() -> None:
    """TO-5.9: no forest is incomplete at the end of turn 6, so nobody is asked."""
    assert not any(event["turn"] == 6 for event in played("01 02 03 18", "04 06 07 09").payloads("ForestCardsSeen"))
    assert not game_b().payloads("ForestLookDeclined", turn=6)


def test_hidden_fields_are_left_out() -> None:
    """TO-7.10: who may not read a field gets the payload without it."""
    table = game_a(0)
    chosen = next(event for event in table.events if types([event]) == ["SpecialsChosen"])
    assert as_json(hidden(chosen, ["kept", "returned"])) == {"type": "SpecialsChosen", "seat": 1}
