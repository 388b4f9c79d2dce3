"""The worked examples of the rules (section 9), each under its id, with its figures."""

import random
from itertools import combinations

import msgspec
import pytest

from games.big_manitou import game as big_manitou
from games.big_manitou.components import DECK
from games.big_manitou.end_of_hunt import evaluation
from games.payloads import payload_of
from tests.games.big_manitou.spec import Scene, given, new_game
from wintercount.testing.random_games import random_game


def pair_attacked(card: str, laid: str = "scout-1 chief-1", **options: str) -> Scene:
    """Seat 2 lays a hero on ground 1 of three, where seat 1 has a pair."""
    scene = given(turn=(3, 2), laid={1: {1: laid}}, hand={2: f"{card} hunter-1 hunter-2"}, options=options)
    return scene.when(2, "play_card", card=card, ground=1)


def evaluated(
    laid: dict[int, str], stock: str, *, players: int, hunt: int = 1, ground: int = 1, **options: str
) -> Scene:
    """One ground as it is evaluated, the ones before it done with."""
    scene = given(
        players=players,
        hunt=hunt,
        phase=None,
        laid={ground: laid},
        stock={ground: stock},
        options=options,
        evaluating=ground - 1,
        bonuses=(0,) * players,
    )
    return scene.when_grounds_are_evaluated()


def awards_of(scene: Scene) -> list[tuple[str, int, int]]:
    """The awards of the ground just evaluated, as step, seat and count."""
    return [(award["step"], award["seat"], award["count"]) for award in scene.payloads("GroundEvaluated")[0]["awards"]]


def test_bm_e1_two_players_begin_their_first_hunt() -> None:
    """BM-E1: two players begin their first hunt."""
    game = new_game(2)
    started = game.the("HuntStarted")
    assert (started["dealer"], started["turn_order"]) == (1, (2, 1))
    assert big_manitou.view(game.state, None).dealer == 1
    assert started["party_sizes"] == ({"seat": 2, "size": 8}, {"seat": 1, "size": 7})
    stocked = game.the("GroundsStocked")
    assert [len(row["tiles"]) for row in stocked["grounds"]] == [4, 3, 2]
    assert stocked["bag_left"] == 51
    assert game.to_act == (1, 2)
    assert game.refusal(1, "choose_party", cards=list(DECK[:8])) == "BM-4.2a"
    chosen = game.when(2, "choose_party", cards=list(DECK[:8]))
    assert chosen.refusal(2, "choose_party", cards=list(DECK[1:9])) == "BM-4.1e"


def test_bm_e2_four_players_begin_their_third_hunt() -> None:
    """BM-E2: four players begin their third hunt."""
    for step in random_game(big_manitou, 4, {}, random.Random(2)):
        scene = Scene(step.turn.state, list(step.turn.events))
        if scene.state.hunt == 3:
            break
    started = scene.the("HuntStarted")
    assert (started["dealer"], started["turn_order"]) == (3, (4, 1, 2, 3))
    assert [(row["seat"], row["size"]) for row in started["party_sizes"]] == [(4, 9), (1, 8), (2, 8), (3, 7)]
    assert [len(row["tiles"]) for row in scene.the("GroundsStocked")["grounds"]] == [4, 4, 3]
    assert scene.the("GroundsStocked")["bag_left"] == 60 - 33
    assert all(seat.reserve == DECK for seat in scene.state.seats)


@pytest.mark.parametrize(
    ("card", "relation", "down", "standing"),
    [
        ("rainmaker-1", "defender_beats", [(2, "rainmaker-1")], (1, "sorcerer-1")),
        ("matriarch-1", "defender_beats", [(2, "matriarch-1")], (1, "sorcerer-1")),
        ("chief-1", "attacker_beats", [(1, "sorcerer-1")], (2, "chief-1")),
        ("scout-1", "attacker_beats", [(1, "sorcerer-1")], (2, "scout-1")),
        ("sorcerer-1", "identical", [(2, "sorcerer-1"), (1, "sorcerer-1")], None),
    ],
)
def test_bm_e3_a_hero_meets_the_sorcerer_in_every_relation(
    card: str, relation: str, down: list[tuple[int, str]], standing: tuple[int, str]
) -> None:
    """BM-E3: a hero that meets the sorcerer beats it, falls to it or is its like, as in the source."""
    trial = pair_attacked(card, laid="sorcerer-1").the("TrialOfStrengthResolved")
    assert (trial["contest"], trial["relation"]) == ("single", relation)
    assert [(row["seat"], row["card"]) for row in trial["turned_down"]] == down
    assert trial["face_up_after"] == ({"seat": standing[0], "cards": (standing[1],)} if standing else None)
    assert trial["rules"] == (("BM-5.4", "BM-5.4a") if standing else ("BM-5.4", "BM-5.4a", "BM-R26"))


