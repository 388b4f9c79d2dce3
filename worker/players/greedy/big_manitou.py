"""Greedy Big Manitou: tries every move on a table as it may well be and makes the one that leaves its seat best off.

What a table is worth to a seat is what it has, what the grounds promise it, less what the others have by the same
reckoning; the unit is one victory point.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from games import big_manitou
from games.big_manitou.components import KIND, STRENGTH, TABLES, TURNS, VALUE, tiles_of
from games.big_manitou.scoring import bonuses
from games.big_manitou.state import Ground, State
from games.kernel import T
from games.parties import ChooseParty, PartyChoice

# Set by hand from the rules, then each moved up and down while that won more games against its former self.
WEIGHTS = {
    "surplus": 0.45,  # a bison point without its tipi point, or the other way round, with all hunts to come
    "cylinder_use": 0.3,  # the extra card or the hunter move, for each hunt to come
    "behind": 0.25,  # a totem or horse tile that brings no cylinder yet
    "tomahawk": 0.35,  # its bonus on every ground, for each hunt to come
    "tile": 0.05,  # any tile, for ties and penalties
    "penalty": 0.8,  # the tile lost for the highest hunter total
    "swing": 2.5,  # hunter points that a turn still to come may add to a ground
    "hero_stays": 0.55,  # that a single hero is not beaten, with all turns to come
    "pair_stays": 0.85,  # the same of the pair
    "hunter_kept": 0.03,  # of a hunter point still in hand rather than shown to the others
    "hero_kept": 0.35,  # of a hero still in hand, which can yet answer another
}

# What a card adds to a party, in hunter points: heroes take first choice of tiles without the force penalty.
HERO_IN_PARTY = {"chief": 8.0, "matriarch": 6.0, "rainmaker": 6.5, "scout": 6.5, "sorcerer": 6.5}
PARTY_WHIM = 3.0  # so much may luck add, that nobody can foretell a party


def choose(view: Any, feed: Sequence[Any], luck: random.Random) -> Any:
    """The move that looks best to `view.seat`; ties are left to luck."""

    def chance(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(luck.sample(population, count))

    state = big_manitou.imagine(view, feed, chance)
    moves = big_manitou.legal_moves(state, view.seat)
    if isinstance(moves[0], PartyChoice):
        return party(moves[0], luck)
    if len(moves) == 1:
        return moves[0]

    def promise(move: Any) -> tuple[float, float]:
        after = big_manitou.play(state, view.seat, move, chance).state
        return worth(after, view.seat), luck.random()

    return max(moves, key=promise)


def party(choice: PartyChoice, luck: random.Random) -> ChooseParty:
    """Strong hunters and heroes of all kinds, with a whim."""

    def rating(card: str) -> float:
        strength = STRENGTH.get(card)
        return (strength or HERO_IN_PARTY[card.rpartition("-")[0]]) + PARTY_WHIM * luck.random()

    return ChooseParty(tuple(sorted(choice.from_, key=rating, reverse=True)[: choice.choose]))


def worth(state: State, seat: int) -> float:
    """How much better off a seat is than the others on average."""
    others = [other for other in range(1, state.players + 1) if other != seat]
    mean = sum(standing(state, other) for other in others) / len(others)
    return standing(state, seat) + kept(state, seat) - mean


def standing(state: State, seat: int) -> float:
    """What a seat has and may hope for."""
    hoped = sum(hope(state, ground, seat) for ground in state.grounds)
    return holdings(state, seat, state.seats[seat - 1].tiles) + hoped - WEIGHTS["penalty"] * dread(state, seat)


def hunts_left(state: State) -> float:
    """How much of the game is to come after this hunt, from 1 to 0."""
    hunts = TABLES[state.players].hunts
    return (hunts - state.hunt) / hunts


def turns_left(state: State) -> float:
    """How many turns each seat has in this hunt still."""
    return TURNS - state.turns / state.players if state.phase == "play" else 0.0


def holdings(state: State, seat: int, tiles: Sequence[str]) -> float:
    """What tiles, were they the seat's, would be worth at the end (BM-6)."""
    left = hunts_left(state)
    tipi = sum(VALUE[tile] for tile in tiles if KIND[tile] == "tipi")
    bison = sum(VALUE[tile] for tile in tiles if KIND[tile] == "bison")
    points = min(tipi, bison) + WEIGHTS["surplus"] * left * math.sqrt(abs(tipi - bison))
    totem = cylinder(state, seat, tuple(tiles), "totem", state.totem_cylinder)
    horse = cylinder(state, seat, tuple(tiles), "horse", state.horse_cylinder)
    tomahawks = tiles_of(tuple(tiles), "tomahawk")
    most = max(tiles_of(own.tiles, "tomahawk") for other, own in enumerate(state.seats, 1) if other != seat)
    majority = 0.5 + 0.5 * math.tanh(tomahawks - most - 0.5) if tomahawks else 0.0
    hunts = TABLES[state.players].hunts - state.hunt
    bonus = WEIGHTS["tomahawk"] * min(hunts, 2) * tomahawks
    return points + totem + horse + majority + bonus + WEIGHTS["tile"] * len(tiles)


def cylinder(state: State, seat: int, tiles: tuple[str, ...], kind: Any, holder: int | None) -> float:
    """What the tiles of a kind are worth: the cylinder's point and its use, if they bring it (BM-5.8)."""
    count = tiles_of(tiles, kind)
    more = count > tiles_of(state.seats[seat - 1].tiles, kind)
    enough = holder is None or count >= tiles_of(state.seats[holder - 1].tiles, kind)
    hunts = TABLES[state.players].hunts - state.hunt
    if holder == seat or (more and enough):
        return 1.0 + WEIGHTS["cylinder_use"] * hunts + WEIGHTS["behind"] * (count - 1)
    return WEIGHTS["behind"] * count
