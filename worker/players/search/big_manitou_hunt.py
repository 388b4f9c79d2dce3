"""Big Manitou searched: a hunt played out with all its decisions, its tiles valued for the end of the game.

Moves are numbers: those of `hunt` for cards laid; the rest below. Tiles are kinds, as in `tiles`.
"""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

from games.big_manitou.components import TURNS
from games.big_manitou.options import Options
from games.big_manitou.play.cylinders import holder_after_loss, takes_cylinder
from games.big_manitou.play.tiles import payable
from games.big_manitou.scoring import shares, untied_totals
from games.parties import penalised
from worker.players.greedy.big_manitou import WEIGHTS
from worker.players.search.hunt import EPSILON, HUNTERS, PASS, ROUNDS, Hunt, logistic
from worker.players.search.leads import DREADS, LEADS, bounded, hoped
from worker.players.search.tiles import (
    HORSE,
    PAYING,
    TILE_KINDS,
    TOMAHAWK,
    TOTEM,
    Outlook,
    cylinder_worth,
    pairs_worth,
    tomahawks_worth,
)

PLAY, EXTRA, MOVING, PENALTY, TAKING, OVER = range(6)
NO_EXTRA, NO_MOVING = 64, 65  # decline what a cylinder offers
MOVE_FROM, DISCARD_FROM, TAKE_FROM = 128, 256, 300  # a hunter and its new ground; a tile; tiles as decimal digits
SCALES = {False: 2.2, True: 1.2}  # points ahead that make a reward of 0.73, by whether the hunt is the last
KEPT = {"hunter": 0.03, "hero": 0.3}  # points for a card that comes back for the next hunt; a hunter's by its strength


