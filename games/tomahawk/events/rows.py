"""The rows that payloads are made of: shown cards, slots, sides of a battle, points (TO-5.1)."""

from typing import TypeVar

import msgspec
from msgspec import UnsetType

T = TypeVar("T")
Rules = tuple[str, ...]  # that an adjudication applied (TO-5.15)


def known(value: T | UnsetType) -> T:
    """A secret field read where everything is known."""
    if isinstance(value, UnsetType):
        raise ValueError("this field is hidden from the reader")
    return value


class Row(msgspec.Struct, frozen=True, gc=False):
    """A part of a payload."""


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


class DuelCard(Row, frozen=True, gc=False):
    """One of two warriors in a scalp duel, its value after the effects of characters."""

    seat: int
    card: str
    name: str
    value: int
    hair: int
