"""A state of Big Manitou and its moves, as the hunt that is searched has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from games.big_manitou import moves as mv
from games.big_manitou.components import BEATS, TABLES
from games.big_manitou.options import Options
from games.big_manitou.play import vain_is_illegal
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
from worker.players.search.hunt import PASS, Law, kind, law, read_sides
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
    _read_hands(hunt, state)
    _read_tiles(hunt, state)
    _read_debts(hunt, state)
    read_sides(hunt, [[kind(card) for card in side] for ground in state.grounds for side in ground.sides])
    hunt.lying = _lying(state)
    _read_grounds(hunt, state)
    hunt.value_tiles()
    return hunt


@cache
def law_of(options: Options) -> Law:
    """What the game says of heroes that meet, under these house rules."""
    return law(BEATS, vain_is_illegal=vain_is_illegal(options))


def _read_hands(hunt: BigHunt, state: State) -> None:
    """The cards that the seats still have for this hunt."""
    hunt.hands = [[kind(card) for card in seat.hand] for seat in state.seats]
    hunt.piles = [[kind(card) for card in reversed(seat.pile)] for seat in state.seats]


def _read_tiles(hunt: BigHunt, state: State) -> None:
    """The tiles of the seats, and what they have for them."""
    hunt.tiles = [[0] * TILE_KINDS for _ in state.seats]
    for seat, own in enumerate(state.seats):
        for tile in own.tiles:
            hunt.tiles[seat][tile_kind(tile)] += 1
    hunt.bonus = list(state.bonuses) or [tiles[TOMAHAWK] for tiles in hunt.tiles]
    hunt.totem, hunt.horse = (state.totem_cylinder or 0) - 1, (state.horse_cylinder or 0) - 1
    totem, horse = ([seat - 1 for seat in gains] for gains in (state.totem_gains, state.horse_gains))
    hunt.gains = (tuple(totem), tuple(horse))


def _read_debts(hunt: BigHunt, state: State) -> None:
    """What the seats owe and may take."""
    hunt.owing = tuple([seat - 1 for seat in state.owing])
    hunt.evaluating = state.evaluating
    hunt.awards = tuple([(award.seat - 1, award.count) for award in state.awards])


def _lying(state: State) -> tuple[int, ...]:
    """The hunters of the seat with the horse cylinder."""
    laid = hunters_laid(state, state.horse_cylinder) if state.horse_cylinder else {}
    return tuple([kind(card) * 4 + ground - 1 for card, ground in laid.items()])


def _read_grounds(hunt: BigHunt, state: State) -> None:
    """Who stands face up on the grounds, and which tiles lie there."""
    hunt.owners = [ground.heroes[0].seat - 1 if ground.heroes else -1 for ground in state.grounds]
    hunt.heroes = [tuple([kind(hero.card) for hero in ground.heroes]) for ground in state.grounds]
    hunt.ground_tiles = [tuple(sorted([tile_kind(tile) for tile in ground.tiles])) for ground in state.grounds]


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
