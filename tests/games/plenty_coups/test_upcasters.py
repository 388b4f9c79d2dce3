"""Events recorded in their first form say what evolve once worked out, as the rules would decide it today."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from games.payloads import event_type
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.state import State
from tests.games.plenty_coups.spec import Table, cards, given, raid
from tests.games.upcasting import earlier_forms, golden, recorded_then, states_of, told, upcast_as_told

ADDED = {  # with the second form
    "CardsDrawn": {"phase"},
    "TurnStarted": {"phase"},
    "RaidLaunched": {"cost"},
    "RaidRepelled": {"cost", "strictly_greater"},
    "PrestigeLost": {"phase"},
    "GiftOffered": {"cost"},
    "CardsDiscarded": {"cost"},
    "TurnPassed": {"phase"},
}

STATES = {  # of the recorded tables, at every version, as they were when `evolve` still worked this out
    "plenty-coups-2-greedy": "c6f18adca8755894",
    "plenty-coups-2-uniform": "c9cfedfba99d280e",
    "plenty-coups-3-disputed": "9e1e6924d53b10b4",
    "plenty-coups-3-overturned": "f2875579f91f7ed3",
    "plenty-coups-4-defaults": "a51ddbe086d455da",
    "plenty-coups-4-uniform": "b303c6b3b57edf12",
    "plenty-coups-5-to-unallied": "921abb6720e24497",
    "plenty-coups-6-individual": "1f359380daed75bf",
}


def test_every_earlier_form_has_an_upcaster() -> None:
    """One for each event whose fields have changed."""
    assert set(plenty_coups.upcasters) == earlier_forms(plenty_coups) == {(name, 1) for name in ADDED}


@pytest.mark.parametrize("path", golden(plenty_coups), ids=lambda path: path.stem)
def test_an_event_of_then_says_what_is_decided_today(path: Path) -> None:
    """What the first form left out is added as it is decided now; nothing else changes."""
    for state, name, payload in told(plenty_coups, path):
        if name in ADDED:
            upcast_as_told(plenty_coups, ADDED, state, name, payload)


def first_of_last(table: Table, moves: Sequence[Any], name: str) -> tuple[State, dict[str, Any]]:
    """The first event of this type that the last of the moves leads to: the state before it, and what it says."""
    for move in moves:
        state = table.state
        table.play(move)
    for event in table.events:
        if event_type(event) == name:
            break
        state = plenty_coups.evolve(state, event)
    return state, table.first(name)


def defend(*weapons: str) -> dict[str, Any]:
    """A defence with these weapons."""
    return {"type": "defend", "cards": weapons}


def raided(warriors: str, bonus_counts: str = "always", **said: Any) -> dict[str, Any]:
    """Red's turn, with a raid of black's on its camp."""
    hands = {"red": "weapon-3 weapon-4 weapon-4 stick"}
    options = {"bonus_counts": bonus_counts}
    return {"turn": "red", "hands": hands, "raids": [raid("black", "red", warriors)], "options": options, **said}


BREED, HUNT, PASS = {"type": "breed"}, {"type": "hunt", "discard": "horse"}, {"type": "pass_turn"}
BREED_TWICE = {"hands": {"black": "horse horse horse"}}
DISDAIN, ENDURE = {"type": "disdain", "target": "red"}, {"type": "endure_disdain"}
STICK = {"hands": {"black": "stick"}, "prestige": {"red": 1}}
RAIDERS = {"hands": {"black": "B-3 B-4 horse"}}
ALLIED = {
    "hands": {"black": "stick horse", "red": "horse"},
    "allies": {"black": ("red", "R-3"), "red": ("black", "B-3")},
}
GIVERS = {"hands": {"black": "horse weapon-2", "red": "horse"}}
GIFT = {"type": "exchange_gifts", "to": "red", "give": "horse", "discard": "weapon-2"}
AFTER_HUNT = {"type": "discard_after_hunt", "cards": cards("B-1 B-2")}
HUNTERS = {"hands": {"black": "horse"}, "pile": "B-1 B-2"}


@pytest.mark.parametrize(
    ("said", "moves", "name", "added"),
    [
        (BREED_TWICE, [HUNT], "CardsDrawn", {"phase": "hunt_discard"}),
        (BREED_TWICE, [BREED, BREED], "CardsDrawn", {"phase": None}),
        (BREED_TWICE, [BREED, BREED], "TurnStarted", {"phase": "take"}),
        ({**BREED_TWICE, "round": 11}, [BREED], "TurnStarted", {"phase": "actions"}),
        (RAIDERS, [{"type": "raid", "target": "red", "cards": cards("B-3")}], "RaidLaunched", {"cost": 1}),
        (RAIDERS, [{"type": "raid", "target": "red", "cards": cards("B-3 B-4")}], "RaidLaunched", {"cost": 2}),
        (raided("B-3"), [defend("weapon-4")], "RaidRepelled", {"cost": 1, "strictly_greater": False}),
        (raided("G-3"), [defend("weapon-4")], "RaidRepelled", {"cost": 1, "strictly_greater": True}),
        (raided("B-3", "defence_only"), [defend("weapon-4")], "RaidRepelled", {"cost": 1, "strictly_greater": True}),
        (raided("B-3", "not_for_coup"), [defend("weapon-4")], "RaidRepelled", {"cost": 1, "strictly_greater": True}),
        (raided("G-3"), [defend("weapon-4", "weapon-4")], "RaidRepelled", {"cost": 2, "strictly_greater": False}),
        (
            raided("G-3", round=10),
            [defend("weapon-4", "weapon-4")],
            "RaidRepelled",
            {"cost": 1, "strictly_greater": False},
        ),
        (STICK, [DISDAIN, ENDURE], "PrestigeLost", {"phase": "actions"}),
        (ALLIED, [DISDAIN], "PrestigeLost", {"phase": None}),
        (ALLIED, [{"type": "exchange_gifts_free", "give": "horse"}], "GiftOffered", {"cost": 0}),
        (GIVERS, [GIFT], "GiftOffered", {"cost": 1}),
        (HUNTERS, [HUNT], "CardsDiscarded", {"cost": 1}),
        (HUNTERS, [HUNT, AFTER_HUNT], "CardsDiscarded", {"cost": 0}),
        ({"hands": {"black": "horse horse horse weapon-2"}, "round": 10}, [PASS], "TurnPassed", {"phase": "excess"}),
        ({"hands": {"black": "horse horse horse"}, "round": 10}, [PASS], "TurnPassed", {"phase": "actions"}),
    ],
)
def test_each_case_is_told_apart(said: Any, moves: Sequence[Any], name: str, added: dict[str, Any]) -> None:
    """Every value that a field of the second form takes is that of today, and was left out then."""
    state, payload = first_of_last(given(**said), moves, name)
    assert {field: payload[field] for field in ADDED[name]} == added
    upcast_as_told(plenty_coups, ADDED, state, name, payload)


@pytest.mark.parametrize("name", STATES)
def test_a_recorded_table_goes_through_the_states_of_then(name: str) -> None:
    """Events of the first form lead to the same states as when they were written, one after the other."""
    assert states_of(name) == STATES[name]


def test_every_recorded_table_of_then_is_held() -> None:
    """Those with events of the first form that have a later one."""
    assert recorded_then(plenty_coups) == set(STATES)


def test_a_raid_that_stands_nowhere_was_not_repelled() -> None:
    """An event of the first form that repels one is refused: nothing tells what it would have cost."""
    payload = {"tribe": "red", "weapons": ["weapon-3"], "defence": 3}
    with pytest.raises(LookupError, match="no raid stands on red"):
        plenty_coups.upcasters["RaidRepelled", 1](given(turn="black").state, payload)
