"""A model of a hunt of Big Manitou for searching: the seat to move, the moves, and their effects.

The rules are those of the game's own functions; only the form of the state differs, to be fast to copy and change.
Moves are numbers: those of `manitou_family_hunt` for cards laid, the rest below. A tile is its kind: 0 to 2 are bison
of value 1 to 3, 3 to 5 tipi, then horse, totem and tomahawk.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from games.big_manitou.components import KIND, PAYS_FIRST, VALUE
from games.big_manitou.end_of_hunt import counts_tomahawks, shares, untied_totals
from games.big_manitou.house_rules import Options
from games.big_manitou.hunt_steps import (
    STEPS,
    holder_after_loss,
    no_extra_card,
    no_hunter_move,
    payable,
    step_after,
    takes_cylinder,
    turns_are_over,
)
from games.big_manitou.scoring import has_most_tomahawks, pairs
from games.manitou_family_parties import penalised
from worker.players.greedy.big_manitou import WEIGHTS
from worker.players.search.manitou_family_hunt import HUNTERS, PASS, Hunt

HORSE, TOTEM, TOMAHAWK = 6, 7, 8
TILE_KINDS = 9
TAKE_FROM = 300  # tiles taken are a move as decimal digits behind it
ROOTS = [math.sqrt(difference) for difference in range(200)]
PLAY, EXTRA, MOVING, PENALTY, TAKING, OVER = range(6)  # by their places among `STEPS`
NO_EXTRA, NO_MOVING = 64, 65  # decline what a cylinder offers
MOVE_FROM, DISCARD_FROM = 128, 256  # a hunter and its new ground; a tile


def phases_after(hunt: int) -> list[int]:
    """What follows each phase in a hunt of that number."""
    return [STEPS.index(step_after(step, hunt)) for step in STEPS[:OVER]]


AFTER = {True: phases_after(1), False: phases_after(2)}  # by whether it is the first hunt


@dataclass(init=False, eq=False, repr=False, slots=True)
class Course(Hunt):
    """The hunt as the rules have it."""

    options: Options
    outlook: Outlook
    first: bool
    last: bool
    phase: int
    tiles: list[list[int]]  # of each seat, how many of each kind
    ground_tiles: list[tuple[int, ...]]  # sorted
    totem: int  # the seat with the cylinder, or -1
    horse: int
    gains: tuple[tuple[int, ...], tuple[int, ...]]  # seats by their last gain of totem and horse, the latest last
    lying: tuple[int, ...]  # the hunters of the seat with the horse cylinder, coded like moves
    owing: tuple[int, ...]
    evaluating: int  # how many grounds have been evaluated, the one whose tiles are taken included
    awards: tuple[tuple[int, int], ...]  # seat and count, not taken yet

    def copy_course_to(self, other: Course) -> None:
        """Copies this hunt into `other`, sharing no mutable parts."""
        self.copy_to(other)
        other.options, other.outlook, other.first, other.last = self.options, self.outlook, self.first, self.last
        other.phase, other.totem, other.horse, other.gains = self.phase, self.totem, self.horse, self.gains
        other.lying, other.owing, other.evaluating = self.lying, self.owing, self.evaluating
        other.awards = self.awards
        other.tiles = [tiles[:] for tiles in self.tiles]
        other.ground_tiles = self.ground_tiles[:]
        other.bonus = self.bonus[:]

    # The seat to move, and its moves

    def mover(self) -> int:
        """BM-3.2: the seat to move, -1 at the end of the hunt."""
        phase = self.phase
        if phase == PLAY:
            return self.order[self.taken % self.seats]
        if phase == TAKING:
            return self.awards[0][0]
        if phase == PENALTY:
            return self.owing[0]
        return self.totem if phase == EXTRA else self.horse if phase == MOVING else -1

    def actions(self) -> list[int]:
        """BM-4.10, moves that look alike once."""
        phase = self.phase
        if phase == PLAY:
            return self.plays(self.order[self.taken % self.seats]) or [PASS]
        if phase == EXTRA:
            return [*self.plays(self.totem), NO_EXTRA]
        if phase == MOVING:
            return [*self._hunter_moves(), NO_MOVING]
        if phase == PENALTY:
            return [DISCARD_FROM + tile for tile in self._discards(self.owing[0])]
        return self._takings()

    def _hunter_moves(self) -> list[int]:
        """BM-4.7: each hunter that lies there to either of the other grounds."""
        return [MOVE_FROM + (code & ~3) + ground for code in self.lying for ground in (0, 1, 2) if ground != code & 3]

    def _discards(self, seat: int) -> list[int]:
        """BM-5.6: bison and tipi, else any."""
        tiles = self.tiles[seat]
        return list(payable([tile for tile in range(TILE_KINDS) if tiles[tile]], PAYING))

    def _takings(self) -> list[int]:
        """BM-4.9: the tiles of the next award, those that look alike once."""
        picks = combinations(self.ground_tiles[self.evaluating - 1], self.awards[0][1])
        return list(dict.fromkeys([encoded(pick) for pick in picks]))

    # The effects of moves

    def apply(self, action: int) -> None:
        """Makes a move, and the steps after it that need no decision."""
        phase = self.phase
        if phase == PLAY:
            self._turn(action)
        elif phase == EXTRA:
            if action != NO_EXTRA:
                self._lay_card(self.totem, action)
            self._go_on()
        elif phase == MOVING:
            if action != NO_MOVING:
                self._move_hunter(action - MOVE_FROM)
            self._assess()
        elif phase == PENALTY:
            self._discard(self.owing[0], action - DISCARD_FROM)
            self.owing = self.owing[1:]
            self._settle_penalty()
        else:
            self._take(decoded(action))

    def _turn(self, action: int) -> None:
        """BM-3.8, BM-3.9: a card is laid and the next one drawn; the last turn leads on."""
        seat = self.order[self.taken % self.seats]
        if action:
            self._lay_card(seat, action)
            if self.piles[seat]:
                self.hands[seat].append(self.piles[seat].pop())
        self.taken += 1
        if turns_are_over(self.taken, self.seats):
            self._go_on()

    def _lay_card(self, seat: int, action: int) -> None:
        self.lay(seat, action >> 2, action & 3)
        if seat == self.horse and action >> 2 <= HUNTERS:
            self.lying = (*self.lying, action)

    def _go_on(self) -> None:
        """BM-3.10 to BM-3.15: the next phase, and those after it that need no decision."""
        self.phase = phase = AFTER[self.first][self.phase]
        if phase == EXTRA:
            if no_extra_card(None if self.totem < 0 else self.totem, self.order[-1]):
                self._go_on()
        elif phase == MOVING:
            if no_hunter_move(None if self.horse < 0 else self.horse, bool(self.lying)):
                self._assess()
        elif phase == PENALTY:
            self._settle_penalty()
        elif phase == TAKING:
            self._evaluate()

    def _move_hunter(self, code: int) -> None:
        """BM-4.7: a hunter leaves its ground for another, with all its strength."""
        card, to = code >> 2, code & 3
        lay = next(lay for lay in self.lying if lay >> 2 == card)
        strength = card + self.bonus[self.horse]
        for ground, sign in ((lay & 3, -1), (to, 1)):
            place = ground * self.seats + self.horse
            self.totals[place] += sign * strength
            self.cards[place] += sign
        self.lying = tuple([code if one == lay else one for one in self.lying])

    def _assess(self) -> None:
        """BM-5.5: who must pay the force penalty is found at once; it is paid in its turn."""
        totals = self.force
        if counts_tomahawks(self.options):
            totals = [sum(self.totals[seat :: self.seats]) for seat in range(self.seats)]
        self.owing = penalised(dict(enumerate(totals)), self.order)
        self._go_on()

    def _settle_penalty(self) -> None:
        """BM-5.6: on to the next seat that can pay."""
        while self.owing and not any(self.tiles[self.owing[0]]):
            self.owing = self.owing[1:]
        if not self.owing:
            self._go_on()

    def _discard(self, seat: int, tile: int) -> None:
        """BM-5.6, BM-5.10: a tile goes, and with it what it stood for."""
        self.tiles[seat][tile] -= 1
        if tile == TOMAHAWK:
            self._weaken(seat)
        if tile in (TOTEM, HORSE) and self.outlook.rechecks:
            self._recheck(seat, tile)

    def _weaken(self, seat: int) -> None:
        """BM-R18: the bonus is that of the tomahawks held when ground 1 is evaluated."""
        if self.evaluating:
            return
        self.bonus[seat] -= 1
        for place in range(seat, len(self.totals), self.seats):
            self.totals[place] -= self.cards[place] - self.heroes_laid[place]

    def _recheck(self, seat: int, tile: int) -> None:
        """BM-5.10, BM-R16: whether a seat that has lost such a tile keeps the cylinder."""
        holder = self.totem if tile == TOTEM else self.horse
        if holder != seat:
            return
        counts = {other: tiles[tile] for other, tiles in enumerate(self.tiles)}
        after = holder_after_loss(counts, seat, self.gains[tile == HORSE])
        self._give(tile, -1 if after is None else after)

    def _give(self, tile: int, seat: int) -> None:
        if tile == TOTEM:
            self.totem = seat
        else:
            self.horse = seat

    def _evaluate(self) -> None:
        """BM-3.14: the grounds not evaluated yet, until one has tiles to take."""
        while self.evaluating < 3:
            self.evaluating += 1
            self.awards = self._awarded(self.evaluating - 1)
            if self.awards:
                return
            self.ground_tiles[self.evaluating - 1] = ()  # BM-5.9
        self._go_on()

    def _awarded(self, ground: int) -> tuple[tuple[int, int], ...]:
        """BM-5.7: seats and how many tiles they take."""
        totals = self.totals[ground * self.seats : (ground + 1) * self.seats]
        owner, tiles = self.owners[ground], len(self.ground_tiles[ground])
        seats = [totals.index(total) for total in untied_totals(totals)[:2]]
        counts = shares(self.options, tiles, hero=owner >= 0, hunters=any(totals), places=len(seats))
        return tuple([(seat, count) for seat, count in zip((owner, *seats), counts, strict=False) if count])

    def _take(self, tiles: tuple[int, ...]) -> None:
        """BM-4.9, BM-5.8: the tiles of an award go to its seat, and with them perhaps a cylinder."""
        seat = self.awards[0][0]
        left = list(self.ground_tiles[self.evaluating - 1])
        own = self.tiles[seat]
        for tile in tiles:
            left.remove(tile)
            own[tile] += 1
        self.ground_tiles[self.evaluating - 1] = tuple(left)
        if TOTEM in tiles:
            self._gain(seat, TOTEM, self.totem)
        if HORSE in tiles:
            self._gain(seat, HORSE, self.horse)
        self.awards = self.awards[1:]
        if not self.awards:
            self.ground_tiles[self.evaluating - 1] = ()  # BM-5.9
            self._evaluate()

    def _gain(self, seat: int, tile: int, holder: int) -> None:
        """BM-5.8: a seat has gained such a tile, and with it perhaps the cylinder."""
        totem, horse = self.gains
        gains = (*[s for s in (totem, horse)[tile == HORSE] if s != seat], seat)
        self.gains = (totem, gains) if tile == HORSE else (gains, horse)
        if takes_cylinder(self.tiles[seat][tile], None if holder < 0 else self.tiles[holder][tile]):
            self._give(tile, seat)


# Tiles


def tile_kind(tile: str) -> int:
    """The kind of a tile: `tipi-2-5` is 4."""
    places = {"bison": -1, "tipi": 2, "horse": HORSE, "totem": TOTEM, "tomahawk": TOMAHAWK}
    return places[KIND[tile]] + VALUE[tile]


PAYING = frozenset([tile_kind(tile) for tile in PAYS_FIRST])


class Outlook(NamedTuple):
    """The numbers of hunts to come and in all, and the rules of cylinders and ties."""

    hunts_left: int
    hunts: int
    options: Options
    rechecks: bool  # BM-R16

    @classmethod
    def of(cls, options: Options, hunts_left: int, hunts: int) -> Outlook:
        """The outlook of a hunt under these house rules."""
        return cls(hunts_left, hunts, options, options.cylinder_on_loss == "recheck")


def pairs_value(tiles: list[int], outlook: Outlook) -> float:
    """Returns the points for bison with tipis (BM-6.1), and the expected value of a surplus."""
    bison = tiles[0] + 2 * tiles[1] + 3 * tiles[2]
    tipi = tiles[3] + 2 * tiles[4] + 3 * tiles[5]
    if not outlook.hunts_left:
        return pairs(tipi, bison) + 0.05 * tipi  # the tie-break of BM-6.4
    return pairs(tipi, bison) + WEIGHTS["surplus"] * outlook.hunts_left / outlook.hunts * ROOTS[abs(tipi - bison)]


def tomahawks_value(tiles: list[int], rivals_most: int, outlook: Outlook) -> float:
    """Returns the expected point for most tomahawks (BM-6.2), and their bonus in the hunts to come."""
    own = tiles[TOMAHAWK]
    if not outlook.hunts_left:
        return float(has_most_tomahawks(outlook.options, own, rivals_most))
    majority = 0.5 + 0.5 * math.tanh(own - rivals_most - 0.5) if own else 0.0
    return majority + WEIGHTS["tomahawk"] * min(outlook.hunts_left, 2) * own


def cylinder_value(holds: bool, count: int, outlook: Outlook) -> float:
    """Returns the value of a cylinder and its use, or of tiles that may still bring it (BM-5.8, BM-6.2)."""
    left = outlook.hunts_left
    if holds:
        return 1.0 + WEIGHTS["cylinder_use"] * left + (WEIGHTS["behind"] * (count - 1) if left else 0.0)
    return WEIGHTS["behind"] * count if left else 0.0


def encoded(tiles: tuple[int, ...]) -> int:
    """Encodes sorted tiles as a move."""
    number = 0
    for tile in tiles:
        number = number * 10 + tile + 1
    return TAKE_FROM + number


def decoded(move: int) -> tuple[int, ...]:
    """Decodes the tiles of such a move."""
    return tuple([int(digit) - 1 for digit in str(move - TAKE_FROM)])
