"""The searching player of Big Manitou, and the values of the hunt that it searches.

A hunt is played out with all its decisions (`big_manitou_model`), and its tiles are valued for the end of the game. In
a playout, every seat mostly makes the move with the highest expected value, estimated like the greedy player's: the
probability that a lead on a ground holds until the end of the hunt, times the value of the tiles there. Such guided
playouts are more informative than random ones (Gelly and Silver 2007), as long as some moves are random (`EPSILON`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Any

from games import big_manitou
from games.big_manitou import moves as mv
from games.big_manitou.components import BEATS, TABLES, TURNS
from games.big_manitou.house_rules import Options
from games.big_manitou.hunt_steps import decks_are_refreshed, takes_cylinder
from games.big_manitou.play import vain_is_illegal
from games.big_manitou.sight import is_unseen
from games.big_manitou.state import State, hunters_laid, party_size
from worker.players.float_sums import added
from worker.players.greedy.big_manitou import WEIGHTS
from worker.players.search import manitou_family
from worker.players.search.big_manitou_model import (
    DISCARD_FROM,
    EXTRA,
    HORSE,
    MOVE_FROM,
    MOVING,
    NO_EXTRA,
    NO_MOVING,
    OVER,
    PENALTY,
    PLAY,
    TAKING,
    TILE_KINDS,
    TOMAHAWK,
    TOTEM,
    Course,
    Outlook,
    cylinder_value,
    encoded,
    pairs_value,
    tile_kind,
    tomahawks_value,
)
from worker.players.search.manitou_family import Taste, Title, tastes
from worker.players.search.manitou_family_hunt import (
    EPSILON,
    HUNTERS,
    PASS,
    ROUNDS,
    Law,
    kind,
    law,
    logistic,
    read_cards,
)

SCALES = {False: 2.2, True: 1.2}  # points ahead that make a reward of 0.73, by whether the hunt is the last
SPREAD = 1.9  # of a lead with a hunt to come: fitted to the results of 80 games of two greedy seats
KEPT = {"hunter": 0.03, "hero": 0.3}  # points for a card kept for the next hunt; a hunter's by its strength


SPAN = 60  # larger leads count as this many points


def bounded(ahead: int) -> int:
    """Returns the index of a lead in a table of leads."""
    place = ahead + SPAN
    if place < 0:  # plain comparisons, as a playout asks some two hundred times
        return 0
    return place if place < 2 * SPAN else 2 * SPAN


def hoped(own: int, rivals: list[int], one: float, two: float, leads: list[float]) -> float:
    """Returns the expected gain of a seat with hunters on a ground: from majority and runner-up."""
    first = leads[bounded(own - rivals[0])]
    either = leads[bounded(own - rivals[1])] if len(rivals) > 1 else 1.0
    return first * one + (either - first) * two if either > first else first * one


def lead_table(turns_left: int, base: float, swing: float) -> list[float]:
    """Returns the probability that each lead holds; a tie is worth nothing (BM-R13)."""
    spread = base + swing * math.sqrt(turns_left)
    return [1 / (1 + math.exp(min(500.0, (1 - 2 * ahead) / spread))) for ahead in range(-SPAN, SPAN + 1)]


LEADS = [lead_table(turns, 0.5, WEIGHTS["swing"]) for turns in range(TURNS + 1)]
DREADS = [lead_table(turns, 1.0, 2 * WEIGHTS["swing"]) for turns in range(TURNS + 1)]


@dataclass(init=False, eq=False, repr=False, slots=True)
class BigHunt(Course):
    """A hunt of Big Manitou whose tiles are valued for the end of the game."""

    prizes: tuple[tuple[tuple[float, ...], ...], ...]  # of each ground and seat, what its tiles add, the best first

    def clone(self) -> BigHunt:
        """Returns a copy."""
        other = BigHunt()
        self.copy_course_to(other)
        other.prizes = self.prizes
        return other

    def play_out(self, luck: Random) -> None:
        """Plays to the end; every seat mostly makes the move with the highest expected value."""
        random = luck.random
        while self.phase != OVER:
            if random() < EPSILON and self.phase < PENALTY:
                moves = self.actions()
                self.apply(moves[int(random() * len(moves))])
            else:
                self.apply(self.advised(random()))

    def advised(self, whim: float) -> int:
        """Returns the move with the highest expected value; `whim`, 0 to 1, decides between equal grounds."""
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
        """Returns the hunters of a hand, and their other costs."""
        return [(card, self._dread(seat, card, turns_left)) for card in self.hands[seat] if card <= HUNTERS]

    def _best_hunter(
        self, seat: int, ground: int, hunters: list[tuple[int, float]], leads: list[float]
    ) -> tuple[float, int]:
        """Returns the best of these hunters for a ground, given their other costs."""
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
        """Returns what a hunter adds to the expected force penalty (BM-5.5), and the cost of revealing it."""
        force = self.force
        ahead = force[seat] - max(force[:seat] + force[seat + 1 :])
        leads = DREADS[int(turns_left)]
        more = leads[bounded(ahead + card + 1)] - (leads[bounded(ahead + 1)] if force[seat] else 0.0)
        return -WEIGHTS["penalty"] * more - WEIGHTS["hunter_kept"] * card

    def _hero_gain(self, seat: int, card: int, ground: int, turns_left: float) -> float:
        """Returns the expected gain of a hero: the best tile of the ground, or denying it to another seat."""
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
        """Returns the hunter move that gains most, where the awards depend on it."""
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
        """Returns what this additional strength would gain a seat on a ground."""
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
        """Returns the tiles that add most, one after another."""
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

    # Values of tiles

    def value_tiles(self) -> None:
        """Computes the prizes of the grounds, which are valid until the first tile is taken."""
        self.prizes = tuple(
            [tuple([self._prizes(seat, tiles) for seat in range(self.seats)]) for tiles in self.ground_tiles]
        )

    def _prizes(self, seat: int, tiles: tuple[int, ...]) -> tuple[float, ...]:
        own = self.tiles[seat]
        return (*sorted([self.gain_of(seat, own, tile) for tile in tiles], reverse=True), 0.0, 0.0, 0.0, 0.0)

    def loss_of(self, seat: int, tile: int) -> float:
        """Returns the value that a seat loses with one tile."""
        own = self.tiles[seat][:]
        own[tile] -= 1
        return self.gain_of(seat, own, tile)

    def gain_of(self, seat: int, own: list[int], tile: int) -> float:
        """Returns the value that a seat gains with one tile."""
        more = own[:]
        more[tile] += 1
        outlook = self.outlook
        if tile < HORSE:
            return pairs_value(more, outlook) - pairs_value(own, outlook)
        if tile == TOMAHAWK:
            most = max([tiles[TOMAHAWK] for other, tiles in enumerate(self.tiles) if other != seat])
            return tomahawks_value(more, most, outlook) - tomahawks_value(own, most, outlook)
        holder = self.totem if tile == TOTEM else self.horse
        if holder == seat:
            return WEIGHTS["behind"] if outlook.hunts_left else 0.0
        gained = takes_cylinder(more[tile], None if holder < 0 else self.tiles[holder][tile])
        return cylinder_value(gained, more[tile], outlook) - cylinder_value(False, own[tile], outlook)

    def expectations(self) -> list[float]:
        """Returns the expected value of every seat's tiles, cylinders and kept cards."""
        return [self._expected(seat) + self._kept(seat) for seat in range(self.seats)]

    def _expected(self, seat: int) -> float:
        tiles, outlook = self.tiles[seat], self.outlook
        most = max([others[TOMAHAWK] for other, others in enumerate(self.tiles) if other != seat])
        return (
            pairs_value(tiles, outlook)
            + tomahawks_value(tiles, most, outlook)
            + cylinder_value(self.totem == seat, tiles[TOTEM], outlook)
            + cylinder_value(self.horse == seat, tiles[HORSE], outlook)
            + WEIGHTS["tile"] * sum(tiles)
        )

    def _kept(self, seat: int) -> float:
        """BM-3.12, BM-3.16: cards not laid are there for the second hunt of a deck."""
        hunt = self.outlook.hunts - self.outlook.hunts_left
        if self.last or decks_are_refreshed(hunt) or self.options.unplayed_cards == "spent":
            return 0.0
        cards = self.hands[seat] + self.piles[seat]
        return added([KEPT["hunter"] * card if card <= HUNTERS else KEPT["hero"] for card in cards])

    def rewards(self) -> list[float]:
        """Returns every seat's lead over the best other, scaled to 0 to 1."""
        return logistic(self.expectations(), SCALES[self.last])


