"""A game played in memory, by a program that holds every seat."""

from collections.abc import Mapping
from typing import Any, Generic

import msgspec

from events.luck import Imagined
from games.kernel import EventT, Game, MoveSet, MoveT, StateT, Transition, ViewT
from games.payloads import payload_of
from projections.history import readable


class Match(Generic[StateT, MoveT, EventT, ViewT]):
    """One play of a game: its `state`, and the `events` so far. The same `seed` gives the same luck.

    `options` are the house rules that differ from the defaults. Raises `OptionsRefused` for options or numbers of
    players that the game does not know.
    """

    def __init__(
        self,
        game: Game[StateT, MoveT, EventT, ViewT],
        players: int,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.game, self.players = game, players
        self._chance = Imagined(seed)
        self._told: list[tuple[Any, Mapping[str, list[int]]]] = []
        self._take(game.start(players, game.read_options(options or {}, players), self._chance))

    def _take(self, transition: Transition[StateT]) -> tuple[EventT, ...]:
        self._told += [(event, self.game.readers(before, event)) for before, event, _ in transition.steps]
        self.state = transition.state
        return transition.events

    @property
    def events(self) -> tuple[EventT, ...]:
        """Everything that has happened, secrets included."""
        return tuple(event for event, _ in self._told)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have a decision to take; none when the game is over."""
        return self.game.to_act(self.state)

    @property
    def scores(self) -> Any:
        """The points of each seat so far, with the ranking and the winners."""
        return self.game.scores(self.state)

    def legal_moves(self, seat: int) -> list[Any]:
        """What the seat may do; a `MoveSet` stands for many moves (`expansions`, `sample`)."""
        return self.game.legal_moves(self.state, seat)

    def random_move(self, seat: int) -> MoveT:
        """One of the entries of `legal_moves`, each equally likely."""
        (entry,) = self._chance("move", self.legal_moves(seat), 1)
        move: MoveT = entry.sample(self._chance) if isinstance(entry, MoveSet) else entry
        return move

    def play(self, seat: int, move: MoveT | Mapping[str, Any]) -> tuple[EventT, ...]:
        """Plays a move, given as the game's class or as JSON, and returns what happened; raises `MoveRefused`."""
        asked = self.game.read_move(move)
        return self._take(self.game.play(self.state, seat, asked, self._chance))

    def view(self, seat: int | None) -> ViewT:
        """The table as the seat sees it; None is a spectator."""
        return self.game.view(self.state, seat)

    def feed(self, seat: int | None) -> tuple[Any, ...]:
        """What the seat was told: all events, with `msgspec.UNSET` in place of what it may not read."""
        return tuple(
            msgspec.convert(readable(payload_of(event), readers, seat), type(event)) for event, readers in self._told
        )
