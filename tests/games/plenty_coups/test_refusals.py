"""Every refusal of section 4, and the order of the checks."""

from typing import Any

import pytest

from games.kernel import MoveRefused
from games.kernel import first_of_all as as_given
from games.plenty_coups import game as plenty_coups
from tests.games.plenty_coups.spec import Table, card, cards, given, proposal, raid

WITH_ALLY = {"black": ("yellow", "Y-3"), "yellow": ("black", "B-3")}


def raids(target: str, text: str) -> dict[str, Any]:
    return {"type": "raid", "target": target, "cards": list(cards(text))}


def defends(text: str) -> dict[str, Any]:
    return {"type": "defend", "cards": list(cards(text))}


def proposes(to: str, text: str) -> dict[str, Any]:
    return {"type": "propose_alliance", "to": to, "card": card(text)}


def accepts(from_: str, text: str) -> dict[str, Any]:
    return {"type": "accept_alliance", "from": from_, "card": card(text)}


def returns(target: str, *, coup: bool = False) -> dict[str, Any]:
    return {"type": "return_raid", "target": target, "coup": coup}


def gives(to: str, give: str, discard: str) -> dict[str, Any]:
    return {"type": "exchange_gifts", "to": to, "give": card(give), "discard": card(discard)}


def donates(to: str, discard: str) -> dict[str, Any]:
    return {"type": "donate_horses", "to": to, "discard": card(discard)}


def free(give: str) -> dict[str, Any]:
    return {"type": "exchange_gifts_free", "give": card(give)}


def neutral(text: str) -> dict[str, Any]:
    return {"type": "ally_neutral", "card": card(text)}


def due(**more: Any) -> dict[str, Any]:
    return {"raids": [raid("black", "red", "B-2", round_=2)], **more}


def asked(table: Table, **questions: Any) -> Table:
    """The table while a question is open."""
    table.play(questions)
    return table


