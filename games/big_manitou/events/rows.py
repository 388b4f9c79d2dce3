"""The rows of which payloads hold lists, one for each seat, card or tile (BM-5.1)."""

from typing import Literal

import msgspec

from games.big_manitou.components import Kind

CylinderReason = Literal["first_tile", "matched", "overtaken", "no_tiles"]
Step = Literal["hero", "majority", "runner_up"]


class Row(msgspec.Struct, frozen=True, gc=False):
    """A row of a payload; all that it holds is text, numbers and further rows."""


class TileCount(Row, frozen=True):
    """How many tiles of a kind and value the bag holds at first."""

    kind: Kind
    value: int | None
    count: int


class StockedGround(Row, frozen=True):
    """The tiles drawn for a ground."""

    ground: int
    tiles: tuple[str, ...]


class Attacker(Row, frozen=True):
    """The hero just laid."""

    seat: int
    card: str
    hero: str


class Defender(Row, frozen=True):
    """The hero that it meets, and the other of the pair."""

    seat: int
    card: str
    hero: str
    protected: str | None


class SeatCards(Row, frozen=True):
    """Some cards of a seat."""

    seat: int
    cards: tuple[str, ...]


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
