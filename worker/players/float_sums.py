"""Sums of floats: the same in every version of Python."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(values: Iterable[float]) -> float:
    """Returns the sum from left to right. Since Python 3.12 `sum` rounds otherwise, which would change choices."""
    return reduce(add, values, 0.0)
