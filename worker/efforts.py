"""The effort of each AI level at each game: levels are the service's, the figures stand with a game's players."""

from service.levels import LEVELS, Effort
from worker.players import iterations


def efforts(game: str) -> dict[str, Effort]:
    """The levels at which somebody plays the game, and what they take; the weakest first."""
    found = {name: iterations(level.player, name, game) for name, level in LEVELS.items()}
    return {name: Effort(count) for name, count in found.items() if count is not None}


def budget(level: str, game: str) -> int:
    """The iterations of a level at a game; 0 for a player that does not search, or where nobody plays at it."""
    return iterations(LEVELS[level].player, level, game) or 0
