"""Imagined worlds are as likely as they are: held against a weighing of worlds dealt and played out at random."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import UNSET

from games import GAMES
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.components import DECK
from games.plenty_coups.events import (
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    DisdainEndured,
    DisplayRefilled,
    GiftOffered,
    GiftsExchanged,
)
from games.plenty_coups.imagine.transfers import HUMBLE, Reading
from tests.games.plenty_coups.moments import agrees, look_at
from tests.games.plenty_coups.test_sight import Feeds
from tests.long import long_but_for
from wintercount.testing.played import Played
from wintercount.testing.random_games import chance_of

WEIGHED = 30  # for each world that is imagined
LOST = [(4003, 469, 3), (5007, 489, 6), (5509, 309, 1)]  # seed, version and seat of late moments of random games


class Weighing:
    """One world dealt at random and led through a feed, and how likely it is that the feed tells of it.

    What leaves a hand may be any card of it, a gift as well as a card shown.
    """

    def __init__(self, feed: Sequence[Any], luck: random.Random) -> None:
        self.pile, self.luck = luck.sample(DECK, len(DECK)), luck
        self.hands: dict[str, list[str]] = defaultdict(list)
        self.gift = ""
        self.weight = 1.0
        for event in feed:
            if self.weight and type(event) in READ:
                READ[type(event)](self, event)

    def leaves(self, cards: list[str], card: Any) -> str:
        """A card leaves: the one that is seen, else any."""
        if card is UNSET:
            return cards.pop(self.luck.randrange(len(cards)))
        self.weight *= cards.count(card) / len(cards)
        if self.weight:
            cards.remove(card)
        return str(card)

    def drawn(self, event: Any) -> None:
        cards = (UNSET,) * event.count if event.cards is UNSET else event.cards
        self.hands[event.tribe] += [self.leaves(self.pile, card) for card in cards]

    def refilled(self, event: Any) -> None:
        for card in event.cards:
            self.leaves(self.pile, card)

    def taken(self, event: Any) -> None:
        self.hands[event.tribe] += event.cards

    def discarded(self, event: Any) -> None:
        for card in event.cards:
            self.leaves(self.hands[event.tribe], card)

    def offered(self, event: Any) -> None:
        self.leaves(self.hands[event.tribe], event.discarded)
        self.gift = self.leaves(self.hands[event.tribe], event.give)

    def exchanged(self, event: Any) -> None:
        self.hands[event.to].append(self.leaves(self.hands[event.tribe], event.given))
        self.weight *= event.received in (UNSET, self.gift)
        self.hands[event.tribe].append(self.gift)


READ: dict[type, Callable[[Weighing, Any], None]] = {
    CardsDrawn: Weighing.drawn,
    DisplayRefilled: Weighing.refilled,
    CardsTaken: Weighing.taken,
    CardsDiscarded: Weighing.discarded,
    GiftOffered: Weighing.offered,
    GiftsExchanged: Weighing.exchanged,
}


def weighed(feed: Sequence[Any], dealt: int) -> tuple[dict[tuple[str, str], float], float]:
    """How likely each tribe holds each card, and how many equally likely worlds this is as good as."""
    luck = random.Random(1)
    worlds = [world for world in (Weighing(feed, luck) for _ in range(dealt)) if world.weight]
    total = sum(world.weight for world in worlds)
    shares: dict[tuple[str, str], float] = defaultdict(float)
    for world in worlds:
        for tribe, cards in world.hands.items():
            for card in set(cards):
                shares[tribe, card] += world.weight / total
    return shares, total**2 / sum(world.weight**2 for world in worlds)


def after_gifts(**options: Any) -> Feeds:
    """Black takes a weapon-2 that all see, three gifts go round unseen, and yellow discards a weapon-2."""
    game = Feeds(4, "black yellow green red", seed=64, **options)
    game.play(type="take_cards", cards=["weapon-2", "warrior-green-2"])
    game.play(type="exchange_gifts", to="yellow", give="warrior-yellow-4", discard="warrior-green-2")
    game.play(type="answer_gift", give="weapon-4")
    game.play(type="exchange_gifts", to="green", give="weapon-3", discard="horse")
    game.play(type="answer_gift", give="horse")
    game.play(type="take_cards", cards=list(game.state.display[:2]))
    game.play(type="exchange_gifts", to="black", give="horse", discard="weapon-2")
    game.play(type="answer_gift", give="weapon-4")
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seat", long_but_for({4}.__contains__, [0, 4]))
@pytest.mark.parametrize("count", [300, pytest.param(1000, marks=pytest.mark.long)])
def test_each_card_is_where_it_may_be_as_often_as_it_may(seat: int, count: int) -> None:
    """PC-7.3: who holds what is imagined as often as an exact weighing has it, within five standard deviations."""
    game = after_gifts()
    shares, as_good_as = weighed(game.feeds[seat], WEIGHED * count)
    worlds = [game.imagined(seat) for _ in range(count)]
    found = Counter((camp.tribe, card) for world in worlds for camp in world.camps for card in set(camp.hand))
    assert as_good_as > count
    for place in {*shares, *found}:
        share = shares.get(place, 0)
        spread = ((share * (1 - share) + 0.001) * (1 / count + 1 / as_good_as)) ** 0.5
        assert abs(found[place] / count - share) < 5 * spread, (place, found[place] / count, share)


@pytest.mark.parametrize("camp", range(4))
def test_whoever_endures_disdain_holds_nothing_that_proves_worth(camp: int) -> None:
    """PC-4.96: so it is of each card in that hand, whichever tribe it is, where worth must be proved."""
    game = after_gifts(prove_worth="forced")
    view = plenty_coups.view(game.state, None)
    endured = DisdainEndured(4, view.camps[camp].tribe, 1, ("PC-4.96",))
    found = [one for one in Reading(view, [*game.feeds[0], endured]).transfers if one.wanted == HUMBLE]
    assert [(one.source, one.target) for one in found] == [(camp, camp)] * len(game.state.camps[camp].hand)


def test_a_world_that_no_single_exchange_leads_to_comes_up() -> None:
    """PC-7.3: after many gifts seen from outside, two weapons may have gone each other's ways only by a detour."""
    options = {"display_refresh": "sweep", "empty_herd_coup": False, "prestige_limit": "none"}
    options |= {"voluntary_pass": "always", "winter_hunt": "forbidden", "donation_peace": "not_each_other"}
    options |= {"allied_ranking": "individual"}
    played = Played(GAMES["plenty-coups"], 3, options, seed=2008)
    real = played.states[179]
    view, feed, chance = plenty_coups.view(real, 1), played.feed(179, 1), chance_of(1)
    assert real in (plenty_coups.imagine(view, feed, chance) for _ in range(100))


@pytest.mark.slow
@pytest.mark.parametrize("moment", long_but_for({(4003, 469, 3), (5509, 309, 1)}.__contains__, LOST))
def test_a_walk_that_leads_nowhere_is_begun_anew(moment: tuple[int, int, int]) -> None:
    """Moments for which six walks, each twice as long as the one before, found no world."""
    assert agrees(look_at(*moment))
