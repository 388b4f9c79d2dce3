"""Information-set tree search: one tree over what everybody sees, each iteration in another world that may be.

The nodes that a world does not allow are left out of the choice, and how often each was allowed enters the bound
(Cowling, Powley and Whitehouse 2012). Every seat looks for its own reward (max^n).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

EXPLORATION = 0.7


class World(Protocol):
    """A table that may be, as far as a search plays it on; it changes in place."""

    def mover(self) -> int:
        """The seat, from 0, that has to move; -1 when there is nothing left to play."""
        ...

    def actions(self) -> Sequence[Any]:
        """The legal moves of that seat; moves that are equal for all to see are equal."""
        ...

    def apply(self, action: Any) -> None:
        """The move is made."""
        ...

    def play_out(self, luck: Random) -> None:
        """Plays on to the end of what is searched."""
        ...

    def rewards(self) -> Sequence[float]:
        """How well every seat has done, 0 to 1."""
        ...


WorldT = TypeVar("WorldT", bound=World)


class Node:
    """What became of a move: how often it was allowed and made, and the rewards of the seat that made it."""

    __slots__ = ("allowed", "children", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Any, Node] = {}
        self.visits, self.allowed, self.total = 0, 1, 0.0


class Tried(NamedTuple):
    """A move of the root, how often it was tried and what it was worth on average."""

    action: Any
    visits: int
    value: float


class Search(Generic[WorldT]):
    """A tree that grows in worlds handed to it one by one."""

    def __init__(self, luck: Random) -> None:
        self.root, self.luck = Node(), luck

    def run(self, world: Callable[[], WorldT], iterations: int) -> list[Tried]:
        """The moves of the root after so many iterations, the one tried most first."""
        for _ in range(iterations):
            self.iterate(world())
        tried = [Tried(a, node.visits, node.total / max(1, node.visits)) for a, node in self.root.children.items()]
        return sorted(tried, key=lambda row: (-row.visits, -row.value, row.action))

    def iterate(self, world: World) -> None:
        """One way down the tree, one new node, one playout."""
        path: list[tuple[Node, int]] = []
        node = self.root
        while (mover := world.mover()) >= 0:
            action, child = self.choose(node, world.actions())
            world.apply(action)
            path.append((child, mover))
            node = child
            if not child.visits:
                break
        world.play_out(self.luck)
        rewards = world.rewards()
        for made, mover in path:
            made.visits += 1
            made.total += rewards[mover]

    def choose(self, node: Node, actions: Sequence[Any]) -> tuple[Any, Node]:
        """A move never made from here, else the one with the highest bound."""
        children = node.children
        if len(actions) == 1 and actions[0] in children:
            children[actions[0]].allowed += 1
            return actions[0], children[actions[0]]
        untried = [action for action in actions if action not in children]
        if untried:
            action = untried[int(self.luck.random() * len(untried))]
            children[action] = Node()
            return action, children[action]
        return highest(children, actions)


def highest(children: dict[Any, Node], actions: Sequence[Any]) -> tuple[Any, Node]:
    """The move with the highest upper confidence bound among those allowed."""
    best, chosen = -1.0, actions[0]
    for action in actions:
        child = children[action]
        visits = child.visits
        bound = child.total / visits + EXPLORATION * math.sqrt(math.log(child.allowed) / visits)
        child.allowed += 1
        if bound > best:
            best, chosen = bound, action
    return chosen, children[chosen]