def test_bm_e4_a_sacrifice_opens_a_protected_pair() -> None:
    """BM-E4: a sacrifice opens a protected pair, as in the source."""
    table = given(
        turn=(1, 1), hand={1: "scout-1 chief-1", 2: "matriarch-1 chief-2 hunter-1", 3: "rainmaker-1 hunter-1"}
    )
    table = table.when(1, "play_card", card="scout-1", ground=1).when(2, "play_card", card="hunter-1", ground=2)
    table = table.when(3, "play_card", card="hunter-1", ground=2).when(1, "play_card", card="chief-1", ground=1)
    assert table.types == ["CardPlayed"]
    attacked = table.when(2, "play_card", card="matriarch-1", ground=1)
    assert attacked.the("TrialOfStrengthResolved") == {
        "type": "TrialOfStrengthResolved",
        "hunt": 1,
        "ground": 1,
        "contest": "pair",
        "attacker": {"seat": 2, "card": "matriarch-1", "hero": "matriarch"},
        "defender": {"seat": 1, "card": "chief-1", "hero": "chief", "protected": "scout-1"},
        "relation": "attacker_beats",
        "turned_down": ({"seat": 2, "card": "matriarch-1"}, {"seat": 1, "card": "chief-1"}),
        "face_up_after": {"seat": 1, "cards": ("scout-1",)},
        "rules": ("BM-5.4", "BM-5.4b"),
    }
    equal = table.when(2, "play_card", card="chief-2", ground=1).the("TrialOfStrengthResolved")
    assert equal["relation"] == "identical"
    assert [row["card"] for row in equal["turned_down"]] == ["chief-2", "chief-1"]
    assert equal["rules"] == ("BM-5.4", "BM-5.4b")
    single = attacked.when(3, "play_card", card="rainmaker-1", ground=1).the("TrialOfStrengthResolved")
    assert (single["contest"], single["relation"]) == ("single", "attacker_beats")
    assert single["turned_down"] == ({"seat": 1, "card": "scout-1"},)
    assert single["face_up_after"] == {"seat": 3, "cards": ("rainmaker-1",)}
    assert single["rules"] == ("BM-5.4", "BM-R2", "BM-5.4a")


def test_bm_e5_a_new_hero_restores_the_pair_before_an_attack() -> None:
    """BM-E5: a new hero restores the pair before anybody attacks."""
    restored = "scout-1 (chief-1) sorcerer-1"
    weaker = pair_attacked("rainmaker-1", laid=restored).the("TrialOfStrengthResolved")
    assert (weaker["relation"], weaker["defender"]["card"]) == ("defender_beats", "sorcerer-1")
    assert weaker["turned_down"] == ({"seat": 2, "card": "rainmaker-1"},)
    assert weaker["rules"] == ("BM-5.4", "BM-5.4b", "BM-R6")
    assert weaker["face_up_after"]["cards"] == ("scout-1", "sorcerer-1")
    stronger = pair_attacked("chief-1", laid=restored).the("TrialOfStrengthResolved")
    assert [row["card"] for row in stronger["turned_down"]] == ["chief-1", "sorcerer-1"]
    assert stronger["face_up_after"] == {"seat": 1, "cards": ("scout-1",)}
    assert stronger["rules"] == ("BM-5.4", "BM-5.4b")


def test_bm_e6_a_weaker_attack_on_a_pair_is_refused_where_it_is_illegal() -> None:
    """BM-E6: a weaker attack on a pair is refused where it is illegal."""
    scene = given(
        turn=(3, 2),
        laid={1: {1: "scout-1 (chief-1) sorcerer-1"}},
        hand={2: "rainmaker-1 sorcerer-1"},
        options={"pair_attack_weaker": "illegal"},
    )
    assert scene.refusal(2, "play_card", card="rainmaker-1", ground=1) == "BM-4.5c"
    equal = scene.when(2, "play_card", card="sorcerer-1", ground=1).the("TrialOfStrengthResolved")
    assert equal["relation"] == "identical"


def test_bm_e7_a_third_face_up_hero_is_refused() -> None:
    """BM-E7: a third face-up hero is refused."""
    full = given(laid={1: {1: "scout-1 chief-1"}}, hand={1: "matriarch-1 hunter-4"}, turn=(3, 1))
    assert full.refusal(1, "play_card", card="matriarch-1", ground=1) == "BM-4.5b"
    assert full.when(1, "play_card", card="hunter-4", ground=1).types == ["CardPlayed"]
    beaten = given(laid={1: {1: "scout-1 (chief-1)"}}, hand={1: "matriarch-1 hunter-4"}, turn=(3, 1))
    assert beaten.when(1, "play_card", card="matriarch-1", ground=1).types == ["CardPlayed"]


