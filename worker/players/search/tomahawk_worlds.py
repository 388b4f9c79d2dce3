"""The worlds that a seat of Tomahawk imagines, and the opponent's likely placements in each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from heapq import nlargest
from random import Random
from typing import NamedTuple

from games.tomahawk.battles import SINGLED_OUT, WEIGHTS
from games.tomahawk.components import TURNS
from games.tomahawk.house_rules import Options
from games.tomahawk.slots import can_dance, scalps, values_of
from worker.players.float_sums import added
from worker.players.greedy import tomahawk as greedy
from worker.players.greedy.tomahawk import DANCE
from worker.players.search.tomahawk_model import Fighter, Hand, Skirmish, Slot, facing, outcome, turned_up

# The cost of playing a card now, relative to a warrior of 1: 0.7 times the effect on the lead of a card not yet played,
# in a regression over the turns of 25,885 skirmishes between noisy heuristics. With 0.4 or 1.0 instead, one lost
# to the greedy player's prices; with 0.6 to 0.8 it won. Hair is a cost for cards that may well lose it. A special has
# the price of the warrior with the same effect in a regression over 835 games of this player.
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
FORESEEN = 0.8  # the probability that the opponent lays what it should think best, rather than any card
DOUBT = 2.0  # points by which the opponent may value a card differently
GUESSES = 3  # placements of the opponent in each world

Weights = list[list[float]]  # by open pile and place in the hand


class Outlook:
    """The imagined worlds, and the opponent's likely placements in each."""

    def __init__(self, worlds: Sequence[Skirmish], side: int, luck: Random) -> None:
        self.worlds, self.side, self.luck = worlds, side, luck
        self.is_last = worlds[0].turn == TURNS
        self.prospects = [Prospect(worlds, pile, side, luck) for pile in (0, 1, 2, 3)]
        self.feared = cache(self._feared)
        self.replies = [self._foreseen(world) for world in worlds]

    def price(self, card: Fighter) -> float:
        """Returns the cost of not keeping a card for later."""
        if self.is_last:
            return 0.0
        name, value, hair = card
        return PRICES.get(name, PRICE_OF_VALUE[value] + PRICE_OF_HAIR * hair * (value < SAFE))

    def _foreseen(self, world: Skirmish) -> list[Hand]:
        """Returns what the opponent may think best: it expects any card of the seat anywhere."""
        other = 1 - self.side
        held = world.hands[other]
        weights = [[self.feared(pile, card) for card in held] for pile in world.open_piles(other)]
        random = self.luck.random
        return [best_places([[w + DOUBT * random() for w in row] for row in weights]) for _ in range(GUESSES)]

    def _feared(self, pile: int, card: Fighter) -> float:
        """Returns the value of a card of the opponent to it; the seat's own cards are the same in every world."""
        world = self.worlds[0]
        left = world.hands[self.side] + world.draws[self.side]
        expected = self.prospects[pile].expected
        price = 0.0 if self.is_last else greedy.PRICES.get(card[0], greedy.PRICE_OF_VALUE * card[1])
        return -added([expected(own, card) for own in left]) / len(left) - price

    def likely(self) -> list[dict[Fighter, float]]:
        """Returns how often the opponent lays each card at each pile."""
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
        """Returns the value of each card of the hand at each open pile."""
        likely, count = self.likely(), len(self.worlds)
        hand = self.worlds[0].hands[self.side]
        rows = []
        for pile in self.worlds[0].open_piles(self.side):
            expected, faced = self.prospects[pile].expected, list(likely[pile].items())
            found = {
                card: added([expected(card, other) * n for other, n in faced]) / count for card in dict.fromkeys(hand)
            }
            rows.append([found[card] - self.price(card) for card in hand])
        return rows


def best_places(weights: Weights) -> Hand:
    """Returns the placement with the highest sum; each pile needs to consider only its best few cards."""
    count = len(weights)
    tops = [nlargest(count, range(len(row)), key=row.__getitem__) for row in weights]
    hopes = [added([weights[pile][tops[pile][0]] for pile in range(first, count)]) for first in range(count + 1)]
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


JUDGED = frozenset({"great_spirit", "shifting_spirit", "sequoia_heart"})  # their effects are not sums of values
NO_PIVOT = {"none": 99, "puma": -1, "gathering": 99}  # where there is no warrior yet: any warrior goes before it
SOON = 4  # cards of a draw pile that come into the hand in time for a battle


