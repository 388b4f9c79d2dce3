"""The rows and the kinds of field that events are made of."""

from msgspec import Struct, UnsetType

Cards = tuple[str, ...]
Rules = tuple[str, ...]
SecretCards = Cards | UnsetType
SecretCard = str | UnsetType
Seat = int | None  # null: the shared tribe while nobody plays it or answers for it


class CardCount(Struct, frozen=True, gc=False):
    """How many copies of a face the deck has."""

    card: str
    count: int


class CampRow(Struct, frozen=True, gc=False):
    """A camp as it is set up."""

    seat: Seat
    tribe: str
    horses: int


class HerdRow(Struct, frozen=True, gc=False):
    """The size of one herd."""

    tribe: str
    horses: int


class AllyRow(Struct, frozen=True, gc=False):
    """One of two allies and the card under its camp."""

    seat: Seat
    tribe: str
    card: str


class ScoreRow(Struct, frozen=True, gc=False):
    """PC-6.7: the points of one seat."""

    seat: int
    tribe: str
    markers: int
    extra: int
    horses: int
    horseless_penalty: int
    off_herd: int
    herd_points: int
    own_total: int
    ally: str | None
    combined: bool
    tiebreak_off_herd: int
    tiebreak_horses: int
    total: int
    rank: int


class SharedScore(Struct, frozen=True, gc=False):
    """PC-6.7: the points of the shared tribe, and the rank it would have."""

    tribe: str
    markers: int
    extra: int
    horses: int
    horseless_penalty: int
    off_herd: int
    herd_points: int
    own_total: int
    ally: str | None
    combined: bool
    tiebreak_off_herd: int
    tiebreak_horses: int
    total: int
    would_rank: int
