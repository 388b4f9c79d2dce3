"""Finds the hosted games: every package in the folder of `games`, and the games of installed packages.

An installed package provides a game with an entry point in the group `wintercount.games` that names a
`games.kernel.Game`.
"""

import pkgutil
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points

from games.kernel import AnyGame


def hosted_games(folders: Iterable[str]) -> Iterator[AnyGame]:
    """Yields the games of these folders and of installed packages, whose errors tell which one it is."""
    for module in pkgutil.iter_modules(folders):
        if module.ispkg:
            yield import_module(f"games.{module.name}").game
    for entry in entry_points(group="wintercount.games"):
        try:
            yield entry.load()
        except Exception as error:
            error.add_note(f"while loading the game {entry.name!r} of an installed package ({entry.value})")
            raise