class BigHunt(Hunt):
    """A hunt of Big Manitou."""

    __slots__ = (
        "awards",
        "evaluating",
        "first",
        "gains",
        "ground_tiles",
        "horse",
        "last",
        "lying",
        "options",
        "outlook",
        "owing",
        "phase",
        "prizes",
        "tiles",
        "totem",
    )

    options: Options
    outlook: Outlook
    first: bool  # the first hunt: its penalty is paid after the awards (BM-3.13)
    last: bool
    phase: int
    tiles: list[list[int]]  # of each seat, how many of each kind
    ground_tiles: list[tuple[int, ...]]  # sorted
    totem: int  # the seat with the cylinder, or -1
    horse: int
    gains: tuple[
        tuple[int, ...], tuple[int, ...]
    ]  # seats by their last gain of a totem and of a horse, the latest last
    lying: tuple[int, ...]  # the hunters of the seat with the horse cylinder, coded like moves
    owing: tuple[int, ...]
    evaluating: int  # how many grounds have been evaluated, the one whose tiles are taken included
    awards: tuple[tuple[int, int], ...]  # seat and count, not taken yet
    prizes: tuple[tuple[tuple[float, ...], ...], ...]  # of each ground and seat, what its tiles add, the best first

    def clone(self) -> BigHunt:
        """Another hunt like this."""
        other = BigHunt.__new__(BigHunt)
        self.copy_to(other)
        other.options, other.outlook, other.first, other.last = self.options, self.outlook, self.first, self.last
        other.phase, other.totem, other.horse, other.gains = self.phase, self.totem, self.horse, self.gains
        other.lying, other.owing, other.evaluating = self.lying, self.owing, self.evaluating
        other.awards, other.prizes = self.awards, self.prizes
        other.tiles = [tiles[:] for tiles in self.tiles]
        other.ground_tiles = self.ground_tiles[:]
        other.bonus = self.bonus[:]
        return other

    # Whose move, and which

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
        """BM-4.7."""
        return [MOVE_FROM + (code & ~3) + ground for code in self.lying for ground in (0, 1, 2) if ground != code & 3]

    def _discards(self, seat: int) -> list[int]:
        """BM-5.6: bison and tipi, else any."""
        tiles = self.tiles[seat]
        return list(payable([tile for tile in range(TILE_KINDS) if tiles[tile]], PAYING))

    def _takings(self) -> list[int]:
        """BM-4.9."""
        picks = combinations(self.ground_tiles[self.evaluating - 1], self.awards[0][1])
        return list(dict.fromkeys([encoded(pick) for pick in picks]))

    # What moves do

    def apply(self, action: int) -> None:
        """The move is made, and the steps after it that need no decision."""
        phase = self.phase
        if phase == PLAY:
            self._turn(action)
        elif phase == EXTRA:
            if action != NO_EXTRA:
                self._lay_card(self.totem, action)
            self._after_extra()
        elif phase == MOVING:
            if action != NO_MOVING:
                self._move_hunter(action - MOVE_FROM)
            self._after_moving()
        elif phase == PENALTY:
            self._discard(self.owing[0], action - DISCARD_FROM)
            self._settle_penalty()
        else:
            self._take(decoded(action))

    def _turn(self, action: int) -> None:
        """BM-3.8, BM-3.9."""
        seat = self.order[self.taken % self.seats]
        if action:
            self._lay_card(seat, action)
            if self.piles[seat]:
                self.hands[seat].append(self.piles[seat].pop())
        self.taken += 1
        if self.taken == TURNS * self.seats:
            self.phase = EXTRA
            if self.totem < 0 or self.totem == self.order[-1]:
                self._after_extra()

    def _lay_card(self, seat: int, action: int) -> None:
        self.lay(seat, action >> 2, action & 3)
        if seat == self.horse and action >> 2 <= HUNTERS:
            self.lying = (*self.lying, action)

    def _after_extra(self) -> None:
        """BM-3.11."""
        self.phase = MOVING
        if self.horse < 0 or not self.lying:
            self._after_moving()

    def _move_hunter(self, code: int) -> None:
        """BM-4.7."""
        card, to = code >> 2, code & 3
        lay = next(lay for lay in self.lying if lay >> 2 == card)
        strength = card + self.bonus[self.horse]
        for ground, sign in ((lay & 3, -1), (to, 1)):
            place = ground * self.seats + self.horse
            self.totals[place] += sign * strength
            self.cards[place] += sign
        self.lying = tuple([code if one == lay else one for one in self.lying])

    def _after_moving(self) -> None:
        """BM-5.5, BM-3.13."""
        totals = self.force
        if self.options.penalty_strength == "with_tomahawks":
            totals = [sum(self.totals[seat :: self.seats]) for seat in range(self.seats)]
        self.owing = penalised(dict(enumerate(totals)), self.order)
        if self.first:
            self._evaluate()
        else:
            self._settle_penalty(paid=False)

    def _settle_penalty(self, paid: bool = True) -> None:
        """BM-5.6: on to the next seat that can pay."""
        owing = self.owing[1:] if paid else self.owing
        while owing and not any(self.tiles[owing[0]]):
            owing = owing[1:]
        self.owing = owing
        if owing:
            self.phase = PENALTY
        elif self.first:
            self.phase = OVER
        else:
            self._evaluate()

    def _discard(self, seat: int, tile: int) -> None:
        """BM-5.6, BM-5.10."""
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
        """BM-5.10, BM-R16."""
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
                self.phase = TAKING
                return
            self.ground_tiles[self.evaluating - 1] = ()  # BM-5.9
        if self.first:
            self._settle_penalty(paid=False)
        else:
            self.phase = OVER

    def _awarded(self, ground: int) -> tuple[tuple[int, int], ...]:
        """BM-5.7: seats and how many tiles they take."""
        totals = self.totals[ground * self.seats : (ground + 1) * self.seats]
        owner, tiles = self.owners[ground], len(self.ground_tiles[ground])
        seats = [totals.index(total) for total in untied_totals(totals)[:2]]
        counts = shares(self.options, tiles, hero=owner >= 0, hunters=any(totals), places=len(seats))
        return tuple([(seat, count) for seat, count in zip((owner, *seats), counts, strict=False) if count])

    def _take(self, tiles: tuple[int, ...]) -> None:
        """BM-4.9, BM-5.8."""
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
        """BM-5.8."""
        totem, horse = self.gains
        gains = (*[s for s in (totem, horse)[tile == HORSE] if s != seat], seat)
        self.gains = (totem, gains) if tile == HORSE else (gains, horse)
        if takes_cylinder(self.tiles[seat][tile], None if holder < 0 else self.tiles[holder][tile]):
            self._give(tile, seat)

    # Playing on

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
            return DISCARD_FROM + min(self._discards(seat), key=lambda tile: self._loss(seat, tile))
        return self._advised_taking()

    def _advised_card(self, seat: int, whim: float, move: int, best: float) -> int:
        hand = self.hands[seat]
        turns_left = TURNS - (self.taken + 1) / self.seats if self.phase == PLAY else 0.0
        leads = LEADS[int(turns_left)]
        hunters = [(card, self._dread(seat, card, turns_left)) for card in hand if card <= HUNTERS]
        heroes = [card for card in hand if card > HUNTERS]
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
            tile = max(dict.fromkeys(left), key=lambda tile: self._gain_of(seat, own, tile))
            left.remove(tile)
            own[tile] += 1
            taken.append(tile)
        return encoded(tuple(sorted(taken)))

    def _loss(self, seat: int, tile: int) -> float:
        own = self.tiles[seat][:]
        own[tile] -= 1
        return self._gain_of(seat, own, tile)

    def _gain_of(self, seat: int, own: list[int], tile: int) -> float:
        """What one tile more adds to a seat's own."""
        more = own[:]
        more[tile] += 1
        outlook = self.outlook
        if tile < HORSE:
            return pairs_worth(more, outlook) - pairs_worth(own, outlook)
        if tile == TOMAHAWK:
            most = max([tiles[TOMAHAWK] for other, tiles in enumerate(self.tiles) if other != seat])
            return tomahawks_worth(more, most, outlook) - tomahawks_worth(own, most, outlook)
        holder = self.totem if tile == TOTEM else self.horse
        if holder == seat:
            return WEIGHTS["behind"] if outlook.hunts_left else 0.0
        gained = takes_cylinder(more[tile], None if holder < 0 else self.tiles[holder][tile])
        return cylinder_worth(gained, more[tile], outlook) - cylinder_worth(False, own[tile], outlook)

    # What came of it

    def worths(self) -> list[float]:
        """What the tiles and cylinders of every seat are worth, and the cards that come back."""
        return [self._worth(seat) + self._kept(seat) for seat in range(self.seats)]

    def _worth(self, seat: int) -> float:
        tiles, outlook = self.tiles[seat], self.outlook
        most = max([others[TOMAHAWK] for other, others in enumerate(self.tiles) if other != seat])
        return (
            pairs_worth(tiles, outlook)
            + tomahawks_worth(tiles, most, outlook)
            + cylinder_worth(self.totem == seat, tiles[TOTEM], outlook)
            + cylinder_worth(self.horse == seat, tiles[HORSE], outlook)
            + WEIGHTS["tile"] * sum(tiles)
        )

    def _kept(self, seat: int) -> float:
        """BM-3.12, BM-3.16: cards not laid are there for the second hunt of a deck."""
        hunt = self.outlook.hunts - self.outlook.hunts_left
        if self.last or hunt % 2 == 0 or self.options.unplayed_cards == "spent":
            return 0.0
        cards = self.hands[seat] + self.piles[seat]
        return sum([KEPT["hunter"] * card if card <= HUNTERS else KEPT["hero"] for card in cards])

    def rewards(self) -> list[float]:
        """Every seat's lead over the best other, between 0 and 1."""
        return logistic(self.worths(), SCALES[self.last])

    def value_tiles(self) -> None:
        """Works out the prizes of the grounds; they stay until the first tile is taken."""
        self.prizes = tuple(
            [tuple([self._prizes(seat, tiles) for seat in range(self.seats)]) for tiles in self.ground_tiles]
        )

    def _prizes(self, seat: int, tiles: tuple[int, ...]) -> tuple[float, ...]:
        own = self.tiles[seat]
        return (*sorted([self._gain_of(seat, own, tile) for tile in tiles], reverse=True), 0.0, 0.0, 0.0, 0.0)


def encoded(tiles: tuple[int, ...]) -> int:
    """A taking of tiles, sorted, as a move."""
    number = 0
    for tile in tiles:
        number = number * 10 + tile + 1
    return TAKE_FROM + number


def decoded(move: int) -> tuple[int, ...]:
    """The tiles of a taking."""
    return tuple([int(digit) - 1 for digit in str(move - TAKE_FROM)])
