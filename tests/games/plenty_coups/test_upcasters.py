"""Events recorded by an earlier schema say what evolve once worked out, as the rules would decide it today."""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.plenty_coups import game as plenty_coups
from games.plenty_coups.events import EVENTS
from games.plenty_coups.state import State
from games.plenty_coups.upcasters import UPCASTERS
from games.reading import event_from, event_type
from tests import corpus
from tests.games.plenty_coups.spec import Table, cards, raid
from tests.games.test_golden import FOLDER

GOLDEN = sorted((FOLDER / plenty_coups.slug).glob("*.json"))
KINDS = {event_type(kind): kind for kind in EVENTS}
ADDED = {  # with schema 2
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
    "plenty-coups-2-greedy": "d68b0b5607853241",
    "plenty-coups-2-uniform": "311f9905c715032d",
    "plenty-coups-3-disputed": "d71f415bb33a7d67",
    "plenty-coups-3-overturned": "7758a140f63def5e",
    "plenty-coups-4-defaults": "e3bd71ad58263336",
    "plenty-coups-4-uniform": "92635b557cabc28e",
    "plenty-coups-5-to-unallied": "f9295aeaf137ca01",
    "plenty-coups-6-individual": "a68287cfc4ef18a3",
}


def told(path: Path) -> Iterator[tuple[Any, str, dict[str, Any]]]:
    """The events of a golden game: the state before each, its type and what it says."""
    state = None
    for row in json.loads(path.read_text(encoding="utf-8"))["events"]:
        yield state, row["type"], row["payload"]
        state = plenty_coups.evolve(state, event_from(row["type"], row["payload"], KINDS[row["type"]]))


def test_every_earlier_schema_has_an_upcaster() -> None:
    """From schema 1 on, step by step."""
    steps = {(name, schema) for name, kind in KINDS.items() for schema in range(1, kind.schema)}
    assert set(UPCASTERS) == steps == {(name, 1) for name in ADDED}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_event_of_then_says_what_is_decided_today(path: Path) -> None:
    """What the first schema left out is added as the same move gives it now; nothing else changes."""
    for state, name, payload in told(path):
        if name in ADDED:
            then = {field: value for field, value in payload.items() if field not in ADDED[name]}
            kept = dict(then)
            assert UPCASTERS[name, 1](state, then) == payload
            assert then == kept


def first_of_last(table: Table, moves: Sequence[Any], name: str) -> tuple[State, dict[str, Any]]:
    """The first event of this type that the last of the moves leads to: the state before it, and what it says."""
    for move in moves:
        state = table.state
        table.play(move)
    for event in table.events:
        if event_type(event) == name:
            break
        state = plenty_coups.evolve(state, event)
    return state, table.payload(name)


def defend(*weapons: str) -> dict[str, Any]:
    """A defence with these weapons."""
    return {"type": "defend", "cards": weapons}


def raided(warriors: str, bonus_counts: str = "always", **given: Any) -> dict[str, Any]:
    """Red's turn, with a raid of black's on its camp."""
    hands = {"red": "weapon-3 weapon-4 weapon-4 stick"}
    options = {"bonus_counts": bonus_counts}
    return {"turn": "red", "hands": hands, "raids": [raid("black", "red", warriors)], "options": options, **given}


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
    ("given", "moves", "name", "added"),
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
def test_each_case_is_told_apart(given: Any, moves: Sequence[Any], name: str, added: dict[str, Any]) -> None:
    """Every value that a field of schema 2 takes is that of today, and was left out then."""
    state, payload = first_of_last(Table(**given), moves, name)
    assert {field: payload[field] for field in ADDED[name]} == added
    then = {field: value for field, value in payload.items() if field not in added}
    assert UPCASTERS[name, 1](state, then) == payload


@pytest.mark.parametrize("name", STATES)
def test_a_recorded_table_goes_through_the_states_of_then(name: str) -> None:
    """Events of schema 1 lead to the same states as when they were written, one after the other."""
    history, digest = corpus.history_of(name), sha256()
    for table in history.walk(1, history.table.version):
        digest.update(msgspec.json.encode(table.state))
    assert digest.hexdigest()[:16] == STATES[name]


def test_every_recorded_table_of_then_is_held() -> None:
    """Those with events of schema 1 that have a later one."""
    of_then = [
        name
        for name in corpus.NAMES
        if name.startswith(plenty_coups.slug)
        and any((e.envelope.type, e.envelope.schema) in UPCASTERS for e in corpus.history_of(name).events)
    ]
    assert of_then == list(STATES)
