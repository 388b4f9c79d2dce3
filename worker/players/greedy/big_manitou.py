"""Greedy Big Manitou: tries every move on one imagined table and makes the one with the best value for its seat.

The value of a table to a seat is what it has and may expect from the grounds, less the same for the others on average.
The unit is one victory point.
"""

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.big_manitou.components import STRENGTH, TABLES, TURNS, Cylinder, tiles_of
from games.big_manitou.end_of_hunt import bonuses
from games.big_manitou.imagine import imagine
from games.big_manitou.play import legal_moves, play_read
from games.big_manitou.scoring import holding
from games.big_manitou.sight import View
from games.big_manitou.state import Cards, Ground, State
from games.kernel import Event, first_of_all
from games.manitou_family_parties import ChooseParty, PartyChoice
from games.manitou_family_trials import hero_of
from worker.players import Candidate, ranked
from worker.players.float_sums import added

NOISE = 4.0  # points by which a novice misjudges a move at most

# Set by hand, then tuned as long as a change won more of 200 games at three seats against the former values.
WEIGHTS = {
    "surplus": 1.4,  # for the root of bison points without tipi points or the reverse, with all hunts to come
    "cylinder_use": 0.3,  # the extra card or the hunter move, for each hunt to come
    "behind": 0.25,  # a totem or horse tile that brings no cylinder
    "tomahawk": 0.2,  # its bonus on every ground, for each hunt to come
    "tile": 0.05,  # any tile, for ties and penalties
    "penalty": 0.8,  # the tile lost for the highest hunter total
    "swing": 3.5,  # hunter points that a turn still to come may add to a ground
    "hero_stays": 0.55,  # that a single hero is not beaten, with all turns to come
    "pair_stays": 0.85,  # the same of a pair
    "hunter_kept": 0.03,  # of a hunter point still in hand rather than shown to the others
    "hero_kept": 0.35,  # of a hero still in hand, which can yet answer another
}

# What a card adds to a party, in hunter points: heroes take first choice of tiles, and cause no force penalty.
HERO_IN_PARTY = {"chief": 9.5, "matriarch": 7.5, "rainmaker": 8.0, "scout": 8.0, "sorcerer": 8.0}
PARTY_WHIM = 3.0  # random addition, so that nobody can predict a party


def weigh(view: View, feed: Sequence[Event], luck: random.Random) -> list[Candidate]:
    """Returns the seat's moves, the best first; luck orders equal ones."""
    if view.seat is None:
        raise ValueError("a spectator does not move")
    seat, state = view.seat, imagine(view, feed, first_of_all)  # nothing below reads hidden cards
    moves = legal_moves(state, seat)
    if isinstance(moves[0], PartyChoice):
        return [Candidate(party(moves[0], luck), 0, 0.0)]
    if len(moves) == 1:
        return [Candidate(moves[0], 0, 0.0)]
    return ranked(moves, lambda move: expected(play_read(state, seat, move, first_of_all).state, seat), luck)


def party(choice: PartyChoice, luck: random.Random) -> ChooseParty:
    """Chooses strong hunters and heroes, with some randomness."""
    taste = {
        card: (STRENGTH.get(card) or HERO_IN_PARTY[hero_of(card)]) + PARTY_WHIM * luck.random() for card in choice.from_
    }
    return ChooseParty(tuple(sorted(choice.from_, key=lambda card: -taste[card])[: choice.choose]))


class Wealth(NamedTuple):
    """What counts at the end of the game, and the numbers of hunts to come and in all."""

    tiles: tuple[Cards, ...]
    totem: int | None
    horse: int | None
    hunts_left: int
    hunts: int


class Field(NamedTuple):
    """The grounds: every seat's hunter total on each, and the turns that each seat has left."""

    grounds: tuple[Ground, ...]
    totals: tuple[tuple[int, ...], ...]
    turns_left: float


def expected(state: State, seat: int) -> float:
    """Returns a seat's expected points less those of the others on average."""
    hunts = TABLES[state.players].hunts
    tiles = tuple([own.tiles for own in state.seats])
    wealth = Wealth(tiles, state.totem_cylinder, state.horse_cylinder, hunts - state.hunt, hunts)
    turns_left = TURNS - state.turns / state.players if state.phase == "play" else 0.0
    field = Field(state.grounds, tuple([totals_on(state, ground) for ground in state.grounds]), turns_left)
    expectations = [value_of_seat(wealth, field, other) for other in range(1, state.players + 1)]
    mine = expectations.pop(seat - 1)
    return mine + kept(state, seat) - added(expectations) / len(expectations)


def totals_on(state: State, ground: Ground) -> tuple[int, ...]:
    """The hunter total of every seat on a ground, 0 without hunters."""
    return tuple(
        [
            sum([STRENGTH[card] + bonus for card in side if card in STRENGTH])
            for side, bonus in zip(ground.sides, bonuses(state), strict=True)
        ]
    )


