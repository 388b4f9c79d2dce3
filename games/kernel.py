"""What a game is: pure rules that decide (`play`) and write down (`evolve`), and nothing else.

A game is a package whose `game` is a `Game`, and so is found. Seats are the integers 1..n.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from games.features import Features

T = TypeVar("T")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ViewT = TypeVar("ViewT")


def snake_case(name: str) -> str:
    """`PlayCard` as `play_card`: moves are written in snake_case on the wire."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """A fact of the game; its fields are the payload. A field hidden from a reader is `msgspec.UNSET`.

    `schema` numbers the sets of fields that its payload has had.
    """

    schema: ClassVar[int] = 1


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


class NoWorld(LookupError):
    """No whole state was found that agrees with all that a seat has seen."""


class OptionValueRefused(OptionsRefused):
    """A value that a house rule of the game does not have."""


class Chance(Protocol):
    """Luck from outside: `count` items of `population` without replacement, in the order drawn."""

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]: ...


class Option(NamedTuple):
    """A house rule: its values (default first) and the ruling that it stems from.

    One that `shapes_setup` decides what is in the box and what each seat is dealt. `start` applies it once, so a game
    that has begun keeps its value; any other may be replaced in a state at any moment, and play goes on by the new one.
    """

    name: str
    values: tuple[Any, ...]
    ruling: str
    shapes_setup: bool = False


class Transition(NamedTuple, Generic[StateT]):
    """What a decision leads to: the events in order, the state after the last of them, and those `before` each."""

    events: tuple[Any, ...]
    state: StateT
    before: tuple[Any, ...]

    @property
    def steps(self) -> Iterator[tuple[Any, Any, StateT]]:
        """Each event between the states before and after it."""
        return zip(self.before, self.events, (*self.before[1:], self.state), strict=True)


class Scribe(Generic[StateT]):
    """Writes the events of one decision down; `state` is always that after the last of them.

    A game's own scribe names its `evolve`.
    """

    __slots__ = ("before", "events", "state")
    evolve: Callable[[Any, Any], StateT]

    def __init__(self, state: Any) -> None:
        self.state: StateT = state
        self.events: list[Any] = []
        self.before: list[Any] = []

    def write(self, event: Any) -> None:
        """The event has happened."""
        self.events.append(event)
        self.before.append(self.state)
        self.state = self.evolve(self.state, event)

    def transition(self) -> Transition[StateT]:
        """All that was written, and what it led to."""
        return Transition(tuple(self.events), self.state, tuple(self.before))


class Moment(Protocol):
    """What the common checks ask of a state: the phase, `over` at the end of the game."""

    @property
    def phase(self) -> str | None: ...


class Attempt(NamedTuple):
    """A move and the seat that asks for it, at a table of so many `players`."""

    seat: Any
    move: "Move"
    players: int


def check_turn(prefix: str, state: Moment, attempt: Attempt, *, in_phase: bool, to_act: Sequence[int]) -> None:
    """The checks 4.1b to 4.1e, which all games share: a seat, a game, a phase, a seat that has to act.

    `in_phase` tells whether moves of this type belong to the phase. Raises `MoveRefused`.
    """
    seat, move, players = attempt
    if type(seat) is not int or not 1 <= seat <= players:
        raise MoveRefused(f"{prefix}-4.1b", f"there is no seat {seat!r}")
    if state.phase == "over":
        raise MoveRefused(f"{prefix}-4.1c", "the game is over")
    if not in_phase:
        raise MoveRefused(f"{prefix}-4.1d", f"{move.__struct_config__.tag} does not belong to the phase {state.phase}")
    if seat not in to_act:
        raise MoveRefused(f"{prefix}-4.1e", f"seat {seat} does not have to act now")


def as_read(event: Any, readers: Mapping[str, Sequence[int]], seat: int | None) -> Any:
    """An event as a seat (None: a spectator) reads it: fields whose `readers` it is not among are unset."""
    hidden = {field: msgspec.UNSET for field, seats in readers.items() if seat not in seats}
    return msgspec.structs.replace(event, **hidden) if hidden else event


def first_of_all(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - as `Chance` has it
    """Chance that takes things as they lie: the first `count` of the population."""
    return tuple(population[:count])


@dataclass(frozen=True, kw_only=True)
class Game(Generic[StateT, MoveT, EventT, ViewT]):
    """A game: what it is called, what it is made of, and its rules as pure functions.

    `package` is where its rules, rulings and words lie. `start`, `play` and `imagine` get their luck as `chance`;
    `evolve` writes down what was decided, and needs none.

    `hidden` names the fields of a view, and of its parts, in which cards lie that not every seat may see.

    `imagine` gives one state that a seat may take for the true one, `worlds` many of them, for a game that has a better
    way than to imagine one after the other: they need not be independent of each other.

    `features` tell statistics what some events say of a seat; a game may have none.

    A game that `is_slow` takes more than 2 ms to decide or list a move in some state: that would keep others waiting.
    """

    package: str
    slug: str
    title: str
    credits: str
    prefix: str  # of its rule ids
    rules_version: int
    players: tuple[int, ...]
    options: tuple[Option, ...]
    moves: tuple[type[Move], ...]
    move_sets: tuple[type[MoveSet], ...]
    events: tuple[type[Event], ...]
    state_type: type[StateT]
    view_type: type[ViewT]
    read_options: Callable[[Mapping[str, Any], int], Any]
    read_move: Callable[[Any], MoveT]
    start: Callable[[int, Any, Chance], Transition[StateT]]
    to_act: Callable[[StateT], tuple[int, ...]]
    legal_moves: Callable[[StateT, int], list[Any]]
    play: Callable[[StateT, int, Any, Chance], Transition[StateT]]
    evolve: Callable[[StateT, EventT], StateT]
    scores: Callable[[StateT], Any]
    view: Callable[[StateT, int | None], ViewT]
    open_view: Callable[[StateT], ViewT]
    hidden: tuple[str, ...]
    readers: Callable[[StateT, EventT], dict[str, list[int]]]
    imagine: Callable[[ViewT, Sequence[Any], Chance], StateT]
    census: Callable[[StateT], Any]
    worlds: Callable[[ViewT, Sequence[Any], Chance, int], Iterator[StateT]] | None = None
    features: Features = field(default_factory=dict)
    is_slow: bool = False

    @cached_property
    def kinds(self) -> dict[str, type[Event]]:
        """The types of its events by name."""
        return {str(kind.__struct_config__.tag): kind for kind in self.events}


AnyGame = Game[Any, Any, Any, Any]
