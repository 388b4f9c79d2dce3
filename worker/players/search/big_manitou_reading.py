"""A state of Big Manitou and its moves, as the hunt that is searched has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from games.big_manitou import moves as mv
from games.big_manitou.components import BEATS, TABLES
from games.big_manitou.options import Options
from games.big_manitou.play.laying import vain_is_illegal
from games.big_manitou.state import State, hunters_laid
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
    TAKING,
)
from worker.players.search.big_manitou_hunt import BigHunt
from worker.players.search.hunt import HUNTERS, PASS, Law, kind, law
from worker.players.search.tiles import TILE_KINDS, TOMAHAWK, Outlook, encoded, tile_kind

PHASES = {"party": PLAY, "play": PLAY, "extra_card": EXTRA, "hunter_move": MOVING, "penalty": PENALTY}


def hunt_of(state: State) -> BigHunt:
    """The hunt of a whole state, real or imagined, from the choice of parties on."""
    hunt, players = BigHunt(), state.players
    hunts = TABLES[players].hunts
    hunt.options, hunt.seats = state.options, players
    hunt.outlook = Outlook.of(state.options, hunts - state.hunt, hunts)
    hunt.law = law_of(state.options)
    hunt.first, hunt.last = state.hunt == 1, state.hunt == hunts
    hunt.order, hunt.taken = tuple([seat - 1 for seat in state.turn_order]), state.turns
    hunt.phase = TAKING if state.phase == "take_tiles" else PHASES.get(state.phase or "", OVER)
    hunt.hands = [[kind(card) for card in seat.hand] for seat in state.seats]
    hunt.piles = [[kind(card) for card in reversed(seat.pile)] for seat in state.seats]
    _read_tiles(hunt, state)
    _read_grounds(hunt, state)
    hunt.value_tiles()
    return hunt


@cache
def law_of(options: Options) -> Law:
    """What the game says of heroes that meet, under these house rules."""
    return law(BEATS, vain_is_illegal=vain_is_illegal(options))


def _read_tiles(hunt: BigHunt, state: State) -> None:
    hunt.tiles = [[0] * TILE_KINDS for _ in state.seats]
    for seat, own in enumerate(state.seats):
        for tile in own.tiles:
            hunt.tiles[seat][tile_kind(tile)] += 1
    hunt.bonus = list(state.bonuses) or [tiles[TOMAHAWK] for tiles in hunt.tiles]
    hunt.totem, hunt.horse = (state.totem_cylinder or 0) - 1, (state.horse_cylinder or 0) - 1
    totem, horse = ([seat - 1 for seat in gains] for gains in (state.totem_gains, state.horse_gains))
    hunt.gains = (tuple(totem), tuple(horse))
    hunt.owing = tuple([seat - 1 for seat in state.owing])
    hunt.evaluating = state.evaluating
    hunt.awards = tuple([(award.seat - 1, award.count) for award in state.awards])


def _read_grounds(hunt: BigHunt, state: State) -> None:
    sides = [[kind(card) for card in side] for ground in state.grounds for side in ground.sides]
    seats = state.players
    hunters = [[card for card in side if card <= HUNTERS] for side in sides]
    hunt.totals = [sum(row) + hunt.bonus[place % seats] * len(row) for place, row in enumerate(hunters)]
    hunt.force = [sum([sum(row) for row in hunters[seat::seats]]) for seat in range(seats)]
    hunt.cards = [len(side) for side in sides]
    hunt.heroes_laid = [len(side) - len(row) for side, row in zip(sides, hunters, strict=True)]
    hunt.owners = [ground.heroes[0].seat - 1 if ground.heroes else -1 for ground in state.grounds]
    hunt.heroes = [tuple([kind(hero.card) for hero in ground.heroes]) for ground in state.grounds]
    hunt.ground_tiles = [tuple(sorted([tile_kind(tile) for tile in ground.tiles])) for ground in state.grounds]
    laid = hunters_laid(state, hunt.horse + 1) if hunt.horse >= 0 else {}
    hunt.lying = tuple([kind(card) * 4 + ground - 1 for card, ground in laid.items()])


def code(move: Any) -> int:
    """A move of the game as a hunt knows it."""
    return CODES[type(move)](move)


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