def kept(state: State, seat: int) -> float:
    """Returns the value of hidden cards in hand."""
    if state.phase != "play":
        return 0.0
    hand = state.seats[seat - 1].hand
    return added(WEIGHTS["hunter_kept"] * STRENGTH[card] if card in STRENGTH else WEIGHTS["hero_kept"] for card in hand)


def value_of_seat(wealth: Wealth, field: Field, seat: int) -> float:
    """Returns a seat's expected points."""
    hoped = added([hope(wealth, field, place, seat) for place in range(len(field.grounds))])
    return holdings(wealth, seat, wealth.tiles[seat - 1]) + hoped - WEIGHTS["penalty"] * dread(field, seat)


@lru_cache(maxsize=1024)
def holdings(wealth: Wealth, seat: int, tiles: Cards) -> float:
    """Returns the value of tiles at the end if the seat had them (BM-6)."""
    tipi, bison, tomahawks = holding(tiles)
    surplus = WEIGHTS["surplus"] * wealth.hunts_left / wealth.hunts * math.sqrt(abs(tipi - bison))
    most = max([holding(held).tomahawks for other, held in enumerate(wealth.tiles, 1) if other != seat])
    majority = 0.5 + 0.5 * math.tanh(tomahawks - most - 0.5) if tomahawks else 0.0
    bonus = WEIGHTS["tomahawk"] * min(wealth.hunts_left, 2) * tomahawks
    cylinders = cylinder(wealth, seat, tiles, "totem", wealth.totem) + cylinder(
        wealth, seat, tiles, "horse", wealth.horse
    )
    return min(tipi, bison) + surplus + cylinders + majority + bonus + WEIGHTS["tile"] * len(tiles)


def cylinder(wealth: Wealth, seat: int, tiles: Cards, kind: Cylinder, holder: int | None) -> float:
    """Returns the value of tiles of a kind: the cylinder's point and its use, if they bring it (BM-5.8)."""
    count = tiles_of(tiles, kind)
    gained = count > tiles_of(wealth.tiles[seat - 1], kind)
    enough = holder is None or count >= tiles_of(wealth.tiles[holder - 1], kind)
    if holder == seat or (gained and enough):
        return 1.0 + WEIGHTS["cylinder_use"] * wealth.hunts_left + WEIGHTS["behind"] * (count - 1)
    return WEIGHTS["behind"] * count


@lru_cache(maxsize=1024)
def gains(wealth: Wealth, seat: int, tiles: Cards) -> tuple[float, ...]:
    """Returns what each of a ground's tiles would add to the seat's own, the best first."""
    own = wealth.tiles[seat - 1]
    base = holdings(wealth, seat, own)
    return tuple(sorted([holdings(wealth, seat, (*own, tile)) - base for tile in tiles], reverse=True))


def hope(wealth: Wealth, field: Field, place: int, seat: int) -> float:
    """Returns a seat's expected gain on a ground (BM-5.7): as owner of its hero, by majority, as runner-up."""
    ground = field.grounds[place]
    hero = hero_chance(field, ground, seat)
    first, second = chances(field, field.totals[place], seat)
    if not ground.tiles or not (hero or first or second):
        return 0.0
    tiles = (*gains(wealth, seat, ground.tiles), 0.0, 0.0, 0.0)
    best = 1 if hero else 0  # the hero has taken the best tile before
    third = 3 if ground.heroes else 2
    return hero * tiles[0] + first * (tiles[best] + tiles[best + 1]) + second * tiles[third]


def hero_chance(field: Field, ground: Ground, seat: int) -> float:
    """How likely the seat's heroes are to be face up at the end."""
    if not ground.heroes or ground.heroes[0].seat != seat:
        return 0.0
    stays = WEIGHTS["hero_stays"] if len(ground.heroes) == 1 else WEIGHTS["pair_stays"]
    return 1 - (1 - stays) * field.turns_left / TURNS


def chances(field: Field, totals: tuple[int, ...], seat: int) -> tuple[float, float]:
    """How likely the seat is to have the majority of a ground, and to be the runner-up."""
    mine = totals[seat - 1]
    if not mine:
        return 0.0, 0.0
    rivals = sorted(totals[: seat - 1] + totals[seat:], reverse=True)
    spread = 0.5 + WEIGHTS["swing"] * math.sqrt(field.turns_left)
    first = lead(mine - rivals[0], spread)
    either = lead(mine - rivals[1], spread) if len(rivals) > 1 else 1.0
    return first, max(0.0, either - first)


def lead(ahead: int, spread: float) -> float:
    """Returns the probability that a lead holds; a tie is worth nothing (BM-R13)."""
    return 1 / (1 + math.exp((1 - 2 * ahead) / spread))


def dread(field: Field, seat: int) -> float:
    """How likely the seat is to be penalised for its hunters; a tie is penalised too (BM-5.5)."""
    sums = [sum(totals) for totals in zip(*field.totals, strict=True)]
    mine = sums.pop(seat - 1)
    return lead(mine - max(sums) + 1, 1 + 2 * WEIGHTS["swing"] * math.sqrt(field.turns_left)) if mine else 0.0
