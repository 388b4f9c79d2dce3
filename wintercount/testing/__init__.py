"""For the tests of a game: `from wintercount.testing import law`. Needs pytest (`pip install wintercount[testing]`).

A test `def test_law(law): law(game)` then runs once for each law that every game keeps, with all numbers of players,
and house rules in which each value occurs.
"""

from collections.abc import Callable

import pytest

pytest.register_assert_rewrite("wintercount.testing.laws", "wintercount.testing.worlds", "wintercount.testing.played")

from events.canonical import canonical
from games import GAMES
from games.kernel import AnyGame
from rulings.cases import CaseBroken, cases
from wintercount.testing.case_faults import faults, undisputable
from wintercount.testing.laws import LAWS
from wintercount.testing.played import Played, games_of
from wintercount.testing.words import everything_has_words


def _all_of(holds: Callable[[Played], None]) -> Callable[[AnyGame], None]:
    """Returns the law over some games."""

    def check(game: AnyGame) -> None:
        for played in games_of(game.slug):
            holds(played)

    return check


def cases_are_decided_as_they_say(game: AnyGame) -> None:
    """Every case in `cases/` comes out as written, in each reading; each value of a house rule is in one."""
    read, wrong = cases(game.slug), []
    for name, case in read.items():
        try:
            wrong += [f"{name}, {one.says!r}: {fault}" for one in case.then for fault in faults(game.slug, case, one)]
            wrong += [] if wrong else [f"{name}: {fault}" for fault in undisputable(game, case)]
        except CaseBroken as broken:
            wrong.append(f"{name}: {broken}")
    assert not wrong, "\n".join(wrong)
    shown = {canonical(item) for case in read.values() for one in case.then for item in one.options.items()}
    missing = [(o.name, value) for o in game.options for value in o.values if canonical((o.name, value)) not in shown]
    assert not missing, f"no case in cases/ has these house rules among the options of an outcome: {missing}"


CHECKS = {holds.__name__: _all_of(holds) for holds in LAWS} | {
    "cases": cases_are_decided_as_they_say,
    "words": everything_has_words,
}


@pytest.fixture(params=list(CHECKS.values()), ids=list(CHECKS))
def law(request: pytest.FixtureRequest) -> Callable[[AnyGame], None]:
    """A law of every game, as a function of the game; it raises `AssertionError` where the law is broken."""

    def holds(game: AnyGame) -> None:
        known = GAMES.setdefault(game.slug, game)  # where its package is not installed
        assert known is game, f"another game {game.slug!r} is installed"
        request.param(game)

    return holds
