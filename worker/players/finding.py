"""Which players a game has: modules of its name in this package, or modules that installed packages bring.

An installed package brings a player by an entry point of the group `wintercount.greedy` or `wintercount.search` that
has the game's name and names a module. A greedy module has `weigh` and may have `NOISE`, with which the novice plays; a
search module has `choose` and `ITERATIONS` by level.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any

# The module, and the name in it, that a player needs to play a game; others play every game.
NEEDS = {"novice": ("greedy", "NOISE"), "greedy": ("greedy", "weigh"), "search": ("search", "choose")}
CALLED = {"greedy": "weigh", "search": "choose"}  # what makes a module one of a player


class NoPlayer(LookupError):
    """Nobody plays a game like this."""


@cache
def found(kind: str, game: str) -> Any:
    """The module of a game's player, `greedy` or `search`; None if there is none."""
    name = f"worker.players.{kind}.{game.replace('-', '_')}"
    if find_spec(name) is not None and hasattr(module := import_module(name), CALLED[kind]):
        return module
    return next((entry.load() for entry in entry_points(group=f"wintercount.{kind}", name=game)), None)


def module_of(kind: str, game: str) -> Any:
    """The module of a game's player; raises `NoPlayer`."""
    module = found(kind, game)
    if module is None:
        raise NoPlayer(f"{game} has no {kind} player")
    return module


def plays(player: str, game: str) -> bool:
    """Whether a player, such as `novice`, can play a game."""
    if player not in NEEDS:
        return True
    kind, name = NEEDS[player]
    return hasattr(found(kind, game), name)


def iterations(player: str, level: str, game: str) -> int | None:
    """How many iterations a player has at a level: 0 if it does not search, None if it does not play the game so."""
    if not plays(player, game):
        return None
    if NEEDS.get(player, ("", ""))[0] != "search":
        return 0
    found_there: int | None = module_of("search", game).ITERATIONS.get(level)
    return found_there
