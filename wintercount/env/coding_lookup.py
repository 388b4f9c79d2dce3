"""Finds the coding of a game: a module of its name in `codings`, one that an installed package provides, or `any_game`.

A package provides a coding by an entry point of the group `wintercount.codings` that has the name of the game and
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
from wintercount.env import any_game
from wintercount.env import codings as own
from wintercount.env.layout import Coding


@cache
def codings() -> Mapping[str, Callable[[int], Coding]]:
    """Returns every installed coding by the slug of its game."""
    modules = [module.name for module in pkgutil.iter_modules(own.__path__)]
    mine = {name.replace("_", "-"): import_module(f"{own.__name__}.{name}").coding for name in modules}
    return {**mine, **{entry.name: entry.load() for entry in entry_points(group="wintercount.codings")}}


def installed(game: str | AnyGame) -> AnyGame:
    """Returns a game, which may be given by its slug; raises `LookupError` if there is none of it."""
    if isinstance(game, str) and game not in GAMES:
        raise LookupError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    return GAMES[game] if isinstance(game, str) else game


def coding_of(game: str | AnyGame, players: int) -> Coding:
    """Returns the coding of a game, which may be given by its slug; raises `LookupError` if there is none of it."""
    asked = installed(game)
    return provided(asked.slug, players) or any_game.coding(asked, players)


@cache
def provided(slug: str, players: int) -> Coding | None:
    """Returns the coding made for a game, if there is one."""
    made = codings().get(slug)
    return made(players) if made else None


def found(game: str | AnyGame, players: int | None, options: Mapping[str, Any] | None) -> tuple[AnyGame, Coding, Any]:
    """Returns a game, its coding and its house rules, by default for the smallest number of players.

    Raises `LookupError` for an unknown game, `OptionsRefused` for a wrong number of players or unknown house rules.
    """
    asked = installed(game)
    number = min(asked.players) if players is None else players
    read = asked.read_options(options or {}, number)
    return asked, coding_of(asked, number), read


def by_rank(scores: Any) -> dict[int, float]:
    """Returns for each seat the share of the others that it beat less the share that beat it, from -1 to 1.

    The rewards of a game add up to 0; seats of one rank get the same.
    """
    rank_of = {seat: place.rank for place in scores.ranking for seat in place.seats}
    others = len(rank_of) - 1
    return {
        seat: sum((rank < other) - (rank > other) for other in rank_of.values()) / others
        for seat, rank in rank_of.items()
    }


def by_points(scores: Any) -> dict[int, float]:
    """Returns the points of each seat."""
    return {row.seat: float(row.total) for row in scores.scores}


REWARDS: Mapping[str, Callable[[Any], dict[int, float]]] = {"rank": by_rank, "points": by_points}


def check_rewards(rewards: str) -> None:
    """Raises `OptionsRefused` for an unknown kind of rewards."""
    if rewards not in REWARDS:
        raise OptionsRefused("rewards", f"rewards are by {' or '.join(REWARDS)}, not by {rewards!r}")
