"""Every refusal under its id, and the order of the checks (BM-4.1)."""

from typing import Any

import pytest

from games.big_manitou import game as big_manitou
from games.big_manitou.components import DECK
from games.kernel import MoveRefused, first_of_all
from tests.games.big_manitou.spec import Scene, given, new_game, scene_of_awards

NOBODY = 9
PARTY = list(DECK[:8])

PLAYING = given(hand={1: "hunter-1 hunter-2 chief-1", 2: "hunter-4"}, turn=(1, 1), hunt=3)
OVER = given(phase="over")


@pytest.mark.parametrize(
    "move",
    [
        None,
        7,
        [],
        {},
        {"type": "no_such_move"},
        {"type": "play_card"},
        {"type": "play_card", "card": "hunter-1"},
        {"type": "play_card", "card": "hunter-1", "ground": 1, "extra": True},
        {"type": "play_card", "card": 7, "ground": 1},
        {"type": "play_card", "card": "hunter-1", "ground": 0},
        {"type": "play_card", "card": "hunter-1", "ground": 4},
        {"type": "play_card", "card": "hunter-1", "ground": "1"},
        {"type": "play_card", "card": "hunter-1", "ground": 1.0},
        {"type": "play_card", "card": "hunter-1", "ground": True},
        {"type": "pass_turn", "seat": 1},
        {"type": "choose_party", "cards": "hunter-1"},
        {"type": "choose_party", "cards": ["hunter-1", 2]},
        {"type": "choose_party", "choose": 8, "from": PARTY},
        {"type": "take_tiles", "ground": 1, "tiles": None},
        {"type": "move_hunter", "card": "hunter-1", "ground": 1},
        {"type": "discard_tile", "tile": ["horse-1"]},
    ],
)
def test_bm_4_1a_what_is_no_move_is_refused_before_all_else(move: Any) -> None:
    """BM-4.1a comes before everything else, even for nobody after the end."""
    for scene in (PLAYING, OVER):
        for seat in (1, 2, NOBODY):
            assert scene.refusal(seat, move) == "BM-4.1a"


def test_bm_4_1d_the_phase_comes_before_the_turn() -> None:
    """BM-4.1d comes before the turn, and before anything about the move itself."""
    assert PLAYING.refusal(2, "decline_extra_card") == "BM-4.1d"
    assert PLAYING.refusal(1, "choose_party", cards=[]) == "BM-4.1d"
    assert PLAYING.refusal(1, "take_tiles", ground=1, tiles=[]) == "BM-4.1d"
    assert new_game(3).refusal(1, "pass_turn") == "BM-4.1d"


def test_bm_4_1e_the_turn_comes_before_the_move_itself() -> None:
    """BM-4.1e comes before the checks of the move itself."""
    assert PLAYING.refusal(2, "play_card", card="nothing", ground=1) == "BM-4.1e"
    chosen = new_game(3).when(3, "choose_party", cards=PARTY)
    assert chosen.refusal(3, "choose_party", cards=PARTY) == "BM-4.1e"


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        ([], "BM-4.2a"),
        (PARTY[:7], "BM-4.2a"),
        ([*PARTY, PARTY[0]], "BM-4.2a"),
        ([*PARTY[:7], PARTY[0]], "BM-4.2b"),
        ([*PARTY[:6], "nothing", "nothing"], "BM-4.2b"),
        ([*PARTY[:7], "nothing"], "BM-4.2c"),
    ],
)
def test_bm_4_2_a_party_is_checked_in_this_order(cards: list[str], rule: str) -> None:
    """BM-4.2a the number of cards, then BM-4.2b a card named twice, then BM-4.2c a card not in the reserve."""
    assert new_game(3).refusal(3, "choose_party", cards=cards) == rule


def test_choosing_from_the_reserve() -> None:
    """BM-4.2c: a card of the deck that is used up."""
    scene = given(phase="party", reserve={1: " ".join(DECK[:10])})
    assert scene.refusal(1, "choose_party", cards=[*DECK[:6], "sorcerer-1"]) == "BM-4.2c"


PAIRS = given(
    hand={1: "hunter-1 rainmaker-1", 2: "hunter-1"},
    laid={1: {1: "chief-1 chief-2"}, 2: {2: "scout-1 sorcerer-1"}},
    turn=(3, 1),
    options={"pair_attack_weaker": "illegal"},
)


def test_bm_4_5_a_card_that_may_not_be_laid_is_refused() -> None:
    """BM-4.5a: not in hand; BM-4.5b: a third hero face up; BM-4.5c: too weak against a pair, if that is illegal."""
    assert PAIRS.refusal(1, "play_card", card="hunter-2", ground=1) == "BM-4.5a"
    assert PAIRS.refusal(1, "play_card", card="matriarch-1", ground=1) == "BM-4.5a"
    assert PAIRS.refusal(1, "play_card", card="rainmaker-1", ground=1) == "BM-4.5b"
    assert PAIRS.refusal(1, "play_card", card="rainmaker-1", ground=2) == "BM-4.5c"
    assert [move["ground"] for move in PAIRS.legal(1)] == [1, 2, 3, 3]
    assert PAIRS.but(pair_attack_weaker="loses").when(1, "play_card", card="rainmaker-1", ground=2)


def test_bm_4_4_nobody_passes_who_can_play() -> None:
    """BM-4.4: who can lay a card may not pass."""
    assert PAIRS.refusal(1, "pass_turn") == "BM-4.4"


