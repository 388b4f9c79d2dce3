"""The events of set-up: faces, specials, armies and territories (TO-2)."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.kernel import Event
from games.tomahawk.components import Components, Picto, Species, Terrain
from games.tomahawk.events.rows import Card, FaceRow, PileRow, TribeRow
from games.tomahawk.moves import Kept
from games.tomahawk.options import Options

DrawReason = Literal["opening_hand", "refill"]


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