PHASES = {"party": PLAY, "play": PLAY, "extra_card": EXTRA, "hunter_move": MOVING, "penalty": PENALTY}


def hunt_of(state: State) -> BigHunt:
    """Returns the hunt of a complete state, from the choice of parties on."""
    hunt, players = BigHunt(), state.players
    hunts = TABLES[players].hunts
    hunt.options, hunt.seats = state.options, players
    hunt.outlook = Outlook.of(state.options, hunts - state.hunt, hunts)
    hunt.law = law_of(state.options)
    hunt.first, hunt.last = state.hunt == 1, state.hunt == hunts
    hunt.order, hunt.taken = tuple([seat - 1 for seat in state.turn_order]), state.turns
    hunt.phase = TAKING if state.phase == "take_tiles" else PHASES.get(state.phase or "", OVER)
    hunt.owing, hunt.evaluating = tuple([seat - 1 for seat in state.owing]), state.evaluating
    hunt.awards = tuple([(award.seat - 1, award.count) for award in state.awards])
    _read_tiles(hunt, state)
    read_cards(hunt, state.seats, state.grounds)
    hunt.owners = [ground.heroes[0].seat - 1 if ground.heroes else -1 for ground in state.grounds]
    hunt.heroes = [tuple([kind(hero.card) for hero in ground.heroes]) for ground in state.grounds]
    laid = hunters_laid(state, state.horse_cylinder) if state.horse_cylinder else {}
    hunt.lying = tuple([kind(card) * 4 + ground - 1 for card, ground in laid.items()])
    hunt.value_tiles()
    return hunt


