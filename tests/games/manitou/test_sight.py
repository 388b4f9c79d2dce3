"""Who sees what in Manitou, and what can be imagined from it (MA-7)."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.kernel import first_of_all as in_order
from games.manitou import game as manitou
from games.manitou.components import CARDS, HERO_CARDS
from games.manitou.events import CardPlayed, CardsDrawn, HuntStarted, TurnPassed
from games.manitou.state import State
from tests.games.manitou.spec import Table, dealt


def luck(seed: int) -> Any:
    """Real luck out of a seed."""
    rng = random.Random(seed)
    return lambda _, population, count: tuple(rng.sample(population, count))


def imagined(state: State, seat: int | None, feed: list[Any], count: int) -> list[State]:
    """So many worlds as a seat imagines them."""
    chance = luck(1)
    return [manitou.imagine(manitou.view(state, seat), feed, chance) for _ in range(count)]


DEALT = dealt([" ".join(CARDS[:7]), " ".join(CARDS[13:])])


def test_own_cards_are_shown_and_those_of_others_counted() -> None:
    """MA-7.2: a seat sees its own hand, pile and reserve; of another seat's it sees how many cards they hold."""
    own, other = manitou.view(DEALT.state, 1).seats
    assert own.hand == ("hunter-1", "hunter-2", "hunter-3")
    assert own.pile == ("hunter-4", "hunter-5-1", "hunter-5-2", "hunter-6")
    assert own.reserve == CARDS[7:]
    assert other.hand is other.pile is other.reserve is other.party is msgspec.UNSET
    assert (other.hand_count, other.pile_count, other.reserve_count, other.party_count) == (3, 5, 13, 0)
    assert other.unseen_cards == CARDS


def test_the_order_of_ones_own_pile_is_hidden() -> None:
    """MA-7.1: not even its owner knows it."""
    other_order = replace(DEALT.state.camps[0], pile=DEALT.state.camps[0].pile[::-1])
    twin = replace(DEALT.state, camps=(other_order, DEALT.state.camps[1]))
    assert manitou.view(twin, 1) == manitou.view(DEALT.state, 1)
    assert len({world.camps[0].pile for world in imagined(DEALT.state, 1, DEALT.events, 200)}) == 24


def test_a_chosen_party_is_counted() -> None:
    """MA-7.1: that a seat has chosen is known, not what."""
    state = manitou.start(2, manitou.read_options({}, 2), in_order).state
    move = {"type": "choose_party", "cards": list(CARDS[:8])}
    state = manitou.play(state, 2, move, in_order).state
    chosen = manitou.view(state, 1).seats[1]
    assert (chosen.party_chosen, chosen.party_count, chosen.reserve_count) == (True, 8, 13)
    assert chosen.party is msgspec.UNSET
    assert manitou.view(state, 2).seats[1].party == CARDS[:8]


def passed() -> Table:
    """MA-E15: seat 2 passes on turn 7 with two heroes in hand, after all six that lie there."""
    table = Table()
    laid = [("chief", 1), ("chief", 1), ("scout", 2), ("scout", 2), ("matriarch", 3), ("matriarch", 3)]
    table.events = [HuntStarted(1, 1, (2, 1), (), ()), CardsDrawn(hunt=1, seat=2, count=3, pile_left=5, phase="play")]
    for hero, ground in laid:
        table.lays(2, hero, ground)
        if sum(isinstance(event, CardsDrawn) for event in table.events) < 6:
            table.events.append(CardsDrawn(hunt=1, seat=2, count=1, pile_left=0, phase="play"))
    table.holds(2, "rainmaker-1", "medicine_man-2").turn_of(2, turn=7)
    return table.plays(2, {"type": "pass_turn"})


@pytest.mark.slow
def test_who_passes_holds_no_hunter() -> None:
    """MA-4.4, MA-R14: of a hand that was passed with, only heroes are imagined, any two alike."""
    table = passed()
    worlds = imagined(table.state, 1, table.events, 600)
    hands = Counter(world.camps[1].hand for world in worlds)
    left = [card for card in HERO_CARDS if card.startswith(("rainmaker", "medicine_man"))]
    assert set(hands) == {tuple(sorted(pair, key=CARDS.index)) for pair in combinations(left, 2)}
    assert all(60 < count < 145 for count in hands.values())


def test_a_pass_of_an_earlier_hunt_tells_nothing() -> None:
    """MA-5.5: what was in hand then is back in the reserve."""
    table = passed()
    later = HuntStarted(2, 2, (1, 2), (), ())
    worlds = imagined(table.state, 1, [*table.events, later], 200)
    assert any(card.startswith("hunter") for world in worlds for card in world.camps[1].hand)


@pytest.mark.slow
def test_what_was_drawn_after_a_pass_may_be_anything() -> None:
    """MA-R14: where a vain attack is illegal, a seat may pass, later play, and draw what it likes."""
    held = ("rainmaker-1", "rainmaker-2")
    table = Table(3, pair_attack_weaker="illegal")
    table.events = [
        HuntStarted(1, 1, (2, 3, 1), (), ()),
        CardsDrawn(hunt=1, seat=2, count=2, pile_left=1, phase="play"),
    ]
    table.lays(1, "chief chief", 1).lays(3, "chief chief", 2).lays(1, "medicine_man medicine_man", 3)
    table.holds(2, *held, pile=("hunter-1",)).turn_of(2).plays(2, {"type": "pass_turn"})
    assert {world.camps[1].hand for world in imagined(table.state, 1, table.events, 100)} == {held}
    table.lays(3, "matriarch", 1).turn_of(2, turn=2)
    table.plays(2, {"type": "play_card", "card": "rainmaker-1", "ground": 1})
    hands = {world.camps[1].hand for world in imagined(table.state, 1, table.events, 400)}
    assert all("rainmaker-2" in hand for hand in hands)
    assert len({card for hand in hands for card in hand}) == 20


def test_heroes_that_stand_explain_hands() -> None:
    """MA-5.11: a seat that passes holds what it could play nowhere, as the heroes stand after trials."""
    table = Table(3, pair_attack_weaker="illegal")
    table.events = [
        HuntStarted(1, 1, (2, 3, 1), (), ()),
        CardsDrawn(hunt=1, seat=2, count=2, pile_left=1, phase="play"),
    ]
    table.lays(1, "scout", 1).lays(3, "chief chief", 1).lays(3, "medicine_man medicine_man", 2)
    table.lays(1, "chief chief", 3).holds(2, "rainmaker-1", "rainmaker-2").turn_of(2).plays(2, {"type": "pass_turn"})
    assert any(event.trial for event in table.events if isinstance(event, CardPlayed))
    hands = {world.camps[1].hand for world in imagined(table.state, 1, table.events, 50)}
    assert hands == {("rainmaker-1", "rainmaker-2")}


def test_readers_of_secret_fields() -> None:
    """MA-7.4: cards chosen, drawn and returned are for their seat alone; the order of a pile is for nobody."""
    secret = {type(event).__name__: manitou.readers(DEALT.state, event) for event in DEALT.events}
    assert secret == {
        "GameStarted": {},
        "BuffaloPilesShuffled": {"small_order": [], "large_order": []},
        "HuntStarted": {},
        "GroundsStocked": {},
        "PartyChosen": {"cards": [2]},
        "PartyShuffled": {"order": []},
        "CardsDrawn": {"cards": [1]},
    }
    assert manitou.readers(DEALT.state, TurnPassed(1, 1, 7, 2, ())) == {}
