"""The rows of which payloads hold lists, one for each seat, card or tile."""

from typing import Literal

import msgspec

from games.manitou.components import Herd

Cards = tuple[str, ...]
Reason = Literal["no_hunter", "tie_for_first", "tie_for_second", "nobody_second"]


class Row(msgspec.Struct, frozen=True, gc=False):
    """A line of a payload."""


class HerdCount(Row, frozen=True, gc=False):
    """How many buffalo cards of a value a herd has."""

    herd: Herd
    value: int
    count: int


class SeatCount(Row, frozen=True, gc=False):
    """A number of cards of a seat."""

    seat: int
    count: int


class SeatCards(Row, frozen=True, gc=False):
    """Some cards of a seat."""

    seat: int
    cards: Cards


class SeatTotal(Row, frozen=True, gc=False):
    """A sum of a seat."""

    seat: int
    total: int


class Buffalo(Row, frozen=True, gc=False):
    """A buffalo card."""

    card: str
    value: int


class GroundStock(Row, frozen=True, gc=False):
    """The buffalo laid out on a ground."""

    ground: int
    buffalo: tuple[Buffalo, ...]


class Attacker(Row, frozen=True, gc=False):
    """The hero just laid."""

    seat: int
    card: str
    hero: str


class Defender(Row, frozen=True, gc=False):
    """The hero that it meets, and the other of the pair."""

    seat: int
    card: str
    hero: str
    protected: str | None


class Force(Row, frozen=True, gc=False):
    """All hunters of a seat and their strength."""

    seat: int
    cards: Cards
    total: int


class Penalty(Row, frozen=True, gc=False):
    """A hide thief, or the note in its place."""

    seat: int
    card: str | None
    points: int


class Hunter(Row, frozen=True, gc=False):
    """A hunter on a ground."""

    card: str
    strength: int


class Contender(Row, frozen=True, gc=False):
    """A seat with hunters on a ground."""

    seat: int
    cards: tuple[Hunter, ...]
    total: int


class Award(Row, frozen=True, gc=False):
    """A buffalo card taken."""

    step: Literal["majority", "runner_up", "alone"]
    seat: int
    card: str
    value: int


class Removal(Row, frozen=True, gc=False):
    """A buffalo card returned to the box (MA-5.8)."""

    card: str
    value: int
    reason: Reason


class Earning(Row, frozen=True, gc=False):
    """What a seat has earned, by kind."""

    seat: int
    buffalo: int
    prisoners: int
    penalties: int
    total: int


class Score(Row, frozen=True, gc=False):
    """What a seat has earned, and its place."""

    seat: int
    buffalo: int
    prisoners: int
    penalties: int
    total: int
    rank: int
