"""AI players. They see what their seat sees: a view, the seat's feed, a budget and a seed; and import only `games`."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from games.kernel import AnyGame
from worker.players import greedy, novice, search, uniform
from worker.players.chosen import Candidate, Chosen

# A version stands for one behaviour for ever: whoever changes what a player chooses gives it the next number. The
# versions that are gone cannot be computed again.
PLAYERS: dict[tuple[str, int], Callable[[AnyGame, Any, Sequence[Any], random.Random, int], Chosen]] = {
    ("uniform", 2): uniform.choose,
    ("novice", 3): novice.choose,
    ("greedy", 2): greedy.choose,
    ("search", 4): search.choose,
}


def choose(  # noqa: PLR0913, PLR0917 - all that a player is given
    player: tuple[str, int], game: AnyGame, view: Any, feed: Sequence[Any], seed: str, budget: int = 0
) -> Chosen:
    """The move of a player, named with its version; the same for the same view, feed, seed (hexadecimal) and budget."""
    luck = random.Random(bytes.fromhex(seed))  # noqa: S311 - repeatable
    return PLAYERS[player](game, view, feed, luck, budget)


__all__ = ["PLAYERS", "Candidate", "Chosen", "choose"]
