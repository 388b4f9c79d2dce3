"""The events (BM-5), one struct per type; the rows that their payloads contain come first.

`phase` is the phase after the event, null if no seat must decide yet (BM-3.2). A field that may be `UNSET` is secret
until the game is over, and unset for seats that may not read it yet (BM-7.6).
"""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.big_manitou.components import Cylinder, Kind
from games.big_manitou.house_rules import Options
from games.kernel import Event
from games.manitou_family_parties import HuntEvent, PartySize, SeatCard, SeatCards, SeatEvent
from games.manitou_family_trials import Attacker, Defender, Relation
from games.ranking import Rank
from games.rows import Row

CylinderReason = Literal["first_tile", "matched", "overtaken", "no_tiles"]


Step = Literal["hero", "majority", "runner_up"]


class TileCount(Row, frozen=True):
    """How many tiles of a kind and value the bag holds at first."""

    kind: Kind
    value: int | None
    count: int


class StockedGround(Row, frozen=True):
    """The tiles drawn for a ground."""

    ground: int
    tiles: tuple[str, ...]


class ForceTotal(Row, frozen=True):
    """All hunters of a seat and their strength."""

    seat: int
    cards: tuple[str, ...]
    bonus_per_card: int
    total: int


class CardStrength(Row, frozen=True):
    """What a hunter counts on a ground."""

    card: str
    strength: int


class GroundTotal(Row, frozen=True):
    """What the hunters of a seat on a ground add up to."""

    seat: int
    bonus_per_card: int
    cards: tuple[CardStrength, ...]
    total: int


class Award(Row, frozen=True):
    """How many tiles of a ground a seat may take."""

    step: Step
    seat: int
    count: int


class SeatTiles(Row, frozen=True):
    """How many tiles of a kind a seat has."""

    seat: int
    tiles: int


class SeatScore(Row, frozen=True):
    """What a seat has at the end, and its place."""

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


class HuntStarted(HuntEvent, frozen=True, gc=False):
    """BM-3.3, BM-3.5; rows in turn order."""

    dealer: int
    turn_order: tuple[int, ...]
    party_sizes: tuple[PartySize, ...]


class GroundsStocked(HuntEvent, frozen=True, gc=False):
    """BM-3.4; tiles in the order drawn."""

    grounds: tuple[StockedGround, ...]
    bag_left: int
    phase: Literal["party"] | None


class PartyChosen(SeatEvent, frozen=True, gc=False, kw_only=True):
    """BM-3.6; cards in deck order, for their owner."""

    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    phase: Literal["party"] | None


class PartyDrawn(SeatEvent, frozen=True, gc=False):
    """BM-3.6 without choosing; cards in deck order, for their owner, or for nobody if drawn blind (BM-R5)."""

    count: int
    cards: tuple[str, ...] | UnsetType = UNSET


class PartyShuffled(SeatEvent, frozen=True, gc=False):
    """BM-3.7; the pile, its top card first, for nobody."""

    order: tuple[str, ...] | UnsetType = UNSET


class CardsDrawn(SeatEvent, frozen=True, gc=False, kw_only=True):
    """BM-3.7, BM-3.9; cards in the order drawn, for their owner."""

    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    pile_left: int
    phase: Literal["play"] | None


class CardPlayed(SeatEvent, frozen=True, gc=False):
    """A card is laid on a ground, in a turn or as the extra card (BM-5.3)."""

    turn: int
    card: str
    ground: int
    extra: bool
    phase: Literal["play"] | None


class TrialOfStrengthResolved(HuntEvent, frozen=True, gc=False):
    """A hero has met another seat's: which of them are turned down (BM-5.4)."""

    ground: int
    contest: Literal["single", "pair"]
    attacker: Attacker
    defender: Defender
    relation: Relation
    turned_down: tuple[SeatCard, ...]
    face_up_after: SeatCards | None
    rules: tuple[str, ...]


class TurnPassed(SeatEvent, frozen=True, gc=False):
    """A seat passes, because it can lay no card anywhere (BM-4.4)."""

    turn: int
    hand_count: int
    phase: Literal["play"] | None
    rules: tuple[str, ...]


class ExtraCardOffered(SeatEvent, frozen=True, gc=False):
    """The holder of the totem cylinder may lay one more card (BM-3.10)."""

    cards_left: int
    rules: tuple[str, ...]