def test_bm_e8_who_can_lay_no_card_must_pass() -> None:
    """BM-E8: who can lay no card must pass."""
    laid = {1: {1: "chief-1 chief-2"}, 2: {1: "matriarch-1 matriarch-2"}, 3: {1: "rainmaker-1 scout-1"}}
    scene = given(players=2, turn=(7, 1), laid=laid, hand={1: "sorcerer-1"})
    assert scene.legal(1) == [{"type": "pass_turn"}]
    for ground in (1, 2, 3):
        assert scene.refusal(1, "play_card", card="sorcerer-1", ground=ground) == "BM-4.5b"
    passed = scene.when(1, "pass_turn")
    assert passed.the("TurnPassed") == {
        "type": "TurnPassed",
        "hunt": 1,
        "seat": 1,
        "turn": 7,
        "hand_count": 1,
        "phase": None,
        "rules": ("BM-4.4", "BM-R7"),
    }
    returned = passed.the("UnplayedCardsReturned")
    assert (returned["cards"], returned["to"]) == (("sorcerer-1",), "reserve")
    with_hunter = given(players=2, turn=(7, 1), laid=laid, hand={1: "sorcerer-1 hunter-1"})
    assert with_hunter.refusal(1, "pass_turn") == "BM-4.4"


def test_a_turn_that_is_passed_counts() -> None:
    """BM-3.8: the next seat has the same turn of its own, and then the next one begins."""
    laid = {1: {1: "chief-1 chief-2"}, 2: {1: "matriarch-1 matriarch-2"}, 3: {1: "rainmaker-1 scout-1"}}
    scene = given(players=2, hunt=2, turn=(3, 1), laid=laid, hand={1: "sorcerer-1", 2: "hunter-1 hunter-2"})
    passed = scene.when(1, "pass_turn")
    assert (passed.the("TurnPassed")["turn"], passed.to_act) == (3, (2,))
    played = passed.when(2, "play_card", card="hunter-1", ground=1)
    assert (played.the("CardPlayed")["turn"], played.to_act) == (3, (1,))


def test_bm_e9_hero_majority_and_runner_up_take_the_tiles_of_a_ground() -> None:
    """BM-E9: hero, majority and runner-up take the tiles of a ground."""
    laid = {3: "chief-1 hunter-1", 1: "hunter-6 hunter-2", 2: "hunter-9", 4: "hunter-5"}
    scene = evaluated(laid, "bison-2-1 tipi-3-1 horse-1 tomahawk-1", players=4)
    result = scene.the("GroundEvaluated")
    assert [row["total"] for row in result["totals"]] == [8, 9, 1, 5]
    assert awards_of(scene) == [("hero", 3, 1), ("majority", 2, 2), ("runner_up", 1, 1)]
    assert (result["unclaimed"], result["rules"]) == (0, ("BM-5.7",))
    scene = scene.when(3, "take_tiles", ground=1, tiles=["tipi-3-1"])
    assert [tuple(move["tiles"]) for move in scene.legal(2)] == [
        *combinations(("bison-2-1", "horse-1", "tomahawk-1"), 2)
    ]
    scene = scene.when(2, "take_tiles", ground=1, tiles=["tomahawk-1", "bison-2-1"])
    assert scene.the("TilesTaken")["tiles"] == ("bison-2-1", "tomahawk-1")
    assert scene.legal(1) == [{"type": "take_tiles", "ground": 1, "tiles": ("horse-1",)}]
    scene = scene.when(1, "take_tiles", ground=1, tiles=["horse-1"])
    assert (scene.the("CylinderMoved")["cylinder"], scene.the("CylinderMoved")["to_seat"]) == ("horse", 1)


def test_bm_e10_a_tie_at_the_top_is_struck_out() -> None:
    """BM-E10: a tie at the top is struck out."""
    laid = {1: "hunter-7", 2: "hunter-7", 3: "hunter-4", 4: "hunter-2"}
    for share, second in (("one", 1), ("rest", 2), ("four_tile_grounds_only", 1)):
        tiles = "bison-2-1 tipi-3-1 horse-1 tomahawk-1"
        scene = evaluated(laid, tiles, players=4, ground=3, runner_up_share=share)
        result = scene.the("GroundEvaluated")
        assert (result["tied_out"], result["majority"], result["runner_up"]) == ((1, 2), 3, 4)
        assert awards_of(scene) == [("majority", 3, 2), ("runner_up", 4, second)]
        assert (result["unclaimed"], result["rules"]) == (2 - second, ("BM-5.7", "BM-R14"))
        scene = scene.when(3, "take_tiles", ground=3, tiles=["bison-2-1", "tipi-3-1"])
        scene = scene.when(4, "take_tiles", ground=3, tiles=["horse-1", "tomahawk-1"][:second])
        removed = scene.payloads("TilesRemoved")
        assert [(row["tiles"], row["rules"]) for row in removed] == (
            [(("tomahawk-1",), ("BM-5.9", "BM-R15"))] if second == 1 else []
        )


