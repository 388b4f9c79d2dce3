"""Deciding: the checks of every move, the scribe that collects a decision's events, and why `evolve` decides nothing.

A game is the fold of its events, and a fold must give the same state for ever, however the rules or this code change.
So `play` decides and puts all that follows into the events: outcomes, costs, the next phase. `evolve` only writes that
down. None of its handlers reads a house rule, compares cards, counts turns or draws anything. A handler looks at the
state only for the place to write to: a seat, a ground, the top of a pile. What always goes with an event of a type is
in its handler, because that is what the event means. So a table folds to the same states under rules that are read
otherwise later, and what `play` decides now can be held against what was recorded.

Sources: Fowler, 'Event Sourcing' (2005); Young, 'Versioning in an event sourced system' (2016); Chassaing, 'Functional
event sourcing decider' (2021), who calls the two halves decide and evolve.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol

from games.kernel import Move, MoveRefused, StateT, Transition


class Moment(Protocol):
    """What the checks read from a state: its phase, `over` at the end of the game."""

    @property
    def phase(self) -> str | None: ...


class Attempt(NamedTuple):
    """A move, the seat that asks for it, and the number of players at the table."""

    seat: Any
    move: Move
    players: int


def check_turn(prefix: str, state: Moment, attempt: Attempt, *, in_phase: bool, to_act: Sequence[int]) -> None:
    """The checks 4.1b to 4.1e of every game: the seat exists, the game is on, the phase is right, the seat is to act.

    `in_phase` says whether moves of this type belong to the phase. Raises `MoveRefused`.
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


class Scribe(Generic[StateT]):
    """Writes down the events of one decision; `state` is always the one after the last of them.

    A game's own scribe names its `evolve`.
    """

    __slots__ = ("before", "events", "state")
    evolve: Callable[[Any, Any], StateT]

    def __init__(self, state: Any) -> None:
        self.state: StateT = state
        self.events: list[Any] = []
        self.before: list[Any] = []

    def write(self, event: Any) -> None:
        """Records one event, and the state that it leads to."""
        self.events.append(event)
        self.before.append(self.state)
        self.state = self.evolve(self.state, event)

    def transition(self) -> Transition[StateT]:
        """Everything written, and what it led to."""
        return Transition(tuple(self.events), self.state, tuple(self.before))