REFUSALS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("PC-4.1f", due(hands={"black": "horse"}), {"type": "breed"}),
    ("PC-4.1g", {"hands": {"black": "B-1 B-2"}, "actions": 1}, raids("red", "B-1 B-2")),
    ("PC-4.1g", {"hands": {"black": "horse"}, "actions": 0}, {"type": "breed"}),
    ("PC-4.1h", {"hands": {"black": "horse weapon-2"}}, gives("red", "horse", "horse")),
    ("PC-4.1h", {"hands": {"black": "horse"}}, {"type": "hunt", "discard": "weapon-2"}),
    ("PC-4.1i", {"hands": {"black": "B-1"}}, raids("black", "B-1")),
    ("PC-4.1i", {"hands": {"black": "B-1"}}, raids("white", "B-1")),
    ("PC-4.1i", {"hands": {"black": "W-1"}}, accepts("white", "W-1")),
    ("PC-4.1i", {}, returns("blue")),
    ("PC-4.15", {"phase": "take", "display": "horse weapon-2 stick"}, {"type": "take_cards", "cards": ["horse"]}),
    ("PC-4.20", {}, returns("red")),
    ("PC-4.20", {"raids": [raid("black", "red", "B-2", round_=3)]}, returns("red")),
    ("PC-4.21", due(), returns("red", coup=True)),
    (
        "PC-4.22",
        {"raids": [raid("black", "red", "B-2", marker="prestige")], "hands": {"black": "stick"}},
        returns("red", coup=True),
    ),
    (
        "PC-4.23",
        due(hands={"black": "stick"}, herds={"red": 0}, options={"empty_herd_coup": False}),
        returns("red", coup=True),
    ),
    ("PC-4.30", {"hands": {"black": "weapon-2"}}, {"type": "breed"}),
    ("PC-4.31", {"hands": {"black": "horse"}, "plain": 0}, {"type": "breed"}),
    ("PC-4.35", {"hands": {"black": "horse"}}, raids("red", "horse")),
    ("PC-4.35", {"hands": {"black": "horse"}}, raids("red", "")),
    ("PC-4.35", {"hands": {"black": "B-1 B-2 B-3"}}, raids("red", "B-1 B-2 B-3")),
    ("PC-4.36", {"hands": {"black": "B-1 Y-1"}}, raids("red", "B-1 Y-1")),
    ("PC-4.38", {"hands": {"black": "B-1"}, "allies": WITH_ALLY}, raids("yellow", "B-1")),
    ("PC-4.39", {"hands": {"black": "B-1"}, "proposals": [proposal("red", "black", "B-2")]}, raids("red", "B-1")),
    ("PC-4.40", {"hands": {"black": "B-1"}, "proposals": [proposal("black", "red", "R-2")]}, raids("red", "B-1")),
    ("PC-4.41", {"hands": {"black": "B-4"}, "raids": [raid("black", "red", "B-1", round_=3)]}, raids("red", "B-4")),
    ("PC-4.42", {"hands": {"black": "B-1"}, "raids": [raid("green", "red", "R-2")]}, raids("red", "B-1")),
    ("PC-4.45", {"hands": {"black": "weapon-2"}}, defends("weapon-2")),
    ("PC-4.46", {"hands": {"black": "horse"}, "raids": [raid("red", "black", "B-1")]}, defends("horse")),
    ("PC-4.46", {"hands": {"black": "horse"}, "raids": [raid("red", "black", "B-1")]}, defends("")),
    ("PC-4.48", {"hands": {"black": "weapon-2"}, "raids": [raid("red", "black", "R-2")]}, defends("weapon-2")),
    ("PC-4.50", {"hands": {"black": "stick"}}, {"type": "mark_defence_coup"}),
    ("PC-4.55", {"hands": {"black": "horse horse", "red": "horse"}, **due(round=2)}, gives("red", "horse", "horse")),
    ("PC-4.56", {"hands": {"black": "horse horse"}}, gives("red", "horse", "horse")),
    ("PC-4.60", {"hands": {"black": "horse", "yellow": "horse"}}, free("horse")),
    ("PC-4.60", {"hands": {"black": "horse"}, "allies": {"black": ("white", "W-1")}}, free("horse")),
    ("PC-4.63", {"hands": {"black": "horse"}, "allies": WITH_ALLY}, free("horse")),
    ("PC-4.70", {"players": 3, "hands": {"black": "Y-1"}}, proposes("yellow", "Y-1")),
    ("PC-4.71", {"hands": {"black": "B-1"}}, proposes("red", "B-1")),
    ("PC-4.72", {"hands": {"black": "R-1"}, "allies": WITH_ALLY}, proposes("red", "R-1")),
    ("PC-4.72", {"hands": {"black": "R-1"}, "allies": {"black": ("white", "W-1")}}, proposes("red", "R-1")),
    ("PC-4.73", {"hands": {"black": "R-1"}, "raids": [raid("black", "red", "B-1", round_=3)]}, proposes("red", "R-1")),
    ("PC-4.74", {"hands": {"black": "R-4"}, "proposals": [proposal("black", "red", "R-1")]}, proposes("red", "R-4")),
    ("PC-4.75", {"hands": {"black": "R-1"}, "proposals": [proposal("green", "red", "R-2")]}, proposes("red", "R-1")),
    ("PC-4.76", {"turn": "green", "hands": {"green": "B-2"}, "allies": WITH_ALLY}, proposes("black", "B-2")),
    ("PC-4.80", {"hands": {"black": "R-1"}}, accepts("red", "R-1")),
    ("PC-4.81", {"hands": {"black": "Y-1"}, "proposals": [proposal("red", "black", "B-1")]}, accepts("red", "Y-1")),
    (
        "PC-4.82",
        {"hands": {"black": "R-2"}, "proposals": [proposal("red", "black", "B-4")], "allies": WITH_ALLY},
        accepts("red", "R-2"),
    ),
    ("PC-4.85", {"hands": {"black": "R-2"}}, neutral("R-2")),
    ("PC-4.85", {"hands": {"black": "horse"}}, neutral("horse")),
    ("PC-4.86", {"hands": {"black": "W-4"}, "allies": WITH_ALLY}, neutral("W-4")),
    ("PC-4.87", {"hands": {"black": "W-4"}, "allies": {"black": ("white", "W-1")}}, neutral("W-4")),
    ("PC-4.87", {"hands": {"black": "U-1"}, "allies": {"black": ("white", "W-2")}}, neutral("U-1")),
    ("PC-4.88", {"hands": {"black": "W-1"}, "allies": {"red": ("white", "W-2")}}, neutral("W-1")),
    ("PC-4.90", {"round": 10, "hands": {"black": "stick"}}, {"type": "disdain", "target": "red"}),
    ("PC-4.91", {"hands": {"black": "horse"}}, {"type": "disdain", "target": "red"}),
    ("PC-4.92", {"hands": {"black": "stick"}, "disdained": ["red"]}, {"type": "disdain", "target": "red"}),
    ("PC-4.100", {"hands": {"black": "horse"}}, donates("red", "horse")),
    ("PC-4.101", {"hands": {"black": "horse"}, "herds": {"black": 3}, "allies": WITH_ALLY}, donates("yellow", "horse")),
    (
        "PC-4.102",
        {"hands": {"black": "horse"}, "herds": {"black": 3}, "raids": [raid("green", "black", "G-1")]},
        donates("red", "horse"),
    ),
    ("PC-4.103", {"hands": {"black": "horse"}, "herds": {"black": 2, "red": 3}}, donates("red", "horse")),
    (
        "PC-4.110",
        {"round": 10, "hands": {"black": "horse"}, "options": {"winter_hunt": "forbidden"}},
        {"type": "hunt", "discard": "horse"},
    ),
    ("PC-4.120", {"hands": {"black": "horse"}}, {"type": "pass_turn"}),
]


