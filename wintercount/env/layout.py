"""What a game looks like to a learner: its actions by name, and its observations slot by slot."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wintercount.env.choices import Choice

Row = npt.NDArray[np.float32]


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


@dataclass(frozen=True)
class Coding:
    """How a game for so many players is told to a learner, and what its actions mean.

    `choose` opens a decision, from what the seat sees and its legal moves. `spell` gives the actions that make a
    move, in one order of those that lead to it. `parts` are the actions that may belong to a move of several.
    `sees` gives what a seat may know of a state, as `tell`, `choose` and `spell` read it; None for the game's own view.
    """

    players: int
    actions: tuple[str, ...]
    parts: tuple[int, ...]
    observer: Observer
    choose: Callable[[Any, Sequence[Any]], Choice]
    spell: Callable[[Any, Any], Sequence[int]]
    sees: Callable[[Any, int], Any] | None = None

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The name of every number of an observation; the last ones tell what has been taken of an unfinished move."""
        seen = self.observer.slots
        return (*seen.figure_names, *seen.mark_names, *(f"taken/{self.actions[action]}" for action in self.parts))

    @cached_property
    def part_slots(self) -> Mapping[int, int]:
        """The slot in which stands how often one of `parts` has been taken of an unfinished move."""
        return {action: place for place, action in enumerate(self.parts, len(self.slots) - len(self.parts))}

    @cached_property
    def _figures(self) -> Struct:
        """How all figures are packed."""
        return Struct(f"{len(self.observer.slots.figure_names)}f")

    def row(self, seen: Any) -> Row:
        """What a seat sees, as if it had taken nothing of an unfinished move."""
        figures: list[float] = []
        marks: list[int] = []
        self.observer.tell(seen, figures, marks)
        marked = bytearray(len(self.slots) - len(figures))
        for place in marks:
            marked[place] = 1
        row: Row = np.empty(len(self.slots), np.float32)
        row[: len(figures)] = np.frombuffer(self._figures.pack(*figures), np.float32)
        row[len(figures) :] = np.frombuffer(marked, np.uint8)
        return row


def places_among(seats: Collection[int], own: int, players: int) -> list[int]:
    """For each seat from one's own on, its place among some seats that stand in an order, from 1; 0 for none."""
    places = [0] * players
    for place, seat in enumerate(seats, 1):
        places[(seat - own) % players] = place
    return places
