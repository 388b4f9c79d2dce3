"""How each game is told to a learner: by a module of its name among `codings`, or as an installed package has it.

An installed package brings a coding by an entry point of the group `wintercount.codings`, named like the game, that
names a function from the number of players to a `Coding`.
"""

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from games import GAMES
from games.kernel import AnyGame, OptionsRefused
from wintercount.env import codings as own
from wintercount.env.layout import Coding
from wintercount.env.rewards import REWARDS


@cache
def codings() -> Mapping[str, Callable[[int], Coding]]:
    """Every coding that is installed, by the game."""
    modules = [module.name for module in pkgutil.iter_modules(own.__path__)]
    mine = {name.replace("_", "-"): import_module(f"{own.__name__}.{name}").coding for name in modules}
    return {**mine, **{entry.name: entry.load() for entry in entry_points(group="wintercount.codings")}}


@cache
def coding_of(slug: str, players: int) -> Coding:
    """The coding of a game; raises `LookupError` if nobody has written one."""
    if slug not in codings():
        raise LookupError(
            f"{slug} has no coding: a package that brings the game may bring one by an entry point {slug!r} of the "
            "group wintercount.codings, which gives a `wintercount.env.Coding`"
        )
    return codings()[slug](players)


def found(game: str | AnyGame, players: int | None, options: Mapping[str, Any] | None) -> tuple[AnyGame, Coding, Any]:
    """A game by its slug or itself, its coding, and its house rules; by default for as few players as may be.

    Raises `LookupError` for a game that is not there, `OptionsRefused` for players or house rules that there are not.
    """
    if isinstance(game, str) and game not in GAMES:
        raise LookupError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    asked = GAMES[game] if isinstance(game, str) else game
    number = min(asked.players) if players is None else players
    read = asked.read_options(options or {}, number)
    return asked, coding_of(asked.slug, number), read


def check_rewards(rewards: str) -> None:
    """Raises `OptionsRefused` for rewards that there are not."""
    if rewards not in REWARDS:
        raise OptionsRefused("rewards", f"rewards are by {' or '.join(REWARDS)}, not by {rewards!r}")
