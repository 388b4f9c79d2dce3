"""The searching player of Tomahawk: values each card at each pile in imagined worlds, against likely replies.

Both sides place at the same time. So the opponent first gets the placements that it would think best in each world,
with the greedy player's prices; then one of the placements that are about the best against these is chosen at random.
From the fourth turn on, the seat knows every card that it will lay: the last three turns are planned together
(`Campaigns`), then the last two (`Plans`), and the last is solved as a matrix game (`last_turn`). The specials are
chosen by the greedy player's table; a look is always taken.

The search is small because battles are independent: the value of a card at a pile does not depend on the other piles,
except that a card can be at only one of them. So a placement is an assignment of cards to piles with the highest sum.
Averaging over worlds as if each were known would let later choices depend on hidden cards (strategy fusion; Frank and
Basin 1998). A plan avoids that: it has the same order of cards in all worlds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from heapq import nlargest
from itertools import combinations, permutations
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from games.tomahawk.battles import WEIGHTS
from games.tomahawk.components import TURNS, TerritoryFace
from games.tomahawk.house_rules import Options
from games.tomahawk.imagine import imagine
from games.tomahawk.sight import View
from games.tomahawk.slots import can_dance, scalps
from worker.players import Candidate, Chosen, chance_of
from worker.players.float_sums import added
from worker.players.greedy import tomahawk as greedy
from worker.players.greedy.tomahawk import DANCE
from worker.players.search.tomahawk_model import (
    Fighter,
    Hand,
    Placing,
    Skirmish,
    Slot,
    facing,
    outcome,
    skirmish_of,
    turned_up,
)
from worker.players.search.tomahawk_worlds import FORESEEN, JUDGED, Outlook, tally

ITERATIONS = {"skilled": 4, "expert": 60}

CANDIDATES = 12  # placements that are returned
NEAR = 0.2  # points within which placements count as equal
BAND = 0.6  # points within which plans for the last turns are followed up
LAST_WORLDS = 16
LAST_ROUNDS = 10  # of regret matching, for each iteration
LAST_SCALE = 1.5  # points ahead that make a reward of 0.73
LENGTH = 3  # turns that are planned together at most
FORCED = -1  # the place of a card that lies at a pile already (TO-5.4)

Pairs = dict[tuple[Fighter, Fighter], float]  # what a card now and a card in the last turn bring at a pile, in points
Fighters = tuple[Fighter, ...]  # of one side at a pile, turn by turn


def choose(view: View, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """Chooses a move for the seat of the view; an iteration is one imagined world."""
    if view.phase != "play_cards":
        weighed = greedy.weigh(view, feed, luck)
        return Chosen(weighed[0].move, 0, tuple(weighed))
    side = (view.seat or 1) - 1
    count = max(1, min(budget, LAST_WORLDS) if view.turn == TURNS else budget)
    worlds = [skirmish_of(imagine(view, feed, chance_of(luck))) for _ in range(count)]
    outlook = Outlook(worlds, side, luck)
    if view.turn == TURNS:
        return last_turn(outlook, Placing(view), luck, LAST_ROUNDS * budget)
    return placement(outlook, Placing(view), luck)


# Before the last turn


def placement(outlook: Outlook, placing: Placing, luck: Random) -> Chosen:
    """Chooses one of the placements that are about as good as the best."""
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
        [(added([row[place] for row, place in zip(weights, places, strict=True)]), places) for places in hands],
    )


def planned(outlook: Outlook, luck: Random) -> list[tuple[float, Hand]]:
    """The placements that begin the best plans for the last two turns."""
    futures = [futures_of(world, outlook.side, reply, luck) for world, reply in replies_in(outlook, luck)]
    return Plans(outlook.worlds[0], outlook.side, futures).placements(BAND)


def spread(outlook: Outlook, luck: Random) -> list[tuple[float, Hand]]:
    """The placements that begin the best campaigns for the last three turns."""
    battles = [battles_of(world, outlook.side, reply, luck) for world, reply in replies_in(outlook, luck)]
    return Campaigns(outlook.worlds[0], outlook.side, battles).placements(BAND)


PLANS: dict[int, Callable[[Outlook, Random], list[tuple[float, Hand]]]] = {TURNS - 2: spread, TURNS - 1: planned}


def replies_in(outlook: Outlook, luck: Random) -> Iterator[tuple[Skirmish, Hand]]:
    """Yields for each world what the opponent may lay now: mostly a foreseen placement, otherwise any."""
    for world, foreseen in zip(outlook.worlds, outlook.replies, strict=True):
        if luck.random() < FORESEEN:
            yield world, foreseen[int(luck.random() * len(foreseen))]
        else:
            places = list(range(len(world.hands[1 - outlook.side])))
            open_piles = world.open_piles(1 - outlook.side)
            yield world, tuple([places.pop(int(luck.random() * len(places))) for _ in open_piles])


# The last two turns


class Future(NamedTuple):
    """The end of a battle in one world: what was fought, and what the opponent lays in the two turns."""

    fought: tuple[Slot, ...]
    now: Fighter
    last: Fighter


def laid_by(world: Skirmish, side: int, reply: Hand) -> tuple[list[Fighter], list[Fighter]]:
    """What a side lays at the four piles with such a reply, a forced card included; and what is left in its hand."""
    held = world.hands[side]
    now = [held[place] for place in reply]
    if world.forced is not None and world.forced[0] == side:
        now.insert(world.forced[1], world.forced[2])
    return now, [card for place, card in enumerate(held) if place not in reply]


def futures_of(world: Skirmish, side: int, reply: Hand, luck: Random) -> list[Future]:
    """The ends of the battles at the four piles, if the opponent makes this reply and any in the last turn."""
    now, left = laid_by(world, 1 - side, reply)
    last = [left.pop(int(luck.random() * len(left))) for _ in world.slots]
    slots = [tuple(turned_up(pile)) for pile in world.slots]
    return [Future(*row) for row in zip(slots, now, last, strict=True)]


class Plans:
    """The values of two cards at each pile, and the best distribution of the hand over piles and the last two turns.

    A card kept for the last turn has no price: its value there is computed together with the card laid now, against the
    opponent's possible cards of both turns in every imagined world. Battles are independent, so the value of a plan is
    a sum over piles. The best sum is found pile by pile with the cards left (dynamic programming; Bellman 1957); the
    same sums also show early which beginnings cannot come within a band of the best.
    """

    def __init__(self, world: Skirmish, side: int, futures: Sequence[Sequence[Future]]) -> None:
        self.world, self.side = world, side
        self.open, self.hand = world.open_piles(side), world.hands[side]
        self.cards = [*self.hand, *([] if world.forced is None else [world.forced[2]])]  # that at `FORCED` is forced
        self.pairs = [self._pairs(pile, [row[pile] for row in futures]) for pile in range(len(world.slots))]
        self.best = cache(self._best)

    def _pairs(self, pile: int, futures: Sequence[Future]) -> Pairs:
        """Every card of the hand with every other, and with itself, as there may be two alike."""
        kinds = list(dict.fromkeys(self.hand))
        first = kinds if pile in self.open else [self.cards[FORCED]]
        return {(now, last): self._expected(pile, futures, now, last) for now in first for last in kinds}

    def _expected(self, pile: int, futures: Sequence[Future], now: Fighter, last: Fighter) -> float:
        """The points of two cards at a pile, on average over the worlds."""
        face, options, total = self.world.faces[pile], self.world.options, 0.0
        for future in futures:
            slots = (facing(self.side, now, future.now), facing(self.side, last, future.last))
            winner, animals = outcome(options, face, (*future.fought, *slots))
            total += (animals, -animals, 0)[winner] + scalps(*slots[0]) + scalps(*slots[1])
        dances = DANCE * (now[0] == "dusk_dance" and can_dance(face, len(self.world.slots[pile]) + 1))
        return (total if self.side == 0 else -total) / len(futures) + dances

    def _steps(self, pile: int, left: Hand) -> Iterator[tuple[Hand, Hand, float]]:
        """Two of the cards left at a pile: what is laid now, the cards that remain, and what the two bring."""
        pairs, cards = self.pairs[pile], self.cards
        for now in left if pile in self.open else (FORCED,):
            rest = tuple([place for place in left if place != now])
            laid = () if now == FORCED else (now,)
            for last in rest:
                yield laid, tuple([place for place in rest if place != last]), pairs[cards[now], cards[last]]

    def _best(self, pile: int, left: Hand) -> float:
        """What the cards left bring at most at this pile and those after it."""
        if pile == len(self.pairs):
            return 0.0
        return max([expected + self.best(pile + 1, rest) for _, rest, expected in self._steps(pile, left)])

    def placements(self, band: float) -> list[tuple[float, Hand]]:
        """What to lay now, and the points of the best plan that begins so; those at most `band` behind the best."""
        every = tuple(range(len(self.hand)))
        floor = self.best(0, every) - band
        paths: list[tuple[float, Hand, Hand]] = [(0.0, (), every)]
        for pile in range(len(self.pairs)):
            paths = [
                (points + expected, laid + now, rest)
                for points, laid, left in paths
                for now, rest, expected in self._steps(pile, left)
                if points + expected + self.best(pile + 1, rest) >= floor
            ]
        found = {laid: points for points, laid, _ in sorted(paths)}
        return sorted([(points, laid) for laid, points in found.items()], reverse=True)


# The last three turns


class Battle(NamedTuple):
    """A battle to come or to go on in one world: its face, the slots fought, and what the opponent lays then."""

    face: TerritoryFace
    fought: tuple[Slot, ...]
    rivals: Fighters


class Step(NamedTuple):
    """Three cards at a pile: which they are, which of them is laid now, and what they bring, in points."""

    cards: int
    now: Hand
    expected: float


def battles_of(world: Skirmish, side: int, reply: Hand, luck: Random) -> list[list[Battle]]:
    """The battles of three turns at each pile, if the opponent makes this reply and lays its other cards anyhow."""
    now, left = laid_by(world, 1 - side, reply)
    left += world.draws[1 - side]
    rows = []
    for pile, card in enumerate(now):
        rivals = (card, *[left.pop(int(luck.random() * len(left))) for _ in range(LENGTH - 1)])
        slots = tuple(turned_up(world.slots[pile]))
        face = world.faces[pile]
        to_come = face.turns - len(slots)
        row = [Battle(face, slots, rivals[:to_come])]
        rows.append(row if to_come == LENGTH else [*row, Battle(world.below[pile][0], (), rivals[to_come:])])
    return rows


class Front:
    """One battle in all worlds: what cards of the seat bring there on average, in points."""

    def __init__(self, options: Options, side: int, battles: Sequence[Battle]) -> None:
        self.options, self.side, self.battles = options, side, battles
        self.length = len(battles[0].rivals)
        is_sum = options.picto_scope == "whole_territory"
        self.plain = [is_sum and not any(card[0] in JUDGED for card in warriors_of(battle)) for battle in battles]
        self.dances = fmean([DANCE * can_dance(battle.face, len(battle.fought) + 1) for battle in battles])
        self.slot = cache(partial(facing, side))
        self.scalps = cache(self._scalps)
        self.expected = cache(self._expected)

    def _scalps(self, turn: int, own: Fighter) -> float:
        return fmean([scalps(*self.slot(own, battle.rivals[turn])) for battle in self.battles])

    def _expected(self, cards: Fighters) -> float:
        """What the cards bring that the seat lays in the battle, in their order."""
        is_sum = not any(card[0] in JUDGED for card in cards)
        animals = 0
        for battle, is_plain in zip(self.battles, self.plain, strict=True):
            slots = [*battle.fought, *map(self.slot, cards, battle.rivals)]
            if is_sum and is_plain:
                lead = lead_of(battle.face.picto, slots)
                animals += battle.face.animals * ((lead > 0) - (lead < 0))
            else:
                winner, prize = outcome(self.options, battle.face, slots)
                animals += (prize, -prize, 0)[winner]
        total = animals / len(self.battles) + added([self.scalps(turn, card) for turn, card in enumerate(cards)])
        return (total if self.side == 0 else -total) + self.dances * (cards[0][0] == "dusk_dance")


def warriors_of(battle: Battle) -> Fighters:
    """The warriors that are in a battle whatever the seat lays."""
    return (*battle.rivals, *[card for slot in battle.fought for card in slot[:2]])


def lead_of(picto: str, slots: Sequence[Slot]) -> int:
    """TO-5.6: how far side 0's total is ahead in a battle without `JUDGED` warriors."""
    lead, _, at_pivot = tally(picto, slots)
    return lead + (WEIGHTS[picto] - 1) * at_pivot


