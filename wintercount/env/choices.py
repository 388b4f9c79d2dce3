"""Decisions taken action by action: a move with several cards is a choice of one card after another."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol


class Choice(Protocol):
    """A decision that is still open."""

    @property
    def open(self) -> Collection[int]:
        """The actions that can be taken."""
        ...

    def take(self, action: int) -> Any:
        """Returns the `Choice` that is left after an action, or the move if nothing is left."""
        ...


class OneOf:
    """One of several actions; each is a move, or leads to a further choice."""

    __slots__ = ("branches",)

    def __init__(self, branches: Mapping[int, Any]) -> None:
        self.branches = branches

    @property
    def open(self) -> Collection[int]:
        """The actions."""
        return self.branches

    def take(self, action: int) -> Any:
        """Returns the move of an action, or the choice that it leads to."""
        branch = self.branches[action]
        return OneOf(branch) if isinstance(branch, dict) else branch


def spelled(moves: Iterable[tuple[Sequence[int], Any]]) -> OneOf:
    """Returns the choice of a move, each given with its actions in order; moves that start alike share actions."""
    branches: dict[int, Any] = {}
    for actions, move in moves:
        branch = branches
        for action in actions[:-1]:
            branch = branch.setdefault(action, {})
        branch[actions[-1]] = move
    return OneOf(branches)


class AnyOf:
    """A number of actions in any order: each combination is a move."""

    __slots__ = ("count", "move", "open", "taken")

    def __init__(self, actions: Sequence[int], count: int, move: Callable[[Sequence[int]], Any]) -> None:
        self.open, self.count, self.move = actions, count, move
        self.taken: tuple[int, ...] = ()

    def take(self, action: int) -> Any:
        """Returns the choice of the others, or after the last one the move of all, in ascending order."""
        taken = (*self.taken, action)
        if len(taken) == self.count:
            return self.move(sorted(taken))
        rest = AnyOf([other for other in self.open if other != action], self.count, self.move)
        rest.taken = taken
        return rest


class Gathered:
    """One of several moves, each given with its actions in any order; an action may occur twice."""

    __slots__ = ("left",)

    def __init__(self, moves: Sequence[tuple[Sequence[int], Any]]) -> None:
        self.left = moves

    @property
    def open(self) -> Collection[int]:
        """The actions that some move still needs."""
        return dict.fromkeys(action for actions, _ in self.left for action in actions)

    def take(self, action: int) -> Any:
        """Returns the moves that need the action, or the one that needs nothing more."""
        left = [(_less(actions, action), move) for actions, move in self.left if action in actions]
        return next((move for actions, move in left if not actions), None) or Gathered(left)


def _less(actions: Sequence[int], action: int) -> Sequence[int]:
    place = actions.index(action)
    return (*actions[:place], *actions[place + 1 :])
