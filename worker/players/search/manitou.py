"""The searching player of Manitou, and the hunt that it searches.

A hunt is played out card by card, and valued by what it brought and what was lost for later hunts. In a playout, every
seat mostly makes the move that would bring most, including its rivals' losses, if the hunt ended with it. Such guided
playouts are more informative than random ones (Gelly and Silver 2007). Only public cards are considered. The cards of a
ground depend only on the order of the totals, not on their differences. So the game's function is called once for an
example of every order, and playouts, which value some hundred placements, look the result up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, partial
from random import Random

from games import manitou
from games.manitou import play
from games.manitou.components import BEATS, HUNTS, PENALTY, TURNS, VALUE
from games.manitou.end_of_hunt import takers, takes_all
from games.manitou.house_rules import Options
from games.manitou.scoring import earnings
from games.manitou.state import State
from games.manitou_family_parties import penalised
from worker.players.search import manitou_family
from worker.players.search.manitou_family import Title, tastes
from worker.players.search.manitou_family_hunt import (
    EPSILON,
    HUNTERS,
    PASS,
    ROUNDS,
    Hunt,
    Law,
    kind,
    law,
    logistic,
    read_cards,
)

LOST_CARD = 0.25  # points for a card that is captured, for each hunt still to come; the greedy player has it from games
THIEF = float(-PENALTY)
DREAD = 1.4  # times its 10 points on the last turn, less before: the certainty that the greedy player has from games
SCALES = {False: 12.0, True: 8.0}  # points ahead that make a reward of 0.73, by whether the hunt is the last
SPREAD = 5.0  # of a lead with a hunt to come: fitted to the results of 80 games of two greedy seats


UNRIVALLED, AHEAD_OF_TIED, AHEAD, TIED_FOR_FIRST, SECOND, TIED_FOR_SECOND, NOTHING, BEHIND_TIED, BEHIND = range(9)
EXAMPLES = (  # of these orders: a total, and those of up to three rivals, the highest first
    (1, (0, 0, 0)),
    (2, (1, 1, 0)),
    (2, (1, 0, 0)),
    (1, (1, 0, 0)),
    (1, (2, 0, 0)),
    (1, (2, 1, 0)),
    (0, (1, 0, 0)),
    (0, (2, 1, 1)),
    (0, (2, 1, 0)),
)


@dataclass(init=False, eq=False, repr=False, slots=True)
class ManitouHunt(Hunt):
    """A hunt of Manitou, with its buffalo and the points that every seat has."""

    alone: tuple[bool, bool]  # whether one contender takes all, no other seat being there, and with others there
    hunt: int
    lost: float  # what a captured card would have brought its seat in the hunts to come
    points: list[float]  # before this hunt
    prizes: tuple[tuple[float, float], ...]  # of each ground, the higher buffalo first
    margins: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]  # of each, by whether one contender takes all

    def clone(self) -> ManitouHunt:
        """Returns a copy."""
        other = ManitouHunt()
        self.copy_to(other)
        other.alone, other.hunt, other.lost = self.alone, self.hunt, self.lost
        other.points, other.prizes, other.margins = self.points, self.prizes, self.margins
        return other

    def mover(self) -> int:
        """MA-3.5: the seat to move, -1 when the turns are over."""
        turn, place = divmod(self.taken, self.seats)
        return self.order[place] if turn < TURNS else -1

    def actions(self) -> list[int]:
        """MA-4.6: the cards that can be laid, or else to pass."""
        return self.plays(self.order[self.taken % self.seats]) or [PASS]

    def apply(self, action: int) -> None:
        """MA-4.3, MA-4.4: a card is laid and the next one drawn; or the seat passes."""
        seat = self.order[self.taken % self.seats]
        if action:
            self.lay(seat, action >> 2, action & 3)
            if self.piles[seat]:
                self.hands[seat].append(self.piles[seat].pop())
        self.taken += 1

    def play_out(self, luck: Random) -> None:
        """Every seat mostly makes the move that brings most if the hunt ended with it."""
        random, end = luck.random, TURNS * self.seats
        while self.taken < end:
            seat = self.order[self.taken % self.seats]
            if random() < EPSILON:
                moves = self.plays(seat)
                self.apply(moves[int(random() * len(moves))] if moves else PASS)
            else:
                self.apply(self.advised(seat, random()))

    def advised(self, seat: int, whim: float) -> int:
        """The move that brings most if the hunt ended with it; a whim, 0 to 1, decides between equal grounds."""
        hunters = self._hunters(seat)
        heroes = [card for card in self.hands[seat] if card > HUNTERS]
        best, move = -math.inf, PASS
        for ground in ROUNDS[int(whim * 3)]:
            if hunters:
                gain, card = self._best_hunter(seat, ground, hunters)
                if gain > best:
                    best, move = gain, card * 4 + ground
            for card in heroes:
                if self.may_lay(seat, card, ground):
                    gain = self._hero_gain(seat, card, ground)
                    if gain > best:
                        best, move = gain, card * 4 + ground
        return move

    def _hunters(self, seat: int) -> list[tuple[int, float]]:
        """Returns the hunters of a hand, and their other costs."""
        return [(card, self._dread(seat, card)) for card in self.hands[seat] if card <= HUNTERS]

    def _best_hunter(self, seat: int, ground: int, hunters: list[tuple[int, float]]) -> tuple[float, int]:
        """The hunter, of those given with what else they cost, that would change most on a ground."""
        start = ground * self.seats
        rivals = self.totals[start : start + self.seats]
        own = rivals.pop(seat)
        if self.seats == 2:
            rivals.append(0)
        else:
            rivals.sort(reverse=True)
        margins = self.margins[ground][self._takes_all(seat, ground)]
        now = margins[order_of(own, rivals)]
        if self.owners[ground] not in (-1, seat):
            now += self.lost + 1 / (self.seats - 1)  # one card more that another's hero captures
        best, chosen = -math.inf, 0
        for card, dread in hunters:
            gain = margins[order_of(own + card, rivals)] + dread
            if gain > best:
                best, chosen = gain, card
        return best - now, chosen

    def _takes_all(self, seat: int, ground: int) -> bool:
        """MA-R17: whether the only contender would have both buffalo, the seat laying a card there."""
        by_itself, among_others = self.alone
        if by_itself == among_others:
            return by_itself
        start = ground * self.seats
        is_alone = sum(self.cards[start : start + self.seats]) == self.cards[start + seat]
        return by_itself if is_alone else among_others

    def _dread(self, seat: int, card: int) -> float:
        """What laying a hunter changes about the hide thief, if the hunt ended with it (MA-5.6)."""
        force, rivals = self.force, self.seats - 1
        own = force[seat]
        most = force[1 - seat] if rivals == 1 else max(force[:seat] + force[seat + 1 :])
        if own + card < most or own > most:
            return 0.0
        change = blame(own + card, most, rivals) - blame(own, most, rivals)
        return DREAD * THIEF * (self.taken // self.seats + 1) / TURNS * change

    def _hero_gain(self, seat: int, card: int, ground: int) -> float:
        """What a hero would change on a ground: who captures how many cards there."""
        owner, after = self.owners[ground], self.met(seat, card, ground)[0]
        change = self._captures(seat, ground, after, 1) if after >= 0 else 0.0
        return change - self._captures(seat, ground, owner, 0) if owner >= 0 else change

    def _captures(self, seat: int, ground: int, owner: int, added: int) -> float:
        """The prisoners of an owner's ground for a seat, less its rivals' on average; `added` cards are the seat's."""
        start, rivals, lost = ground * self.seats, self.seats - 1, self.lost
        laid = self.cards[start + seat]
        others = sum(self.cards[start : start + self.seats]) - laid
        if owner == seat:
            return others * (1 + lost / rivals)
        theirs = others - self.cards[start + owner]
        return -(laid + added) * (lost + 1 / rivals) - theirs * (1 - lost) / rivals

    def scores(self) -> list[float]:
        """MA-5.6 to MA-5.9: the points of every seat when the hunt is over."""
        points = self.points[:]
        for seat in penalised(dict(enumerate(self.force)), self.order):
            points[seat] -= THIEF
        for ground in (0, 1, 2):
            self._share_out(ground, points)
            owner = self.owners[ground]
            if owner >= 0:
                start = ground * self.seats
                points[owner] += sum(self.cards[start : start + self.seats]) - self.cards[start + owner]
        return points

    def _share_out(self, ground: int, points: list[float]) -> None:
        """MA-5.7: the buffalo of a ground."""
        start = ground * self.seats
        totals = self.totals[start : start + self.seats]
        first, second = self.prizes[ground]
        one, _, two = takers(totals, self._takes_all(totals.index(max(totals)), ground))
        if one >= 0:
            points[one] += first
        if two >= 0:
            points[two] += second

    def expectations(self) -> list[float]:
        """The points of every seat, less what its lost cards would have brought."""
        expectations = self.scores()
        lost = self.lost
        if lost:
            for ground, owner in enumerate(self.owners):
                if owner >= 0:
                    for seat in range(self.seats):
                        if seat != owner:
                            expectations[seat] -= lost * self.cards[ground * self.seats + seat]
        return expectations

    def rewards(self) -> list[float]:
        """Returns every seat's lead over the best other, scaled to 0 to 1."""
        return logistic(self.expectations(), SCALES[self.hunt == HUNTS])