class Campaigns:
    """The values of three cards at each pile, and the best distribution of all cards over piles and three turns.

    From the fourth turn on, a seat knows every card that it will lay. Each of the four piles gets three of them: one of
    the hand now, and any of the rest in each of the two turns after. A set of cards is the bits of a number, because
    there are many sets.
    """

    def __init__(self, world: Skirmish, side: int, worlds: Sequence[Sequence[Sequence[Battle]]]) -> None:
        self.hand = world.hands[side]
        self.cards = [*self.hand, *world.draws[side]]
        forced = world.forced if world.forced is not None and world.forced[0] == side else None
        self.fronts = [
            [Front(world.options, side, row) for row in zip(*[battles[pile] for battles in worlds], strict=True)]
            for pile in range(len(world.faces))
        ]
        self.steps = [
            self._steps(fronts, forced[2] if forced is not None and forced[1] == pile else None)
            for pile, fronts in enumerate(self.fronts)
        ]
        self.best = cache(self._best)

    def _steps(self, fronts: Sequence[Front], forced: Fighter | None) -> list[Step]:
        """Every card of the hand now, or the one that lies there by force, with any two of the others later."""
        every, steps = range(len(self.cards)), []
        for now in range(len(self.hand)) if forced is None else (FORCED,):
            first = self.cards[now] if forced is None else forced
            laid = () if now == FORCED else (now,)
            for pair in combinations([place for place in every if place != now], LENGTH - 1):
                one, two = [self.cards[place] for place in pair]
                expected = max(value_of(fronts, (first, one, two)), value_of(fronts, (first, two, one)))
                steps.append(Step(sum([1 << place for place in laid + pair]), laid, expected))
        return steps

    def _best(self, pile: int, left: int) -> float:
        """What the cards left bring at most at this pile and those after it."""
        if pile == len(self.steps):
            return 0.0
        best, after = self.best, pile + 1
        return max(
            [expected + best(after, left ^ cards) for cards, _, expected in self.steps[pile] if cards & left == cards],
            default=-math.inf,  # no card of the hand is left for now
        )

    def placements(self, band: float) -> list[tuple[float, Hand]]:
        """What to lay now, and the points of the best campaign that begins so; those at most `band` behind the best."""
        every = (1 << len(self.cards)) - 1
        floor = self.best(0, every) - band
        paths: dict[tuple[Hand, int], float] = {((), every): 0.0}
        for pile, steps in enumerate(self.steps):
            reached: dict[tuple[Hand, int], float] = {}
            for (laid, left), points in paths.items():
                for cards, now, expected in steps:
                    rest = left ^ cards
                    if cards & left == cards and points + expected + self.best(pile + 1, rest) >= floor:
                        reached[laid + now, rest] = max(points + expected, reached.get((laid + now, rest), -math.inf))
            paths = reached
        found = {laid: points for (laid, _), points in paths.items()}
        return sorted([(points, laid) for laid, points in found.items()], reverse=True)


