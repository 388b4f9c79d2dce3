"""What a game looks like to a learner: its actions by name, and its observations slot by slot."""

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from wintercount.env.choices import Choice

Row = npt.NDArray[np.float32]
FLOAT = "f"  # 32 bits
Numbers: TypeAlias = "array[float]"  # of an observation; `array` is generic for type checkers alone
Change: TypeAlias = Callable[[Numbers, Any], None]  # what an event changes in the numbers of a table


class Actions:
    """The actions of a game, numbered in the order in which they are added; their numbers are kept for ever."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[Any, int] = {}

    def add(self, kind: str, things: Iterable[Any] = ((),)) -> range:
        """Numbers an action of this kind for each thing, a tuple of what it is about; gives those numbers."""
        first = len(self.names)
        for thing in things:
            about = thing if isinstance(thing, tuple) else (thing,)
            self.numbers[kind, *about] = len(self.names)
            self.names.append(" ".join(map(str, (kind, *about))))
        return range(first, len(self.names))


class Slots:
    """The numbers of an observation by name: first the figures, which are any numbers, then the marks, 1 or 0.

    An observation is told as a list of all figures in the order in which they were added, and one of the marks that
    are 1, each by its place among the marks.
    """

    def __init__(self) -> None:
        self.figure_names: list[str] = []
        self.mark_names: list[str] = []

    @property
    def names(self) -> Sequence[str]:
        """The name of every number."""
        return (*self.figure_names, *self.mark_names)

    def figures(self, name: str, things: Iterable[Any]) -> None:
        """Adds a figure `name/thing` for each thing."""
        self.figure_names += [f"{name}/{thing}" for thing in things]

    def marks(self, name: str, things: Iterable[Any]) -> Mapping[Any, int]:
        """Adds a mark `name/thing` for each thing, and gives their places."""
        listed = list(things)
        first = len(self.mark_names)
        self.mark_names += [f"{name}/{thing}" for thing in listed]
        return {thing: place for place, thing in enumerate(listed, first)}


class Observer(Protocol):
    """Tells what a seat sees: `slots` names the numbers of an observation."""

    slots: Slots

    def tell(self, seen: Any, figures: list[float], marks: list[int]) -> None:
        """Adds all figures in their order, and the places of all marks that are 1."""
        ...


class Sharing:
    """The numbers of a table: what several seats observe stands there once, what one seat alone observes apart.

    It is made from the names of each seat's numbers, where the same number of several seats has one name. `place` tells
    where a number stands among those of the table; `places` for each seat where the numbers of its observation do.
    """

    def __init__(self, names: Sequence[Sequence[str]]) -> None:
        self.place = {name: place for place, name in enumerate(dict.fromkeys(chain(*names)))}
        self.places = tuple([np.array([self.place[name] for name in each], np.intp) for each in names])


class Follower(Protocol):
    """Writes what happens into the numbers of a table, so that observations need not be made anew.

    `changes` has a function for each type of event that can be written, from the numbers and the event; for those that
    are `settled`, `settle` writes all that there is. After an event of another type, all is made anew.
    """

    sharing: Sharing
    changes: Mapping[type, Change]
    settled: Collection[type]

    def settle(self, numbers: Numbers, state: Any, to_act: Sequence[int]) -> None:
        """Writes what all know of the state and who has to act, when the events that led there have been written."""
        ...


@dataclass(frozen=True)
class Coding:
    """How a game for so many players is told to a learner, and what its actions mean.

    `choose` opens a decision, from a function that gives what the seat sees and from its legal moves. `spell` gives the
    actions that make a move, in one order of those that lead to it. `parts` are the actions that may belong to a move
    of several. `sees` gives what a seat may know of a state, as `tell`, `choose` and `spell` read it; None for the
    game's own view. `follower`, if there is one, saves making observations anew.
    """

    players: int
    actions: tuple[str, ...]
    parts: tuple[int, ...]
    observer: Observer
    choose: Callable[[Callable[[], Any], Sequence[Any]], Choice]
    spell: Callable[[Any, Any], Sequence[int]]
    sees: Callable[[Any, int], Any] | None = None
    follower: Follower | None = None

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The name of every number of an observation; the last ones tell what has been taken of an unfinished move."""
        return (*self.observer.slots.names, *(f"taken/{self.actions[action]}" for action in self.parts))

    @cached_property
    def part_slots(self) -> Mapping[int, int]:
        """The slot in which stands how often one of `parts` has been taken of an unfinished move."""
        return {action: place for place, action in enumerate(self.parts, len(self.slots) - len(self.parts))}

    @cached_property
    def _unmarked(self) -> Numbers:
        """All numbers behind the figures, where nothing is marked."""
        return array(FLOAT, [0.0]) * (len(self.slots) - len(self.observer.slots.figure_names))

    def numbers(self, seen: Any) -> Numbers:
        """What a seat sees, as if it had taken nothing of an unfinished move."""
        figures: list[float] = []
        marks: list[int] = []
        self.observer.tell(seen, figures, marks)
        told = array(FLOAT, figures) + self._unmarked
        first = len(figures)
        for place in marks:
            told[first + place] = 1
        return told

    def row(self, seen: Any) -> Row:
        """The same as an array of NumPy."""
        return np.frombuffer(self.numbers(seen), np.float32)


def places_among(seats: Collection[int], own: int, players: int) -> list[int]:
    """For each seat from one's own on, its place among some seats that stand in an order, from 1; 0 for none."""
    places = [0] * players
    for place, seat in enumerate(seats, 1):
        places[(seat - own) % players] = place
    return places
