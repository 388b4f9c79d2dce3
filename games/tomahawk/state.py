"""The table at one moment, and the questions that rules ask of it."""

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType, defstruct

from games.tomahawk.components import (
    CARDS,
    FIELD,
    PILES,
    SPECIAL_CARDS,
    TURNS_OF,
    Components,
    PileNumber,
    Species,
    TerritoryFace,
)
from games.tomahawk.events import Card
from games.tomahawk.house_rules import Options
from games.tomahawk.moves import Kept

Phase = Literal["choose_specials", "play_cards", "mountain_look", "over"]


class Slot(msgspec.Struct, frozen=True, gc=False):
    """Two warriors face to face: their ids and, once they are turned up, their values; seat 1's first."""

    turn: int
    cards: tuple[str, str]
    values: tuple[int, int] | None


class Pile(msgspec.Struct, frozen=True, gc=False):
    """A pile: the territory in play, those below it, the slots, and the cards laid there but not yet in a slot."""

    territory: str | None
    below: tuple[str, ...]
    slots: tuple[Slot, ...] = ()
    laid: tuple[str | None, str | None] = (None, None)


class Won(msgspec.Struct, frozen=True, gc=False):
    """A territory that a seat has taken."""

    territory: str
    face: str
    species: Species
    animals: int
    points: int
    turn: int


class Side(msgspec.Struct, frozen=True, gc=False):
    """What belongs to one seat; `reserve` holds its cards outside the army, `seen` the forest cards it looked at."""

    reserve: tuple[str, ...]
    kept: tuple[Kept, ...] = ()
    draw_pile: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    won: tuple[Won, ...] = ()
    scalps: int = 0
    bonus: int = 0
    cemetery: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()


class Forced(msgspec.Struct, frozen=True, gc=False):
    """A card laid for its seat by the dusk dance, until it is turned up (TO-5.4)."""

    seat: int
    pile: int
    card: str
    for_turn: int


class Dance(msgspec.Struct, frozen=True, gc=False):
    """A dusk dance whose card is still to be drawn (TO-5.4, `dusk_dance_timing: "next_turn"`)."""

    seat: int
    card: str
    pile: int


# What cards and territories show, a field each: a dict in a state could be changed.
if TYPE_CHECKING:
    Cards = Any
    Faces = Any
else:
    _SHOWN = {"frozen": True, "gc": False}
    Cards = defstruct("Cards", [(card, Card | UnsetType, UNSET) for card in CARDS], **_SHOWN)
    _FACES = [(name, TerritoryFace | UnsetType, UNSET) for name in FIELD.values()]
    Faces = defstruct("Faces", _FACES, rename={name: territory for territory, name in FIELD.items()}, **_SHOWN)


class State(msgspec.Struct, frozen=True, gc=False):
    """The whole table. `cards` and `faces` have a field for each card and territory: what it shows, once drawn."""

    options: Options
    components: Components
    sides: tuple[Side, Side]
    piles: tuple[Pile, ...]
    supply: int
    phase: Phase = "choose_specials"
    turn: int = 0
    to_act: tuple[int, ...] = ()
    box: tuple[str, ...] = SPECIAL_CARDS
    cards: Cards = Cards()
    faces: Faces = Faces()
    discarded: tuple[str, ...] = ()
    most_wanted: str | None = None
    forced: Forced | None = None
    dance: Dance | None = None


# Questions


def side_of(state: State, seat: int) -> Side:
    """What belongs to `seat`."""
    return state.sides[seat - 1]


def in_play(pile: Pile) -> str:
    """The territory in play at a pile that has one."""
    if pile.territory is None:
        raise ValueError("no territory is in play here")
    return pile.territory


def laid_by_both(pile: Pile) -> tuple[str, str]:
    """The two cards that lie at a pile and face each other next."""
    first, second = pile.laid
    if first is None or second is None:
        raise ValueError("not both seats have laid a card here")
    return first, second


def is_complete(pile: Pile) -> bool:
    """Whether the battle at a pile has had all its turns (TO-5.6)."""
    return pile.territory is not None and len(pile.slots) == TURNS_OF[pile.territory]


def open_piles(state: State, seat: int) -> tuple[PileNumber, ...]:
    """TO-4.3: the piles at which a seat places a card: all four, less the one with its forced card."""
    if state.forced is None or state.forced.seat != seat:
        return PILES
    return tuple(pile for pile in PILES if pile != state.forced.pile)


def known_values(slot: Slot) -> tuple[int, int]:
    """The values of a slot that is face up."""
    if slot.values is None:
        raise ValueError("this slot is face down")
    return slot.values


def territory_points(side: Side) -> int:
    """The points of the territories of a side (TO-6.2)."""
    return sum(won.points for won in side.won)
