"""The games hosted, by slug: every package in this folder, and the games of installed packages.

An installed package brings a game by an entry point of the group `wintercount.games` that names a `games.kernel.Game`.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points

from games.kernel import AnyGame
from games.structs import learn_structs


def _own() -> Iterator[AnyGame]:
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            yield import_module(f"{__name__}.{module.name}").game


def _brought() -> Iterator[AnyGame]:
    for entry in entry_points(group="wintercount.games"):
        yield entry.load()


GAMES: dict[str, AnyGame] = {game.slug: game for game in (*_own(), *_brought())}

learn_structs()
