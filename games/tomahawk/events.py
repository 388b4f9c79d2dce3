"""The events (TO-5.1), one struct per type; the rows that their payloads contain come first."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.kernel import Event
from games.ranking import Rank
from games.rows import Row
from games.tomahawk.components import Components, Picto, Species, Terrain
from games.tomahawk.house_rules import Options
from games.tomahawk.moves import Kept, Placement

Rules = tuple[str, ...]  # that an adjudication applied (TO-5.15)


class Card(Row, frozen=True, gc=False):
    """A shown card, with its printed value (TO-5.1)."""

    card: str
    name: str
    value: int
    hair: int


class TribeRow(Row, frozen=True, gc=False):
    """Who plays which tribe."""

    seat: int
    tribe: str


class TerritoryBack(Row, frozen=True, gc=False):
    """A territory face down: its back shows the turns."""

    territory: str
    turns: int


class PileRow(Row, frozen=True, gc=False):
    """A pile of territories, top first."""

    pile: int
    territories: tuple[TerritoryBack, ...]


class FaceRow(Row, frozen=True, gc=False):
    """Which face a territory has."""

    territory: str
    face: str


class SeatCard(Row, frozen=True, gc=False):
    """A shown card and the seat that played it."""

    seat: int
    card: str
    name: str
    value: int
    hair: int


class SlotRow(Row, frozen=True, gc=False):
    """Two warriors turned up face to face, and the turn when they were played."""

    slot: int
    turn: int
    cards: tuple[SeatCard, SeatCard]


class FighterRow(Row, frozen=True, gc=False):
    """A warrior in a battle: value after the effects of characters, and what it counts after the picto."""

    slot: int
    card: str
    name: str
    value: int
    multiplier: int
    counts: int


class TotalRow(Row, frozen=True, gc=False):
    """One side of a battle."""

    seat: int
    cards: tuple[FighterRow, ...]
    pivot: int | None
    pair_bonus: int
    total: int


class GreatSpiritRow(Row, frozen=True, gc=False):
    """Whether the great spirit decides a battle, and by which figures (TO-5.6e)."""

    seat: int
    card: str
    own_total: int
    opponent_total: int
    active: bool
    triggered: bool


class DiscardRow(Row, frozen=True, gc=False):
    """The cards that go to a seat's cemetery."""

    seat: int
    cards: tuple[str, ...]


class ForestCard(Row, frozen=True, gc=False):
    """A face-down forest card that was looked at."""

    pile: int
    territory: str
    slot: int
    card: str
    name: str
    value: int
    hair: int


class PointsRow(Row, frozen=True, gc=False):
    """The points of a seat so far."""

    seat: int
    territories: int
    scalps: int


class MostWantedRow(Row, frozen=True, gc=False):
    """How many of the most wanted animals a seat has, and what they bring it."""

    seat: int
    animals: int
    bonus: int


class ScoreRow(Row, frozen=True, gc=False):
    """The points of a seat, part by part (TO-6.5)."""

    seat: int
    territories: int
    scalps: int
    bonus: int
    total: int
    rank: int


class DuelCard(SeatCard, frozen=True, gc=False):
    """One of two warriors in a scalp duel, its value after the effects of characters."""


DrawReason = Literal["opening_hand", "refill"]


class PileEvent(Event, frozen=True, gc=False):
    """An event at a pile and its territory in play."""

    turn: int
    pile: int
    territory: str


class GameStarted(Event, frozen=True, gc=False):
    """TO-2.1: two seats sit down, with these house rules and this box."""

    players: int
    options: Options
    tribes: tuple[TribeRow, ...]
    components: Components


class TribeFacesAssigned(Event, frozen=True, gc=False):
    """TO-2.2: which id of a tribe has which face."""

    seat: int
    count: int
    cards: tuple[Card, ...] | UnsetType = UNSET


class SpecialsDealt(Event, frozen=True, gc=False):
    """TO-2.3: three specials for a seat."""

    seat: int
    count: int
    cards: tuple[Card, ...] | UnsetType = UNSET


class SpecialSetAside(Event, frozen=True, gc=False):
    """TO-2.3: the seventh special leaves the game unseen."""

    special: Card | UnsetType = UNSET


class SpecialsChosen(Event, frozen=True, gc=False):
    """TO-4.2: a seat keeps two specials, each instead of a warrior."""

    seat: int
    kept: tuple[Kept, ...] | UnsetType = UNSET
    returned: str | UnsetType = UNSET


class ArmyShuffled(Event, frozen=True, gc=False):
    """TO-2.5: the draw pile of a seat, top first."""

    seat: int
    count: int
    order: tuple[str, ...] | UnsetType = UNSET


class CardsDrawn(Event, frozen=True, gc=False, kw_only=True):
    """TO-2.5, TO-5.11: a seat draws."""

    seat: int
    reason: DrawReason
    count: int
    cards: tuple[Card, ...] | UnsetType = UNSET
    pile_left: int


