"""The worlds that a seat of Tomahawk imagines, and what the opponent will likely lay in each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from heapq import nlargest
from random import Random

from games.tomahawk.components import TURNS
from worker.players.greedy import tomahawk as greedy
from worker.players.search.prospects import Prospect
from worker.players.search.skirmish import Fighter, Skirmish
from worker.players.search.tomahawk_model import Hand

# What is given up by playing a card now, next to a warrior of 1. From a regression over the turns of 25,885 skirmishes
# between rules of thumb with noise, what each card not played yet came to in the lead, times 0.7: with 0.4 of such
# prices, and with the whole, a rule of thumb lost to one with greedy's prices, with 0.6 to 0.8 it won. Hair is a burden
# on those that may well lose it. A special has the price of the warrior that was worth as much in a regression over 835
# games of this player.
PRICE_OF_VALUE = (0.0, 0.0, 0.35, 0.65, 0.75, 0.8, 1.5, 2.25, 2.8, 3.75, 4.5)  # by value
PRICE_OF_HAIR = -0.22
SAFE = 8  # the value from which a warrior seldom loses its hair
PRICES = {
    "great_spirit": 0.75,
    "shifting_spirit": 0.1,
    "sequoia_heart": 0.7,
    "dusk_dance": 0.75,
    "windswept_skull": 2.0,
    "sky_power": 2.6,
    "teasing_cloud": 1.0,
}
FORESEEN = 0.8  # how far the opponent is trusted to lay what it should think best; else it lays any card of its hand
DOUBT = 2.0  # points by which the opponent may see a card otherwise
GUESSES = 3  # placements of the opponent in each world

Weights = list[list[float]]  # by open pile and place in the hand


class Outlook:
    """The worlds that may be, and what the opponent will likely lay in each."""

    def __init__(self, worlds: Sequence[Skirmish], side: int, luck: Random) -> None:
        self.worlds, self.side, self.luck = worlds, side, luck
        self.is_last = worlds[0].turn == TURNS
        self.prospects = [Prospect(worlds, pile, side, luck) for pile in (0, 1, 2, 3)]
        self.feared = cache(self._feared)
        self.replies = [self._foreseen(world) for world in worlds]

    def price(self, card: Fighter) -> float:
        """What is given up by not keeping a card for later."""
        if self.is_last:
            return 0.0
        name, value, hair = card
        return PRICES.get(name, PRICE_OF_VALUE[value] + PRICE_OF_HAIR * hair * (value < SAFE))

    def _foreseen(self, world: Skirmish) -> list[Hand]:
        """What the opponent may think best: to it, any card that the seat has left may lie anywhere."""
        other = 1 - self.side
        held = world.hands[other]
        weights = [[self.feared(pile, card) for card in held] for pile in world.open_piles(other)]
        random = self.luck.random
        return [best_places([[w + DOUBT * random() for w in row] for row in weights]) for _ in range(GUESSES)]

    def _feared(self, pile: int, card: Fighter) -> float:
        """What a card of the opponent brings it; the seat's own cards, known to it, are the same in every world."""
        world = self.worlds[0]
        left = world.hands[self.side] + world.draws[self.side]
        worth = self.prospects[pile].worth
        price = 0.0 if self.is_last else greedy.PRICES.get(card[0], greedy.PRICE_OF_VALUE * card[1])
        return -sum([worth(own, card) for own in left]) / len(left) - price

    def likely(self) -> list[dict[Fighter, float]]:
        """How often the opponent lays each card at each pile."""
        other = 1 - self.side
        shares: list[dict[Fighter, float]] = [defaultdict(float) for _ in range(4)]
        for world, replies in zip(self.worlds, self.replies, strict=True):
            forced, held = world.forced, world.hands[other]
            if forced is not None and forced[0] == other:
                shares[forced[1]][forced[2]] += 1.0
            for place, pile in enumerate(world.open_piles(other)):
                for card in held:
                    shares[pile][card] += (1 - FORESEEN) / len(held)
                for reply in replies:
                    shares[pile][held[reply[place]]] += FORESEEN / len(replies)
        return shares

    def weights(self) -> Weights:
        """What each card of the hand brings at each open pile."""
        likely, count = self.likely(), len(self.worlds)
        hand = self.worlds[0].hands[self.side]
        rows = []
        for pile in self.worlds[0].open_piles(self.side):
            worth, faced = self.prospects[pile].worth, list(likely[pile].items())
            found = {card: sum([worth(card, other) * n for other, n in faced]) / count for card in dict.fromkeys(hand)}
            rows.append([found[card] - self.price(card) for card in hand])
        return rows


def best_places(weights: Weights) -> Hand:
    """The placement with the highest sum: no pile needs more than its best few cards, one for each pile."""
    count = len(weights)
    tops = [nlargest(count, range(len(row)), key=row.__getitem__) for row in weights]
    hopes = [sum([weights[pile][tops[pile][0]] for pile in range(first, count)]) for first in range(count + 1)]
    best = -math.inf
    found: Hand = ()
    paths: list[tuple[float, Hand]] = [(0.0, ())]
    while paths:
        total, places = paths.pop()
        pile = len(places)
        if pile == count:
            best, found = (total, places) if total > best else (best, found)
            continue
        for place in reversed(tops[pile]):
            reached = total + weights[pile][place]
            if place not in places and reached + hopes[pile + 1] > best:
                paths.append((reached, (*places, place)))
    return found
