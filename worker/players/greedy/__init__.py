"""Greedy players: one move ahead, from the seat's own view. One module a game, found by the game's name."""

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from games.kernel import Game


def choose(game: Game, view: Any, feed: Sequence[Any], luck: random.Random) -> Any:
    """A move for the seat whose view it is."""
    chooser: Callable[..., Any] = import_module(f"{__name__}.{game.slug.replace('-', '_')}").choose
    return chooser(view, feed, luck)
