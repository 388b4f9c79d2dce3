"""The checks of every move, the scribe that collects a decision's events, and the reason why `evolve` decides nothing.

The state of a game is the fold of its events, and that must never change, however the rules or this code change. So
`play` decides, and puts all consequences into events: outcomes, costs, the next phase. `evolve` only applies them. Its
handlers read no house rule, compare no cards, count no turns and draw nothing; they look at the state only to find the
seat, ground or pile to change. So a table folds to the same states even after a ruling has changed, and a replay can
compare the decisions of `play` with the recorded ones.

Sources: Fowler, 'Event Sourcing' (2005); Young, 'Versioning in an event sourced system' (2016); Chassaing, 'Functional
event sourcing decider' (2021), who calls the two halves decide and evolve.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol

from games.kernel import Move, MoveRefused, StateT, Transition


class Moment(Protocol):
    """The part of a state that the checks need: its phase, `over` at the end of the game."""

    @property
    def phase(self) -> str | None: ...


class Attempt(NamedTuple):
    """A move, the seat that asks for it, and the number of players at the table."""

    seat: Any
    move: Move
    players: int


def check_turn(prefix: str, state: Moment, attempt: Attempt, *, in_phase: bool, to_act: Sequence[int]) -> None:
    """Checks rules 4.1b to 4.1e of every game: the seat exists, the game is on, the phase is right, the seat is to act.

    `in_phase`: whether the current phase allows this type of move. Raises `MoveRefused`.
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


def when(condition: object, *rules: str) -> tuple[str, ...]:
    """Returns the rules that an adjudication cites if the condition holds."""
    return rules if condition else ()


class Scribe(Generic[StateT]):
    """Collects the events of one decision; `state` is the one after the last event.

    Each game's scribe sets its `evolve` and `outcomes`. An event in `corrected` stands in place of the one decided at
    its index. So what follows an adjudication goes on from `state`, or from what `write` returns.
    """

    __slots__ = ("before", "corrected", "events", "state")
    evolve: Callable[[Any, Any], StateT]
    outcomes: Callable[[Any, Any], Sequence[Any]]

    def __init__(self, state: Any, corrected: Mapping[int, Any] | None = None) -> None:
        self.state: StateT = state
        self.events: list[Any] = []
        self.before: list[Any] = []
        self.corrected = corrected or {}

    def write(self, event: Any) -> Any:
        """Adds an event, or the one that stands in its place, applies it to the state and returns it."""
        if self.corrected:
            event = self._standing(event)
        self.events.append(event)
        self.before.append(self.state)
        self.state = self.evolve(self.state, event)
        return event

    def _standing(self, event: Any) -> Any:
        """The event that stands in place of this one; raises `ValueError` if it is none of its outcomes."""
        index = len(self.events)
        standing = self.corrected.get(index, event)
        if type(standing) is not type(event):
            raise ValueError(f"event {index} is a {type(event).__name__}, not a {type(standing).__name__}")
        if standing is not event and standing not in self.outcomes(self.state, event):
            raise ValueError(f"event {index}: this {type(event).__name__} could not have had that outcome")
        return standing

    def transition(self) -> Transition[StateT]:
        """Returns the events and the states before, between and after them."""
        if self.corrected and not self.corrected.keys() <= set(range(len(self.events))):
            raise ValueError(f"the decision has {len(self.events)} events; one that is corrected is not among them")
        return Transition(tuple(self.events), self.state, tuple(self.before))
