"""Players that search: they try moves on tables that may be, as their seat knows them. One module a game or family."""

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any

from games.kernel import AnyGame
from worker.players.chosen import Chosen

MODULES = {
    "manitou": "hunters",
    "big-manitou": "hunters",
    "tomahawk": "tomahawk",
    "plenty-coups": "plenty_coups",
}


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is, found in so many iterations."""
    chooser: Callable[..., Chosen] = import_module(f"{__name__}.{MODULES[game.slug]}").choose
    return chooser(view, feed, luck, budget)
