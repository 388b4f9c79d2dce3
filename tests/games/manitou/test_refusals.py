"""Every refusal of Manitou, and the order of the checks (MA-4.1 to MA-4.5)."""

from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import MoveRefused, OptionsRefused
from games.kernel import first_of_all as in_order
from games.manitou import game as manitou
from games.manitou.components import CARDS
from games.manitou.house_rules import Options
from games.manitou.moves import PassTurn, PlayCard
from tests.games.manitou.spec import Table, dealt, refusal

START = manitou.start(2, manitou.read_options({}, 2), in_order).state
PLAYING = dealt([" ".join(CARDS[:7]), " ".join(CARDS[:8])]).state
OVER = replace(PLAYING, phase="over")
CHOOSE = {"type": "choose_party", "cards": list(CARDS[:8])}
PLAY = {"type": "play_card", "card": "hunter-1", "ground": 1}
PASS = {"type": "pass_turn"}


@pytest.mark.parametrize(
    "move",
    [
        None,
        7,
        "pass_turn",
        [],
        {},
        {"type": "no_such_move"},
        {"type": "pass_turn", "why": "tired"},
        {"type": "play_card", "card": "hunter-1"},
        {"type": "play_card", "card": 7, "ground": 1},
        *({"type": "play_card", "card": "hunter-1", "ground": ground} for ground in (0, 4, True, 1.0, "1", None, [1])),
        {"type": "choose_party", "cards": "hunter-1"},
        {"type": "choose_party", "cards": ["hunter-1", 2]},
        {"type": "choose_party", "cards": None},
        {"type": "choose_party"},
        {"type": "choose_party", "choose": 8, "from": list(CARDS)},
    ],
)
def test_ma_4_1a_what_is_no_move_is_refused_before_all_else(move: Any) -> None:
    """MA-4.1a comes first, whatever else is wrong."""
    for state, seat in ((START, 1), (PLAYING, 2), (OVER, 9)):
        assert refusal(state, seat, move) == "MA-4.1a"


def test_over_phase_and_turn() -> None:
    """MA-4.1c, then MA-4.1d, then MA-4.1e, then the move's own checks."""
    assert refusal(OVER, 1, CHOOSE) == refusal(OVER, 2, PASS) == "MA-4.1c"
    assert refusal(START, 1, PLAY) == refusal(START, 1, PASS) == "MA-4.1d"
    assert refusal(PLAYING, 1, CHOOSE) == "MA-4.1d"
    assert refusal(PLAYING, 1, {**PLAY, "card": "no-card"}) == "MA-4.1e"
    assert refusal(PLAYING, 1, PASS) == "MA-4.1e"
    chosen = manitou.play(START, 2, CHOOSE, in_order).state
    assert refusal(chosen, 2, {"type": "choose_party", "cards": []}) == "MA-4.1e"
    assert refusal(PLAYING, 2, PLAY) is None


def test_ma_4_2_a_party_is_checked_in_this_order() -> None:
    """MA-4.2a, then MA-4.2b, then MA-4.2c."""
    assert refusal(START, 2, {"type": "choose_party", "cards": ["no-card", "no-card"]}) == "MA-4.2a"
    assert refusal(START, 2, {"type": "choose_party", "cards": ["no-card"] * 8}) == "MA-4.2b"
    assert refusal(START, 2, {"type": "choose_party", "cards": [*CARDS[:7], "no-card"]}) == "MA-4.2c"


def test_pass_where_a_card_may_be_laid() -> None:
    """MA-4.4: a pass is refused while some card of the hand may be laid somewhere."""
    assert refusal(PLAYING, 2, PASS) == "MA-4.4"
    assert refusal(PLAYING, 2, PassTurn()) == "MA-4.4"
    with pytest.raises(MoveRefused, match=r"MA-4\.4: hunter-1 may be laid on ground 1"):
        manitou.play(PLAYING, 2, PassTurn(), in_order)


def test_card_not_in_hand() -> None:
    """MA-4.5a: neither in the pile, nor in the reserve, nor anywhere."""
    for card in ("hunter-5-2", "scout-1", "no-card"):
        assert refusal(PLAYING, 2, {**PLAY, "card": card}) == "MA-4.5a"


def test_ma_4_5a_a_third_face_up_hero_is_refused() -> None:
    """MA-4.5a before MA-4.5b; a hunter may be laid beside two heroes."""
    table = Table().lays(1, "chief chief", 1)
    assert table.refusal(1, "scout", 1) == "MA-4.5b"
    assert table.refusal(1, "hunter-1", 1) is None
    assert refusal(table.state, 1, {"type": "play_card", "card": "scout-1", "ground": 1}) == "MA-4.5a"


def test_vain_attack_where_it_is_illegal() -> None:
    """MA-4.5c, and MA-4.5b before it under `hero_limit: "all"`."""
    table = Table(pair_attack_weaker="illegal").lays(1, "scout chief", 1)
    assert table.refusal(2, "rainmaker", 1) == "MA-4.5c"
    assert table.refusal(2, "matriarch", 1) is None
    assert table.refusal(2, "hunter-1", 1) is None
    both = Table(pair_attack_weaker="illegal", hero_limit="all").lays(1, "chief", 1).lays(2, "scout rainmaker", 1)
    both.lays(1, "chief", 1)
    assert both.face_up(1) == (1, ("chief-1", "chief-2"))
    assert both.refusal(2, "medicine_man", 1) == "MA-4.5b"


def test_a_refusal_says_what_is_wrong_with_this_very_move() -> None:
    """MA-4.1: the sentence names card and ground."""
    table = Table().lays(1, "chief chief", 3).holds(1, "scout-1").turn_of(1)
    with pytest.raises(MoveRefused, match="seat 1 already has two face-up heroes on ground 3"):
        manitou.play(table.state, 1, PlayCard("scout-1", 3), in_order)


@pytest.mark.parametrize("tribes", [["red"], ["red", "red"], ["red", "blue", "green"], ["red", "pink"], "red"])
def test_ma_2_1_two_seats_have_two_different_tribes(tribes: Any) -> None:
    with pytest.raises(OptionsRefused) as refused:
        manitou.read_options({"tribes": tribes}, 2)
    assert refused.value.option == "tribes"


def test_defaults_by_edition_and_number_of_players() -> None:
    """MA-2.1: the defaults of `online`, and as many tribes as seats."""
    assert manitou.read_options({}, 4) == Options()
    assert manitou.read_options({}, 2).tribes == ("red", "blue")
    online = manitou.read_options({"edition": "online"}, 3)
    assert (online.dealer_party, online.sacrifice_needs, online.alone) == (8, "stronger", "never")
    assert online.tribes == ("red", "blue", "green")
    assert manitou.read_options({"edition": "online", "dealer_party": 7}, 3).dealer_party == 7
    assert manitou.read_options({"tribes": ["yellow", "red"]}, 2).tribes == ("yellow", "red")


def test_no_card_of_the_hand_is_open() -> None:
    """MA-4.4: a hand of heroes against three strong pairs of others passes on turn 1, where that is the rule."""
    table = Table(3, pair_attack_weaker="illegal")
    table.lays(1, "chief chief", 1).lays(1, "medicine_man medicine_man", 2).lays(3, "chief chief", 3)
    table.holds(2, "rainmaker-1", "rainmaker-2").turn_of(2)
    assert manitou.legal_moves(table.state, 2) == [PassTurn()]
    table.holds(2, "rainmaker-1", "chief-1").turn_of(2)
    assert refusal(table.state, 2, PASS) == "MA-4.4"
