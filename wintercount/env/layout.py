"""The coding of a game for learners: its actions by name, and its observations slot by slot."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wintercount.env.choices import Choice

Row = npt.NDArray[np.float32]
LOWEST, HIGHEST = -128, 1023  # of any number of an observation


class Actions:
    """The actions of a game, numbered in the order in which they are added; their numbers never change."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[Any, int] = {}

    def add(self, kind: str, things: Iterable[Any] = ((),)) -> range:
        """Adds an action of this kind for each thing, a tuple of what it is about; returns their numbers."""
        first = len(self.names)
        for thing in things:
            about = thing if isinstance(thing, tuple) else (thing,)
            self.numbers[kind, *about] = len(self.names)
            self.names.append(" ".join(map(str, (kind, *about))))
        return range(first, len(self.names))


class Slots:
    """The names of an observation's numbers: first the figures, which are any numbers, then the marks, 0 or 1."""

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
        """Adds a mark `name/thing` for each thing, and returns their places among the marks."""
        listed = list(things)
        first = len(self.mark_names)
        self.mark_names += [f"{name}/{thing}" for thing in listed]
        return {thing: place for place, thing in enumerate(listed, first)}


class Observer(Protocol):
    """Writes what a seat sees; `slots` names the numbers of an observation."""

    slots: Slots

    def write(self, seen: Any, figures: list[float], marks: list[int]) -> None:
        """Adds all figures in their order, and the places of all marks that are 1."""
        ...


@dataclass(frozen=True)
class Coding:
    """The actions and observations of a game for so many players.

    `choose` opens a decision, from a function that returns what the seat sees and from its legal moves. `spell` returns
    the actions that make a move, in one possible order. `parts` are the actions of moves that take several. `sees`
    returns what a seat may know of a state, for `write`, `choose` and `spell`; None stands for the game's view.
    """

    players: int
    actions: tuple[str, ...]
    parts: tuple[int, ...]
    observer: Observer
    choose: Callable[[Callable[[], Any], Sequence[Any]], Choice]
    spell: Callable[[Any, Any], Sequence[int]]
    sees: Callable[[Any, int], Any] | None = None

    def __deepcopy__(self, _: Any) -> "Coding":
        return self

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The name of every number of an observation; the last ones count the actions taken of an unfinished move."""
        return (*self.observer.slots.names, *(f"taken/{self.actions[action]}" for action in self.parts))

    @cached_property
    def part_slots(self) -> Mapping[int, int]:
        """The slot that counts how often each of `parts` was taken of an unfinished move."""
        return {action: place for place, action in enumerate(self.parts, len(self.slots) - len(self.parts))}

    def row(self, seen: Any) -> Row:
        """Returns what a seat sees, without the actions of an unfinished move."""
        figures: list[float] = []
        marks: list[int] = []
        self.observer.write(seen, figures, marks)
        row = np.zeros(len(self.slots), np.float32)
        row[: len(figures)] = figures
        row[len(figures) :][marks] = 1
        return row


def places_among(seats: Collection[int], own: int, players: int) -> list[int]:
    """Returns for each seat, from one's own on, its place in an order of some seats, from 1; 0 for none."""
    places = [0] * players
    for place, seat in enumerate(seats, 1):
        places[(seat - own) % players] = place
    return places
