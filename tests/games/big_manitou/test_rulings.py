"""The rulings of section 8, in what their cases in their folder leave open."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from games.big_manitou import game as big_manitou
from games.big_manitou.components import BEATS, DECK, KIND, TILES, VALUE
from games.big_manitou.end_of_hunt import assessment, evaluation
from games.big_manitou.play import trial_on
from games.rows import known
from tests.games.big_manitou.spec import Scene, given, new_game, scene_of_awards
from wintercount.testing.random_games import chance_of

KINDS = [("bison", 1), ("bison", 2), ("bison", 3), ("tipi", 1), ("tipi", 2), ("tipi", 3)]
LAST_HUNT = {2: 4, 3: 3, 4: 4, 5: 5}


@pytest.mark.parametrize(("tile_set", "valued", "unvalued"), [("balanced", 7, 6), ("plenty", 8, 4), ("ritual", 6, 8)])
def test_bm_r1_the_tiles_are_those_of_the_tile_set(tile_set: Any, valued: int, unvalued: int) -> None:
    """BM-R1: 60 different tiles, as many of each kind and value as the tile set has."""
    tiles = TILES[tile_set]
    assert len(tiles) == len(set(tiles)) == 60
    counts = Counter((KIND[tile], VALUE[tile]) for tile in tiles)
    others = {(kind, 0): unvalued for kind in ("horse", "totem", "tomahawk")}
    assert counts == dict.fromkeys(KINDS, valued) | others
    started = new_game(2, tile_set=tile_set).the("GameStarted")
    assert [row["count"] for row in started["tile_counts"]] == [valued] * 6 + [unvalued] * 3
    assert [row["value"] for row in started["tile_counts"]] == [1, 2, 3, 1, 2, 3, None, None, None]


def test_who_beats_whom() -> None:
    """BM-R2, BM-1.5: every two different heroes have one winner; the source tells of the sorcerer, and chief and
    matriarch."""
    for one in BEATS:
        for other in BEATS:
            assert (other in BEATS[one]) + (one in BEATS[other]) == (one != other)
            card, defender = f"{one}-1", f"{other}-{1 + (one == other and one in ('chief', 'matriarch'))}"
            scene = given(turn=(1, 2), laid={1: {1: defender, 2: card}})
            trial = trial_on(scene.state, 2, card, 1)
            assert trial is not None
            told = one == other or "sorcerer" in (one, other) or {one, other} == {"chief", "matriarch"}
            assert ("BM-R2" in trial.rules) is not told


def test_choosing_is_final_and_comes_in_any_order() -> None:
    """BM-R3, BM-R4: no deck is chosen; whatever order the choices come in, what follows is in turn order."""
    games = []
    for order in ((3, 1, 2), (2, 3, 1)):
        scene = new_game(3)
        for seat in order:
            size = scene.legal(seat)[0]["choose"]
            scene = scene.when(seat, "choose_party", cards=list(DECK[-size:]))
        assert scene.types == ["PartyChosen", *["PartyShuffled", "CardsDrawn"] * 3]
        assert [event.seat for event in scene.events[1:]] == [2, 2, 3, 3, 1, 1]
        games.append(scene.state)
    assert games[0] == games[1]


@pytest.mark.parametrize("how", ["random", "blind"])
def test_bm_r5_parties_at_random_are_drawn_and_not_chosen(how: str) -> None:
    """BM-R5: drawn from the reserve, and nobody chooses; known to their owner, or only what is drawn into the hand."""
    asked = []

    def chance(kind: str, population: Any, count: int) -> Any:
        asked.append((kind, len(population), count))
        return chance_of(5)(kind, population, count)

    turn = big_manitou.start(3, big_manitou.read_options({"party_selection": how}, 3), chance)
    assert asked == [
        ("stock_grounds", 60, 11),
        ("draw_party", 17, 9),
        ("draw_party", 17, 8),
        ("draw_party", 17, 7),
        ("shuffle_party", 9, 9),
        ("shuffle_party", 8, 8),
        ("shuffle_party", 7, 7),
    ]
    scene = Scene(turn.state, list(turn.events))
    assert scene.types[2:6] == ["GroundsStocked", "PartyDrawn", "PartyDrawn", "PartyDrawn"]
    for event in scene.payloads("PartyDrawn"):
        assert list(event["cards"]) == [card for card in DECK if card in event["cards"]]
    assert [big_manitou.readers(turn.state, event) for event in turn.events[3:6]] == [
        {"cards": [seat] if how == "random" else []} for seat in (2, 3, 1)
    ]
    assert (scene.state.phase, scene.to_act) == ("play", (2,))
    own = big_manitou.view(scene.state, 2).seats[1]
    assert (len(known(own.hand)), own.reserve_count, own.pile_count) == (3, 8, 6)
    assert (own.reserve is UNSET, own.party is UNSET, own.pile is UNSET) == (how == "blind",) * 3


def test_bm_r5_a_reserve_is_seen_again_when_the_pile_is_drawn_or_put_back() -> None:
    """BM-R5: until then every card that the seat has not seen may lie in either, and all that it imagines agrees."""
    blind = given(hand={2: "hunter-5 chief-1"}, pile={2: "scout-1 hunter-2"}, options={"party_selection": "blind"})
    view, piles = big_manitou.view(blind.state, 2), set()
    for seed in range(200):
        imagined = big_manitou.imagine(view, (), chance_of(seed))
        assert big_manitou.view(imagined, 2) == view
        piles |= {*imagined.seats[1].pile}
    assert piles == {*DECK} - {"hunter-5", "chief-1"}
    returned = next(event for event in blind.when_all_cards_are_played().events if event.seat == 2)
    assert (len(returned.cards), big_manitou.readers(blind.state, returned)) == (4, {"cards": [2]})
    assert big_manitou.view(big_manitou.evolve(blind.state, returned), 2).seats[1].reserve == DECK
    drawn = given(hand={2: "hunter-5"}, options={"party_selection": "blind"})
    assert len(known(big_manitou.view(drawn.state, 2).seats[1].reserve)) == len(DECK) - 1


def test_a_hand_is_listed_in_deck_order() -> None:
    """BM-4.10: whatever order its cards were drawn in."""
    scene = given(
        players=2, hunt=2, turn=(2, 1), hand={1: "hunter-3 scout-1 chief-1", 2: "hunter-1"}, pile={1: "hunter-1"}
    )
    after = scene.when(1, "play_card", card="scout-1", ground=1)
    assert after.the("CardsDrawn")["cards"] == ("hunter-1",)
    after = after.when(2, "play_card", card="hunter-1", ground=1)
    listed = [(move["card"], move["ground"]) for move in after.legal(1)]
    assert listed == [(card, ground) for card in ("hunter-1", "hunter-3", "chief-1") for ground in (1, 2, 3)]


@pytest.mark.parametrize(
    ("holder", "hand", "event", "rules"),
    [
        (1, "hunter-1 hunter-2", "ExtraCardOffered", ("BM-3.10", "BM-R8")),
        (1, "hunter-1", "ExtraCardOffered", ("BM-3.10",)),
        (3, "hunter-1", "ExtraCardWithheld", ("BM-3.10", "BM-R8")),
        (None, "hunter-1", "ExtraCardWithheld", ("BM-3.10",)),
    ],
)
def test_bm_r8_the_eighth_card_is_never_the_dealers(
    holder: int | None, hand: str, event: str, rules: tuple[str, ...]
) -> None:
    """BM-R8: one card, never the dealer's."""
    scene = given(hunt=3, hand={1: hand, 3: hand}, totem=holder, phase=None).when_turns_are_over()
    payload = scene.the(event)
    assert (payload["seat"], payload["rules"]) == (holder, rules)
    if event == "ExtraCardOffered":
        assert scene.to_act == (holder,)
        after = scene.when(1, "play_extra_card", card="hunter-1", ground=1)
        assert "CardsDrawn" not in after.types
        assert "HunterMoveWithheld" in after.types
        assert scene.when(1, "decline_extra_card").types[:2] == ["ExtraCardDeclined", "HunterMoveWithheld"]


