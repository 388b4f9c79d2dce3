"""One play of a game, taken action by action by a program that holds every seat."""

import random
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pickle import PicklingError
from typing import Any

import numpy as np
import numpy.typing as npt

from games import GAMES
from games.kernel import AnyGame, Chance, Move, T
from wintercount.env.choices import Choice
from wintercount.env.finding import coding_of
from wintercount.env.keeping import keeping
from wintercount.env.layout import Coding, Numbers, Row

Mask = npt.NDArray[np.int8]


class ActionRefused(ValueError):
    """An action that is not open to the seat; nothing has changed."""


class chance_from:  # noqa: N801 - called like a function; a class so that it can be written down
    """Luck out of a generator of random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG002 - as chance is called
        return tuple(self.rng.sample(population, count))


class Playing:
    """A game from a state on: the `state` now, the seats that are `to_act`, and what each has taken of its move.

    What a seat observes, and the actions open to it, come from its view alone.
    """

    def __init__(self, game: AnyGame, coding: Coding, state: Any, chance: Chance) -> None:
        self.game, self.coding, self.chance = game, coding, chance
        self._sees = coding.sees or game.view
        self._choices: dict[int, Choice] = {}
        self._taken: dict[int, tuple[int, ...]] = {}
        self._kept = keeping(coding)  # what seats observe now, as far as anybody has asked
        self._becomes(state)

    @classmethod
    def begun(cls, game: AnyGame, coding: Coding, options: Any, chance: Chance) -> "Playing":
        """A game from its start, under house rules as the game reads them."""
        return cls(game, coding, game.start(coding.players, options, chance).state, chance)

    def _becomes(self, state: Any) -> None:
        self.state = state
        self.to_act: tuple[int, ...] = self.game.to_act(state)
        self._seen: dict[int, Any] = {}

    def copy(self) -> "Playing":
        """The same moment once more, to go on from in another way; it draws from the same luck."""
        other = Playing(self.game, self.coding, self.state, self.chance)
        other._choices, other._taken = dict(self._choices), dict(self._taken)
        return other

    def __deepcopy__(self, _: Any) -> "Playing":
        return self.copy()

    def __reduce__(self) -> Any:
        if GAMES.get(self.game.slug) is not self.game:
            raise PicklingError(f"{self.game.slug} is not among wintercount.games, so that it could not be read again")
        return restored, (self.game.slug, self.coding.players, self.state, self._taken, self.chance)

    def view(self, seat: int) -> Any:
        """The table as the seat sees it."""
        return self.game.view(self.state, seat)

    def seen(self, seat: int) -> Any:
        """What the seat may know, as the coding reads it."""
        if seat not in self._seen:
            self._seen[seat] = self._sees(self.state, seat)
        return self._seen[seat]

    def taken(self, seat: int) -> tuple[int, ...]:
        """The actions that the seat has taken of a move that it has not finished."""
        return self._taken.get(seat, ())

    def open(self, seat: int) -> list[int]:
        """The actions that the seat may take now; none if it need not act."""
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
        """Takes an action, and returns what happened: events, or nothing while the move is unfinished.

        Raises `ActionRefused`, and nothing has changed, if the action is not open to the seat.
        """
        action = int(action)
        self.check(seat, action)
        left = self._choices[seat].take(action)
        if not isinstance(left, Move):
            self._takes(seat, action, left)
            return ()
        turn = self.game.play(self.state, seat, left, self.chance)
        # What other seats have taken of theirs stays: a decision stands until its own seat has taken it.
        taken = self._taken.pop(seat, ())
        self._choices = {other: self._choices[other] for other in self._taken} if self._taken else {}
        self._becomes(turn.state)
        if taken:
            self._kept.finishes(seat, taken)
        self._kept.follow(turn.events, turn.state, self.to_act)
        return turn.events

    def _takes(self, seat: int, action: int, left: Choice) -> None:
        """An action of an unfinished move, which the seat sees among its own."""
        self._choices[seat], self._taken[seat] = left, (*self.taken(seat), action)
        self._kept.takes(seat, action)

    def check(self, seat: int, action: int) -> None:
        """Raises `ActionRefused` unless the action is open to the seat."""
        if action not in self._open(seat):
            raise ActionRefused(self._refusal(seat, action))

    def _refusal(self, seat: int, action: int) -> str:
        names = self.coding.actions
        called = names[action] if 0 <= action < len(names) else "none of this game's"
        if seat not in self.to_act:
            return f"seat {seat} does not have to act now"
        listed = ", ".join(f"{other} ({names[other]})" for other in self.open(seat))
        return f"action {action} ({called}) is not open to seat {seat}; the mask allows {listed}"

    def observation(self, seat: int) -> Row:
        """What the seat sees, a number a slot."""
        return self._kept.observation(seat, self._told)

    def _told(self, seat: int) -> Numbers:
        numbers = self.coding.numbers(self.seen(seat))
        for action in self.taken(seat):
            numbers[self.coding.part_slots[action]] += 1
        return numbers

    def mask(self, seat: int, extra: int = 0) -> Mask:
        """1 for each action that is open to the seat, and `extra` zeros at the end."""
        mask = bytearray(len(self.coding.actions) + extra)
        for action in self._open(seat):
            mask[action] = 1
        return np.frombuffer(mask, dtype=np.int8)


def restored(slug: str, players: int, state: Any, taken: Mapping[int, Sequence[int]], chance: Chance) -> Playing:
    """A game that was written down by `pickle`."""
    playing = Playing(GAMES[slug], coding_of(slug, players), state, chance)
    for seat, actions in taken.items():
        for action in actions:
            playing.act(seat, action)
    return playing
