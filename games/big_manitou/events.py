"""What happens in a game (BM-5). Every field stands in the log for ever, under this name.

A field that may be `UNSET` is secret until the game is over, and unset for those who may not read it yet (BM-7.6).
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from games.big_manitou.components import Cylinder, Kind
from games.big_manitou.options import Options
from games.kernel import Event
from games.parties import PartySize, SeatCard
from games.ranking import Rank
from games.trials import Relation

CylinderReason = Literal["first_tile", "matched", "overtaken", "no_tiles"]
Step = Literal["hero", "majority", "runner_up"]


class Row(msgspec.Struct, frozen=True, gc=False):
    """A row of a payload; all that it holds is text, numbers and further rows."""


class TileCount(Row, frozen=True):
    kind: Kind
    value: int | None
    count: int


class StockedGround(Row, frozen=True):
    ground: int
    tiles: tuple[str, ...]


class Attacker(Row, frozen=True):
    seat: int
    card: str
    hero: str


class Defender(Row, frozen=True):
    seat: int
    card: str
    hero: str
    protected: str | None


class SeatCards(Row, frozen=True):
    seat: int
    cards: tuple[str, ...]


class ForceTotal(Row, frozen=True):
    seat: int
    cards: tuple[str, ...]
    bonus_per_card: int
    total: int


class CardStrength(Row, frozen=True):
    card: str
    strength: int


class GroundTotal(Row, frozen=True):
    seat: int
    bonus_per_card: int
    cards: tuple[CardStrength, ...]
    total: int


class Award(Row, frozen=True):
    step: Step
    seat: int
    count: int


class SeatTiles(Row, frozen=True):
    seat: int
    tiles: int


class SeatScore(Row, frozen=True):
    seat: int
    tipi_points: int
    bison_points: int
    pairs: int
    totem_cylinder: int
    horse_cylinder: int
    tomahawks: int
    tomahawk_majority: int
    tiles_held: int
    tiles_taken: int
    total: int
    rank: int


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


class PartyChosen(Event, frozen=True, gc=False):
    """BM-3.6; cards in deck order, for their owner."""

    hunt: int
    seat: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET


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


class CardPlayed(Event, frozen=True, gc=False):
    """BM-5.3."""

    hunt: int
    seat: int
    turn: int
    card: str
    ground: int
    extra: bool


class TrialOfStrengthResolved(Event, frozen=True, gc=False):
    """BM-5.4."""

    hunt: int
    ground: int
    contest: Literal["single", "pair"]
    attacker: Attacker
    defender: Defender
    relation: Relation
    turned_down: tuple[SeatCard, ...]
    face_up_after: SeatCards | None
    rules: tuple[str, ...]


class TurnPassed(Event, frozen=True, gc=False):
    """BM-4.4."""

    hunt: int
    seat: int
    turn: int
    hand_count: int
    rules: tuple[str, ...]


class ExtraCardOffered(Event, frozen=True, gc=False):
    """BM-3.10."""

    hunt: int
    seat: int
    cards_left: int
    rules: tuple[str, ...]


class ExtraCardWithheld(Event, frozen=True, gc=False):
    """BM-3.10."""

    hunt: int
    seat: int | None
    reason: Literal["no_holder", "holder_is_dealer"]
    rules: tuple[str, ...]


class ExtraCardDeclined(Event, frozen=True, gc=False):
    """BM-4.6."""

    hunt: int
    seat: int


class HunterMoveOffered(Event, frozen=True, gc=False):
    """BM-3.11."""

    hunt: int
    seat: int
    rules: tuple[str, ...]


class HunterMoveWithheld(Event, frozen=True, gc=False):
    """BM-3.11."""

    hunt: int
    seat: int | None
    reason: Literal["no_holder", "no_hunter_on_grounds"]
    rules: tuple[str, ...]


class HunterMoved(Event, frozen=True, gc=False):
    """BM-4.7."""

    hunt: int
    seat: int
    card: str
    from_ground: int
    to_ground: int


class HunterMoveDeclined(Event, frozen=True, gc=False):
    """BM-4.7."""

    hunt: int
    seat: int


class UnplayedCardsReturned(Event, frozen=True, gc=False, kw_only=True):
    """BM-3.12; cards in deck order, for their owner."""

    hunt: int
    seat: int
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    to: Literal["reserve", "spent"]


class ForcePenaltyAssessed(Event, frozen=True, gc=False):
    """BM-5.5; `penalised` in turn order."""

    hunt: int
    totals: tuple[ForceTotal, ...]
    highest: int
    penalised: tuple[int, ...]
    payment: Literal["now", "after_awards"]
    rules: tuple[str, ...]


class TileDiscarded(Event, frozen=True, gc=False):
    """BM-5.6; `eligible` as before the discard."""

    hunt: int
    seat: int
    tile: str
    eligible: tuple[str, ...]
    reason: Literal["force_penalty"]
    rules: tuple[str, ...]


class ForcePenaltyWaived(Event, frozen=True, gc=False):
    """BM-5.6."""

    hunt: int
    seat: int
    reason: Literal["no_tiles"]
    rules: tuple[str, ...]


class GroundEvaluated(Event, frozen=True, gc=False):
    """BM-5.7; tiles in the order drawn."""

    hunt: int
    ground: int
    tiles: tuple[str, ...]
    hero: SeatCards | None
    totals: tuple[GroundTotal, ...]
    tied_out: tuple[int, ...]
    majority: int | None
    runner_up: int | None
    awards: tuple[Award, ...]
    unclaimed: int
    rules: tuple[str, ...]


class TilesTaken(Event, frozen=True, gc=False):
    """BM-5.7 step 5; `left` lie on the ground still."""

    hunt: int
    ground: int
    seat: int
    step: Step
    tiles: tuple[str, ...]
    left: tuple[str, ...]


class CylinderMoved(Event, frozen=True, gc=False):
    """BM-5.8, BM-5.10; `counts` are the tiles of that kind which every seat holds now."""

    hunt: int
    cylinder: Cylinder
    from_seat: int | None
    to_seat: int | None
    reason: CylinderReason
    counts: tuple[SeatTiles, ...]
    rules: tuple[str, ...]


class TilesRemoved(Event, frozen=True, gc=False):
    """BM-5.9."""

    hunt: int
    ground: int
    tiles: tuple[str, ...]
    reason: Literal["unclaimed"]
    rules: tuple[str, ...]


class HuntEnded(Event, frozen=True, gc=False):
    """BM-3.15; the cards that every seat laid, in deck order."""

    hunt: int
    discarded: tuple[SeatCards, ...]


class DecksRefreshed(Event, frozen=True, gc=False):
    """BM-3.16; `hunt` is the one just ended."""

    hunt: int
    cards_each: int


class GameEnded(Event, frozen=True, gc=False):
    """BM-6."""

    scores: tuple[SeatScore, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: tuple[str, ...]


EVENTS: tuple[type[Event], ...] = (
    GameStarted,
    HuntStarted,
    GroundsStocked,
    PartyChosen,
    PartyDrawn,
    PartyShuffled,
    CardsDrawn,
    CardPlayed,
    TrialOfStrengthResolved,
    TurnPassed,
    ExtraCardOffered,
    ExtraCardWithheld,
    ExtraCardDeclined,
    HunterMoveOffered,
    HunterMoveWithheld,
    HunterMoved,
    HunterMoveDeclined,
    UnplayedCardsReturned,
    ForcePenaltyAssessed,
    TileDiscarded,
    ForcePenaltyWaived,
    GroundEvaluated,
    TilesTaken,
    CylinderMoved,
    TilesRemoved,
    HuntEnded,
    DecksRefreshed,
    GameEnded,
)