def test_bm_e11_a_tie_for_second_is_struck_out() -> None:
    """BM-E11: a tie for second is struck out."""
    laid = {1: "hunter-9", 2: "hunter-6", 3: "hunter-6", 4: "hunter-3", 5: "sorcerer-1"}
    scene = evaluated(laid, "bison-1-1 bison-1-2 tipi-1-1 tipi-1-2", players=5)
    assert awards_of(scene) == [("hero", 5, 1), ("majority", 1, 2), ("runner_up", 4, 1)]
    assert scene.the("GroundEvaluated")["tied_out"] == (2, 3)
    assert scene.the("GroundEvaluated")["rules"] == ("BM-5.7",)


def test_bm_e12_where_all_are_tied_only_the_hero_takes_a_tile() -> None:
    """BM-E12: where all totals are tied only the hero takes a tile."""
    scene = evaluated({1: "hunter-7", 2: "hunter-7", 3: "scout-1"}, "bison-1-1 tipi-1-1 tipi-1-2", players=3, ground=3)
    assert awards_of(scene) == [("hero", 3, 1)]
    assert scene.the("GroundEvaluated")["rules"] == ("BM-5.7",)
    taken = scene.when(3, "take_tiles", ground=3, tiles=["bison-1-1"])
    assert taken.the("TilesRemoved")["tiles"] == ("tipi-1-1", "tipi-1-2")
    laid = {1: "hunter-7", 2: "hunter-7", 3: "hunter-5", 4: "hunter-5"}
    scene = evaluated(laid, "bison-1-1 tipi-1-1 tipi-1-2", players=4, ground=3)
    result = scene.the("GroundEvaluated")
    assert (result["tied_out"], result["awards"], result["unclaimed"]) == ((1, 2, 3, 4), (), 3)
    assert result["rules"] == ("BM-5.7", "BM-R13")
    assert scene.the("TilesRemoved")["tiles"] == ("bison-1-1", "tipi-1-1", "tipi-1-2")


def test_bm_e13_a_small_ground_runs_out_of_tiles() -> None:
    """BM-E13: a small ground runs out of tiles."""
    laid = {1: "hunter-3", 2: "hunter-1 rainmaker-1"}
    scene = evaluated(laid, "bison-1-1 tipi-1-1", players=2, ground=3)
    assert awards_of(scene) == [("hero", 2, 1), ("majority", 1, 1)]
    result = scene.the("GroundEvaluated")
    assert (result["runner_up"], result["unclaimed"], result["rules"]) == (2, 0, ("BM-5.7",))
    three = "bison-1-1 tipi-1-1 horse-1"
    laid = {1: "hunter-3", 2: "hunter-1"}
    scene = evaluated(laid, three, players=2, ground=2)
    assert awards_of(scene) == [("majority", 1, 2), ("runner_up", 2, 1)]
    assert scene.the("GroundEvaluated")["rules"] == ("BM-5.7", "BM-R14")
    strict = evaluated(laid, three, players=2, ground=2, runner_up_share="four_tile_grounds_only")
    assert awards_of(strict) == [("majority", 1, 2)]
    assert strict.the("GroundEvaluated")["unclaimed"] == 1
    taken = strict.when(1, "take_tiles", ground=2, tiles=["bison-1-1", "tipi-1-1"])
    assert taken.payloads("TilesRemoved")[0]["tiles"] == ("horse-1",)


def test_bm_e14_a_hero_without_hunters_takes_nothing_or_one_tile() -> None:
    """BM-E14: where nobody has hunters a hero takes nothing, or one tile by house rule."""
    tiles = "bison-1-1 tipi-1-1 horse-1 totem-1"
    scene = evaluated({1: "scout-1"}, tiles, players=2, ground=3)
    result = scene.the("GroundEvaluated")
    assert result["hero"] == {"seat": 1, "cards": ("scout-1",)}
    assert (result["totals"], result["awards"], result["unclaimed"]) == ((), (), 4)
    assert result["rules"] == ("BM-5.7", "BM-R12")
    assert scene.the("TilesRemoved")["tiles"] == ("bison-1-1", "tipi-1-1", "horse-1", "totem-1")
    generous = evaluated({1: "scout-1"}, tiles, players=2, ground=3, hero_without_hunters="takes_one")
    assert awards_of(generous) == [("hero", 1, 1)]
    assert (generous.the("GroundEvaluated")["unclaimed"], generous.the("GroundEvaluated")["rules"]) == (
        3,
        ("BM-5.7", "BM-R12"),
    )
    beaten = evaluated({1: "(scout-1)"}, tiles, players=2, ground=3)
    assert (beaten.the("GroundEvaluated")["hero"], beaten.the("GroundEvaluated")["rules"]) == (None, ("BM-5.7",))
    assert len(beaten.the("TilesRemoved")["tiles"]) == 4


