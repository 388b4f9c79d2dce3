"""What a card may bring at a pile of Tomahawk against each card of the opponent, in every imagined world.

A pile's battle goes on in each world in one way, whatever is placed this turn; so the piles can be looked at one by
one, and what a placement brings is a sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from games.tomahawk.options import Options
from games.tomahawk.play.battles import SINGLED_OUT, WEIGHTS
from games.tomahawk.play.slots import can_dance, scalps, values_of
from worker.players.greedy.tomahawk import DANCE
from worker.players.search.skirmish import Fighter, Skirmish, Slot, facing, outcome, turned_up

JUDGED = frozenset({"great_spirit", "shifting_spirit", "sequoia_heart"})  # what they do is no sum of values
NO_PIVOT = {"none": 99, "puma": -1, "gathering": 99}  # where there is no warrior yet: any warrior goes before it
SOON = 4  # cards of a draw pile that come into the hand in time for a battle


class Tally(NamedTuple):
    """The rest of a battle without `JUDGED` warriors: side 0's lead, and the value that the picto would single out."""

    lead: int
    pivot: int
    at_pivot: int  # side 0's lead in warriors of that value


class Prospect:
    """One pile in all worlds: what a pair of cards brings the side on average, in points."""

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

    def worth(self, own: Fighter, other: Fighter) -> float:
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
        """The mean over all worlds, worked out once."""
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
    """Whether what the slots come to is no mere sum of values."""
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
    """In how many worlds side 0 wins with these values in this turn's slot, less those in which it loses."""
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