class Tally(NamedTuple):
    """The rest of a battle without `JUDGED` warriors: side 0's lead, and the value that the picto would single out."""

    lead: int
    pivot: int
    at_pivot: int  # side 0's lead in warriors of that value


class Prospect:
    """One pile in all worlds: the average value of a pair of cards to the side, in points."""

    def __init__(self, worlds: Sequence[Skirmish], pile: int, side: int, luck: Random) -> None:
        first = worlds[0]
        self.side, self.face, self.options = side, first.faces[pile], first.options
        fought = len(first.slots[pile])
        to_come = self.face.turns - fought - 1
        differs = to_come or (fought and self.face.terrain == "forest")  # from world to world
        self.dances = can_dance(self.face, fought + 1)
        self.rests = [rest_of(world, pile, to_come, luck) for world in (worlds if differs else worlds[:1])]
        self.judged = [rest for rest in self.rests if is_judged(self.options, rest)]
        self.plain = [tally(self.face.picto, rest) for rest in self.rests if not is_judged(self.options, rest)]
        self.found: dict[tuple[object, object], float] = {}

    def expected(self, own: Fighter, other: Fighter) -> float:
        """Scalps, and the animals of the territory by the chance of winning them."""
        one, two, first, second = facing(self.side, own, other)
        points = scalps(one, two, first, second) + self._animals(one, two, first, second)
        if self.dances:
            points += DANCE * ((one[0] == "dusk_dance") - (two[0] == "dusk_dance"))
        return points if self.side == 0 else -points

    def _animals(self, one: Fighter, two: Fighter, first: int, second: int) -> float:
        if one[0] in JUDGED or two[0] in JUDGED:
            return self._kept((one, two), (), self.rests, (one, two, first, second))
        return self._kept((first, second), self.plain, self.judged, (one, two, first, second))

    def _kept(
        self, key: tuple[object, object], plain: Sequence[Tally], judged: Sequence[Sequence[Slot]], slot: Slot
    ) -> float:
        """Returns the mean over all worlds, computed once."""
        if key not in self.found:
            total = self.face.animals * sum_of_signs(plain, self.face.picto, slot[2], slot[3])
            for rest in judged:
                winner, animals = outcome(self.options, self.face, (*rest, slot))
                total += animals if winner == 0 else -animals if winner == 1 else 0
            self.found[key] = total / len(self.rests)
        return self.found[key]


def rest_of(world: Skirmish, pile: int, to_come: int, luck: Random) -> list[Slot]:
    """The slots of a battle besides that of this turn: those fought, and those to come with any cards still held."""
    slots = turned_up(world.slots[pile])
    if to_come:
        held = [world.hands[side] + world.draws[side][:SOON] for side in (0, 1)]
        for _ in range(to_come):
            one, two = [cards.pop(int(luck.random() * len(cards))) for cards in held]
            slots.append((one, two, *values_of(one, two)))
    return slots


def is_judged(options: Options, slots: Iterable[Slot]) -> bool:
    """Returns whether the slots contain a special whose effect is not a sum of values."""
    return options.picto_scope != "whole_territory" or any(
        one[0] in JUDGED or two[0] in JUDGED for one, two, _, _ in slots
    )


def tally(picto: str, slots: Iterable[Slot]) -> Tally:
    """The sums that decide a battle together with one more slot."""
    mine, theirs = [slot[2] for slot in slots], [slot[3] for slot in slots]
    both = mine + theirs
    pivot = SINGLED_OUT[picto](both) if both else NO_PIVOT[picto]
    return Tally(sum(mine) - sum(theirs), pivot, pivot * (mine.count(pivot) - theirs.count(pivot)))


def sum_of_signs(tallies: Iterable[Tally], picto: str, first: int, second: int) -> int:
    """Returns the number of worlds in which side 0 wins with these values, less those in which it loses."""
    weight, choose = WEIGHTS[picto], SINGLED_OUT[picto]
    extreme = choose((first, second))
    won = 0
    for lead, rest, at_rest in tallies:
        pivot = choose((rest, extreme))
        result = lead + (weight * first if first == pivot else first) - (weight * second if second == pivot else second)
        if rest == pivot:
            result += (weight - 1) * at_rest
        won += (result > 0) - (result < 0)
    return won