def test_tomahawks_and_the_penalty() -> None:
    """BM-R9, beside BM-E16: cited also when the option changes nothing, but not for a seat without hunters."""
    laid = {1: {1: "hunter-5", 2: "hunter-9"}}
    for option, total in (("printed", 5), ("with_tomahawks", 6)):
        scene = given(players=3, hunt=2, phase=None, laid=laid, tiles={1: "tomahawk-1"}).but(penalty_strength=option)
        assessed = assessment(scene.state)
        assert assessed.totals[0].total == total
        assert assessed.totals[0].bonus_per_card == total - 5
        assert assessed.rules == ("BM-5.5", "BM-R9")
    unused = given(players=3, hunt=2, phase=None, laid=laid, tiles={3: "tomahawk-1"})
    assert assessment(unused.state).rules == ("BM-5.5",)


def test_bm_r10_without_the_penalty_nobody_pays() -> None:
    """BM-R10, BM-R24: nobody is penalised, so nothing is put off either."""
    assessed = assessment(given(hunt=1, phase=None).state)
    assert (assessed.highest, assessed.penalised, assessed.rules) == (0, (), ("BM-5.5", "BM-R10"))


def test_penalties_in_turn_order() -> None:
    """BM-R11: seats that pay the penalty discard one after another, in turn order of the hunt."""
    laid = {1: dict.fromkeys((1, 2, 3), "hunter-5")}
    scene = given(hunt=2, phase=None, laid=laid, tiles={1: "tipi-1-1", 2: "tipi-1-2", 3: "tipi-1-3"})
    scene = scene.when_all_cards_are_played()
    assert scene.the("ForcePenaltyAssessed")["penalised"] == (3, 1, 2)
    for seat in (3, 1, 2):
        assert scene.to_act == (seat,)
        scene = scene.when(seat, "discard_tile", tile=scene.legal(seat)[0]["tile"])


