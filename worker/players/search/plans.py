"""The last two turns of Tomahawk planned together: every battle then has this turn's slot and one more.

A card kept for the last turn has no price any more: what it brings there is worked out with what is laid now. So a plan
is two cards for each pile, tried against what the opponent may lay in both turns in every imagined world.

Battles are told apart by pile, so the points of a plan are a sum over piles. The best sum is found pile by pile with
the cards left (dynamic programming; Bellman 1957), and the same sums say early which beginnings of a plan can no longer
come within a band of the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from games.tomahawk.play.slots import can_dance, scalps
from worker.players.greedy.tomahawk import DANCE
from worker.players.search.skirmish import Fighter, Skirmish, Slot, facing, outcome, turned_up

FORCED = -1  # the place of a card that lies at a pile already (TO-5.4)

Places = tuple[int, ...]  # of cards in the hand
Pairs = dict[tuple[Fighter, Fighter], float]  # what a card now and a card in the last turn bring at a pile, in points


class Future(NamedTuple):
    """The end of a battle in one world: what was fought, and what the opponent lays in the two turns."""

    fought: tuple[Slot, ...]
    now: Fighter
    last: Fighter


def laid_by(world: Skirmish, side: int, reply: Places) -> tuple[list[Fighter], list[Fighter]]:
    """What a side lays at the four piles with such a reply, a forced card included; and what is left in its hand."""
    held = world.hands[side]
    now = [held[place] for place in reply]
    if world.forced is not None and world.forced[0] == side:
        now.insert(world.forced[1], world.forced[2])
    return now, [card for place, card in enumerate(held) if place not in reply]


def futures_of(world: Skirmish, side: int, reply: Places, luck: Random) -> list[Future]:
    """The ends of the battles at the four piles, if the opponent makes this reply and any in the last turn."""
    now, left = laid_by(world, 1 - side, reply)
    last = [left.pop(int(luck.random() * len(left))) for _ in world.slots]
    slots = [tuple(turned_up(pile)) for pile in world.slots]
    return [Future(*row) for row in zip(slots, now, last, strict=True)]


class Plans:
    """What two cards bring at each pile, and how the hand is best spread over the piles and the two turns."""

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
        return {(now, last): self._worth(pile, futures, now, last) for now in first for last in kinds}

    def _worth(self, pile: int, futures: Sequence[Future], now: Fighter, last: Fighter) -> float:
        """The points of two cards at a pile, on average over the worlds."""
        face, options, total = self.world.faces[pile], self.world.options, 0.0
        for future in futures:
            slots = (facing(self.side, now, future.now), facing(self.side, last, future.last))
            winner, animals = outcome(options, face, (*future.fought, *slots))
            total += (animals, -animals, 0)[winner] + scalps(*slots[0]) + scalps(*slots[1])
        dances = DANCE * (now[0] == "dusk_dance" and can_dance(face, len(self.world.slots[pile]) + 1))
        return (total if self.side == 0 else -total) / len(futures) + dances

    def _steps(self, pile: int, left: Places) -> Iterator[tuple[Places, Places, float]]:
        """Two of the cards left at a pile: what is laid now, the cards that remain, and what the two bring."""
        pairs, cards = self.pairs[pile], self.cards
        for now in left if pile in self.open else (FORCED,):
            rest = tuple([place for place in left if place != now])
            laid = () if now == FORCED else (now,)
            for last in rest:
                yield laid, tuple([place for place in rest if place != last]), pairs[cards[now], cards[last]]

    def _best(self, pile: int, left: Places) -> float:
        """What the cards left bring at most at this pile and those after it."""
        if pile == len(self.pairs):
            return 0.0
        return max([worth + self.best(pile + 1, rest) for _, rest, worth in self._steps(pile, left)])

    def placements(self, band: float) -> list[tuple[float, Places]]:
        """What to lay now, and the points of the best plan that begins so; those at most `band` behind the best."""
        every = tuple(range(len(self.hand)))
        floor = self.best(0, every) - band
        paths: list[tuple[float, Places, Places]] = [(0.0, (), every)]
        for pile in range(len(self.pairs)):
            paths = [
                (points + worth, laid + now, rest)
                for points, laid, left in paths
                for now, rest, worth in self._steps(pile, left)
                if points + worth + self.best(pile + 1, rest) >= floor
            ]
        found = {laid: points for points, laid, _ in sorted(paths)}
        return sorted([(points, laid) for laid, points in found.items()], reverse=True)
