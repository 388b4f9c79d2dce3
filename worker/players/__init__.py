"""AI players. They see what their seat sees: a view, the seat's feed, a budget and a seed; and import only `games`."""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from games.kernel import Game
from worker.players import greedy, uniform


class Chosen(NamedTuple):
    """A player's move, and in how many iterations it was found."""

    move: Any
    iterations: int


PLAYERS: dict[tuple[str, int], Callable[[Game, Any, Sequence[Any], random.Random], Any]] = {
    ("uniform", 1): uniform.choose,
    ("greedy", 1): greedy.choose,
}


def choose(player: tuple[str, int], game: Game, view: Any, feed: Sequence[Any], seed: str) -> Chosen:
    """The move of a player, named with its version; the same for the same view, feed and seed (hexadecimal)."""
    return Chosen(PLAYERS[player](game, view, feed, random.Random(bytes.fromhex(seed))), 0)  # noqa: S311 - repeatable
