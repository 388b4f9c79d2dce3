"""No player sees more than its seat: in twin worlds it makes the same move. `make trust` asks more of them."""

from itertools import islice
from typing import Any

import pytest

from games import GAMES
from games.kernel import AnyGame, MoveSet
from service.levels import LEVELS
from tests.long import long_but_for
from tests.worker.twins import Player, differs, positions
from worker.ai_process import budget
from worker.players import choose

FEW, MANY = 2, 6  # positions of a table
BUDGET = 24  # iterations: a player that peeks needs no more
TABLES = [(name, players) for name, game in GAMES.items() for players in game.players]


def player_of(level: str) -> Player:
    """A level as a table asks it: by the view of its seat and its feed."""
    found = LEVELS[level]

    def player(game: AnyGame, state: Any, seat: int, feed: tuple[Any, ...], seed: str) -> Any:
        view = game.view(state, seat)
        return choose((found.player, found.version), game, view, feed, seed, min(BUDGET, budget(level, game.slug)))

    return player


def is_short(case: tuple[str, int, int]) -> bool:
    """A few positions of the smallest table of each game; searches for many seats take long."""
    game, players, many = case
    return players == min(GAMES[game].players) and many == FEW


@pytest.mark.parametrize(
    "case",
    long_but_for(
        is_short,
        [(*table, many) for table in TABLES for many in (FEW, MANY)],
        is_slow=lambda case: case[0] == "plenty-coups",
    ),
)
def test_same_move_in_twin_worlds(case: tuple[str, int, int]) -> None:
    """Every level, every game, every number of seats."""
    (game, players, many), asked = case, 0
    for position in islice(positions(game, players, "1", every=9), many):
        for level in LEVELS:
            assert not differs(position, player_of(level)), level
            asked += 1
    assert asked


def peeker(game: AnyGame, state: Any, seat: int, _feed: tuple[Any, ...], _seed: str) -> Any:
    """A planted player that looks at a hidden card: it moves by what another seat holds."""
    moves = game.legal_moves(state, seat)
    other = state.camps[seat % state.players]
    number = sum(map(ord, "".join(other.hand + other.pile)))
    listed = moves[number % len(moves)]
    return next(listed.expansions()) if isinstance(listed, MoveSet) else listed


def test_peeker_is_found() -> None:
    """A player that reads one hidden hand is given away by some twin."""
    assert any(differs(position, peeker) for position in islice(positions("manitou", 2, "2", every=2), 12))
