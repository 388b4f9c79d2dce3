"""Tests that take long: `make test` runs some cases of each kind, and `make test-long` the others."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

Case = TypeVar("Case")


def named(case: object) -> str:
    """What a case is called: its parts, with hyphens between them."""
    return "-".join(map(str, case)) if isinstance(case, tuple) else str(case)


def long_but_for(
    is_short: Callable[[Case], bool], cases: Iterable[Case], name: Callable[[Case], str] = named
) -> list[ParameterSet]:
    """The cases, each as one parameter; `make test-long` runs those that are not short."""
    return [pytest.param(case, id=name(case), marks=() if is_short(case) else pytest.mark.long) for case in cases]
