"""What a game is: pure rules that decide (`play`) and write down (`evolve`), and nothing else.

Seats are the integers 1..n. States, views, moves and events are frozen, and no function here has a side effect.
`games/package.py` lists the modules of a game and makes its `Game` of them.
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

    `schema` counts the forms that the payload has had.
    """

    schema: ClassVar[int] = 1


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake_case):
    """What a seat asks for; its fields are the parameters."""


class MoveSet(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """One entry of a list of legal moves that stands for many of them."""

    def expansions(self) -> Iterator[Any]:
        """Every move that the entry stands for."""
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


class OptionValueRefused(OptionsRefused):
    """A value that a house rule of the game does not have."""


class NoWorld(LookupError):
    """No whole state was found that agrees with all that a seat has seen."""


class Chance(Protocol):
    """Luck from outside: `count` items of `population`, none twice, in the order drawn. `kind` names the draw."""

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]: ...


def first_of_all(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - as `Chance` has it
    """Chance without luck: the first `count` items of the population."""
    return tuple(population[:count])


class Option(NamedTuple):
    """A house rule: its values (default first) and the ruling that it stems from.

    An option that `shapes_setup` decides what is in the box or what is dealt, so it is fixed once a game has started.
    Any other may be replaced in a state at any moment, and play goes on by the new value.
    """

    name: str
    values: tuple[Any, ...]
    ruling: str
    shapes_setup: bool = False


class Transition(NamedTuple, Generic[StateT]):
    """What a decision leads to: the events in order, the state after the last one, and the states `before` each."""

    events: tuple[Any, ...]
    state: StateT
    before: tuple[Any, ...]

    @property
    def steps(self) -> Iterator[tuple[Any, Any, StateT]]:
        """Each event between the states before and after it."""
        return zip(self.before, self.events, (*self.before[1:], self.state), strict=True)


@dataclass(frozen=True, kw_only=True)
class Game(Generic[StateT, MoveT, EventT, ViewT]):
    """A game: its name, its types and its rules as pure functions, each described below its line.

    The first event is `GameStarted` (`players`, `options`), the last `GameEnded` (as `scores`). Events that adjudicate
    have `rules`: ids of the rules applied. A state has `options` and `phase`, "over" at the end. A view has `game` (the
    slug), `players`, `seat`, `to_act` and `over`. The laws in `tests/games/laws.py` hold for every game.
    """

    package: str  # the Python package that holds `rules.md`, `rulings/` and `words/`
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
    hidden: tuple[str, ...]  # the fields of a view and of its parts that hold cards some seats may not see
    read_options: Callable[[Mapping[str, Any], int], Any]
    """(JSON object, players) -> the house rules with defaults filled in; raises `OptionsRefused`."""
    read_move: Callable[[Any], MoveT]
    """(JSON value, or a move, which comes back unchanged) -> the move; raises `MoveRefused` with rule 4.1a."""
    start: Callable[[int, Any, Chance], Transition[StateT]]
    """(players, options, chance) -> the events from `GameStarted` to the first decision. The first `before` is None."""
    to_act: Callable[[StateT], tuple[int, ...]]
    """(state) -> the seats that owe a decision, ascending; none once the game is over."""
    legal_moves: Callable[[StateT, int], list[Any]]
    """(state, seat) -> moves and move sets in a fixed order; [] if the seat is not to act. `play` accepts each."""
    play: Callable[[StateT, int, Any, Chance], Transition[StateT]]
    """(state, seat, move or its JSON, chance) -> events up to the next decision; raises the first `MoveRefused`."""
    evolve: Callable[[StateT, EventT], StateT]
    """(state, or None before the first event, event) -> the state after it. Decides nothing, draws nothing."""
    scores: Callable[[StateT], Any]
    """(state) -> `scores` (a row for each seat, with total and rank), `ranking` and `winners`, as if it ended now."""
    view: Callable[[StateT, int | None], ViewT]
    """(state, seat, or None for a spectator) -> what the seat may know, built up from that; everything at the end."""
    open_view: Callable[[StateT], ViewT]
    """(state) -> the view with nothing hidden."""
    readers: Callable[[StateT, EventT], dict[str, list[int]]]
    """(state before the event, event) -> its secret fields, each with the seats that may read it before the end."""
    imagine: Callable[[ViewT, Sequence[Any], Chance], StateT]
    """(view, events as that seat reads them, chance) -> a whole state that the seat cannot tell from the true one."""
    census: Callable[[StateT], Any]
    """(state) -> everything in the box, wherever it lies: equal at every moment of a game."""
    worlds: Callable[[ViewT, Sequence[Any], Chance, int], Iterator[StateT]] | None = None
    """Optional: as `imagine`, for many states at once (the count comes last), which may depend on one another."""
    outcomes: Callable[[StateT, EventT], Sequence[Any]] | None = None
    """Optional, for disputes: (state before it, an adjudication such as a trial of strength or an award) -> the events
    that another reading of the rules could put in its place, most plausible first, without the event itself."""
    features: Features = field(default_factory=dict)
    """Optional: what statistics read from an event's payload about a seat, by the event's type."""
    is_slow: bool = False  # deciding a move can take more than 2 ms, which would keep other requests waiting

    @cached_property
    def kinds(self) -> dict[str, type[Event]]:
        """Its event types by name."""
        return {str(kind.__struct_config__.tag): kind for kind in self.events}


AnyGame = Game[Any, Any, Any, Any]