class ExtraCardWithheld(HuntEvent, frozen=True, gc=False):
    """Nobody may lay an extra card in this hunt (BM-3.10)."""

    seat: int | None
    reason: Literal["no_holder", "holder_is_dealer"]
    rules: tuple[str, ...]


class ExtraCardDeclined(SeatEvent, frozen=True, gc=False):
    """The holder of the totem cylinder lays no extra card (BM-4.6)."""


class HunterMoveOffered(SeatEvent, frozen=True, gc=False):
    """The holder of the horse cylinder may move a hunter (BM-3.11)."""

    rules: tuple[str, ...]


class HunterMoveWithheld(HuntEvent, frozen=True, gc=False):
    """Nobody may move a hunter in this hunt (BM-3.11)."""

    seat: int | None
    reason: Literal["no_holder", "no_hunter_on_grounds"]
    rules: tuple[str, ...]


class HunterMoved(SeatEvent, frozen=True, gc=False):
    """A hunter is moved to another ground (BM-4.7)."""

    card: str
    from_ground: int
    to_ground: int


class HunterMoveDeclined(SeatEvent, frozen=True, gc=False):
    """The holder of the horse cylinder moves no hunter (BM-4.7)."""


class UnplayedCardsReturned(SeatEvent, frozen=True, gc=False, kw_only=True):
    """BM-3.12; cards in deck order, for their owner."""

    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    to: Literal["reserve", "spent"]


class ForcePenaltyAssessed(HuntEvent, frozen=True, gc=False):
    """BM-5.5; `penalised` in turn order."""

    totals: tuple[ForceTotal, ...]
    highest: int
    penalised: tuple[int, ...]
    payment: Literal["now", "after_awards"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class TileDiscarded(SeatEvent, frozen=True, gc=False):
    """BM-5.6; `eligible` as before the discard."""

    tile: str
    eligible: tuple[str, ...]
    reason: Literal["force_penalty"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class ForcePenaltyWaived(SeatEvent, frozen=True, gc=False):
    """A penalised seat has no tile to pay with (BM-5.6)."""

    reason: Literal["no_tiles"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class GroundEvaluated(HuntEvent, frozen=True, gc=False):
    """BM-5.7; tiles in the order drawn, `tomahawks` from when the evaluation of ground 1 began."""

    ground: int
    tiles: tuple[str, ...]
    hero: SeatCards | None
    totals: tuple[GroundTotal, ...]
    tied_out: tuple[int, ...]
    majority: int | None
    runner_up: int | None
    awards: tuple[Award, ...]
    unclaimed: int
    tomahawks: tuple[SeatTiles, ...]
    phase: Literal["take_tiles"] | None
    rules: tuple[str, ...]


class TilesTaken(HuntEvent, frozen=True, gc=False):
    """BM-5.7 step 5; `left` lie on the ground still."""

    ground: int
    seat: int
    step: Step
    tiles: tuple[str, ...]
    left: tuple[str, ...]
    phase: Literal["take_tiles", "penalty"] | None


class CylinderMoved(HuntEvent, frozen=True, gc=False):
    """BM-5.8, BM-5.10; `counts` are the tiles of that kind which every seat holds now."""

    cylinder: Cylinder
    from_seat: int | None
    to_seat: int | None
    reason: CylinderReason
    counts: tuple[SeatTiles, ...]
    rules: tuple[str, ...]


class TilesRemoved(HuntEvent, frozen=True, gc=False):
    """Tiles that no award covers are out of the game (BM-5.9)."""

    ground: int
    tiles: tuple[str, ...]
    reason: Literal["unclaimed"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class HuntEnded(HuntEvent, frozen=True, gc=False):
    """BM-3.15; the cards that every seat laid, in deck order."""

    discarded: tuple[SeatCards, ...]


class DecksRefreshed(HuntEvent, frozen=True, gc=False):
    """BM-3.16; `hunt` is the one just ended."""

    cards_each: int


class GameEnded(Event, frozen=True, gc=False):
    """The final scores and who has won (BM-6.1, BM-6.2, BM-6.3, BM-6.4)."""

    scores: tuple[SeatScore, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: tuple[str, ...]