class TerritoryPilesBuilt(Event, frozen=True, gc=False):
    """TO-2.7: four piles of territories, and three that are not used."""

    piles: tuple[PileRow, ...]
    unused: tuple[str, ...]
    faces: tuple[FaceRow, ...] | UnsetType = UNSET


class TerritoryRevealed(Event, frozen=True, gc=False):
    """TO-2.8, TO-5.10: a territory comes into play."""

    pile: int
    territory: str
    face: str
    terrain: Terrain
    species: Species
    turns: int
    animals: int
    picto: Picto


class MostWantedRevealed(Event, frozen=True, gc=False):
    """TO-2.8: which species is the most wanted."""

    territory: str
    face: str
    terrain: Terrain
    species: Species


class TurnStarted(Event, frozen=True, gc=False):
    """TO-5.12: both seats must place their cards."""

    turn: int


class CardsCommitted(Event, frozen=True, gc=False):
    """TO-4.3: a seat has placed its cards, face down."""

    seat: int
    turn: int
    cards: tuple[Placement, ...] | UnsetType = UNSET


class CardsRevealed(PileEvent, frozen=True, gc=False):
    """TO-5.2: slots of a pile are turned up."""

    slots: tuple[SlotRow, ...]


class CardsKeptHidden(PileEvent, frozen=True, gc=False):
    """TO-5.2: a slot stays face down in a forest."""

    slot: int


class CharacterEffectApplied(PileEvent, frozen=True, gc=False):
    """TO-5.3, TO-5.4: a special changes a value, or will have a card drawn."""

    slot: int
    seat: int
    card: str
    name: str
    effect: Literal["value_copied", "opponent_charmed", "next_card_pending"]
    target_card: str | None
    value_before: int | None
    value_after: int | None
    rules: Rules


class NextCardForced(Event, frozen=True, gc=False, kw_only=True):
    """TO-5.4: the dusk dance has drawn the card that a seat plays there."""

    turn: int
    by_seat: int
    by_card: str
    pile: int
    territory: str
    seat: int
    for_turn: int
    hand_count: int
    forced_card: Card | UnsetType = UNSET
    rules: Rules


class ScalpDuelJudged(PileEvent, frozen=True, gc=False):
    """TO-5.5: who takes whose scalp in a slot."""

    slot: int
    cards: tuple[DuelCard, DuelCard]
    winner: int | None
    hair: int
    multiplier: int
    tokens_due: int
    tokens: int
    supply_before: int
    supply_after: int
    rules: Rules


class TerritoryJudged(PileEvent, frozen=True, gc=False):
    """TO-5.6: who wins a battle, and by which figures."""

    face: str
    terrain: Terrain
    picto: Picto
    totals: tuple[TotalRow, TotalRow]
    affected: tuple[str, ...]
    great_spirit: GreatSpiritRow | None
    winner: int | None
    reason: Literal["higher_total", "great_spirit", "tie"]
    rules: Rules


class TerritoryWon(Event, frozen=True, gc=False):
    """TO-5.7: a seat takes a territory."""

    turn: int
    pile: int
    seat: int
    territory: str
    face: str
    species: Species
    animals: int
    multiplier: int
    points: int
    rules: Rules


class TerritoryDiscarded(PileEvent, frozen=True, gc=False):
    """TO-5.7: nobody takes a territory."""

    reason: Literal["tie"]
    rules: Rules


class WarriorsDiscarded(PileEvent, frozen=True, gc=False):
    """TO-5.8: the warriors of a battle go to the cemeteries.

    `asked`: which seats are asked for a look after the last battle of a turn (TO-5.9).
    """

    discarded: tuple[DiscardRow, DiscardRow]
    asked: tuple[int, ...]


class ForestCardsSeen(Event, frozen=True, gc=False, kw_only=True):
    """TO-5.9: a seat has looked at its opponent's cards in the forests."""

    turn: int
    seat: int
    piles: tuple[int, ...]
    count: int
    cards: tuple[ForestCard, ...] | UnsetType = UNSET
    rules: Rules


class ForestLookDeclined(Event, frozen=True, gc=False):
    """TO-5.9: a seat declines that look."""

    turn: int
    seat: int


class TurnEnded(Event, frozen=True, gc=False):
    """TO-5.12: the points so far."""

    turn: int
    points: tuple[PointsRow, ...]


class MostWantedJudged(Event, frozen=True, gc=False):
    """TO-6.3: who has most of the most wanted animals."""

    species: Species
    counts: tuple[MostWantedRow, ...]
    rules: Rules


class GameEnded(Event, frozen=True, gc=False):
    """TO-6.5: the final scores."""

    scores: tuple[ScoreRow, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: Rules
