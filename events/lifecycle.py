"""A table's own events: what happens to it besides the game. They share stream and numbering with the game's."""

from typing import Any

import msgspec

Hidden = msgspec.UnsetType


class Lifecycle(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An event of the table; its fields are the payload."""


class PlayerKind(msgspec.Struct, frozen=True):
    """An AI player as it is recorded: its name and version, and the level that names its budget."""

    player: str
    version: int
    level: str


class SeatOffer(msgspec.Struct, frozen=True):
    """What a seat is meant for when the table opens: `open` to anybody, kept for one `player`, or an `ai`."""

    seat: int
    kind: str
    player: str | None = None
    level: str | None = None


class Clock(msgspec.Struct, frozen=True):
    """Seconds that a person has for each decision."""

    decision_s: int


class TableOpened(Lifecycle, frozen=True):
    """First event. `seed` is for nobody until the game is over: its commitment binds the server to it."""

    game: str
    rules_version: int
    players: int
    options: dict[str, Any]
    visibility: str
    opened_by: str
    seats: tuple[SeatOffer, ...]
    clock: Clock | None = None
    arbiter: str | None = None
    seed: str | Hidden = msgspec.UNSET


class SeatTaken(Lifecycle, frozen=True):
    """A person (`player`) or an AI (`ai`) sits down; `contribution` is mixed into the table's luck."""

    seat: int
    player: str | None = None
    name: str | None = None
    bot: bool = False
    ai: PlayerKind | None = None
    contribution: str | None = None


class SeatLeft(Lifecycle, frozen=True):
    """A person gives the seat up before the game has begun."""

    seat: int
    player: str


class ClockExpired(Lifecycle, frozen=True):
    """The time for a decision is over; the other seats may now hand the seat over or wait."""

    seat: int
    decision: str
    deadline: str


class DeadlineExtended(Lifecycle, frozen=True):
    """The other seats wait: the decision has a new deadline."""

    seat: int
    decision: str
    deadline: str
    by_seat: int | None


class SeatHandedOver(Lifecycle, frozen=True):
    """An AI plays on for a person whose time was over."""

    seat: int
    player: str | None
    ai: PlayerKind
    by_seat: int | None


class SeedRevealed(Lifecycle, frozen=True):
    """After `GameEnded`: the seed that the first event committed to; its salt is opened beside that commitment."""

    seed: str


class TableClosed(Lifecycle, frozen=True):
    """Last event of the stream. `reason`: `game_over` or `abandoned` (everybody left before the game began)."""

    reason: str


LIFECYCLE: tuple[type[Lifecycle], ...] = (
    TableOpened,
    SeatTaken,
    SeatLeft,
    ClockExpired,
    DeadlineExtended,
    SeatHandedOver,
    SeedRevealed,
    TableClosed,
)
TYPES: dict[str, type[Lifecycle]] = {event.__name__: event for event in LIFECYCLE}