def test_bm_e15_two_tomahawks_strengthen_every_hunter_by_two() -> None:
    """BM-E15: two tomahawks strengthen every hunter by two, as in the source."""
    laid = {1: "hunter-5 hunter-3 hunter-7", 2: "hunter-10 hunter-9"}
    scene = given(
        players=2,
        hunt=2,
        phase=None,
        laid={1: laid},
        stock={1: "bison-1-1 bison-1-2 tipi-1-1"},
        tiles={1: "tomahawk-1 tomahawk-2"},
    )
    result = scene.when_grounds_are_evaluated().the("GroundEvaluated")
    first, second = result["totals"]
    assert [card["strength"] for card in first["cards"]] == [5, 7, 9]
    assert [card["card"] for card in first["cards"]] == ["hunter-3", "hunter-5", "hunter-7"]
    assert (first["bonus_per_card"], first["total"], second["total"]) == (2, 21, 19)
    assert result["majority"] == 1
    assert result["rules"][:2] == ("BM-5.7", "BM-R18")
    late = given(
        players=2,
        hunt=2,
        phase=None,
        laid={1: {1: "hunter-1"}, 2: laid},
        stock={1: "tomahawk-1 tomahawk-2", 2: "bison-1-1 bison-1-2 tipi-1-1"},
    ).when_grounds_are_evaluated()
    late = late.when(1, "take_tiles", ground=1, tiles=["tomahawk-1", "tomahawk-2"])
    result = late.the("GroundEvaluated")
    assert [row["total"] for row in result["totals"]] == [15, 19]
    assert result["majority"] == 2
    assert "BM-R18" not in result["rules"]


def test_bm_e16_tomahawks_count_for_the_penalty_only_by_house_rule() -> None:
    """BM-E16: tomahawks count for the penalty only by house rule."""
    laid = {1: {1: "hunter-5", 2: "hunter-10"}, 2: {1: "hunter-3", 2: "hunter-6"}, 3: {1: "hunter-7"}}
    scene = given(
        hunt=2, phase=None, laid=laid, stock={1: "bison-1-1"}, tiles={1: "tomahawk-1 tomahawk-2", 2: "bison-2-1"}
    )
    printed = scene.when_all_cards_are_played().the("ForcePenaltyAssessed")
    assert [row["total"] for row in printed["totals"]] == [15, 16, 0]
    assert (printed["penalised"], printed["rules"]) == ((2,), ("BM-5.5", "BM-R9"))
    raised = scene.but(penalty_strength="with_tomahawks").when_all_cards_are_played()
    assessed = raised.the("ForcePenaltyAssessed")
    assert [row["total"] for row in assessed["totals"]] == [21, 16, 0]
    assert (assessed["penalised"], assessed["rules"]) == ((1,), ("BM-5.5", "BM-R9"))
    assert [move["tile"] for move in raised.legal(1)] == ["tomahawk-1", "tomahawk-2"]
    paid = raised.when(1, "discard_tile", tile="tomahawk-1")
    assert paid.the("GroundEvaluated")["totals"][0]["bonus_per_card"] == 1
    without_tomahawks = given(hunt=2, phase=None, laid=laid, stock={1: "bison-1-1"}, tiles={2: "bison-2-1"})
    assessed = without_tomahawks.when_all_cards_are_played().the("ForcePenaltyAssessed")
    assert assessed["rules"] == ("BM-5.5",)


def two_penalised(tiles: str, **options: str) -> Scene:
    """Four players, second hunt: seats 1 and 2 reach 14; seat 2 holds both cylinders and `tiles`."""
    return given(
        players=4,
        hunt=2,
        phase=None,
        laid={1: {1: "hunter-10", 3: "hunter-9", 4: "hunter-7"}, 2: {2: "hunter-8"}, 3: {1: "hunter-4", 2: "hunter-6"}},
        stock={1: "totem-1 bison-2-1 horse-3 tipi-1-1"},
        tiles={1: "horse-2 bison-1-1 tipi-2-3", 2: tiles},
        totem=2,
        horse=2,
        options=options,
        totem_gains=(2,),
        horse_gains=(1, 2),
    ).when_all_cards_are_played()


def test_bm_e17_two_seats_with_the_highest_total_pay() -> None:
    """BM-E17: two seats with the highest total pay."""
    scene = two_penalised("horse-1 totem-4")
    assert scene.state.turn_order == (3, 4, 1, 2)
    assessed = scene.the("ForcePenaltyAssessed")
    assert [row["total"] for row in assessed["totals"]] == [14, 14, 9, 7]
    assert (assessed["penalised"], assessed["payment"]) == ((1, 2), "now")
    assert assessed["rules"] == ("BM-5.5", "BM-R11")
    assert [move["tile"] for move in scene.legal(1)] == ["bison-1-1", "tipi-2-3"]
    assert scene.refusal(1, "discard_tile", tile="horse-2") == "BM-4.8b"
    scene = scene.when(1, "discard_tile", tile="bison-1-1")
    assert scene.the("TileDiscarded")["eligible"] == ("bison-1-1", "tipi-2-3")
    assert [move["tile"] for move in scene.legal(2)] == ["horse-1", "totem-4"]


