"""What a game is: pure rules that decide (`play`) and write down (`evolve`), and nothing else.

A game is a package whose module-level names satisfy `Game`; mypy holds it to that. Seats are the integers 1..n.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

T = TypeVar("T")


def snake_case(name: str) -> str:
    """`PlayCard` as `play_card`: moves are written in snake_case on the wire."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """A fact of the game; its fields are the payload. A field hidden from a reader is `msgspec.UNSET`."""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake_case):
    """What a seat asks for; its fields are the parameters."""


class MoveSet(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """One entry of a list of legal moves that stands for many of them."""

    def expansions(self) -> Iterator[Any]:
        """Every move that the summary stands for."""
        raise NotImplementedError

    def sample(self, chance: "Chance") -> Any:
        """One of those moves, each equally likely."""
        raise NotImplementedError


class MoveRefused(Exception):
    """A move that rule `rule` forbids; nothing has changed."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(f"{rule}: {detail}")
        self.rule, self.detail = rule, detail


class OptionsRefused(Exception):
    """A house rule or number of players that the game does not know; `option` names it."""

    def __init__(self, option: str, detail: str) -> None:
        super().__init__(detail)
        self.option, self.detail = option, detail


class Chance(Protocol):
    """Luck from outside: `count` items of `population` without replacement, in the order drawn."""

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]: ...


class Option(NamedTuple):
    """A house rule: its values (default first) and the ruling that it stems from.

    One that `shapes_setup` says what is in the box and what each seat gets of it. `start` uses it up, so a game that
    has begun keeps its value; any other may be replaced in a state at any moment, and the game goes on by the new one.

    One that came `since` a later version of the rules is missing at older tables: these are read as `before` says.
    `formerly` pairs each value that older tables may have with the one that says the same today.
    """

    name: str
    values: tuple[Any, ...]
    ruling: str
    shapes_setup: bool = False
    since: int = 1
    before: Any = None
    formerly: tuple[tuple[Any, Any], ...] = ()


class Transition(NamedTuple):
    """What a decision leads to: the events in order, and the state after the last of them."""

    events: tuple[Any, ...]
    state: Any


class Game(Protocol):
    """The contract. `State`, `View`, `Options` are msgspec structs; `Move` and `Event` unions of them."""

    slug: str
    title: str
    credits: str
    prefix: str
    rules_version: int
    players: tuple[int, ...]
    OPTIONS: tuple[Option, ...]
    MOVES: tuple[type[Move], ...]
    MOVE_SETS: tuple[type[MoveSet], ...]
    EVENTS: tuple[type[Event], ...]
    State: Any
    View: Any

    def read_options(self, raw: Mapping[str, Any], players: int) -> Any: ...
    def read_move(self, raw: Any) -> Any: ...
    def start(self, players: int, options: Any, chance: Chance) -> Transition: ...
    def to_act(self, state: Any) -> tuple[int, ...]: ...
    def legal_moves(self, state: Any, seat: int) -> list[Any]: ...
    def play(self, state: Any, seat: int, move: Any, chance: Chance) -> Transition: ...
    def evolve(self, state: Any, event: Any) -> Any: ...
    def scores(self, state: Any) -> Any: ...
    def view(self, state: Any, seat: int | None) -> Any: ...
    def open_view(self, state: Any) -> Any: ...
    def readers(self, state: Any, event: Any) -> dict[str, list[int]]: ...
    def imagine(self, view: Any, feed: Sequence[Any], chance: Chance) -> Any: ...
    def census(self, state: Any) -> Any: ...