@pytest.mark.parametrize(
    ("rule", "said", "move"),
    REFUSALS,
    ids=[f"{rule} refuses {move['type']} ({number})" for number, (rule, _, move) in enumerate(REFUSALS)],
)
def test_each_refusal_names_its_rule(rule: str, said: dict[str, Any], move: dict[str, Any]) -> None:
    """Each rule of section 4 names the refusal that it causes."""
    given(**said).refuses(move, rule)


def test_pc_4_51_a_coup_in_defence_needs_stick_marker_and_target() -> None:
    """PC-4.51 to 4.53: no lone young warrior, a coup-stick, a raid-face marker."""

    def after(raider: str, hand: str, **more: Any) -> Table:
        table = given(hands={"black": f"weapon-4 horse {hand}"}, raids=[raid("red", "black", raider)], **more)
        table.play(defends("weapon-4"))
        return table

    move = {"type": "mark_defence_coup"}
    after("G-1", "stick").refuses(move, "PC-4.51")
    after("G-2", "").refuses(move, "PC-4.52")
    after("G-2", "stick", prestige={"black": 4}).refuses(move, "PC-4.53")
    after("G-2", "stick", prestige={"black": 4}, options={"prestige_limit": "none"}).allows(move)


def test_pc_4_61_one_free_exchange_is_made_a_turn() -> None:
    """PC-4.61: one free exchange a turn."""
    table = given(hands={"black": "horse B-1", "yellow": "Y-1"}, allies=WITH_ALLY)
    table.play(free("horse"))
    table.play({"type": "answer_gift", "give": card("Y-1")})
    table.refuses(free("B-1"), "PC-4.61")


def test_pc_4_64_the_last_action_allows_a_free_exchange() -> None:
    """PC-4.64: with `while_actions_left` one action is enough, and none is too few."""
    hands, options = {"black": "horse B-1", "yellow": "Y-1"}, {"free_exchange": "while_actions_left"}
    given(hands=hands, allies=WITH_ALLY, options=options, actions=1).allows(free("horse"))
    given(hands=hands, allies=WITH_ALLY, options=options, actions=0).refuses(free("horse"), "PC-4.64")


