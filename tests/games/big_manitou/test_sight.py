"""Who sees what (BM-7), and what a pass tells of a hidden hand (BM-4.4)."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import msgspec
import pytest

from games.big_manitou import game as big_manitou
from games.big_manitou.events import PartyDrawn
from games.manitou_family_hands import Holding
from games.payloads import as_read
from tests.games.big_manitou.spec import Scene, given
from wintercount.testing.random_games import chance_from, random_game

HIDDEN = ("reserve", "party", "hand", "pile", "spent")
MANY = 100
DEALT = 8000
PAIRS = {1: {1: "scout-1 chief-1"}, 2: {1: "rainmaker-1 chief-2"}, 3: {2: "matriarch-1 matriarch-2"}}


def shown(view: Any, seat: int) -> set[str]:
    """The hidden fields of a seat that a view shows."""
    return set(HIDDEN) & set(msgspec.to_builtins(view.seats[seat - 1]))


def test_hidden_cards_are_for_their_owner() -> None:
    """BM-7.3 to BM-7.5: the others see how many there are; a pile's order is seen by nobody."""
    table = given(hand={1: "hunter-5 chief-1"}, pile={1: "scout-1 hunter-2"}, reserve={1: "hunter-9"})
    own, others, everybody = (big_manitou.view(table.state, seat) for seat in (1, 2, None))
    assert shown(own, 1) == set(HIDDEN)
    assert own.seats[0].pile == ("hunter-2", "scout-1")
    assert shown(others, 1) == shown(everybody, 1) == shown(own, 2) == set()
    for view in (own, others, everybody):
        row = view.seats[0]
        assert (row.hand_count, row.pile_count, row.reserve_count) == (2, 2, 1)
        assert "bag" not in msgspec.to_builtins(view)


def test_what_is_left_in_the_bag_is_told_at_the_end() -> None:
    """BM-7.2: during the game a view has the number of tiles in the bag, afterwards the tiles too."""
    *_, last = random_game(big_manitou, 2, {}, random.Random(5))
    view = big_manitou.view(last.turn.state, 1)
    assert view.bag_left == len(view.bag or ()) > 0
    assert sorted(view.bag or ()) == sorted(last.turn.state.bag)


def test_the_ground_being_evaluated() -> None:
    """BM-7: 0 before the evaluation, when the penalty of the first hunt is paid (step 10) and after the hunt."""
    seen: dict[tuple[Any, bool], set[int]] = {}
    for seed in range(6):
        for moment in random_game(big_manitou, 3, {}, random.Random(seed)):
            view = big_manitou.view(moment.turn.state, None)
            seen.setdefault((view.phase, view.hunt == 1), set()).add(view.evaluating)
    evaluated = {1, 2, 3}
    assert seen[("take_tiles", True)] | seen[("take_tiles", False)] == evaluated
    assert all(found == {0} for (phase, _), found in seen.items() if phase != "take_tiles")
    assert ("penalty", True) in seen


def passed_with(hand: str, **options: str) -> tuple[Scene, list[Any]]:
    """Seat 2 passes with a hand of heroes, and the feed of seat 1 that goes with it."""
    scene = given(
        turn=(4, 2),
        laid=PAIRS,
        hand={2: hand, 1: "hunter-1 hunter-2", 3: "hunter-1 hunter-2"},
        pile={2: "hunter-7 hunter-8"},
        options={"pair_attack_weaker": "illegal", **options},
    )
    past = [big_manitou.events[1](hunt=1, dealer=1, turn_order=(2, 3, 1), party_sizes=())]
    past += [_event("CardsDrawn", hunt=1, seat=2, count=5, pile_left=2, phase="play")]
    past += [
        _event("CardPlayed", hunt=1, seat=1, turn=1, card=c, ground=1, extra=False, phase="play")
        for c in ("scout-1", "chief-1")
    ]
    past += [
        _event("CardPlayed", hunt=1, seat=1, turn=1, card=c, ground=2, extra=False, phase="play")
        for c in ("rainmaker-1", "chief-2")
    ]
    past += [
        _event("CardPlayed", hunt=1, seat=2, turn=1, card=c, ground=3, extra=False, phase="play")
        for c in ("matriarch-1", "matriarch-2")
    ]
    turn = big_manitou.play(scene.state, 2, {"type": "pass_turn"}, lambda _, cards, count: tuple(cards[:count]))
    return Scene(turn.state), [*past, *turn.events]


def _event(name: str, **fields: Any) -> Any:
    return next(event for event in big_manitou.events if event.__name__ == name)(**fields)


@pytest.mark.slow
def test_a_pass_tells_of_the_hand() -> None:
    """BM-4.4, BM-4.5c: who passes against two chiefs holds nothing but heroes that a chief beats, each as likely."""
    scene, feed = passed_with("scout-1 sorcerer-1 rainmaker-1")
    view = big_manitou.view(scene.state, 1)
    rng = random.Random(7)
    hands: Counter[tuple[str, ...]] = Counter()
    for _ in range(MANY):
        imagined = big_manitou.imagine(view, feed, chance_from(rng))
        assert big_manitou.view(imagined, 1) == view
        hands[imagined.seats[1].hand] += 1
    assert set(hands) == {("rainmaker-1", "scout-1", "sorcerer-1")}