def test_bm_4_6_an_extra_card_is_checked_as_any_other() -> None:
    """BM-4.6: the totem cylinder gives one card more, which BM-4.5 forbids as it does any other."""
    scene = given(
        hand={1: "rainmaker-1 hunter-1"}, laid={1: {1: "chief-1 chief-2"}}, totem=1, hunt=3, phase="extra_card"
    )
    assert scene.refusal(1, "play_extra_card", card="hunter-2", ground=1) == "BM-4.5a"
    assert scene.refusal(1, "play_extra_card", card="rainmaker-1", ground=1) == "BM-4.5b"
    assert scene.refusal(1, "play_card", card="hunter-1", ground=1) == "BM-4.1d"
    assert scene.refusal(2, "decline_extra_card") == "BM-4.1e"
    assert scene.legal(1)[-1] == {"type": "decline_extra_card"}


def test_bm_4_7_a_hunter_moves_only_to_another_ground() -> None:
    """BM-4.7a: only a hunter of the seat that lies on a ground moves; BM-4.7b: and not to where it lies."""
    laid = {1: {1: "hunter-3 chief-1", 2: "hunter-5"}, 2: {1: "hunter-2"}}
    scene = given(laid=laid, hand={1: "hunter-9"}, horse=1, phase="hunter_move")
    for card in ("chief-1", "hunter-5", "hunter-9", "hunter-4", "nothing"):
        assert scene.refusal(1, "move_hunter", card=card, to_ground=3) == "BM-4.7a"
    assert scene.refusal(1, "move_hunter", card="hunter-3", to_ground=1) == "BM-4.7b"
    assert scene.legal(1) == [
        {"type": "move_hunter", "card": "hunter-2", "to_ground": 1},
        {"type": "move_hunter", "card": "hunter-2", "to_ground": 3},
        {"type": "move_hunter", "card": "hunter-3", "to_ground": 2},
        {"type": "move_hunter", "card": "hunter-3", "to_ground": 3},
        {"type": "decline_hunter_move"},
    ]


def test_bm_4_8_a_discarded_tile_must_be_held() -> None:
    """BM-4.8a: only a tile of one's own is discarded; BM-4.8b: and no horse while the seat has a bison or a tipi."""
    scene = given(hunt=2, phase="penalty", tiles={1: "horse-1 tipi-1-1", 2: "bison-1-1"}, owing=(1,))
    assert scene.refusal(1, "discard_tile", tile="bison-1-1") == "BM-4.8a"
    assert scene.refusal(1, "discard_tile", tile="nothing") == "BM-4.8a"
    assert scene.refusal(1, "discard_tile", tile="horse-1") == "BM-4.8b"
    assert scene.refusal(2, "discard_tile", tile="bison-1-1") == "BM-4.1e"
    assert scene.legal(1) == [{"type": "discard_tile", "tile": "tipi-1-1"}]


def awards() -> Scene:
    """Ground 2 is being evaluated: seat 1 takes two of its four tiles, then seat 2 one."""
    return scene_of_awards(stock={2: "tipi-1-1 horse-1 bison-1-1 totem-1", 3: "bison-2-1"})


@pytest.mark.parametrize(
    ("ground", "tiles", "rule"),
    [
        (3, ["bison-2-1"], "BM-4.9a"),
        (1, [], "BM-4.9a"),
        (2, [], "BM-4.9b"),
        (2, ["horse-1"], "BM-4.9b"),
        (2, ["horse-1", "horse-1", "horse-1"], "BM-4.9b"),
        (2, ["bison-2-1", "bison-2-1"], "BM-4.9c"),
        (2, ["horse-1", "bison-2-1"], "BM-4.9d"),
    ],
)
def test_bm_4_9_taken_tiles_are_checked_in_this_order(ground: int, tiles: list[str], rule: str) -> None:
    """BM-4.9a another ground, BM-4.9b another number, BM-4.9c a tile twice, BM-4.9d a tile that is not there."""
    assert awards().refusal(1, "take_tiles", ground=ground, tiles=tiles) == rule


def test_the_tile_that_appears_twice_is_named() -> None:
    """BM-4.9c: and not the first one of the move. The runner-up takes all three that are left (BM-R14)."""
    scene = scene_of_awards(
        stock={2: "tipi-1-1 tipi-1-2 horse-1 bison-1-1 totem-1"}, options={"runner_up_share": "rest"}
    )
    scene = scene.when(1, "take_tiles", ground=2, tiles=["tipi-1-1", "tipi-1-2"])
    move = {"type": "take_tiles", "ground": 2, "tiles": ["horse-1", "bison-1-1", "bison-1-1"]}
    with pytest.raises(MoveRefused, match="bison-1-1 appears twice"):
        big_manitou.play(scene.state, 2, move, first_of_all)


def test_taking_what_is_gone() -> None:
    """BM-4.9d: a tile that is no longer there; BM-4.1e: another seat's award."""
    scene = awards()
    assert scene.refusal(2, "take_tiles", ground=2, tiles=["horse-1"]) == "BM-4.1e"
    scene = scene.when(1, "take_tiles", ground=2, tiles=["totem-1", "horse-1"])
    assert scene.refusal(2, "take_tiles", ground=2, tiles=["horse-1"]) == "BM-4.9d"
    assert [move["tiles"] for move in scene.legal(2)] == [("bison-1-1",), ("tipi-1-1",)]