def test_bm_e17_a_cylinder_is_kept_without_tiles() -> None:
    """BM-E17, continued: seat 2 discards its horse, and loses the cylinder to the next who takes one."""
    scene = two_penalised("horse-1 totem-4").when(1, "discard_tile", tile="bison-1-1")
    scene = scene.when(2, "discard_tile", tile="horse-1")
    assert scene.the("TileDiscarded")["rules"] == ("BM-5.6", "BM-5.10", "BM-R16")
    assert scene.payloads("CylinderMoved") == []
    assert awards_of(scene) == [("majority", 1, 2), ("runner_up", 3, 1)]
    scene = scene.when(1, "take_tiles", ground=1, tiles=["totem-1", "bison-2-1"])
    totem = scene.the("CylinderMoved")
    assert (totem["cylinder"], totem["from_seat"], totem["to_seat"], totem["reason"]) == ("totem", 2, 1, "matched")
    assert [row["tiles"] for row in totem["counts"]] == [1, 1, 0, 0]
    scene = scene.when(3, "take_tiles", ground=1, tiles=["horse-3"])
    horse = scene.the("CylinderMoved")
    assert (horse["cylinder"], horse["from_seat"], horse["to_seat"], horse["reason"]) == ("horse", 2, 3, "matched")
    assert [row["tiles"] for row in horse["counts"]] == [1, 0, 1, 0]
    assert horse["rules"] == ("BM-5.8", "BM-R17")


def test_bm_e17_the_last_totem_may_be_discarded() -> None:
    """BM-E17, continued: seat 2 discards its totem instead."""
    scene = two_penalised("horse-1 totem-4").when(1, "discard_tile", tile="bison-1-1")
    scene = scene.when(2, "discard_tile", tile="totem-4")
    assert scene.the("TileDiscarded")["rules"] == ("BM-5.6", "BM-5.10", "BM-R16")
    assert scene.state.totem_cylinder == 2
    totem = scene.when(1, "take_tiles", ground=1, tiles=["totem-1", "bison-2-1"]).the("CylinderMoved")
    assert (totem["from_seat"], totem["to_seat"], totem["reason"]) == (2, 1, "matched")
    assert [row["tiles"] for row in totem["counts"]] == [1, 0, 0, 0]


def test_bm_e17_a_lost_tile_moves_the_cylinder_by_house_rule() -> None:
    """BM-E17 with `cylinder_on_loss: "recheck"`."""
    scene = two_penalised("horse-1 totem-4", cylinder_on_loss="recheck").when(1, "discard_tile", tile="bison-1-1")
    horse = scene.when(2, "discard_tile", tile="horse-1")
    assert horse.the("TileDiscarded")["rules"] == ("BM-5.6", "BM-5.10", "BM-R16")
    moved = horse.the("CylinderMoved")
    assert (moved["cylinder"], moved["from_seat"], moved["to_seat"], moved["reason"]) == ("horse", 2, 1, "overtaken")
    assert [row["tiles"] for row in moved["counts"]] == [1, 0, 0, 0]
    assert moved["rules"] == ("BM-5.10", "BM-R16")
    totem = scene.when(2, "discard_tile", tile="totem-4")
    moved = totem.the("CylinderMoved")
    assert (moved["from_seat"], moved["to_seat"], moved["reason"]) == (2, None, "no_tiles")
    assert moved["rules"] == ("BM-5.10", "BM-R16")
    later = totem.when(1, "take_tiles", ground=1, tiles=["totem-1", "bison-2-1"]).the("CylinderMoved")
    assert (later["from_seat"], later["to_seat"], later["reason"]) == (None, 1, "first_tile")


def test_bm_e18_the_penalty_of_the_first_hunt_is_paid_after_the_awards() -> None:
    """BM-E18: seat 1 gains `tipi-2-1` and `totem-1`, seat 3 nothing; in turn order `[2, 3, 1]` seat 3 comes first."""
    scene = given(
        phase=None,
        laid={1: {1: "scout-1", 2: "hunter-1"}, 2: {1: "hunter-10", 3: "hunter-10"}, 3: {1: "chief-1", 2: "hunter-2"}},
        stock={1: "tipi-2-1 bison-1-1", 2: "bison-1-2", 3: "totem-1 bison-1-3"},
    ).when_all_cards_are_played()
    assessed = scene.the("ForcePenaltyAssessed")
    assert (assessed["penalised"], assessed["payment"]) == ((3, 1), "after_awards")
    assert assessed["rules"] == ("BM-5.5", "BM-R11", "BM-R24")
    assert scene.types == ["ForcePenaltyAssessed", "GroundEvaluated"]
    scene = scene.when(1, "take_tiles", ground=1, tiles=["tipi-2-1"])
    scene = scene.when(2, "take_tiles", ground=1, tiles=["bison-1-1"])
    scene = scene.when(1, "take_tiles", ground=3, tiles=["totem-1"])
    scene = scene.when(2, "take_tiles", ground=3, tiles=["bison-1-3"])
    assert scene.types == ["TilesTaken", "ForcePenaltyWaived"]
    assert scene.the("ForcePenaltyWaived")["seat"] == 3
    assert scene.the("ForcePenaltyWaived")["rules"] == ("BM-5.6", "BM-R24")
    assert scene.legal(1) == [{"type": "discard_tile", "tile": "tipi-2-1"}]
    scene = scene.when(1, "discard_tile", tile="tipi-2-1")
    assert scene.the("TileDiscarded")["rules"] == ("BM-5.6", "BM-R24")
    assert (scene.state.hunt, scene.state.owing) == (2, ())


