"""Players that search: they try moves on tables that may be, as their seat knows them.

Each game has one module of its name with `choose`; the others are what these share or are made of.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from games.kernel import AnyGame
from worker.players.chosen import Chosen
from worker.players.finding import module_of


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is, found in so many iterations."""
    chooser: Callable[..., Chosen] = module_of("search", game.slug).choose
    return chooser(view, feed, luck, budget)
