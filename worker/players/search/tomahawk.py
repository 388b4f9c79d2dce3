"""Tomahawk searched: what each card brings at each pile in imagined worlds, against what the opponent will likely lay.

Both sides place at the same time. So the opponent is first given the placements that it would think best in each world,
if it prices its cards as the greedy player does; then one of the placements that are about as good as the best against
these is taken by luck. From the fourth turn on the seat knows every card that it will lay: the last three turns are
planned together, then the last two, and the last is solved as a matrix. The specials are chosen by the greedy player's
table; a look is always taken.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from heapq import nlargest
from itertools import permutations
from random import Random
from typing import Any

from msgspec.structs import replace

from games.tomahawk.components import TURNS
from games.tomahawk.imagine import imagine
from games.tomahawk.moves import Placement as Placed
from games.tomahawk.moves import PlayCards
from games.tomahawk.sight import View
from games.tomahawk.state import State
from worker.players.chosen import Candidate, Chosen
from worker.players.greedy import tomahawk as greedy
from worker.players.luck import chance_of
from worker.players.search.campaigns import Campaigns, battles_of
from worker.players.search.plans import Plans, futures_of
from worker.players.search.prospects import Prospect
from worker.players.search.skirmish import Fighter, Skirmish, skirmish_of

ITERATIONS = {"skilled": 4, "expert": 60}  # with a fifth, skilled plays as well as expert
SEAT_S = 2  # processor seconds of one expert seat in a whole game

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
CANDIDATES = 12  # placements that are named
NEAR = 0.2  # points within which placements count as equal
BAND = 0.6  # points within which plans for the last turns are followed up
LAST_WORLDS = 16
LAST_ROUNDS = 10  # of regret matching, for each iteration
LAST_SCALE = 1.5  # points ahead that make a reward of 0.73

Hand = tuple[int, ...]  # places of cards in the hand, one for each open pile
Weights = list[list[float]]  # by open pile and place in the hand


def choose(view: View, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is; an iteration is one imagined world."""
    if view.phase != "play_cards":
        weighed = greedy.weigh(view, feed, luck)
        return Chosen(weighed[0].move, 0, tuple(weighed))
    side = (view.seat or 1) - 1
    count = max(1, min(budget, LAST_WORLDS) if view.turn == TURNS else budget)
    worlds = [skirmish_of(unlaid(imagine(view, feed, chance_of(luck)), 1 - side)) for _ in range(count)]
    outlook = Outlook(worlds, side, luck)
    if view.turn == TURNS:
        return last_turn(outlook, Placing(view), luck, LAST_ROUNDS * budget)
    return placement(outlook, Placing(view), luck)


def unlaid(state: State, side: int) -> State:
    """The state before the side has placed its cards of this turn: what it has laid may be any that it holds."""
    forced = state.forced.card if state.forced is not None else None
    laid = [pile.laid[side] for pile in state.piles]
    back = tuple([card for card in laid if card is not None and card != forced])
    if not back:
        return state
    piles = []
    for pile in state.piles:
        cards = list(pile.laid)
        cards[side] = cards[side] if cards[side] == forced else None
        piles.append(replace(pile, laid=(cards[0], cards[1])))
    own = replace(state.sides[side], hand=state.sides[side].hand + back)
    sides = (own, state.sides[1]) if side == 0 else (state.sides[0], own)
    return replace(state, sides=sides, piles=tuple(piles))


class Placing:
    """The hand of a seat and the piles where it places: from places in the hand to a move and to fighters."""

    def __init__(self, view: View) -> None:
        hand = view.seats[(view.seat or 1) - 1].hand
        self.cards = hand if isinstance(hand, tuple) else ()
        self.fighters: list[Fighter] = [(card.name, card.value, card.hair) for card in self.cards]
        forced = view.forced.pile if view.forced is not None and view.forced.seat == view.seat else 0
        self.piles = [pile.pile for pile in view.piles if pile.pile != forced]

    def move(self, places: Hand) -> PlayCards:
        """The move that places these cards."""
        cards = [self.cards[place].card for place in places]
        return PlayCards(tuple([Placed(pile, card) for pile, card in zip(self.piles, cards, strict=True)]))

    def lie(self, places: Hand) -> list[Fighter]:
        """The fighters that a search lays."""
        return [self.fighters[place] for place in places]


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


# Before the last turn


def placement(outlook: Outlook, placing: Placing, luck: Random) -> Chosen:
    """One of the placements that are about as good as the best."""
    visits = len(outlook.worlds)
    best = PLANS.get(outlook.worlds[0].turn, weighed)(outlook, luck)
    near = [row for row in best if row[0] >= best[0][0] - NEAR]
    chosen = near[int(luck.random() * len(near))]
    rows = tuple([Candidate(placing.move(places), visits, value) for value, places in best[:CANDIDATES]])
    return Chosen(placing.move(chosen[1]), visits, rows)


def weighed(outlook: Outlook, _luck: Random) -> list[tuple[float, Hand]]:
    """The placements that bring most, by the sums of what each card brings less its price."""
    weights = outlook.weights()
    hands = permutations(range(len(weights[0])), len(weights))
    return nlargest(
        CANDIDATES,
        [(sum([row[place] for row, place in zip(weights, places, strict=True)]), places) for places in hands],
    )


