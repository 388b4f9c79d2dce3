"""For the tests of a game: `from wintercount.testing import law`. Needs pytest (`pip install wintercount[testing]`).

A test `def test_law(law): law(game)` then runs once for each law that every game keeps, with all numbers of players,
and house rules in which each value occurs.
"""

import random
from collections.abc import Callable

import pytest

from games import GAMES
from games.kernel import AnyGame
from rulings.cases import cases
from wintercount.testing.case_faults import faults
from wintercount.testing.laws import LAWS
from wintercount.testing.played import Played
from wintercount.testing.playing import spread_options


def _all_of(holds: Callable[[Played], None]) -> Callable[[AnyGame], None]:
    """Returns the law over all numbers of players and some sets of house rules."""

    def check(game: AnyGame) -> None:
        GAMES.setdefault(game.slug, game)  # where its package is not installed
        for players in game.players:
            for seed, options in enumerate(spread_options(game, random.Random(players))):
                holds(Played(game, players, options, seed))

    return check


def cases_are_decided_as_they_say(game: AnyGame) -> None:
    """Every case in the folder `rulings` of the game's package comes out as written, in each of its readings."""
    GAMES.setdefault(game.slug, game)
    found = [(name, list(faults(game.slug, case, one))) for name, case in cases(game.slug).items() for one in case.then]
    assert not any(wrong for _, wrong in found), [(name, wrong) for name, wrong in found if wrong]


CHECKS = {holds.__name__: _all_of(holds) for holds in LAWS} | {"cases": cases_are_decided_as_they_say}


@pytest.fixture(params=list(CHECKS.values()), ids=list(CHECKS))
def law(request: pytest.FixtureRequest) -> Callable[[AnyGame], None]:
    """A law of every game, as a function of the game; it raises `AssertionError` where the law is broken."""
    found: Callable[[AnyGame], None] = request.param
    return found
