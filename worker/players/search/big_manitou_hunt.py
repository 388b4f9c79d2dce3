"""Big Manitou searched: a hunt played out with all its decisions, its tiles valued for the end of the game.

In a playout every seat mostly makes the move that promises most, by the same estimates as the greedy player's: how
likely a lead on a ground is to hold until the hunt ends, times what the tiles there would add. Playouts guided by such
judgement tell more than random ones (Gelly and Silver 2007), as long as they keep some luck (`EPSILON`).
"""

from __future__ import annotations

import math
from random import Random

from games.big_manitou.components import TURNS
from worker.players.greedy.big_manitou import WEIGHTS
from worker.players.search.big_manitou_course import (
    DISCARD_FROM,
    EXTRA,
    MOVE_FROM,
    MOVING,
    NO_EXTRA,
    NO_MOVING,
    OVER,
    PENALTY,
    PLAY,
)
from worker.players.search.big_manitou_worth import Prized
from worker.players.search.hunt import EPSILON, HUNTERS, PASS, ROUNDS
from worker.players.search.leads import DREADS, LEADS, bounded, hoped
from worker.players.search.tiles import encoded


class BigHunt(Prized):
    """A hunt of Big Manitou."""

    __slots__ = ()

    def clone(self) -> BigHunt:
        """Another hunt like this."""
        other = BigHunt.__new__(BigHunt)
        self.copy_course_to(other)
        other.prizes = self.prizes
        return other

    def play_out(self, luck: Random) -> None:
        """Every seat mostly makes the move that promises most."""
        random = luck.random
        while self.phase != OVER:
            if random() < EPSILON and self.phase < PENALTY:
                moves = self.actions()
                self.apply(moves[int(random() * len(moves))])
            else:
                self.apply(self.advised(random()))

    def advised(self, whim: float) -> int:
        """The move that promises most; a whim, 0 to 1, decides between equal grounds."""
        phase = self.phase
        if phase == PLAY:
            return self._advised_card(self.order[self.taken % self.seats], whim, PASS, -math.inf)
        if phase == EXTRA:
            return self._advised_card(self.totem, whim, NO_EXTRA, 0.0)
        if phase == MOVING:
            return self._advised_moving()
        if phase == PENALTY:
            seat = self.owing[0]
            return DISCARD_FROM + min(self._discards(seat), key=lambda tile: self.loss_of(seat, tile))
        return self._advised_taking()

    def _advised_card(self, seat: int, whim: float, move: int, best: float) -> int:
        turns_left = TURNS - (self.taken + 1) / self.seats if self.phase == PLAY else 0.0
        leads = LEADS[int(turns_left)]
        hunters = self._hunters(seat, turns_left)
        heroes = [card for card in self.hands[seat] if card > HUNTERS]
        for ground in ROUNDS[int(whim * 3)]:
            if hunters:
                gain, card = self._best_hunter(seat, ground, hunters, leads)
                if gain > best:
                    best, move = gain, card * 4 + ground
            for card in heroes:
                if self.may_lay(seat, card, ground):
                    gain = self._hero_gain(seat, card, ground, turns_left)
                    if gain > best:
                        best, move = gain, card * 4 + ground
        return move

    def _hunters(self, seat: int, turns_left: float) -> list[tuple[int, float]]:
        """The hunters of a hand, and what else they cost."""
        return [(card, self._dread(seat, card, turns_left)) for card in self.hands[seat] if card <= HUNTERS]

    def _best_hunter(
        self, seat: int, ground: int, hunters: list[tuple[int, float]], leads: list[float]
    ) -> tuple[float, int]:
        """The hunter, of those given with what else they cost, that promises most on a ground."""
        start = ground * self.seats
        rivals = self.totals[start : start + self.seats]
        own = rivals.pop(seat)
        if len(rivals) > 1:
            rivals.sort(reverse=True)
        prize = self.prizes[ground][seat]
        base = 1 if self.owners[ground] >= 0 else 0
        one, two = prize[base] + prize[base + 1], prize[base + 2]
        now = hoped(own, rivals, one, two, leads) if own else 0.0
        best, chosen = -math.inf, 0
        bonus = self.bonus[seat]
        for card, dread in hunters:
            gain = hoped(own + card + bonus, rivals, one, two, leads) + dread
            if gain > best:
                best, chosen = gain, card
        return best - now, chosen

    def _dread(self, seat: int, card: int, turns_left: float) -> float:
        """What a hunter adds to the fear of the force penalty (BM-5.5), and gives away by being shown."""
        force = self.force
        ahead = force[seat] - max(force[:seat] + force[seat + 1 :])
        leads = DREADS[int(turns_left)]
        more = leads[bounded(ahead + card + 1)] - (leads[bounded(ahead + 1)] if force[seat] else 0.0)
        return -WEIGHTS["penalty"] * more - WEIGHTS["hunter_kept"] * card

    def _hero_gain(self, seat: int, card: int, ground: int, turns_left: float) -> float:
        """What a hero promises: the best tile of the ground, or that another does not have it."""
        owner, there = self.met(seat, card, ground)
        before = self._hero_hope(seat, ground, self.owners[ground], len(self.heroes[ground]), turns_left)
        after = self._hero_hope(seat, ground, owner, len(there), turns_left)
        return after - before - (WEIGHTS["hero_kept"] if turns_left else 0.0)

    def _hero_hope(self, seat: int, ground: int, owner: int, count: int, turns_left: float) -> float:
        if owner < 0:
            return 0.0
        stays = WEIGHTS["hero_stays"] if count == 1 else WEIGHTS["pair_stays"]
        chance = 1 - (1 - stays) * turns_left / TURNS
        hope = chance * self.prizes[ground][owner][0]
        return hope if owner == seat else -hope / (self.seats - 1)

    def _advised_moving(self) -> int:
        """The hunter move that gains most, where the awards depend on it."""
        seat = self.horse
        best, move = 1e-9, NO_MOVING
        for action in self._hunter_moves():
            card, to = (action - MOVE_FROM) >> 2, action & 3
            lay = next(lay for lay in self.lying if lay >> 2 == card)
            strength = card + self.bonus[seat]
            gain = self._shift(seat, lay & 3, -strength) + self._shift(seat, to, strength)
            if gain > best:
                best, move = gain, action
        return move

    def _shift(self, seat: int, ground: int, strength: int) -> float:
        """What so much strength more would gain a seat on a ground."""
        start = ground * self.seats
        rivals = self.totals[start : start + self.seats]
        own = rivals.pop(seat)
        rivals.sort(reverse=True)
        prize = self.prizes[ground][seat]
        base = 1 if self.owners[ground] >= 0 else 0
        one, two = prize[base] + prize[base + 1], prize[base + 2]
        changed = own + strength
        return (hoped(changed, rivals, one, two, LEADS[0]) if changed else 0.0) - (
            hoped(own, rivals, one, two, LEADS[0]) if own else 0.0
        )

    def _advised_taking(self) -> int:
        """The tiles that add most, one after another."""
        seat, count = self.awards[0]
        left = list(self.ground_tiles[self.evaluating - 1])
        if count >= len(left):
            return encoded(tuple(left))
        own = self.tiles[seat][:]
        taken = []
        for _ in range(count):
            tile = max(dict.fromkeys(left), key=lambda tile: self.gain_of(seat, own, tile))
            left.remove(tile)
            own[tile] += 1
            taken.append(tile)
        return encoded(tuple(sorted(taken)))
