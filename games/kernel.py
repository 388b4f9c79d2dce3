"""The definition of a game: pure functions that decide (`play`) and apply events (`evolve`).

Seats are the integers 1..n. All values are frozen. No function has side effects. `games/package.py` builds a `Game`.
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
    """Returns `play_card` for `PlayCard`: the API names moves in snake_case."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Something that happened; its fields are the payload. A field hidden from a reader is `msgspec.UNSET`."""

    schema: ClassVar[int] = 1  # the version of the payload's form


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake_case):
    """A seat's move; its fields are the parameters."""


class MoveSet(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """An entry in a list of legal moves that stands for many."""

    def expansions(self) -> Iterator[Any]:
        """Yields every move that the entry stands for."""
        raise NotImplementedError

    def sample(self, chance: "Chance") -> Any:
        """Returns one of those moves, each equally likely."""
        raise NotImplementedError


class MoveRefused(Exception):
    """The rule `rule` forbids a move. `fault`: in JSON that is not a move, a JSON Pointer and what is wrong there."""

    def __init__(self, rule: str, detail: str, fault: tuple[str, str] | None = None) -> None:
        super().__init__(f"{rule}: {detail}")
        self.rule, self.detail, self.fault = rule, detail, fault


class OptionsRefused(Exception):
    """The game does not have this house rule or number of players; `option` names it."""

    def __init__(self, option: str, detail: str) -> None:
        super().__init__(detail)
        self.option, self.detail = option, detail


class OptionValueRefused(OptionsRefused):
    """A house rule does not have this value."""


class NoWorld(LookupError):
    """No complete state was found that agrees with all that a seat has seen."""


class Chance(Protocol):
    """Luck from outside: draws `count` items of `population` without replacement. `kind` names the draw."""

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]: ...


def first_of_all(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - as `Chance` has it
    """Draws the first `count` items of the population: a `Chance` without luck."""
    return tuple(population[:count])


class Option(NamedTuple):
    """A house rule: its values (default first) and its ruling. All but those that shape setup may change midway.

    `shows` has the types of events of which everybody can tell whether another value changes them, whatever is hidden.
    """

    name: str
    values: tuple[Any, ...]
    ruling: str
    shapes_setup: bool = False
    shows: tuple[str, ...] = ()


class Transition(NamedTuple, Generic[StateT]):
    """The result of a decision: the events in order, the state after the last one, and the states `before` each."""

    events: tuple[Any, ...]
    state: StateT
    before: tuple[Any, ...]

    @property
    def steps(self) -> Iterator[tuple[Any, Any, StateT]]:
        """Each event with the states before and after it."""
        return zip(self.before, self.events, (*self.before[1:], self.state), strict=True)


class Play(Protocol[StateT]):
    """(state, seat, move or its JSON, chance) -> events up to the next decision; raises the first `MoveRefused`.

    `corrected`: outcomes in place of those decided, by index in the decision; `ValueError` for one not in `outcomes`.
    """

    def __call__(
        self, state: StateT, seat: int, move: Any, chance: Chance, /, corrected: Mapping[int, Any] | None = None
    ) -> Transition[StateT]: ...


@dataclass(frozen=True, kw_only=True)
class Game(Generic[StateT, MoveT, EventT, ViewT]):
    """A game: its name, its types, and its rules as pure functions.

    The first event is `GameStarted` (`players`, `options`), the last `GameEnded` (with the fields of `scores`). Events
    that adjudicate have `rules`, the ids applied; only they can be disputed. A state has `options` and `phase`, "over"
    at the end. A view has `game` (the slug), `players`, `seat`, `to_act` and `over`. As people look back at any
    event, there are views, and `to_act`, between the events of one decision too. `wintercount.testing` has the laws.
    """

    package: str  # the Python package with `rules.md`, `rulings/` and `words/`
    slug: str
    title: str
    credits: str
    prefix: str  # of the ids of its rules
    rules_version: int
    players: tuple[int, ...]  # the numbers of seats that can play
    options: tuple[Option, ...]
    moves: tuple[type[Move], ...]
    move_sets: tuple[type[MoveSet], ...]
    events: tuple[type[Event], ...]
    state_type: type[StateT]
    view_type: type[ViewT]
    hidden: tuple[str, ...]  # the fields of a view and its parts with cards that some seats may not see
    read_options: Callable[[Mapping[str, Any], int], Any]  # (JSON, players) -> all options; raises `OptionsRefused`
    read_move: Callable[[Any], MoveT]
    """(JSON value, or a move built by a caller) -> the move; raises `MoveRefused` with rule 4.1a."""
    start: Callable[[int, Any, Chance], Transition[StateT]]
    """(players, options, chance) -> events from `GameStarted` to the first decision. The first `before` is None."""
    to_act: Callable[[StateT], tuple[int, ...]]  # (state) -> the seats that must decide, ascending; none at the end
    legal_moves: Callable[[StateT, int], list[Any]]
    """(state, seat) -> moves and move sets in a fixed order; [] if the seat is not to act. `play` accepts each."""
    play: Play[StateT]
    outcomes: Callable[[StateT, EventT], Sequence[Any]]
    """(state before the event, event) -> the events (at most 24) that could have been decided instead with the same
    inputs, such as another winner, the most plausible first; none if a dispute cannot correct it."""
    evolve: Callable[[StateT, EventT], StateT]  # (state, None at first; event) -> the state after it; decides nothing
    scores: Callable[[StateT], Any]
    """(state) -> `scores` (a row for each seat, with total and rank), `ranking` and `winners`, as if it ended now."""
    view: Callable[[StateT, int | None], ViewT]
    """(state; seat, or None for a spectator) -> what the seat may know; everything when the game is over."""
    open_view: Callable[[StateT], ViewT]  # (state) -> the view with nothing hidden
    readers: Callable[[StateT, EventT], dict[str, list[int]]]
    """(state before the event, event) -> its secret fields, with the seats that may read each before the end."""
    imagine: Callable[[ViewT, Sequence[Any], Chance], StateT]
    """(view, events as that seat reads them, chance) -> a complete state that agrees with all the seat has seen, also
    with what others showed that they do not hold; raises `NoWorld` if none is found."""
    census: Callable[[StateT], Any]  # (state) -> everything in the box, wherever it is: the same at every moment
    worlds: Callable[[ViewT, Sequence[Any], Chance, int], Iterator[StateT]] | None = None
    """Optional: like `imagine`, for many states at once (their number comes last), which may depend on one another."""
    features: Features = field(default_factory=dict)  # by event type: read from the payload, for statistics
    is_slow: bool = False  # whether deciding a move can take more than 2 ms, which would delay other requests

    @cached_property
    def kinds(self) -> dict[str, type[Event]]:
        """The event types by name."""
        return {str(kind.__struct_config__.tag): kind for kind in self.events}


AnyGame = Game[Any, Any, Any, Any]