def test_bm_e19_a_cylinder_goes_to_the_first_tile_and_then_to_who_matches() -> None:
    """BM-E19: a cylinder goes to the first tile, then to whoever takes one and has at least as many."""
    scene = given(
        players=4,
        hunt=2,
        phase=None,
        laid={1: {2: "hunter-1"}, 2: {4: "hunter-1"}, 3: {2: "hunter-2"}},
        stock={1: "totem-1", 2: "totem-2", 3: "totem-3 horse-1"},
    ).when_grounds_are_evaluated()
    moves = [
        (2, 1, ["totem-1"], [("totem", None, 2, "first_tile", ("BM-5.8",))]),
        (4, 2, ["totem-2"], [("totem", 2, 4, "matched", ("BM-5.8", "BM-R17"))]),
        (
            2,
            3,
            ["totem-3", "horse-1"],
            [("totem", 4, 2, "matched", ("BM-5.8", "BM-R17")), ("horse", None, 2, "first_tile", ("BM-5.8",))],
        ),
    ]
    for seat, ground, tiles, moved in moves:
        scene = scene.when(seat, "take_tiles", ground=ground, tiles=tiles)
        cylinders = scene.payloads("CylinderMoved")
        fields = ("cylinder", "from_seat", "to_seat", "reason", "rules")
        assert [tuple(row[name] for name in fields) for row in cylinders] == moved
    assert [row["tiles"] for row in cylinders[0]["counts"]] == [0, 2, 0, 1]


def test_bm_e20_cylinders_bring_an_extra_card_and_a_hunter_move() -> None:
    """BM-E20: cylinders bring an extra card and a hunter move."""
    scene = given(
        hunt=2,
        turn=(7, 2),
        laid={2: {1: "hunter-9"}, 3: {1: "hunter-1"}},
        hand={2: "hunter-4", 3: "hunter-10 hunter-2"},
        reserve={3: "hunter-3"},
        stock={1: "bison-1-1", 2: "bison-1-2", 3: "bison-1-3"},
        tiles={1: "horse-1", 2: "tipi-1-1", 3: "totem-1"},
        totem=3,
        horse=1,
    )
    assert scene.state.turn_order == (3, 1, 2)
    offered = scene.when(2, "play_card", card="hunter-4", ground=1)
    offer = offered.the("ExtraCardOffered")
    assert (offer["seat"], offer["cards_left"], offer["rules"]) == (3, 2, ("BM-3.10", "BM-R8"))
    extra = offered.when(3, "play_extra_card", card="hunter-10", ground=2)
    assert extra.types == ["CardPlayed", "HunterMoveOffered"]
    assert (extra.the("CardPlayed")["turn"], extra.the("CardPlayed")["extra"]) == (8, True)
    moved = extra.when(1, "move_hunter", card="hunter-9", to_ground=3)
    assert moved.the("HunterMoved")["from_ground"] == 2
    returned = moved.the("UnplayedCardsReturned")
    assert (returned["seat"], returned["cards"]) == (3, ("hunter-2",))
    assert moved.the("ForcePenaltyAssessed")["totals"][0]["total"] == 10
    ground_3 = evaluation(moved.state, 3)
    assert [(row.seat, row.total) for row in ground_3.totals] == [(1, 10)]
    dealer = given(hunt=2, turn=(7, 2), hand={2: "hunter-4 hunter-5"}, totem=2)
    withheld = dealer.when(2, "play_card", card="hunter-4", ground=1).the("ExtraCardWithheld")
    assert (withheld["seat"], withheld["reason"]) == (2, "holder_is_dealer")
    assert withheld["rules"] == ("BM-3.10", "BM-R8")


