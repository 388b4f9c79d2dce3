"""The table at one moment, and the questions that rules ask of it."""

from typing import Literal

import msgspec

from games.big_manitou.components import (
    DECK,
    GROUNDS,
    STRENGTH,
    TABLES,
    GroundNumber,
    in_deck_order,
)
from games.big_manitou.events import Award
from games.big_manitou.house_rules import Options
from games.manitou_family_parties import SeatCard

Phase = Literal["party", "play", "extra_card", "hunter_move", "penalty", "take_tiles", "over"]
Cards = tuple[str, ...]


class Seat(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What one seat owns apart from its cards on the grounds: sorted, but for the pile."""

    reserve: Cards = DECK
    party: Cards = ()  # between choosing and shuffling only
    hand: Cards = ()
    pile: Cards = ()  # its top card first
    discards: Cards = ()
    spent: Cards = ()
    tiles: Cards = ()  # in tile order
    tiles_taken: int = 0


class Ground(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A hunting ground: its tiles in the order drawn, each seat's cards and the face-up heroes in the order laid."""

    tiles: Cards
    sides: tuple[Cards, ...]
    heroes: tuple[SeatCard, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game of Big Manitou at one moment. `phase` is null during steps that need no move (BM-3.2)."""

    players: int
    options: Options
    bag: Cards
    seats: tuple[Seat, ...]
    grounds: tuple[Ground, ...] = ()
    removed: Cards = ()
    hunt: int = 0
    turn_order: tuple[int, ...] = ()
    phase: Phase | None = None
    turns: int = 0  # taken in this hunt by all seats together, passes included
    totem_cylinder: int | None = None  # the seat that holds it
    horse_cylinder: int | None = None
    totem_gains: tuple[int, ...] = ()  # seats by their last gain of a tile of the kind, the latest last
    horse_gains: tuple[int, ...] = ()
    owing: tuple[int, ...] = ()  # the force penalty, in turn order
    evaluating: int = 0  # the ground, or 0
    bonuses: tuple[int, ...] = ()  # of each seat, from when the evaluation of ground 1 began (BM-R18)
    awards: tuple[Award, ...] = ()  # not taken yet


def seat_of(state: State, seat: int) -> Seat:
    """What a seat owns."""
    return state.seats[seat - 1]


def dealer_of(state: State) -> int:
    """BM-3.3: the dealer is last in turn order."""
    return state.turn_order[-1]


def party_size(state: State, seat: int) -> int:
    """BM-3.5: how many cards the seat takes on this hunt."""
    return TABLES[state.players].party_sizes[state.turn_order.index(seat)]


def hunters_on(ground: Ground, seat: int) -> Cards:
    """A seat's hunters on a ground, in the order laid."""
    return tuple([card for card in ground.sides[seat - 1] if card in STRENGTH])


def hunters_laid(state: State, seat: int) -> dict[str, GroundNumber]:
    """A seat's hunters on all three grounds, in deck order, each with its ground."""
    lying = {
        card: number for number, ground in zip(GROUNDS, state.grounds, strict=True) for card in hunters_on(ground, seat)
    }
    return {card: lying[card] for card in in_deck_order(lying)}


def is_face_up(ground: Ground, seat: int, card: str) -> bool:
    """Hunters always are; a hero until a trial turns it down."""
    return card in STRENGTH or SeatCard(seat, card) in ground.heroes
