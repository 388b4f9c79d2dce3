"""The hosted games by slug: every package in this folder, and the games of installed packages.

An installed package provides a game with an entry point in the group `wintercount.games` that names a
`games.kernel.Game`.
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


def _installed() -> Iterator[AnyGame]:
    for entry in entry_points(group="wintercount.games"):
        try:
            yield entry.load()
        except Exception as error:
            error.add_note(f"while loading the game {entry.name!r} of an installed package ({entry.value})")
            raise


GAMES: dict[str, AnyGame] = {game.slug: game for game in (*_own(), *_installed())}

learn_structs()