@pytest.mark.parametrize(("value", "awards"), [("takes_none", ()), ("takes_one", (("hero", 1, 1),))])
def test_bm_r12_a_hero_without_hunters_takes_nothing_or_one_tile(value: str, awards: tuple[Any, ...]) -> None:
    """BM-R12; a hunter whose total is tied is a hunter all the same."""
    table = given(phase=None, hunt=2, laid={1: {1: "chief-1"}}, stock={1: "tipi-1-1 tipi-1-2"})
    found = evaluation(table.but(hero_without_hunters=value).state, 1)
    assert tuple((a.step, a.seat, a.count) for a in found.awards) == awards
    assert found.rules == ("BM-5.7", "BM-R12")
    tied = given(phase=None, hunt=2, laid={1: {1: "chief-1 hunter-2", 2: "hunter-2"}}, stock={1: "tipi-1-1"})
    found = evaluation(tied.but(hero_without_hunters=value).state, 1)
    assert [(a.step, a.seat) for a in found.awards] == [("hero", 1)]
    assert found.rules == ("BM-5.7",)


def test_bm_r13_a_tie_below_a_tie_is_struck_out_too() -> None:
    """BM-R13: cited only if the total next below a tied one is tied; who is left untied takes."""
    laid = {1: {1: "hunter-7", 2: "hunter-7", 3: "hunter-5", 4: "hunter-5", 5: "hunter-2"}}
    found = evaluation(given(players=5, phase=None, laid=laid, stock={1: "tipi-1-1 tipi-1-2"}).state, 1)
    assert (found.tied_out, found.majority, found.runner_up) == ((1, 2, 3, 4), 5, None)
    assert found.rules == ("BM-5.7", "BM-R13")
    apart = {1: {1: "hunter-7", 2: "hunter-7", 3: "hunter-6", 4: "hunter-5", 5: "hunter-5"}}
    found = evaluation(given(players=5, phase=None, laid=apart, stock={1: "tipi-1-1 tipi-1-2"}).state, 1)
    assert (found.majority, found.runner_up, found.rules) == (3, None, ("BM-5.7",))