def blame(own: int, most: int, rivals: int) -> float:
    """The hide thieves that a seat has fewer than its rivals on average, when the best of them has this total."""
    if own < most:
        return 1 / rivals
    return (1 / rivals if own == most else 0.0) - 1 if own else 0.0


@cache
def law_of(options: Options) -> Law:
    """How heroes meet under these house rules."""
    return law(
        BEATS,
        counts_all_heroes=play.counts_all_heroes(options),
        attacks_last=play.attacks_last(options),
        equal_suffices=play.equal_suffices(options),
        vain_is_illegal=play.vain_is_illegal(options),
    )


def hunt_of(state: State) -> ManitouHunt:
    """The hunt of a whole state, real or imagined."""
    hunt = ManitouHunt()
    hunt.law, alone = law_of(state.options), state.options.alone
    hunt.alone = takes_all(alone, 1), takes_all(alone, 2)
    hunt.seats, hunt.hunt, hunt.taken = state.players, state.hunt, state.turns_taken
    hunt.lost = LOST_CARD * (HUNTS - state.hunt)
    hunt.order = tuple([seat - 1 for seat in state.turn_order])
    hunt.bonus = [0] * state.players
    hunt.points = [float(row.total) for row in earnings(state)]
    read_cards(hunt, state.camps, state.grounds)
    up = [ground.face_up for ground in state.grounds]
    hunt.owners = [-1 if heroes is None else heroes.seat - 1 for heroes in up]
    hunt.heroes = [() if heroes is None else tuple([kind(card) for card in heroes.cards]) for heroes in up]
    _read_prizes(hunt, state)
    return hunt