@cache
def law_of(options: Options) -> Law:
    """Returns the results of all trials of strength under these house rules."""
    return law(BEATS, vain_is_illegal=vain_is_illegal(options))


def _read_tiles(hunt: BigHunt, state: State) -> None:
    """The tiles of the grounds and the seats, and what these have for them."""
    hunt.ground_tiles = [tuple(sorted([tile_kind(tile) for tile in ground.tiles])) for ground in state.grounds]
    hunt.tiles = [[0] * TILE_KINDS for _ in state.seats]
    for seat, own in enumerate(state.seats):
        for tile in own.tiles:
            hunt.tiles[seat][tile_kind(tile)] += 1
    hunt.bonus = list(state.bonuses) or [tiles[TOMAHAWK] for tiles in hunt.tiles]
    hunt.totem, hunt.horse = (state.totem_cylinder or 0) - 1, (state.horse_cylinder or 0) - 1
    totem, horse = ([seat - 1 for seat in gains] for gains in (state.totem_gains, state.horse_gains))
    hunt.gains = (tuple(totem), tuple(horse))


def _code_of_play(move: mv.PlayCard | mv.PlayExtraCard) -> int:
    return kind(move.card) * 4 + move.ground - 1


CODES: dict[type, Callable[[Any], int]] = {
    mv.PlayCard: _code_of_play,
    mv.PlayExtraCard: _code_of_play,
    mv.PassTurn: lambda _: PASS,
    mv.DeclineExtraCard: lambda _: NO_EXTRA,
    mv.MoveHunter: lambda move: MOVE_FROM + kind(move.card) * 4 + move.to_ground - 1,
    mv.DeclineHunterMove: lambda _: NO_MOVING,
    mv.DiscardTile: lambda move: DISCARD_FROM + tile_kind(move.tile),
    mv.TakeTiles: lambda move: encoded(tuple(sorted([tile_kind(tile) for tile in move.tiles]))),
}


ITERATIONS = {"skilled": 130, "expert": 2000}  # an expert's median move stays within a second
TASTES = tastes(
    {
        2: (0, -525, -413, -307, -166, -188, -47, 4, 67, 344, 444, 213, 118, 111, 118, 226),
        3: (0, -353, -254, -200, -104, -35, -8, 89, 177, 264, 460, 73, -62, -40, -33, 24),
        4: (0, -297, -224, -147, -98, -11, -13, 109, 157, 251, 418, 5, -66, -44, -66, 25),
        5: (0, -278, -232, -180, -104, -32, 61, 88, 191, 297, 379, 43, -51, -84, -82, -16),
    }
)


def unseen(state: State, seat: int) -> tuple[str, ...]:
    """Returns the cards that only the seat can see."""
    own = state.seats[seat]
    return own.reserve + own.party + own.pile + own.hand + own.spent


def taste(state: State) -> Taste:
    """Returns the preference for each kind of card with this number of seats; none if parties are drawn."""
    return TASTES[state.players] if state.options.party_selection == "chosen" else (0.0,) * 16


def undrawn(state: State, seat: int) -> tuple[str, ...]:
    """BM-R5: a party drawn blind may hold any card that its owner has not seen."""
    own = state.seats[seat]
    return own.reserve + own.pile if is_unseen(state, own) else ()


TITLE = Title(
    game=big_manitou.game,
    hunt_of=hunt_of,
    unseen=unseen,
    reserve=lambda state, seat: state.seats[seat].reserve,
    party_size=lambda state, seat: party_size(state, seat + 1),  # BM-3.5
    keeps_left=lambda state: not decks_are_refreshed(state.hunt),  # BM-3.16: a deck serves for two hunts
    code=lambda move: CODES[type(move)](move),
    taste=taste,
    undrawn=undrawn,
    spread=lambda state: SPREAD * math.sqrt(TABLES[state.players].hunts - state.hunt + 0.25),
)
choose, foresee = partial(manitou_family.choose, TITLE), partial(manitou_family.foresee, TITLE)
