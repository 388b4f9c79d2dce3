"""Luck for those who need very much of it: drawn many numbers at once."""

from collections.abc import Iterator
from typing import TypeVar

from games.kernel import Chance

T = TypeVar("T")

_GRAIN = 2**30  # luck is drawn as numbers below this
_BATCH = 256


class Dice:
    """Numbers of luck, drawn many at once."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._numbers: Iterator[int] = iter(())

    def below(self, count: int) -> int:
        """A number from 0 on below `count`."""
        for number in self._numbers:
            return number % count
        self._numbers = iter(self._chance("imagine", range(_GRAIN), _BATCH))
        return self.below(count)

    def shuffled(self, items: list[T]) -> list[T]:
        """The items in any order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
