"""The table at one moment."""

from typing import Literal

import msgspec

from games.manitou.components import CARDS
from games.manitou.events import Cards
from games.manitou.house_rules import Options
from games.manitou_family_parties import SeatCard, SeatCards

Phase = Literal["party", "play", "over"]


class Camp(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The cards of a seat that lie out of sight, each in one place, and the party that it owes (MA-7.1)."""

    reserve: Cards = CARDS  # sorted
    party: Cards = ()  # chosen and not shuffled yet; sorted
    pile: Cards = ()  # top card first
    hand: Cards = ()  # sorted
    party_size: int = 0
    party_chosen: bool = False


class PointsPile(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What a seat has taken (MA-6.2)."""

    buffalo: Cards = ()
    prisoners: tuple[SeatCard, ...] = ()
    hide_thieves: Cards = ()
    paper_penalties: int = 0  # hide thieves noted without a card, ruling MA-R29


class Ground(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The stake of a ground, the cards laid there by each seat in order, and the heroes face up (MA-5.1)."""

    buffalo: Cards
    sides: tuple[Cards, ...]
    face_up: SeatCards | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """A game of Manitou."""

    players: int
    options: Options
    phase: Phase
    hunt: int
    dealer: int | None
    turn_order: tuple[int, ...]
    turns_taken: int  # in this hunt, by all seats together
    camps: tuple[Camp, ...]
    grounds: tuple[Ground, ...]
    points: tuple[PointsPile, ...]
    small: Cards
    large: Cards
    hide_thieves: Cards
    removed: Cards