def _read_prizes(hunt: ManitouHunt, state: State) -> None:
    """The buffalo of the grounds, and what they bring by how the totals stand."""
    values = [sorted([float(VALUE[card]) for card in ground.buffalo], reverse=True) for ground in state.grounds]
    pairs = [[*row, 0.0, 0.0][:2] for row in values]
    rivals = state.players - 1
    hunt.prizes = tuple([(first, second) for first, second in pairs])
    hunt.margins = tuple([(margins(*pair, rivals, False), margins(*pair, rivals, True)) for pair in hunt.prizes])


def order_of(own: int, rivals: list[int]) -> int:
    """How a total stands to those of the rivals, two or more, the highest first; a single one is followed by a 0."""
    best, third = rivals[0], rivals[1]
    if own > best:
        if not best:
            return UNRIVALLED
        return AHEAD_OF_TIED if third == best else AHEAD
    if best in (own, third):
        return TIED_FOR_FIRST
    if own > third:
        return SECOND
    if own == third:
        return TIED_FOR_SECOND if own else NOTHING
    return BEHIND_TIED if len(rivals) > 2 and rivals[2] == third else BEHIND


@cache
def margins(first: float, second: float, rivals: int, alone: bool) -> tuple[float, ...]:
    """By order, what prizes of these values bring a seat more than so many rivals on average.

    `alone`: the majority takes both if nobody else has hunters there.
    """
    return tuple([_margin([own, *others[:rivals]], first, second, alone) for own, others in EXAMPLES])


def _margin(totals: list[int], first: float, second: float, alone: bool) -> float:
    """What the seat with the first of the totals takes more than the others on average."""
    one, _, two = takers(totals, alone)
    own = (one == 0) * first + (two == 0) * second
    return own - ((one > 0) * first + (two > 0) * second) * (1.0 / (len(totals) - 1))


ITERATIONS = {"skilled": 200, "expert": 3000}  # an expert's median move stays within a second
TASTES = tastes(
    {
        2: (0, -37, -13, -54, -105, -82, -73, -144, -187, -215, -214, 399, 155, 179, 152, 239),
        3: (0, -158, -141, -136, -104, -87, -40, -63, -63, 40, 73, 281, 78, 102, 92, 125),
        4: (0, -137, -137, -146, -97, -108, -96, -90, -27, -28, 59, 354, 109, 90, 82, 172),
    }
)


def unseen(state: State, seat: int) -> tuple[str, ...]:
    """Returns the cards that only the seat can see."""
    camp = state.camps[seat]
    return camp.reserve + camp.party + camp.pile + camp.hand


TITLE = Title(
    game=manitou.game,
    hunt_of=hunt_of,
    unseen=unseen,
    reserve=lambda state, seat: state.camps[seat].reserve,
    party_size=lambda state, seat: state.camps[seat].party_size,  # MA-3.3
    keeps_left=lambda _: False,  # MA-5.9: all cards go home after a hunt, but for prisoners
    code=lambda move: kind(move.card) * 4 + move.ground - 1 if hasattr(move, "card") else PASS,
    taste=lambda state: TASTES[state.players],
    undrawn=lambda *_: (),
    spread=lambda state: SPREAD * math.sqrt(HUNTS - state.hunt + 0.25),
)
choose, foresee = partial(manitou_family.choose, TITLE), partial(manitou_family.foresee, TITLE)
