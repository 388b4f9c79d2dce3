"""What the seats of a table observe, kept while what happens can be written into it."""

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from wintercount.env.layout import FLOAT, Coding, Follower, Numbers, Row


class Keeping(Protocol):
    """Keeps what seats have asked for."""

    def observation(self, seat: int, told: Callable[[int], Numbers]) -> Row:
        """What the seat observes; `told` makes it anew if it is not kept."""
        ...

    def takes(self, seat: int, action: int) -> None:
        """The seat has taken an action of an unfinished move."""
        ...

    def finishes(self, seat: int, taken: Sequence[int]) -> None:
        """The seat has finished the move of which it had taken these actions."""
        ...

    def follow(self, events: Sequence[Any], state: Any, to_act: Sequence[int]) -> None:
        """What has happened, the state that it led to, and who has to act in it."""
        ...


class Shared:
    """The numbers of a table, for the seats that have asked for theirs since all was last forgotten.

    A seat is given those that stand at its own places, and so nothing that another seat alone knows.
    """

    __slots__ = ("_follower", "_numbers", "_part_slots", "_row", "_seats")

    def __init__(self, coding: Coding, follower: Follower) -> None:
        self._follower, self._part_slots = follower, coding.part_slots
        self._numbers: Numbers = array(FLOAT, [0.0]) * len(follower.sharing.place)
        self._row: Row = np.frombuffer(self._numbers, np.float32)  # the same numbers
        self._seats: set[int] = set()

    def observation(self, seat: int, told: Callable[[int], Numbers]) -> Row:
        """What the seat observes; `told` makes it anew if it is not kept."""
        places = self._follower.sharing.places[seat - 1]
        if seat not in self._seats:
            self._row[places] = told(seat)
            self._seats.add(seat)
        return self._row.take(places, mode="clip")  # twice as fast as to look for places that there are not

    def takes(self, seat: int, action: int) -> None:
        """The seat has taken an action of an unfinished move."""
        self._count(seat, (action,), 1)

    def finishes(self, seat: int, taken: Sequence[int]) -> None:
        """The seat has finished the move of which it had taken these actions."""
        self._count(seat, taken, -1)

    def _count(self, seat: int, taken: Sequence[int], more: int) -> None:
        if seat in self._seats:
            places = self._follower.sharing.places[seat - 1]
            for action in taken:
                self._numbers[places[self._part_slots[action]]] += more

    def follow(self, events: Sequence[Any], state: Any, to_act: Sequence[int]) -> None:
        """Writes what has happened into the numbers, or forgets them all, so that they are made anew when asked for."""
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
    """The numbers of each seat that has asked for them, until a move is finished."""

    __slots__ = ("_numbers", "_part_slots")

    def __init__(self, coding: Coding) -> None:
        self._part_slots = coding.part_slots
        self._numbers: dict[int, Numbers] = {}

    def observation(self, seat: int, told: Callable[[int], Numbers]) -> Row:
        """What the seat observes; `told` makes it anew if it is not kept."""
        if seat not in self._numbers:
            self._numbers[seat] = told(seat)
        return np.frombuffer(self._numbers[seat][:], np.float32)

    def takes(self, seat: int, action: int) -> None:
        """The seat has taken an action of an unfinished move."""
        if seat in self._numbers:
            self._numbers[seat][self._part_slots[action]] += 1

    def finishes(self, seat: int, taken: Sequence[int]) -> None:
        """Nothing: all is forgotten when it has happened."""

    def follow(self, events: Sequence[Any], state: Any, to_act: Sequence[int]) -> None:  # noqa: ARG002 - forgets it all
        """Forgets all numbers, so that they are made anew when asked for."""
        self._numbers.clear()


def keeping(coding: Coding) -> Keeping:
    """What keeps the observations of a table of this coding."""
    return Shared(coding, coding.follower) if coding.follower else SeparateNumbers(coding)
