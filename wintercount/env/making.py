"""Environments by the name of a game."""

from collections.abc import Mapping
from typing import Any

from games.kernel import AnyGame
from wintercount.env.aec import TableEnv
from wintercount.env.finding import check_rewards, found
from wintercount.env.parallel import TableParallelEnv


def env(
    game: str | AnyGame,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    rewards: str = "rank",
    render_mode: str | None = None,
) -> TableEnv:
    """A game as a PettingZoo AEC environment, for as few players as may be unless told otherwise.

    `options` are the house rules that differ from the defaults. `rewards` come with the end: `rank`, from -1 for the
    last to 1 for the first, or `points`. Raises `LookupError` for a game without a coding, and `OptionsRefused`.
    """
    check_rewards(rewards)
    return TableEnv(*found(game, players, options), rewards, render_mode)


def parallel_env(
    game: str | AnyGame,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    rewards: str = "rank",
    render_mode: str | None = None,
) -> TableParallelEnv:
    """The same as a parallel environment: at each step every seat acts, and those that need not act wait."""
    return TableParallelEnv(env(game, players, options, rewards, render_mode))