@pytest.mark.parametrize(
    ("tiles", "one", "rest", "four"), [(4, 1, 2, 1), (3, 1, 1, 0), (2, 0, 0, 0)], ids=["four", "three", "two"]
)
def test_the_runner_ups_share(tiles: int, one: int, rest: int, four: int) -> None:
    """BM-R14: no hero takes a tile before."""
    stock = {2: " ".join(TILES["balanced"][:tiles])}
    scene = scene_of_awards(stock)
    for option, count in (("one", one), ("rest", rest), ("four_tile_grounds_only", four)):
        found = evaluation(scene.but(runner_up_share=option).state, 2)
        assert sum(award.count for award in found.awards if award.step == "runner_up") == count
        assert ("BM-R14" in found.rules) is (tiles > 2)


def test_the_latest_gain_is_remembered() -> None:
    """BM-R16: seats 2 and 3 have two totems each, and seat 2 took its second after seat 3's, or before."""
    for order, heir in (((3, 2), 2), ((2, 3), 3)):
        laid = {ground: {seat: "hunter-1"} for ground, seat in enumerate(order, 1)}
        scene = given(
            hunt=2,
            phase=None,
            laid=laid,
            stock={1: "totem-5", 2: "totem-6"},
            tiles={1: "totem-1 totem-2", 2: "totem-3", 3: "totem-4"},
            options={"cylinder_on_loss": "recheck"},
        ).when_grounds_are_evaluated()
        scene = scene.when(order[0], "take_tiles", ground=1, tiles=["totem-5"])
        scene = scene.when(order[1], "take_tiles", ground=2, tiles=["totem-6"])
        penalty = msgspec.structs.replace(scene.state, phase="penalty", owing=(1,), totem_cylinder=1)
        moved = Scene(penalty).when(1, "discard_tile", tile="totem-1").the("CylinderMoved")
        assert (moved["to_seat"], moved["reason"]) == (heir, "overtaken")


@pytest.mark.parametrize("value", ["keep", "recheck"])
def test_a_discard_that_leaves_enough(value: str) -> None:
    """BM-R16 decides nothing when the holder still has as many as anybody else, or the discarder holds nothing."""
    for holder in (1, 2, None):
        scene = given(
            hunt=2,
            phase="penalty",
            tiles={1: "totem-1 totem-2", 2: "totem-3"},
            totem=holder,
            owing=(1,),
            options={"cylinder_on_loss": value},
        ).when(1, "discard_tile", tile="totem-1")
        assert scene.the("TileDiscarded")["rules"] == ("BM-5.6",)
        assert (scene.state.totem_cylinder, scene.payloads("CylinderMoved")) == (holder, [])


def test_cylinders_at_once_and_against_the_holder() -> None:
    """BM-R17: one tile is enough against a holder with none, whatever a third seat has."""
    scene = given(
        hunt=2, phase=None, laid={1: {1: "hunter-1"}}, stock={1: "horse-1"}, tiles={3: "horse-2 horse-3"}, horse=2
    ).when_grounds_are_evaluated()
    moved = scene.when(1, "take_tiles", ground=1, tiles=["horse-1"]).the("CylinderMoved")
    assert (moved["from_seat"], moved["to_seat"], moved["rules"]) == (2, 1, ("BM-5.8", "BM-R17"))
    fewer = given(
        hunt=2, phase=None, laid={1: {1: "hunter-1"}}, stock={1: "horse-1"}, tiles={2: "horse-2 horse-3"}, horse=2
    ).when_grounds_are_evaluated()
    assert fewer.when(1, "take_tiles", ground=1, tiles=["horse-1"]).payloads("CylinderMoved") == []


def ended(*tiles: str, **options: str) -> dict[str, Any]:
    """`GameEnded` when the seats hold these tiles."""
    scene = given(players=len(tiles), hunt=LAST_HUNT[len(tiles)], phase=None, tiles=dict(enumerate(tiles, 1)))
    return scene.but(**options).when_the_hunt_ends().the("GameEnded")


