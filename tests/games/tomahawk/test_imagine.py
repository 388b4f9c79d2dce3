"""Imagined tables agree with all that was seen, and each that might be is equally likely."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import msgspec
import pytest

from games.tomahawk import game as tomahawk
from games.tomahawk.components import BALANCED_1, DEALT, TRIBE_CARDS
from games.tomahawk.events import Card, CardsRevealed, ForestCardsSeen
from games.tomahawk.state import State
from tests.games.tomahawk.reference import game_a, script_a
from tests.games.tomahawk.spec import Table
from tests.long import long_but_for

WORLDS = 400


def worlds(table: Table, seat: int | None, count: int = WORLDS) -> list[State]:
    """So many tables that `seat` may imagine."""
    luck, view = random.Random(1), tomahawk.view(table.state, seat)

    def chance(kind: str, population: Sequence[Any], count: int) -> tuple[Any, ...]:
        assert kind == "imagine"
        return tuple(luck.sample(population, count))

    return [tomahawk.imagine(view, table.feeds[seat], chance) for _ in range(count)]


def assert_even(found: Counter[Any], cases: int) -> None:
    """All cases come up, each about as often as the others (five standard deviations)."""
    mean = found.total() / cases
    assert len(found) == cases
    assert all(abs(times - mean) < 5 * mean**0.5 for times in found.values()), found


def test_a_seen_forest_card_stays_where_it_is() -> None:
    """TO-7.5: what a mountain showed is where it was; what was not seen may be anywhere."""
    table = game_a(1)
    assert {world.piles[2].slots[0].cards[0] for world in worlds(table, 2, 50)} == {"a20"}
    assert len({world.piles[2].slots[0].cards[1] for world in worlds(table, 1, 200)}) > 10


def test_a_forced_card_is_known_to_its_owner_and_the_taker_who_sees() -> None:
    """TO-7.6: only its owner knows a forced card; under `taker_sees` its taker does too."""
    for option, known in (("blind", {2}), ("taker_sees", {1, 2})):
        table = Table(script_a(), dusk_dance_card=option).choose(1, "x1/a16 x3/a09").choose(2, "x5/b06 x6/b01")
        table.place("1: 17 21 20 11").place("2: x5 11 07 13").place("2: 17 22 21 14").place("1: x3 03 02 04")
        for seat in (1, 2):
            forced = {world.piles[0].laid[1] for world in worlds(table, seat, 60)}
            assert (forced == {"b15"}) == (seat in known)


def test_a_revealed_special_was_kept_and_a_revealed_warrior_was_not_replaced() -> None:
    """TO-2.4: what was seen in the army belongs to it."""
    table = game_a(2)
    seen = {slot.cards[1] for pile in table.state.piles for slot in pile.slots if slot.values}
    seen |= set(table.state.sides[1].cemetery)
    for world in worlds(table, 1, 100):
        kept = world.sides[1].kept
        assert "x5" in [row.card for row in kept]
        assert not seen & {row.replaces for row in kept}


@pytest.mark.slow
@pytest.mark.parametrize("turn", long_but_for({4}.__contains__, [0, 2, 4]))
def test_choices_are_evenly_likely(turn: int) -> None:
    """TO-2.4: each unseen special may have been kept, once for each copy of its value that is still unseen."""
    table = game_a(turn)
    seen = seen_by_first(table)
    copies = Counter(face.value for face in BALANCED_1.warriors)
    copies -= Counter(card.value for card in seen.values() if card.name == "warrior")
    own = {card.name for card in tomahawk.view(table.state, 1).seats[0].dealt or ()}
    kept = {card.name for card in seen.values() if card.name != "warrior"}
    values = {special.name: special.value for special in BALANCED_1.specials}
    pairs = [pair for pair in combinations(sorted(set(values) - own), 2) if kept <= set(pair)]
    weights = {pair: copies[values[pair[0]]] * copies[values[pair[1]]] for pair in pairs}
    found = Counter(
        tuple(sorted(getattr(world.cards, row.card).name for row in world.sides[1].kept))
        for world in worlds(table, 1, 1500)
    )
    assert set(found) <= set(weights)
    for pair, weight in weights.items():
        share = 1500 * weight / sum(weights.values())
        assert abs(found[pair] - share) <= 5 * share**0.5


def seen_by_first(table: Table) -> dict[str, Card]:
    """What seat 1 has seen of seat 2's army."""
    shown: dict[str, Card] = {}
    for event in table.feeds[1]:
        if isinstance(event, CardsRevealed):
            shown |= {slot.cards[1].card: Card(*msgspec.structs.astuple(slot.cards[1])[1:]) for slot in event.slots}
        elif isinstance(event, ForestCardsSeen) and event.seat == 1:
            shown |= {row.card: Card(row.card, row.name, row.value, row.hair) for row in event.cards or ()}
    return shown


@pytest.mark.slow
def test_ids_tell_nothing() -> None:
    """TO-1.7: the top card of the opponent's draw pile may have any id of his tribe, each as often as the others."""
    tops = Counter(world.sides[1].draw_pile[0] for world in worlds(game_a(0), 1, 2400))
    assert_even(Counter({card: n for card, n in tops.items() if card in TRIBE_CARDS[2]}), 24)
    assert_even(Counter({card: n for card, n in tops.items() if card in DEALT[2]}), 3)


@pytest.mark.slow
def test_hidden_places_are_filled_alike() -> None:
    """An unseen card is as likely in any face-down slot as in the hand, card for card."""
    table = game_a(4)
    hidden = [n for n, pile in enumerate(table.state.piles) if pile.slots and pile.slots[-1].values is None]
    hand, slots = Counter[str](), Counter[str]()
    for world in worlds(table, 2, 3000):
        hand.update(world.sides[0].hand)
        slots.update(world.piles[n].slots[0].cards[0] for n in hidden)
    size = len(table.state.sides[0].hand)
    assert len(hidden) == 2
    for card in TRIBE_CARDS[1]:
        share = hand[card] * len(hidden) / size
        assert abs(slots[card] - share) <= 6 * (share + 1) ** 0.5, card