def value_of(fronts: Sequence[Front], cards: Fighters) -> float:
    """What three cards bring at a pile, where a second battle may begin when the first is over."""
    total, at = 0.0, 0
    for front in fronts:
        total += front.expected(cards[at : at + front.length])
        at += front.length
    return total


# The last turn


class Trial:
    """A placement that is tried."""

    __slots__ = ("places", "total", "visits")

    def __init__(self, places: Hand) -> None:
        self.places, self.visits, self.total = places, 0, 0.0

    def value(self) -> float:
        """Returns the mean reward."""
        return self.total / max(1, self.visits)


def last_turn(outlook: Outlook, placing: Placing, luck: Random, rounds: int) -> Chosen:
    """Draws a placement from the average strategy of regret matching.

    Both sides lay their last cards at once: a matrix of placements and replies. It is solved by regret matching (Hart
    and Mas-Colell 2000): each side lays a placement in proportion to its regret for not having laid it, and the average
    strategy approaches an equilibrium. The matrix differs between worlds for the opponent, who knows its cards; the
    seat has one strategy for all worlds, because it cannot distinguish them.
    """
    own = [Trial(places) for places in permutations(range(len(placing.fighters)), len(placing.piles))]
    if len(own) == 1:
        return Chosen(placing.move(own[0].places), 0)
    matching = Matching(outlook, own, [placing.lie(trial.places) for trial in own], luck)
    for number in range(rounds):
        matching.play(number)
    chosen = own[drawn([float(trial.visits) for trial in own], luck)]
    ranked = sorted(own, key=lambda trial: (-trial.visits, trial.places))
    tried = tuple([Candidate(placing.move(t.places), t.visits, t.value()) for t in ranked if t.visits])
    return Chosen(placing.move(chosen.places), rounds, tried)