@pytest.mark.parametrize(
    ("tiles", "none", "every"),
    [
        (("tomahawk-1", "tomahawk-2", ""), [0, 0, 0], [1, 1, 0]),
        (("tomahawk-1 tomahawk-2", "tomahawk-3", ""), [1, 0, 0], [1, 0, 0]),
        (("", "", "horse-1"), [0, 0, 0], [0, 0, 0]),
    ],
)
def test_bm_r19_a_tie_for_most_tomahawks_pays_none_or_all(
    tiles: tuple[str, ...], none: list[int], every: list[int]
) -> None:
    """BM-R19: a tie for most tomahawks, none included, pays nobody or all."""
    for option, points in (("none", none), ("all", every)):
        found = ended(*tiles, tomahawk_tie=option)
        assert [row["tomahawk_majority"] for row in found["scores"]] == points
        assert [row["total"] for row in found["scores"]] == points
        assert ("BM-R19" in found["rules"]) is (tiles[0] != "tomahawk-1 tomahawk-2")


def test_the_second_tie_break() -> None:
    """BM-R20: tiles held, or taken; if still equal the rank is shared and the next skipped."""
    scene = given(players=3, hunt=3, phase=None, tiles={1: "horse-1", 2: "horse-2", 3: ""})
    state = scene.state
    more = msgspec.structs.replace(state.seats[1], tiles_taken=2)
    scene = Scene(msgspec.structs.replace(state, seats=(state.seats[0], more, state.seats[2])))
    held = scene.when_the_hunt_ends().the("GameEnded")
    assert [row["rank"] for row in held["scores"]] == [1, 1, 3]
    assert held["ranking"] == ({"rank": 1, "seats": (1, 2)}, {"rank": 3, "seats": (3,)})
    assert held["winners"] == (1, 2)
    assert held["rules"] == ("BM-6.1", "BM-6.2", "BM-R19", "BM-6.3", "BM-6.4", "BM-R20")
    taken = scene.but(tiebreak_tiles="taken").when_the_hunt_ends().the("GameEnded")
    assert [row["rank"] for row in taken["scores"]] == [2, 1, 3]
    assert "BM-R20" not in ended("tipi-3-1 bison-1-1", "horse-1", "tipi-2-1")["rules"]


@pytest.mark.parametrize(("value", "reserve", "spent"), [("return", 2, 0), ("spent", 0, 2)])
def test_bm_r21_unplayed_cards_go_back_sorted(value: str, reserve: int, spent: int) -> None:
    """BM-R21: hand and pile together, sorted; seats without any are passed over."""
    scene = given(
        phase=None, hand={2: "chief-1"}, pile={2: "hunter-3"}, reserve={2: ""}, options={"unplayed_cards": value}
    ).when_all_cards_are_played()
    returned = scene.the("UnplayedCardsReturned")
    assert (returned["seat"], returned["cards"]) == (2, ("hunter-3", "chief-1"))
    assert returned["to"] == ("reserve" if value == "return" else "spent")
    own = scene.state.seats[1]
    assert (len(own.reserve), len(own.spent)) == (reserve, spent)


def test_the_hunter_move() -> None:
    """BM-R22: to any other ground, after the extra card; withheld without a hunter; the penalty stays."""
    scene = given(hunt=2, phase=None, laid={1: {1: "hunter-9"}}, tiles={1: "tipi-1-1"}, horse=1)
    offered = scene.when_turns_are_over()
    assert offered.types == ["ExtraCardWithheld", "HunterMoveOffered"]
    moved = offered.when(1, "move_hunter", card="hunter-9", to_ground=3)
    assert moved.the("ForcePenaltyAssessed")["highest"] == 9
    assert offered.when(1, "decline_hunter_move").types[0] == "HunterMoveDeclined"
    dealer = given(hunt=1, phase=None, laid={1: {1: "hunter-9"}}, horse=1).when_turns_are_over()
    assert dealer.the("HunterMoveOffered")["seat"] == dealer.state.turn_order[-1] == 1
    none = given(hunt=2, phase=None, laid={1: {1: "chief-1"}}, horse=1).when_turns_are_over()
    withheld = none.the("HunterMoveWithheld")
    assert (withheld["seat"], withheld["reason"]) == (1, "no_hunter_on_grounds")
    assert withheld["rules"] == ("BM-3.11", "BM-R22")


