"""Endings of a game that are solved exactly: a seat's best response to players whose choices are known.

What a seat knows is its view and what its feed has told since. Worlds that it cannot tell apart are one information
set, in which it makes one move; over all its moves, and all that chance can give, the best of them is worked out by
expectimax (Michie, 'Game-playing and game-learning automata', 1966; with information sets, von Stengel, 'Efficient
computation of behavior strategies', 1996).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations
from math import perm
from typing import Any, NamedTuple

import msgspec

from games.kernel import AnyGame, MoveSet, T, Transition
from games.payloads import as_read

MOST_DRAWS = 200  # ways in which chance may give what is drawn at once

Policy = Callable[[Any, Sequence[Any]], Any]  # a view and the events of a feed, to the move that is made there

Choice = Callable[[Sequence["World"], Any], float]  # worlds that look alike and their view, to what is chosen there


class TooLarge(Exception):
    """An ending that takes more work than was allowed."""


class World(NamedTuple):
    """How it may be: how likely, the state, and what the seat was told of the way there."""

    weight: float
    state: Any
    told: tuple[Any, ...] = ()


class Choices:
    """Chance that gives what it is told to, and behind that the first of all; `ways` are in how many it could have."""

    def __init__(self, chosen: Sequence[int]) -> None:
        self._chosen, self.ways = chosen, list[int]()

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG002 - as `Chance` has it
        ways, place = perm(len(population), count), len(self.ways)
        if ways > MOST_DRAWS:
            raise TooLarge
        self.ways.append(ways)
        chosen = self._chosen[place] if place < len(self._chosen) else 0
        return next(islice(permutations(population, count), chosen, None))


def outcomes(play: Callable[[Choices], Transition[Any]]) -> Iterator[tuple[float, Transition[Any]]]:
    """All that may come of a play, each with how likely chance makes it; raises `TooLarge`."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        chosen = waiting.pop()
        chance = Choices(chosen)
        came = play(chance)
        likely = 1.0
        for ways in chance.ways:
            likely /= ways
        yield likely, came
        for place in range(len(chosen), len(chance.ways)):
            first = (*chosen, *[0] * (place - len(chosen)))
            waiting += [(*first, other) for other in range(1, chance.ways[place])]


class Ending:
    """What a seat may reach from worlds that look alike to it, against others who play by `others`.

    `worth` is what a state at the end is worth to the seat. No more than `most` plays are worked out in one question.
    """

    def __init__(self, game: AnyGame, seat: int, others: Policy, worth: Callable[[Any], float], most: int) -> None:
        self._game, self._seat, self._others, self._worth, self._most = game, seat, others, worth, most
        self._plays = 0

    def best(self, worlds: Sequence[World]) -> float:
        """The expectation of the best response; raises `TooLarge`."""
        self._plays = 0
        return self._value(worlds, self._best_of)

    def of(self, policy: Policy, feed: Sequence[Any], worlds: Sequence[World]) -> float:
        """The expectation of a policy, to which the feed before the ending is known; raises `TooLarge`."""
        self._plays = 0

        def chosen(alike: Sequence[World], view: Any) -> float:
            return self._after(alike, policy(view, (*feed, *alike[0].told)), chosen)

        return self._value(worlds, chosen)

    def _best_of(self, alike: Sequence[World], _: Any) -> float:
        moves = self._moves(alike[0].state)
        return max(self._after(alike, move, self._best_of) for move in moves)

    def _moves(self, state: Any) -> Iterator[Any]:
        for listed in self._game.legal_moves(state, self._seat):
            yield from listed.expansions() if isinstance(listed, MoveSet) else (listed,)

    def _after(self, alike: Sequence[World], move: Any, choose: Choice) -> float:
        return self._value([came for world in alike for came in self._played(world, self._seat, move)], choose)

    def _value(self, worlds: Sequence[World], choose: Choice) -> float:
        """The sum over worlds that the seat tells apart, each weighed with how likely it is."""
        over, waiting = 0.0, defaultdict[bytes, list[World]](list)
        for world in self._onwards(worlds):
            if not self._game.to_act(world.state):
                over += world.weight * self._worth(world.state)
            else:
                waiting[self._known(world)].append(world)
        return over + sum(choose(alike, self._view(alike[0])) for alike in waiting.values())

    def _onwards(self, worlds: Sequence[World]) -> Iterator[World]:
        """The worlds at the seat's next decision, or at the end."""
        rest = list(worlds)
        while rest:
            world = rest.pop()
            acting = self._game.to_act(world.state)
            if not acting or self._seat in acting:
                yield world
            else:
                move = self._others(self._game.view(world.state, acting[0]), ())
                rest += self._played(world, acting[0], move)

    def _played(self, world: World, seat: int, move: Any) -> Iterator[World]:
        for likely, came in outcomes(lambda chance: self._game.play(world.state, seat, move, chance)):
            self._plays += 1
            if self._plays > self._most:
                raise TooLarge
            readers = self._game.readers
            told = tuple([as_read(event, readers(before, event), self._seat) for before, event, _ in came.steps])
            yield World(world.weight * likely, came.state, world.told + told)

    def _known(self, world: World) -> bytes:
        return msgspec.json.encode((self._view(world), world.told))

    def _view(self, world: World) -> Any:
        return self._game.view(world.state, self._seat)