class Matching:
    """Regret matching between the placements left to both sides.

    The opponent lays a foreseen reply with the probability `FORESEEN`, and otherwise its best reply.
    """

    def __init__(self, outlook: Outlook, own: list[Trial], lies: list[list[Fighter]], luck: Random) -> None:
        self.own, self.luck, self.regrets = own, luck, [0.0] * len(own)
        rows = zip(outlook.worlds, outlook.replies, strict=True)
        self.duels = [Duel(world, outlook.side, lies, foreseen) for world, foreseen in rows]

    def play(self, number: int) -> None:
        """A round, in the world whose turn it is."""
        luck, duel = self.luck, self.duels[number % len(self.duels)]
        is_foreseen = luck.random() < FORESEEN
        theirs = duel.foreseen(luck) if is_foreseen else drawn(duel.regrets, luck)
        mine = drawn(self.regrets, luck)
        column = [duel.reward(row, theirs, luck) for row in range(len(self.own))]
        self.own[mine].visits += 1
        self.own[mine].total += column[mine]
        for row, reward in enumerate(column):
            self.regrets[row] += reward - column[mine]
        if not is_foreseen:
            duel.learn(mine, theirs, luck)


class Duel:
    """The last turn in one world: the reward of each placement against each reply, computed when needed."""

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
    """Draws an index in proportion to its weight; any if no weight is positive."""
    total = added([weight for weight in weights if weight > 0])
    if total <= 0:
        return int(luck.random() * len(weights))
    at = luck.random() * total
    for place, weight in enumerate(weights):
        if weight > 0:
            at -= weight
            if at < 0:
                return place
    return max(range(len(weights)), key=lambda place: weights[place])
