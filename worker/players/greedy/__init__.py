"""Greedy players: one move ahead, from the seat's own view. One module a game, found by the game's name.

Each module weighs the moves that it would think of, the best first, in points of its game. Its `NOISE` is by how many
points a novice misjudges a move at most.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from games.kernel import AnyGame
from worker.players.chosen import Candidate, Chosen
from worker.players.finding import module_of


def weigh(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random) -> list[Candidate]:
    """The moves that the seat whose view it is might make, the best first."""
    weigher: Callable[..., list[Candidate]] = module_of("greedy", game.slug).weigh
    return weigher(view, feed, luck)


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """The move that looks best."""
    weighed = weigh(game, view, feed, luck)
    return Chosen(weighed[0].move, 0, tuple(weighed))
