"""One game, played action by action by a program that holds every seat."""

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from functools import partial
from pickle import PicklingError
from typing import Any

import numpy as np
import numpy.typing as npt

from games import GAMES
from games.kernel import AnyGame, Chance, Move
from wintercount.env.choices import Choice
from wintercount.env.finding import coding_of
from wintercount.env.layout import FLOAT, Coding, Follower, Numbers, Row
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
        self._kept = Shared(coding, coding.follower) if coding.follower else SeparateNumbers(coding)
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
        self._kept.takes(seat, action)
        return ()

    def play(self, seat: int, move: Any) -> tuple[Any, ...]:
        """Plays a whole move and returns its events; raises `MoveRefused`."""
        turn = self.game.play(self.state, seat, move, self.chance)
        # What other seats have taken of theirs stays: a decision stands until its own seat has taken it.
        taken = self._taken.pop(seat, ())
        self._choices = {other: self._choices[other] for other in self._taken} if self._taken else {}
        self._becomes(turn.state)
        if self._record is not None:
            self._record += recorded_events(self.game, turn)
        if taken:
            self._kept.finishes(seat, taken)
        self._kept.follow(turn.events, turn.state, self.to_act)
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
        return self._kept.observation(seat, self._numbers)

    def _numbers(self, seat: int) -> Numbers:
        numbers = self.coding.numbers(self.seen(seat))
        for action in self.taken(seat):
            numbers[self.coding.part_slots[action]] += 1
        return numbers

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


# Observations are kept, and events are written into them: to make one anew takes ten times as long.


class Shared:
    """The numbers of a table, for the seats that have asked for an observation since they were last forgotten.

    A seat reads only its own places, so it sees nothing that another seat alone knows.
    """

    __slots__ = ("_follower", "_numbers", "_part_slots", "_row", "_seats")

    def __init__(self, coding: Coding, follower: Follower) -> None:
        self._follower, self._part_slots = follower, coding.part_slots
        self._numbers: Numbers = array(FLOAT, [0.0]) * len(follower.sharing.place)
        self._row: Row = np.frombuffer(self._numbers, np.float32)  # the same numbers
        self._seats: set[int] = set()

    def observation(self, seat: int, make: Callable[[int], Numbers]) -> Row:
        """Returns what the seat observes, made by `make` if it is not kept."""
        places = self._follower.sharing.places[seat - 1]
        if seat not in self._seats:
            self._row[places] = make(seat)
            self._seats.add(seat)
        return self._row.take(places, mode="clip")  # which is twice as fast as checking the places

    def takes(self, seat: int, action: int) -> None:
        """Notes an action of an unfinished move."""
        self._count(seat, (action,), 1)

    def finishes(self, seat: int, taken: Sequence[int]) -> None:
        """Forgets the actions of a move that the seat has finished."""
        self._count(seat, taken, -1)

    def _count(self, seat: int, taken: Sequence[int], more: int) -> None:
        if seat in self._seats:
            places = self._follower.sharing.places[seat - 1]
            for action in taken:
                self._numbers[places[self._part_slots[action]]] += more

    def follow(self, events: Sequence[Any], state: Any, to_act: Sequence[int]) -> None:
        """Writes events into the numbers; forgets all numbers after an event that cannot be written."""
        follower = self._follower
        if not self._seats:
            return
        for event in events:
            change = follower.changes.get(type(event))
            if change is not None:
                change(self._numbers, event)
            elif type(event) not in follower.settled:
                self._seats.clear()
                return
        follower.settle(self._numbers, state, to_act)


class SeparateNumbers:
    """The numbers of each seat that has asked for them, until a move is finished: for codings without a follower."""

    __slots__ = ("_numbers", "_part_slots")

    def __init__(self, coding: Coding) -> None:
        self._part_slots = coding.part_slots
        self._numbers: dict[int, Numbers] = {}

    def observation(self, seat: int, make: Callable[[int], Numbers]) -> Row:
        """Returns what the seat observes, made by `make` if it is not kept."""
        if seat not in self._numbers:
            self._numbers[seat] = make(seat)
        return np.frombuffer(self._numbers[seat][:], np.float32)

    def takes(self, seat: int, action: int) -> None:
        """Notes an action of an unfinished move."""
        if seat in self._numbers:
            self._numbers[seat][self._part_slots[action]] += 1

    def finishes(self, seat: int, taken: Sequence[int]) -> None:
        """Does nothing: `follow` forgets everything."""

    def follow(self, events: Sequence[Any], state: Any, to_act: Sequence[int]) -> None:  # noqa: ARG002 - as `Shared` has it
        """Forgets all numbers."""
        self._numbers.clear()
