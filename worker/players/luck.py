"""A player's own luck, made of `random()` alone: the same numbers in every version of Python."""

import random
from collections.abc import Sequence
from typing import TypeVar

from games.kernel import Chance

T = TypeVar("T")


def chance_of(luck: random.Random) -> Chance:
    """The luck as chance of a game, for imagined worlds and samples."""

    def chance(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - the kind of a draw matters to the log alone
        moved: dict[int, int] = {}  # where items lie that have changed places: a large population costs nothing
        drawn = []
        for i in range(count):
            j = i + int(luck.random() * (len(population) - i))
            drawn.append(population[moved.get(j, j)])
            moved[j] = moved.get(i, i)
        return tuple(drawn)

    return chance


def pick(luck: random.Random, population: Sequence[T]) -> T:
    """One item, each equally likely."""
    return population[int(luck.random() * len(population))]
