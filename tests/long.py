"""Tests that take long: `make test` runs some cases of each kind, and `make trust` the others."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from games import GAMES

Case = TypeVar("Case")


def named(case: object) -> str:
    """What a case is called: its parts, with hyphens between them."""
    return "-".join(map(str, case)) if isinstance(case, tuple) else str(case)


def nobody(_: object) -> bool:
    """No case."""
    return False


def long_but_for(
    is_short: Callable[[Case], bool],
    cases: Iterable[Case],
    name: Callable[[Case], str] = named,
    *,
    is_slow: Callable[[Case], bool] = nobody,
) -> list[ParameterSet]:
    """The cases, each as one parameter; `make trust` runs those that are not short.

    Of the short ones `make test-slow` runs those that are slow, and `make test` the others.
    """

    def marks(case: Case) -> Sequence[pytest.MarkDecorator]:
        if not is_short(case):
            return (pytest.mark.long,)
        return (pytest.mark.slow,) if is_slow(case) else ()

    return [pytest.param(case, id=name(case), marks=marks(case)) for case in cases]


def few_or_many(few: int, many: int) -> list[ParameterSet]:
    """Two sizes of one test; the larger one for `make trust`."""
    return long_but_for(few.__eq__, [few, many])


def quick_first(cases: Iterable[object], *, quick: int = 1) -> list[ParameterSet]:
    """Cases much alike, a tuple as several parameters: the first for `make test`, the others for `make test-slow`."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if place < quick else pytest.mark.slow)
        for place, case in enumerate(cases)
    ]


def tables_of_each_game(tables: Iterable[tuple[str, int]]) -> list[ParameterSet]:
    """Tables as two parameters, a game and its seats; `make test` runs one of each game, with three seats if it may."""
    short = {(slug, min(3, max(game.players))) for slug, game in GAMES.items()}
    return [pytest.param(*table, id=named(table), marks=() if table in short else pytest.mark.long) for table in tables]
