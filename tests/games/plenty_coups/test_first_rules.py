"""Tables opened by the first version of the rules: a missing option takes the old reading, and so does `coup_open`."""

from typing import Any

import msgspec
import pytest

from games import GAMES
from games.house_rules import in_force, options_of
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.options import is_of_first_rules
from tests.games.plenty_coups.spec import Table, card, given, proposal, raid

GAME = GAMES["plenty-coups"]
LATER = [option.name for option in GAME.options if option.since > 1]
NOW = msgspec.to_builtins(plenty_coups.read_options({}, 2))
THEN = {name: value for name, value in NOW.items() if name not in LATER} | {"neutral_ally_may_propose": False}
TWO = ("yellow", "black", "red")


def first(**said: Any) -> Table:
    """A table of the first rules; its options are those recorded then."""
    return given(**said, rules_version=1)


def test_a_table_of_today_has_all_options_and_an_older_one_those_of_its_time() -> None:
    """So what was recorded then is written again byte for byte, also a boolean that is a word today."""
    assert len(LATER) == 5
    then = options_of(GAME, THEN, 2, 1)
    assert msgspec.to_builtins(then) == THEN
    assert (is_of_first_rules(then), is_of_first_rules(plenty_coups.read_options({}, 2))) == (True, False)
    assert is_of_first_rules(options_of(GAME, THEN | {"shared_dealings": "other_player"}, 2, 1))
    turn = plenty_coups.start(2, then, lambda _, items, count: tuple(items[:count]))
    assert msgspec.to_builtins(turn.events[0])["options"] == THEN
    assert msgspec.convert(msgspec.to_builtins(turn.state), plenty_coups.state_type) == turn.state


def test_options_of_then_are_told_in_the_words_of_today() -> None:
    read = in_force(GAME, THEN | {"neutral_ally_may_propose": True})
    assert read == NOW | {"shared_dealings": "any", "neutral_ally_may_propose": "to_any"}
    assert list(read) == [option.name for option in GAME.options]
    assert in_force(GAME, THEN)["neutral_ally_may_propose"] == "no"


@pytest.mark.parametrize(("rules_version", "coup_open"), [(1, True), (2, False)])
def test_a_coup_is_told_open_by_the_rules_of_the_table(rules_version: int, coup_open: bool) -> None:
    """PC-5.8: with four turned markers no coup may be marked (PC-4.53); the first rules said that one might."""
    raids, prestige = [raid("yellow", "black", "G-2")], {"black": 4}
    hands = {"black": "weapon-4 stick"}
    table = given(hands=hands, prestige=prestige, raids=raids, rules_version=rules_version)
    table.play({"type": "defend", "cards": ["weapon-4"]})
    told = table.first("RaidRepelled")
    assert (told["coup_open"], "PC-4.53" in told["rules"]) == (coup_open, not coup_open)
    table.refuses({"type": "mark_defence_coup"}, "PC-4.53")


def test_whoever_plays_the_shared_tribe_deals_with_his_own() -> None:
    table = first(players=2, tribes=TWO, round=1, turn="black", hands={"black": "stick horse", "yellow": "horse"})
    table.allows({"type": "disdain", "target": "yellow"})
    table.allows({"type": "exchange_gifts", "to": "yellow", "give": "horse", "discard": "coup-stick"})


@pytest.mark.parametrize(("value", "rule"), [(False, "PC-4.72"), (True, None)])
def test_the_old_values_of_r29_are_read(value: bool, rule: str | None) -> None:
    """`true` frees proposals to allied tribes as well, as it did."""
    allies = {"black": ("white", "W-2"), "green": ("red", "R-2"), "red": ("green", "G-2")}
    table = first(hands={"black": "R-4"}, allies=allies, options={"neutral_ally_may_propose": value})
    move = {"type": "propose_alliance", "to": "red", "card": card("R-4")}
    if rule:
        table.refuses(move, rule)
    else:
        table.allows(move)


def test_the_shared_tribe_is_no_ally_and_the_pile_waits() -> None:
    wooed = first(players=2, tribes=TWO, turn="yellow", hands={"yellow": "B-2"})
    wooed.refuses({"type": "propose_alliance", "to": "black", "card": card("B-2")}, "PC-4.70")
    hunter = first(hands={"black": "horse"}, pile="weapon-4 horse", discards="weapon-2")
    hunter.play({"type": "hunt", "discard": "horse"})
    assert "DeckReshuffled" not in hunter.types


def test_the_free_exchange_outlives_the_last_action() -> None:
    allies = {"black": ("yellow", "Y-3"), "yellow": ("black", "B-3")}
    table = first(hands={"black": "horse weapon-2", "yellow": "stick"}, allies=allies, actions=1)
    table.play({"type": "breed"})
    table.allows({"type": "exchange_gifts_free", "give": "weapon-2"})


def test_a_stick_of_disdain_is_made_up_for_in_round_10() -> None:
    hands = {"black": "horse weapon-2 weapon-3", "yellow": "weapon-2"}
    table = first(round=10, hands=hands, disdained=["yellow"], display="weapon-4 horse Y-1 stick")
    table.play({"type": "breed"})
    assert table.first("CardsDrawn")["reason"] == "disdain"


def test_what_was_open_stays_open() -> None:
    """PC-5.9 by `true`: a proposal of a tribe with a neutral ally stands though its target has allied."""
    table = first(
        turn="red",
        hands={"red": "G-1"},
        options={"neutral_ally_may_propose": True},
        allies={"black": ("white", "W-2")},
        proposals=[proposal("black", "green", "G-4"), proposal("green", "red", "R-2")],
    )
    table.play({"type": "accept_alliance", "from": "green", "card": card("G-1")})
    assert "ProposalWithdrawn" not in table.types