@pytest.mark.slow
def test_a_hand_passed_with_and_set_aside() -> None:
    """BM-3.12 with `unplayed_cards: "spent"`: such a hand is among the cards set aside until the decks are full."""
    scene, feed = passed_with("scout-1 sorcerer-1 rainmaker-1", unplayed_cards="spent")
    own = scene.state.seats[1]
    put_away = msgspec.structs.replace(own, hand=(), pile=(), spent=(*own.pile, *own.hand))
    state = msgspec.structs.replace(
        scene.state, seats=(scene.state.seats[0], put_away, scene.state.seats[2]), phase=None
    )
    feed = [*feed, _event("UnplayedCardsReturned", hunt=1, seat=2, count=5, to="spent")]
    rng = random.Random(7)
    spent: Counter[str] = Counter()
    for _ in range(MANY):
        spent.update(big_manitou.imagine(big_manitou.view(state, 1), feed, chance_from(rng)).seats[1].spent)
    assert [spent[card] for card in ("rainmaker-1", "scout-1", "sorcerer-1")] == [MANY] * 3
    refreshed = [*feed, _event("DecksRefreshed", hunt=2, cards_each=17)]
    spent.clear()
    for _ in range(MANY):
        spent.update(big_manitou.imagine(big_manitou.view(state, 1), refreshed, chance_from(rng)).seats[1].spent)
    assert spent["hunter-1"] > 0


@pytest.mark.parametrize(
    ("story", "certain"),
    [
        ("draw 3", ""),
        ("draw 3, pass", ""),
        ("draw 3, pass, play a, draw 1", "bc"),
        ("draw 3, play x, draw 1, pass", "abc"),
        ("draw 3, pass, play a, draw 1, play b, draw 1", ""),
        ("draw 3, pass, play a, draw 1, play x, draw 1, play b", "c"),
        ("draw 3, pass, pass, play a, draw 1, play y", "bc"),
        ("draw 3, pass, play x, draw 1", None),
    ],
)
def test_holdings(story: str, certain: str | None) -> None:
    """A hand is possible if and only if some order of drawing explains it: compared with all orders tried out.

    `certain`: what every possible hand holds; None if no hand explains the story.
    """
    words = story.split(", ")
    unseen = [card for card in "abcxyz" if f"play {card}" not in words]
    holding = Holding()
    for word in words:
        verb, _, what = word.partition(" ")
        if verb == "draw":
            holding.draw(int(what))
        elif verb == "play":
            holding.play(what)
        else:
            holding.pass_turn(("a", "b", "c"))
    found = list(holding.hands(unseen))
    every = combinations(unseen, holding.drawn - len(holding.plays))
    assert found == [hand for hand in every if explained(words, hand)]
    assert bool(found) is (certain is not None)
    assert set(certain or "") <= set(unseen).intersection(*found)


def explained(story: list[str], hand: tuple[str, ...]) -> bool:
    """Whether some order in which the seat draws its cards agrees with the story, by trying them all."""
    cards = {*hand, *(word[-1] for word in story if word.startswith("play"))}
    return _explained(story, frozenset(cards), frozenset())


def _explained(story: list[str], to_draw: frozenset[str], held: frozenset[str]) -> bool:
    if not story:
        return not to_draw
    verb, _, what = story[0].partition(" ")
    if verb == "draw":
        return any(
            _explained(story[1:], to_draw - set(drawn), held | set(drawn))
            for drawn in combinations(sorted(to_draw), int(what))
        )
    if verb == "play":
        return what in held and _explained(story[1:], to_draw, held - {what})
    return held <= {"a", "b", "c"} and _explained(story[1:], to_draw, held)


def test_readers_name_the_five_secrets() -> None:
    """BM-7.6: five events hide a field, each from all but the seat that it is about, or from everybody."""
    secret: dict[str, Any] = {}
    for seed in range(3):
        options = {"party_selection": ("chosen", "random", "blind")[seed]}
        for step in random_game(big_manitou, 3, options, random.Random(seed)):
            for before, event, _ in step.turn.steps:
                readers = big_manitou.readers(before, event)
                secret.setdefault(type(event).__name__, set()).update(readers)
                if getattr(event, "seat", None) == 2:
                    unseen = options["party_selection"] == "blind" and isinstance(event, PartyDrawn)
                    assert (getattr(as_read(event, readers, 2), "cards", ()) is msgspec.UNSET) == unseen
    assert {name: fields for name, fields in secret.items() if fields} == {
        "PartyChosen": {"cards"},
        "PartyDrawn": {"cards"},
        "PartyShuffled": {"order"},
        "CardsDrawn": {"cards"},
        "UnplayedCardsReturned": {"cards"},
    }
