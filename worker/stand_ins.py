"""Who plays for an AI seat: its player, and where that takes too long, fails or is gone, those who stand in for it."""

from collections.abc import Iterator

from events.lifecycle import PlayerKind
from service.levels import LEVELS
from worker.players import PLAYERS
from worker.players.finding import plays

STAND_INS = (("greedy", 2), ("uniform", 2))  # who plays for a player that was given up


def candidates(ai: PlayerKind, game: str) -> Iterator[tuple[str, int]]:
    """The seat's player, today's version of its level if its own is gone, and those who play the game in its stead."""
    level = LEVELS[ai.level]
    first = (ai.player, ai.version) if (ai.player, ai.version) in PLAYERS else (level.player, level.version)
    yield first
    yield from (player for player in STAND_INS if player != first and plays(player[0], game))