def planned(outlook: Outlook, luck: Random) -> list[tuple[float, Hand]]:
    """The placements that begin the best plans for the last two turns."""
    futures = [
        futures_of(world, outlook.side, reply_in(world, outlook.side, replies, luck), luck)
        for world, replies in zip(outlook.worlds, outlook.replies, strict=True)
    ]
    return Plans(outlook.worlds[0], outlook.side, futures).placements(BAND)


def spread(outlook: Outlook, luck: Random) -> list[tuple[float, Hand]]:
    """The placements that begin the best campaigns for the last three turns."""
    battles = [
        battles_of(world, outlook.side, reply_in(world, outlook.side, replies, luck), luck)
        for world, replies in zip(outlook.worlds, outlook.replies, strict=True)
    ]
    return Campaigns(outlook.worlds[0], outlook.side, battles).placements(BAND)


def reply_in(world: Skirmish, side: int, foreseen: Sequence[Hand], luck: Random) -> Hand:
    """What the opponent may lay now: mostly what is foreseen, else anything."""
    if luck.random() < FORESEEN:
        return foreseen[int(luck.random() * len(foreseen))]
    places = list(range(len(world.hands[1 - side])))
    return tuple([places.pop(int(luck.random() * len(places))) for _ in world.open_piles(1 - side)])


PLANS: dict[int, Callable[[Outlook, Random], list[tuple[float, Hand]]]] = {TURNS - 2: spread, TURNS - 1: planned}


# The last turn


class Trial:
    """A placement that is tried."""

    __slots__ = ("places", "total", "visits")

    def __init__(self, places: Hand) -> None:
        self.places, self.visits, self.total = places, 0, 0.0

    def value(self) -> float:
        """The mean reward."""
        return self.total / max(1, self.visits)


def last_turn(outlook: Outlook, placing: Placing, luck: Random, rounds: int) -> Chosen:
    """Regret matching between the placements left to both sides; one is drawn from the average of what was played.

    The opponent lays what it is foreseen to lay as often as it is trusted to, and else what serves it best.
    """
    own = [Trial(places) for places in permutations(range(len(placing.fighters)), len(placing.piles))]
    if len(own) == 1:
        return Chosen(placing.move(own[0].places), 0)
    regrets = [0.0] * len(own)
    lies = [placing.lie(trial.places) for trial in own]
    duels = [Duel(w, outlook.side, lies, foreseen) for w, foreseen in zip(outlook.worlds, outlook.replies, strict=True)]
    for number in range(rounds):
        duel = duels[number % len(duels)]
        is_foreseen = luck.random() < FORESEEN
        theirs = duel.foreseen(luck) if is_foreseen else drawn(duel.regrets, luck)
        mine = drawn(regrets, luck)
        column = [duel.reward(row, theirs, luck) for row in range(len(own))]
        own[mine].visits += 1
        own[mine].total += column[mine]
        for row, reward in enumerate(column):
            regrets[row] += reward - column[mine]
        if not is_foreseen:
            duel.learn(mine, theirs, luck)
    chosen = own[drawn([float(trial.visits) for trial in own], luck)]
    ranked = sorted(own, key=lambda trial: (-trial.visits, trial.places))
    tried = tuple([Candidate(placing.move(t.places), t.visits, t.value()) for t in ranked if t.visits])
    return Chosen(placing.move(chosen.places), rounds, tried)


class Duel:
    """The last turn in one world: what each placement brings against each reply, worked out when it is asked for."""

    def __init__(self, world: Skirmish, side: int, own: list[list[Fighter]], foreseen: Sequence[Hand]) -> None:
        self.world, self.side, self.own = world, side, own
        held = world.hands[1 - side]
        places = list(permutations(range(len(held)), len(world.open_piles(1 - side))))
        self.replies = [[held[place] for place in reply] for reply in places]
        self.likely = [places.index(reply) for reply in foreseen]
        self.regrets = [0.0] * len(self.replies)
        self.rewards: dict[tuple[int, int], float] = {}

    def foreseen(self, luck: Random) -> int:
        """A reply that the opponent may think best."""
        return self.likely[int(luck.random() * len(self.likely))]

    def learn(self, mine: int, theirs: int, luck: Random) -> None:
        """What the opponent would rather have laid against this placement."""
        line = [self.reward(mine, reply, luck) for reply in range(len(self.replies))]
        for reply, reward in enumerate(line):
            self.regrets[reply] += line[theirs] - reward

    def reward(self, row: int, reply: int, luck: Random) -> float:
        """The reward of a placement against a reply."""
        found = self.rewards.get((row, reply))
        if found is None:
            skirmish = self.world.clone()
            own, theirs = self.own[row], self.replies[reply]
            skirmish.play(*((own, theirs) if self.side == 0 else (theirs, own)), luck)
            lead = skirmish.margin() if self.side == 0 else -skirmish.margin()
            found = self.rewards[row, reply] = 1 / (1 + math.exp(-lead / LAST_SCALE))
        return found


def drawn(weights: Sequence[float], luck: Random) -> int:
    """A place, as likely as its weight says; any if none is positive."""
    total = sum([weight for weight in weights if weight > 0])
    if total <= 0:
        return int(luck.random() * len(weights))
    at = luck.random() * total
    for place, weight in enumerate(weights):
        if weight > 0:
            at -= weight
            if at < 0:
                return place
    return max(range(len(weights)), key=lambda place: weights[place])
