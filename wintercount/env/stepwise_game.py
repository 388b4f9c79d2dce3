"""One game, played action by action by a program that holds every seat."""

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from functools import partial
from pickle import PicklingError
from typing import Any

import numpy as np
import numpy.typing as npt

from games import GAMES
from games.kernel import AnyGame, Chance, Move
from wintercount.env.choices import Choice
from wintercount.env.coding_lookup import coding_of
from wintercount.env.layout import Coding, Row
from wintercount.match import Recorded, as_read_by, recorded_events

Mask = npt.NDArray[np.int8]


class ActionRefused(ValueError):
    """An action that the seat may not take now; nothing has changed."""


class Playing:
    """A game from a state on: the `state` now, the seats `to_act`, and the actions taken of unfinished moves.

    What a seat observes and which actions it may take come from its view alone. With `record` it keeps its events, so
    that it has a `feed`.
    """

    def __init__(
        self, game: AnyGame, coding: Coding, state: Any, chance: Chance, record: Sequence[Recorded] | None = None
    ) -> None:
        self.game, self.coding, self.chance = game, coding, chance
        self._record = None if record is None else list(record)
        self._sees = coding.sees or game.view
        self._choices: dict[int, Choice] = {}
        self._taken: dict[int, tuple[int, ...]] = {}
        self._becomes(state)

    @classmethod
    def begun(cls, game: AnyGame, coding: Coding, options: Any, chance: Chance, *, recorded: bool = False) -> "Playing":
        """Starts a game under house rules as `read_options` returns them."""
        start = game.start(coding.players, options, chance)
        return cls(game, coding, start.state, chance, recorded_events(game, start) if recorded else None)

    def _becomes(self, state: Any) -> None:
        self.state = state
        self.to_act: tuple[int, ...] = self.game.to_act(state)
        self._seen: dict[int, Any] = {}
        self._rows: dict[int, Row] = {}  # what seats see, without the actions of unfinished moves

    def __deepcopy__(self, memo: dict[int, Any]) -> "Playing":
        """Returns the same moment, to continue from on its own; it draws the same luck."""
        other = Playing(self.game, self.coding, self.state, deepcopy(self.chance, memo), self._record)
        other._choices, other._taken = dict(self._choices), dict(self._taken)
        return other

    def copy(self) -> "Playing":
        """Returns a deep copy."""
        return deepcopy(self)

    __copy__ = copy

    def __reduce__(self) -> Any:
        if GAMES.get(self.game.slug) != self.game:
            raise PicklingError(f"{self.game.slug} is not in wintercount.games, so the copy could not be loaded")
        return restored, (self.game.slug, self.coding.players, self.state, self.chance, self._record, self._taken)

    def view(self, seat: int) -> Any:
        """Returns the table as the seat sees it."""
        return self.game.view(self.state, seat)

    def feed(self, seat: int) -> tuple[Any, ...]:
        """Returns all events, with `msgspec.UNSET` in place of what the seat may not read."""
        return as_read_by(self._record or (), seat)

    def seen(self, seat: int) -> Any:
        """Returns what the seat may know, in the form that the coding reads."""
        if seat not in self._seen:
            self._seen[seat] = self._sees(self.state, seat)
        return self._seen[seat]

    def taken(self, seat: int) -> tuple[int, ...]:
        """Returns the actions that the seat has taken of an unfinished move."""
        return self._taken.get(seat, ())

    def open(self, seat: int) -> list[int]:
        """Returns the actions that the seat may take now; none if it does not have to act."""
        return list(self._open(seat))

    def _open(self, seat: int) -> Collection[int]:
        choice = self._choices.get(seat)
        if choice is None:
            return self._choice(seat).open if seat in self.to_act else ()
        return choice.open

    def _choice(self, seat: int) -> Choice:
        choice = self.coding.choose(partial(self.seen, seat), self.game.legal_moves(self.state, seat))
        self._choices[seat] = choice
        return choice

    def act(self, seat: int, action: int) -> tuple[Any, ...]:
        """Takes an action and returns the events that follow, none while the move is unfinished.

        Raises `ActionRefused`, and nothing has changed, if the seat may not take the action.
        """
        action = int(action)
        self.check(seat, action)
        left = self._choices[seat].take(action)
        if isinstance(left, Move):
            return self.play(seat, left)
        self._choices[seat], self._taken[seat] = left, (*self.taken(seat), action)
        return ()

    def play(self, seat: int, move: Any) -> tuple[Any, ...]:
        """Plays a whole move and returns its events; raises `MoveRefused`."""
        turn = self.game.play(self.state, seat, move, self.chance)
        # What other seats have taken of theirs stays: a decision stands until its own seat has taken it.
        self._taken.pop(seat, None)
        self._choices = {other: self._choices[other] for other in self._taken} if self._taken else {}
        self._becomes(turn.state)
        if self._record is not None:
            self._record += recorded_events(self.game, turn)
        return turn.events

    def check(self, seat: int, action: int) -> None:
        """Raises `ActionRefused` unless the seat may take the action."""
        if action not in self._open(seat):
            raise ActionRefused(self._refusal(seat, action))

    def _refusal(self, seat: int, action: int) -> str:
        names = self.coding.actions
        name = names[action] if 0 <= action < len(names) else "not an action of this game"
        if seat not in self.to_act:
            return f"seat {seat} does not have to act now"
        listed = ", ".join(f"{other} ({names[other]})" for other in self.open(seat))
        return f"action {action} ({name}) is not open to seat {seat}; the mask allows {listed}"

    def observation(self, seat: int) -> Row:
        """Returns what the seat sees, a number a slot."""
        if seat not in self._rows:
            self._rows[seat] = self.coding.row(self.seen(seat))
        row = self._rows[seat].copy()
        for action in self.taken(seat):
            row[self.coding.part_slots[action]] += 1
        return row

    def mask(self, seat: int, extra: int = 0) -> Mask:
        """Returns 1 for each action that the seat may take, with `extra` zeros at the end."""
        mask = bytearray(len(self.coding.actions) + extra)
        for action in self._open(seat):
            mask[action] = 1
        return np.frombuffer(mask, dtype=np.int8)


def restored(  # noqa: PLR0913, PLR0917 - all that `pickle` keeps
    slug: str,
    players: int,
    state: Any,
    chance: Chance,
    record: Sequence[Recorded] | None,
    taken: Mapping[int, Sequence[int]],
) -> Playing:
    """Returns a game that `pickle` has kept."""
    playing = Playing(GAMES[slug], coding_of(slug, players), state, chance, record)
    for seat, actions in taken.items():
        for action in actions:
            playing.act(seat, action)
    return playing
