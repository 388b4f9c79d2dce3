"""The last three turns of Tomahawk planned together: from the fourth turn on a seat knows every card that it will lay.

Its cards are spread over the four piles, three to each: one of the hand now, and in each of the two turns after it any
that is left. What three cards bring at a pile is worked out against what the opponent may lay there in the three turns
of every imagined world. A set of cards is written as the bits of a number, as there are many to keep apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations
from random import Random
from statistics import fmean
from typing import NamedTuple

from games.tomahawk.components import TerritoryFace
from games.tomahawk.options import Options
from games.tomahawk.play.battles import WEIGHTS
from games.tomahawk.play.slots import can_dance, scalps
from worker.players.greedy.tomahawk import DANCE
from worker.players.search.plans import FORCED, Places, laid_by
from worker.players.search.prospects import JUDGED, tally
from worker.players.search.skirmish import Fighter, Skirmish, Slot, facing, outcome, turned_up

LENGTH = 3  # turns that are planned together

Fighters = tuple[Fighter, ...]  # of one side at a pile, turn by turn


class Battle(NamedTuple):
    """A battle to come or to go on in one world: its face, the slots fought, and what the opponent lays then."""

    face: TerritoryFace
    fought: tuple[Slot, ...]
    rivals: Fighters


class Step(NamedTuple):
    """Three cards at a pile: which they are, which of them is laid now, and what they bring, in points."""

    cards: int
    now: Places
    worth: float


def battles_of(world: Skirmish, side: int, reply: Places, luck: Random) -> list[list[Battle]]:
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
        self.worth = cache(self._worth)

    def _scalps(self, turn: int, own: Fighter) -> float:
        return fmean([scalps(*self.slot(own, battle.rivals[turn])) for battle in self.battles])

    def _worth(self, cards: Fighters) -> float:
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
        total = animals / len(self.battles) + sum([self.scalps(turn, card) for turn, card in enumerate(cards)])
        return (total if self.side == 0 else -total) + self.dances * (cards[0][0] == "dusk_dance")


def warriors_of(battle: Battle) -> Fighters:
    """The warriors that are in a battle whatever the seat lays."""
    return (*battle.rivals, *[card for slot in battle.fought for card in slot[:2]])


def lead_of(picto: str, slots: Sequence[Slot]) -> int:
    """TO-5.6: how far side 0's total is ahead in a battle without `JUDGED` warriors."""
    lead, _, at_pivot = tally(picto, slots)
    return lead + (WEIGHTS[picto] - 1) * at_pivot


class Campaigns:
    """What three cards bring at each pile, and how all cards are best spread over the piles and the three turns."""

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
                worth = max(worth_of(fronts, (first, one, two)), worth_of(fronts, (first, two, one)))
                steps.append(Step(sum([1 << place for place in laid + pair]), laid, worth))
        return steps

    def _best(self, pile: int, left: int) -> float:
        """What the cards left bring at most at this pile and those after it."""
        if pile == len(self.steps):
            return 0.0
        best, after = self.best, pile + 1
        return max(
            [worth + best(after, left ^ cards) for cards, _, worth in self.steps[pile] if cards & left == cards],
            default=-math.inf,  # no card of the hand is left for now
        )

    def placements(self, band: float) -> list[tuple[float, Places]]:
        """What to lay now, and the points of the best campaign that begins so; those at most `band` behind the best."""
        every = (1 << len(self.cards)) - 1
        floor = self.best(0, every) - band
        paths: dict[tuple[Places, int], float] = {((), every): 0.0}
        for pile, steps in enumerate(self.steps):
            reached: dict[tuple[Places, int], float] = {}
            for (laid, left), points in paths.items():
                for cards, now, worth in steps:
                    rest = left ^ cards
                    if cards & left == cards and points + worth + self.best(pile + 1, rest) >= floor:
                        reached[laid + now, rest] = max(points + worth, reached.get((laid + now, rest), -math.inf))
            paths = reached
        found = {laid: points for (laid, _), points in paths.items()}
        return sorted([(points, laid) for laid, points in found.items()], reverse=True)


def worth_of(fronts: Sequence[Front], cards: Fighters) -> float:
    """What three cards bring at a pile, where a second battle may begin when the first is over."""
    total, at = 0.0, 0
    for front in fronts:
        total += front.worth(cards[at : at + front.length])
        at += front.length
    return total
