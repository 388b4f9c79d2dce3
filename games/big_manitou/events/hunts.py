"""The game and its hunts: grounds stocked, parties, cards drawn and put away, the end (BM-2, BM-3, BM-6)."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.big_manitou.events.rows import SeatCards, SeatScore, StockedGround, TileCount
from games.big_manitou.options import Options
from games.kernel import Event
from games.parties import PartySize
from games.ranking import Rank


class GameStarted(Event, frozen=True, gc=False):
    """The table and its house rules (BM-1.7, BM-2.6)."""

    players: int
    options: Options
    hunts: int
    tile_counts: tuple[TileCount, ...]


class HuntStarted(Event, frozen=True, gc=False):
    """BM-3.3, BM-3.5; rows in turn order."""

    hunt: int
    dealer: int
    turn_order: tuple[int, ...]
    party_sizes: tuple[PartySize, ...]


class GroundsStocked(Event, frozen=True, gc=False):
    """BM-3.4; tiles in the order drawn."""

    hunt: int
    grounds: tuple[StockedGround, ...]
    bag_left: int
    phase: Literal["party"] | None


class PartyChosen(Event, frozen=True, gc=False, kw_only=True):
    """BM-3.6; cards in deck order, for their owner."""

    hunt: int
    seat: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    phase: Literal["party"] | None


class PartyDrawn(Event, frozen=True, gc=False):
    """BM-3.6 with `party_selection: "random"`; cards in deck order, for their owner."""

    hunt: int
    seat: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET


class PartyShuffled(Event, frozen=True, gc=False):
    """BM-3.7; the pile, its top card first, for nobody."""

    hunt: int
    seat: int
    order: tuple[str, ...] | UnsetType = UNSET


class CardsDrawn(Event, frozen=True, gc=False, kw_only=True):
    """BM-3.7, BM-3.9; cards in the order drawn, for their owner."""

    hunt: int
    seat: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    pile_left: int
    phase: Literal["play"] | None


class UnplayedCardsReturned(Event, frozen=True, gc=False, kw_only=True):
    """BM-3.12; cards in deck order, for their owner."""

    hunt: int
    seat: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    to: Literal["reserve", "spent"]


class HuntEnded(Event, frozen=True, gc=False):
    """BM-3.15; the cards that every seat laid, in deck order."""

    hunt: int
    discarded: tuple[SeatCards, ...]


class DecksRefreshed(Event, frozen=True, gc=False):
    """BM-3.16; `hunt` is the one just ended."""

    hunt: int
    cards_each: int


class GameEnded(Event, frozen=True, gc=False):
    """The final scores and who has won (BM-6.1, BM-6.2, BM-6.3, BM-6.4)."""

    scores: tuple[SeatScore, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: tuple[str, ...]