def test_bm_e21_cards_are_followed_over_two_hunts() -> None:
    """BM-E21: cards are followed over two hunts."""
    expected = {
        "return": [(8, 0, 0), (10, 7, 0), (3, 7, 0), (3, 14, 0), (17, 0, 0)],
        "spent": [(8, 0, 0), (8, 7, 2), (1, 7, 2), (1, 14, 2), (17, 0, 0)],
    }
    for option, counts in expected.items():
        scene, seen = new_game(3, unplayed_cards=option), []
        state = scene.state
        while state.hunt < 3:
            seat = big_manitou.to_act(state)[0]
            move = big_manitou.legal_moves(state, seat)[0]
            if state.phase == "party":
                move = next(move.expansions())
            for event in big_manitou.play(state, seat, move, lambda _, cards, count: tuple(cards[:count])).events:
                state = big_manitou.evolve(state, event)
                own = state.seats[1]
                chosen = type(event).__name__ == "PartyChosen" and payload_of(event)["seat"] == 2
                if chosen or type(event).__name__ in ("HuntEnded", "DecksRefreshed"):
                    seen.append((len(own.reserve), len(own.discards), len(own.spent)))
        assert seen == counts


def scored(*tiles: str, totem: int | None = None, horse: int | None = None, **options: str) -> Scene:
    """The last hunt over, each seat holding some tiles."""
    players = max(2, len(tiles))
    hunt = {2: 4, 3: 3, 4: 4, 5: 5}[players]
    rows = dict(enumerate(tiles, 1))
    scene = given(players=players, hunt=hunt, phase=None, tiles=rows, totem=totem, horse=horse, options=options)
    return scene.when_the_hunt_ends()


def test_bm_e22_pairs_of_tipi_and_bison_score_the_lower_sum() -> None:
    """BM-E22: tipis and bison score the lower sum, as in the source."""
    first, second = scored(
        "tipi-3-1 tipi-1-1 bison-3-1 bison-2-1", "tipi-3-2 tipi-1-2 bison-3-2 bison-2-2 tipi-1-3"
    ).the("GameEnded")["scores"]
    assert (first["tipi_points"], first["bison_points"], first["pairs"]) == (4, 5, 4)
    assert (second["tipi_points"], second["bison_points"], second["pairs"]) == (5, 5, 5)


def test_bm_e23_ties_in_points_are_broken_one_after_the_other() -> None:
    """BM-E23: ties in points are broken one after the other."""
    tiles = [
        "tipi-3-1 tipi-2-1 bison-3-1 tomahawk-1 tomahawk-2",
        "tipi-3-2 bison-3-2 bison-1-1 tomahawk-3 tomahawk-4",
        "tipi-2-2 bison-2-1 horse-1",
        "tipi-1-1 tipi-2-3 bison-2-2 totem-1",
    ]
    ended = scored(*tiles, totem=4, horse=3).the("GameEnded")
    assert [row["total"] for row in ended["scores"]] == [3, 3, 3, 3]
    assert [row["rank"] for row in ended["scores"]] == [1, 2, 4, 3]
    assert ended["ranking"] == tuple({"rank": rank, "seats": (seat,)} for rank, seat in enumerate((1, 2, 4, 3), 1))
    assert ended["winners"] == (1,)
    assert ended["rules"] == ("BM-6.1", "BM-6.2", "BM-R19", "BM-6.3", "BM-6.4", "BM-R20")
    shared = scored(*tiles, totem=4, horse=3, tomahawk_tie="all").the("GameEnded")
    assert [row["total"] for row in shared["scores"]] == [4, 4, 3, 3]
    assert [row["rank"] for row in shared["scores"]] == [1, 2, 4, 3]
    assert shared["rules"] == ("BM-6.1", "BM-6.2", "BM-R19", "BM-6.3", "BM-6.4")


def test_bm_e24_a_drawn_card_is_read_by_its_owner_alone() -> None:
    """BM-E24: a drawn card is read by its owner alone."""
    scene = given(turn=(1, 1), hand={1: "hunter-1 hunter-2 hunter-3"}, pile={1: "chief-2 hunter-4 hunter-5 hunter-6"})
    turn = big_manitou.play(
        scene.state, 1, {"type": "play_card", "card": "hunter-1", "ground": 1}, lambda _, cards, count: cards[:count]
    )
    drawn = turn.events[-1]
    shown = {"hunt": 1, "seat": 1, "count": 1, "pile_left": 3, "phase": "play"}
    assert payload_of(drawn) == shown | {"cards": ("chief-2",)}
    assert big_manitou.readers(scene.state, drawn) == {"cards": [1]}
    others = msgspec.structs.replace(drawn, cards=msgspec.UNSET)
    assert payload_of(others) == shown
    steps = random_game(big_manitou, 3, {}, random.Random(1))
    shuffled = [event for step in steps for event in step.turn.events if type(event).__name__ == "PartyShuffled"]
    assert all(big_manitou.readers(scene.state, event) == {"order": []} for event in shuffled)
    seen = big_manitou.view(turn.state, 2)
    assert "hand" not in msgspec.to_builtins(seen.seats[0])
    assert seen.seats[0].hand_count == 3
    assert big_manitou.view(turn.state, 1).seats[0].pile == ("hunter-4", "hunter-5", "hunter-6")