def test_covered_and_face_down_cards_are_open() -> None:
    """BM-R23: a covered hunter counts, a covered hero defends, and everybody sees what is turned down."""
    scene = given(turn=(3, 2), laid={1: {1: "hunter-4 chief-1 (scout-1) hunter-2"}}, hand={2: "matriarch-1"})
    trial = scene.when(2, "play_card", card="matriarch-1", ground=1).the("TrialOfStrengthResolved")
    assert trial["defender"]["card"] == "chief-1"
    side = big_manitou.view(scene.state, None).grounds[0].sides[0]
    assert [(laid.card, laid.face_up) for laid in side.cards] == [
        ("hunter-4", True),
        ("chief-1", True),
        ("scout-1", False),
        ("hunter-2", True),
    ]
    assert evaluation(scene.state, 1).totals[0].total == 6


def test_the_first_hunt_is_paid_last() -> None:
    """BM-R24, beside BM-E18: from the second hunt on the penalty is paid before the grounds are evaluated."""
    laid = {1: {1: "hunter-9"}}  # nobody has a hunter on ground 3
    stock = {1: "tipi-1-1", 3: "horse-2"}
    first = given(hunt=1, phase=None, laid=laid, stock=stock).when_all_cards_are_played()
    assert first.the("ForcePenaltyAssessed")["rules"] == ("BM-5.5", "BM-R24")
    assert first.types[-1] == "GroundEvaluated"
    paid = first.when(1, "take_tiles", ground=1, tiles=["tipi-1-1"]).when(1, "discard_tile", tile="tipi-1-1")
    assert paid.the("TileDiscarded")["rules"] == ("BM-5.6", "BM-R24")
    second = given(hunt=2, phase=None, laid=laid, stock=stock, tiles={1: "horse-1"}).when_all_cards_are_played()
    assert second.the("ForcePenaltyAssessed")["payment"] == "now"
    assert second.state.phase == "penalty"
    empty = given(hunt=2, phase=None, laid=laid, stock=stock).when_all_cards_are_played()
    assert empty.the("ForcePenaltyWaived")["rules"] == ("BM-5.6",)
    assert empty.types.index("ForcePenaltyWaived") < empty.types.index("GroundEvaluated")


@pytest.mark.parametrize(
    ("players", "hunt", "refreshed"), [(2, 1, False), (2, 2, True), (3, 2, True), (5, 3, False), (5, 4, True)]
)
def test_bm_r25_decks_are_full_again_after_hunts_2_and_4(players: int, hunt: int, refreshed: bool) -> None:
    """BM-R25: after hunts 2 and 4, if another follows."""
    scene = given(players=players, hunt=hunt, phase=None, reserve={1: "hunter-1"}).when_the_hunt_ends()
    assert [event["cards_each"] for event in scene.payloads("DecksRefreshed")] == [17] * refreshed
    assert len(scene.state.seats[0].reserve) == (17 if refreshed else 1)
    last = given(players=4, hunt=4, phase=None).when_the_hunt_ends()
    assert last.types == ["HuntEnded", "GameEnded"]


@pytest.mark.parametrize(("players", "left"), [(2, 1), (3, 2), (5, 2)])
def test_what_the_first_player_keeps(players: int, left: int) -> None:
    """BM-R27: two cards, with two players one; the others one, the dealer none."""
    scene = new_game(players)
    for seat in scene.state.turn_order:
        size = scene.legal(seat)[0]["choose"]
        scene = scene.when(seat, "choose_party", cards=list(DECK[:size]))
    while scene.state.phase == "play":
        (seat,) = scene.to_act
        scene = scene.when(seat, **{"move": "play_card", **_card_and_ground(scene, seat)})
    returned = [(event["seat"], event["count"]) for event in scene.payloads("UnplayedCardsReturned")]
    assert returned == [(2, left), *((seat, 1) for seat in range(3, players + 1))]


def _card_and_ground(scene: Scene, seat: int) -> dict[str, Any]:
    return {name: value for name, value in scene.legal(seat)[0].items() if name != "type"}
