"""What a game looks like to a learner: its actions by name, and its observations slot by slot."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from wintercount.env.choices import Choice
from wintercount.env.rows import counts


class Block(NamedTuple):
    """Slots of an observation that are told together: their names, and their row, from the view of a seat."""

    slots: tuple[str, ...]
    row: Callable[[Any], bytes]


def block(name: str, slots: Iterable[Any], row: Callable[[Any], bytes]) -> Block:
    """A block whose slots are named `name/slot`."""
    return Block(tuple(f"{name}/{slot}" for slot in slots), row)


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


@dataclass(frozen=True)
class Coding:
    """How a game for so many players is told to a learner, and what its actions mean.

    `choose` opens a decision, from the view of the seat and its legal moves. `spell` gives the actions that make a
    move, in one order of those that lead to it. `parts` are the actions that may belong to a move of several.
    """

    players: int
    actions: tuple[str, ...]
    parts: tuple[int, ...]
    blocks: tuple[Block, ...]
    choose: Callable[[Any, Sequence[Any]], Choice]
    spell: Callable[[Any, Any], Sequence[int]]

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The name of every number of an observation; the last ones tell what has been taken of an unfinished move."""
        seen = [name for block in self.blocks for name in block.slots]
        return (*seen, *(f"taken/{self.actions[action]}" for action in self.parts))

    @cached_property
    def part_row(self) -> Callable[[tuple[int, ...]], bytes]:
        """The row of what has been taken of an unfinished move: how often each of `parts`."""
        return counts(self.parts)

    def row(self, view: Any) -> bytes:
        """What a seat sees, without what it has taken of an unfinished move."""
        return b"".join([row(view) for _, row in self.blocks])