def test_answers_are_refused_too() -> None:
    """PC-4.1h, 4.95, 4.96, 4.112: what answers and discards need."""
    gift = given(hands={"black": "horse horse", "red": "R-1"})
    gift.play(gives("red", "horse", "horse"))
    gift.refuses({"type": "answer_gift", "give": "horse"}, "PC-4.1h")
    gift.refuses({"type": "answer_gift", "give": card("R-1")}, "PC-4.1e", seat=1)
    scorn = given(hands={"black": "stick", "red": "R-3 R-4"}, options={"prove_worth": "forced"})
    scorn.play({"type": "disdain", "target": "red"})
    scorn.refuses({"type": "prove_worth", "card": card("R-3")}, "PC-4.95")
    scorn.refuses({"type": "prove_worth", "card": "coup-stick"}, "PC-4.1h")
    scorn.refuses({"type": "endure_disdain"}, "PC-4.96")
    hunt = given(hands={"black": "horse horse"})
    hunt.play({"type": "hunt", "discard": "horse"})
    hunt.refuses({"type": "discard_after_hunt", "cards": ["horse"]}, "PC-4.112")


def test_pc_4_15_as_many_cards_are_taken_as_the_rules_say() -> None:
    """PC-4.15, 4.130: as many as the rules say, and those that are there."""
    table = given(turn="red", hands={"red": "horse"}, actions=1, display="weapon-2 weapon-3 stick B-1")
    table.play({"type": "breed"})
    for wrong in ("weapon-2", "weapon-2 weapon-2", "weapon-2 weapon-3 stick", "horse weapon-2"):
        table.refuses({"type": "take_cards", "cards": list(cards(wrong))}, "PC-4.15")
    table.play({"type": "take_cards", "cards": ["weapon-3", "weapon-2"]})
    assert table.state.display == cards("stick B-1")
    excess = given(round=10, hands={"black": "horse horse horse horse"})
    excess.play({"type": "pass_turn"})
    for wrong in ("", "horse horse"):
        excess.refuses({"type": "discard_excess", "cards": list(cards(wrong))}, "PC-4.130")


def test_pc_4_10_nobody_chooses_a_tribe_twice() -> None:
    """PC-4.10: nobody chooses a tribe twice."""
    state = plenty_coups.start(2, plenty_coups.read_options({}, 2), as_given).state
    state = plenty_coups.play(state, 1, {"type": "choose_tribe", "tribe": "red"}, as_given).state
    with pytest.raises(MoveRefused, match=r"PC-4\.10"):
        plenty_coups.play(state, 2, {"type": "choose_tribe", "tribe": "red"}, as_given)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "breed",
        [],
        {},
        {"type": "breeding"},
        {"type": "breed", "why": 1},
        {"type": "raid", "target": "red"},
        {"type": "raid", "target": "pink", "cards": []},
        {"type": "raid", "target": "red\n", "cards": []},
        {"type": "raid", "target": "red", "cards": "horse"},
        {"type": "raid", "target": "red", "cards": ["warrior-red-5"]},
        {"type": "raid", "target": "red", "cards": ["horse\n"]},
        {"type": "return_raid", "target": "red", "coup": 1},
        {"type": "return_raid", "target": "red", "coup": None},
    ],
)
def test_pc_4_1a_what_is_no_move_is_refused_before_all_else(raw: Any) -> None:
    """PC-4.1a comes before everything else."""
    with pytest.raises(MoveRefused) as refused:
        plenty_coups.play(given().state, 99, raw, as_given)
    assert refused.value.rule == "PC-4.1a"


def test_the_order_within_a_move() -> None:
    """PC-4.1: a move's own checks run in rising order of their numbers."""
    table = given(
        hands={"black": "B-1 Y-1 horse"},
        allies={"black": ("red", "R-3"), "red": ("black", "B-3")},
        proposals=[proposal("red", "black", "B-2")],
        raids=[raid("green", "red", "G-4")],
    )
    table.refuses(raids("red", "horse Y-1"), "PC-4.35")
    table.refuses(raids("red", "B-1 Y-1"), "PC-4.36")
    table.refuses(raids("red", "B-1"), "PC-4.38")
