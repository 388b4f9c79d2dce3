"""A state of Manitou as the hunt that is searched has it."""

from __future__ import annotations

from functools import cache

from games.manitou import play
from games.manitou.components import BEATS, HUNTS, VALUE
from games.manitou.options import Options
from games.manitou.scoring import earnings, takes_all
from games.manitou.state import State
from worker.players.search.hunt import Law, kind, law, read_sides
from worker.players.search.majorities import margins
from worker.players.search.manitou_hunt import LOST_CARD, ManitouHunt


@cache
def alone_of(options: Options) -> tuple[bool, bool]:
    """Whether the only contender takes all, no other seat being there, and with others there."""
    return takes_all(options.alone, 1), takes_all(options.alone, 2)


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
    hunt.law, hunt.alone = law_of(state.options), alone_of(state.options)
    hunt.seats, hunt.hunt, hunt.taken = state.players, state.hunt, state.turns_taken
    hunt.lost = LOST_CARD * (HUNTS - state.hunt)
    hunt.order = tuple([seat - 1 for seat in state.turn_order])
    hunt.hands = [[kind(card) for card in camp.hand] for camp in state.camps]
    hunt.piles = [[kind(card) for card in reversed(camp.pile)] for camp in state.camps]
    hunt.bonus = [0] * state.players
    hunt.points = [float(row.total) for row in earnings(state)]
    read_sides(hunt, [[kind(card) for card in side] for ground in state.grounds for side in ground.sides])
    _read_heroes(hunt, state)
    _read_prizes(hunt, state)
    return hunt


def _read_heroes(hunt: ManitouHunt, state: State) -> None:
    """Who stands face up on the grounds."""
    up = [ground.face_up for ground in state.grounds]
    hunt.owners = [-1 if heroes is None else heroes.seat - 1 for heroes in up]
    hunt.heroes = [() if heroes is None else tuple([kind(card) for card in heroes.cards]) for heroes in up]


def _read_prizes(hunt: ManitouHunt, state: State) -> None:
    """The buffalo of the grounds, and what they bring by how the totals stand."""
    values = [sorted([float(VALUE[card]) for card in ground.buffalo], reverse=True) for ground in state.grounds]
    pairs = [[*row, 0.0, 0.0][:2] for row in values]
    rivals = state.players - 1
    hunt.prizes = tuple([(first, second) for first, second in pairs])
    hunt.margins = tuple([(margins(*pair, rivals, False), margins(*pair, rivals, True)) for pair in hunt.prizes])
