"""Every refusal of section 4, and the order of the checks."""

from typing import Any

import pytest

from tests.games.tomahawk.reference import game_a, game_b, script_a
from tests.games.tomahawk.spec import Table, choosing, placing

GOOD = placing(1, "17 21 20 11")


def cards(*rows: tuple[Any, Any]) -> dict[str, Any]:
    """A `play_cards` with these piles and cards."""
    return {"type": "play_cards", "cards": [{"pile": pile, "card": card} for pile, card in rows]}


MALFORMED: list[Any] = [
    None,
    7,
    "play_cards",
    [],
    {},
    {"type": "pass"},
    {"type": "play_cards"},
    {"type": "play_cards", "cards": {"pile": 1, "card": "a17"}},
    {"type": "play_cards", "cards": ["a17"]},
    {"type": "play_cards", "cards": [{"pile": 1}]},
    {"type": "play_cards", "cards": [{"pile": 1, "card": "a17", "face_up": True}]},
    {**GOOD, "why": "because"},
    cards((0, "a17")),
    cards((5, "a17")),
    cards(("1", "a17")),
    cards((True, "a17")),
    cards((1.0, "a17")),
    cards((1, 17)),
    {"type": "play_cards", "choose": 4, "from": ["a17"], "piles": [1, 2, 3, 4]},
    {"type": "choose_specials"},
    {"type": "choose_specials", "keep": [{"card": "x1"}]},
    {"type": "choose_specials", "keep": [{"card": "x1", "replaces": None}]},
    {"type": "look_in_forests", "pile": 3},
]


@pytest.mark.parametrize("raw", MALFORMED, ids=repr)
def test_to_4_1a_what_is_no_move_is_refused_before_all_else(raw: Any) -> None:
    """TO-4.1a: not a move at all; this comes before every other check."""
    game_a(0).then_refused("TO-4.1a", 9, raw)
    game_a().then_refused("TO-4.1a", 1, raw)


def test_to_4_1d_the_phase_comes_before_the_turn() -> None:
    """TO-4.1d: the type does not belong to the phase; this comes before whether the seat must act."""
    table = Table(script_a()).then_refused("TO-4.1d", 1, GOOD).choose(1, "x1/a16 x3/a09")
    table.then_refused("TO-4.1d", 1, GOOD).choose(2, "x5/b06 x6/b01").move(1, GOOD)
    for seat in (1, 2):
        table.then_refused("TO-4.1d", seat, choosing("x1/a16"))
        table.then_refused("TO-4.1d", seat, {"type": "look_in_forests"})
        table.then_refused("TO-4.1d", seat, {"type": "decline_forest_look"})


def test_to_4_1e_not_to_act() -> None:
    """TO-4.1e: a seat that has decided no longer has to act; this comes before what is wrong with the move."""
    table = Table(script_a()).choose(1, "x1/a16 x3/a09").then_refused("TO-4.1e", 1, choosing("x1/a16"))
    table.choose(2, "x5/b06 x6/b01").move(1, GOOD).then_refused("TO-4.1e", 1, cards())


CHOICES = [
    ("TO-4.2a", ""),
    ("TO-4.2a", "x1/a16"),
    ("TO-4.2a", "x1/a16 x2/a12 x3/a09"),
    ("TO-4.2a", "x9/a16 x9/a16 x9/a16"),
    ("TO-4.2b", "x1/a16 x1/a17"),
    ("TO-4.2b", "x4/a16 x4/a16"),
    ("TO-4.2c", "x1/a16 x4/a09"),
    ("TO-4.2c", "x1/a16 x7/a16"),
    ("TO-4.2c", "a17/a16 x3/a09"),
    ("TO-4.2d", "x1/a16 x3/a16"),
    ("TO-4.2d", "x1/b16 x3/b16"),
    ("TO-4.2e", "x1/b16 x3/a09"),
    ("TO-4.2e", "x1/a01 x3/x2"),
    ("TO-4.2e", "x1/a16 x3/a25"),
    ("TO-4.2f", "x1/a09 x3/a16"),
    ("TO-4.2f", "x1/a16 x3/a08"),
]


@pytest.mark.parametrize(("rule", "keep"), CHOICES)
def test_to_4_2_kept_specials_are_checked_over_the_whole_list(rule: str, keep: str) -> None:
    """TO-4.2a to f: each over the whole list before the next."""
    Table(script_a()).then_refused(rule, 1, choosing(keep))


PLACEMENTS = [
    ("TO-4.3a", cards((1, "a17"), (2, "a21"), (2, "a20"), (4, "a11"))),
    ("TO-4.3a", cards((1, "zz"), (1, "zz"))),
    ("TO-4.3c", cards()),
    ("TO-4.3c", cards((1, "a17"), (2, "a17"), (3, "zz"))),
    ("TO-4.3d", placing(1, "17 21 17 11")),
    ("TO-4.3d", cards((1, "zz"), (2, "a21"), (3, "zz"), (4, "a11"))),
    ("TO-4.3e", placing(1, "17 21 20 24")),
    ("TO-4.3e", placing(2, "14 13 07 10")),
    ("TO-4.3e", placing(1, "17 21 20 16")),
]


@pytest.mark.parametrize(("rule", "raw"), PLACEMENTS)
def test_to_4_3_placed_cards_are_checked_over_the_whole_list(rule: str, raw: dict[str, Any]) -> None:
    """TO-4.3a, c, d, e: each over the whole list before the next."""
    game_a(0).then_refused(rule, 1, raw)


def test_to_4_3b_the_pile_of_a_forced_card_is_not_named() -> None:
    """TO-4.3b: the pile of a forced card is not named; after a pile named twice, before a missing one."""
    table = game_a(2)
    table.then_refused("TO-4.3b", 2, placing(2, "09 10 20 16"))
    table.then_refused("TO-4.3b", 2, cards((1, "b10")))
    table.then_refused("TO-4.3a", 2, cards((1, "b10"), (1, "b20")))
    table.then_refused("TO-4.3c", 2, placing(2, "- 10 20"))
    table.then_refused("TO-4.3d", 2, placing(2, "- 10 20 10"))
    table.then_refused("TO-4.3e", 2, placing(2, "- 10 20 15"))
    table.place("2: - 10 20 16")


def test_order_of_a_list_has_no_meaning() -> None:
    """TO-4.2, TO-4.3: rows in any order are the same move, recorded in order."""
    table = Table(script_a()).choose(2, "x6/b01 x5/b06").choose(1, "x3/a09 x1/a16")
    assert [row["card"] for row in table.payloads("SpecialsChosen")[0]["kept"]] == ["x5", "x6"]
    table.move(1, {**GOOD, "cards": GOOD["cards"][::-1]})
    assert [row["pile"] for row in table.payloads("CardsCommitted")[0]["cards"]] == [1, 2, 3, 4]


def test_to_4_4_looks_belong_to_their_phase() -> None:
    """TO-4.4: without a question there is nothing to look at or to decline."""
    table = game_b(0)
    for kind in ("look_in_forests", "decline_forest_look"):
        table.then_refused("TO-4.1d", 1, {"type": kind})
