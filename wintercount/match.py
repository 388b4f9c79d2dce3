"""A game in memory, played by a program that holds every seat."""

import random
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Generic, NamedTuple

import msgspec

from games.kernel import AnyGame, EventT, Game, MoveSet, MoveT, StateT, T, Transition, ViewT
from games.payloads import payload_of
from projections.history import readable


class RandomChance:
    """Luck from a random number generator; a deep copy draws the same luck."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG002 - as `Chance` has it
        """Draws `count` items of the population without replacement."""
        return tuple(self.rng.sample(population, count))


class Recorded(NamedTuple):
    """An event, and the seats that may read each of its secret fields."""

    event: Any
    readers: Mapping[str, Sequence[int]]


def recorded_events(game: AnyGame, transition: Transition[Any]) -> list[Recorded]:
    """Returns the events of a transition with their readers."""
    return [Recorded(event, game.readers(before, event)) for before, event, _ in transition.steps]


def as_read_by(record: Iterable[Recorded], seat: int | None) -> tuple[Any, ...]:
    """Returns events with `msgspec.UNSET` in place of what the seat may not read; None is a spectator."""
    return tuple(msgspec.convert(readable(payload_of(event), readers, seat), type(event)) for event, readers in record)


class Match(Generic[StateT, MoveT, EventT, ViewT]):
    """One play of a game: its `state` and its `events` so far. The same `seed` gives the same luck.

    `options` are the house rules that differ from the defaults. Raises `OptionsRefused` for unknown options or a wrong
    number of players. A copy continues on its own and draws the same luck.
    """

    def __init__(
        self,
        game: Game[StateT, MoveT, EventT, ViewT],
        players: int,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.game, self.players = game, players
        self._chance = RandomChance(random.Random(int(seed)))  # noqa: S311 - games are dealt, no secrets made
        self._record: list[Recorded] = []
        self._adopt(game.start(players, game.read_options(options or {}, players), self._chance))

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match[StateT, MoveT, EventT, ViewT]":
        other: Match[StateT, MoveT, EventT, ViewT] = object.__new__(type(self))
        vars(other).update(vars(self), _record=self._record[:], _chance=deepcopy(self._chance, memo))
        return other

    def __copy__(self) -> "Match[StateT, MoveT, EventT, ViewT]":
        return deepcopy(self)

    def _adopt(self, transition: Transition[StateT]) -> tuple[EventT, ...]:
        self._record += recorded_events(self.game, transition)
        self.state = transition.state
        return transition.events

    @property
    def events(self) -> tuple[EventT, ...]:
        """Everything that has happened, secrets included."""
        return tuple(event for event, _ in self._record)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have to decide; none when the game is over."""
        return self.game.to_act(self.state)

    @property
    def scores(self) -> Any:
        """The points of each seat so far, with the ranking and the winners."""
        return self.game.scores(self.state)

    def legal_moves(self, seat: int) -> list[Any]:
        """Returns what the seat may do; a `MoveSet` stands for many moves (`expansions`, `sample`)."""
        return self.game.legal_moves(self.state, seat)

    def random_move(self, seat: int) -> MoveT:
        """Returns a move: each entry of `legal_moves` is equally likely."""
        (entry,) = self._chance("move", self.legal_moves(seat), 1)
        move: MoveT = entry.sample(self._chance) if isinstance(entry, MoveSet) else entry
        return move

    def play(self, seat: int, move: MoveT | Mapping[str, Any]) -> tuple[EventT, ...]:
        """Plays a move, given as the game's class or as JSON, and returns what happened; raises `MoveRefused`."""
        return self._adopt(self.game.play(self.state, seat, move, self._chance))

    def view(self, seat: int | None) -> ViewT:
        """Returns the table as the seat sees it; None is a spectator."""
        return self.game.view(self.state, seat)

    def feed(self, seat: int | None) -> tuple[Any, ...]:
        """Returns all events, with `msgspec.UNSET` in place of what the seat may not read."""
        return as_read_by(self._record, seat)
