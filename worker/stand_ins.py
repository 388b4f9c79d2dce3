"""Who plays for an AI seat: its player, and where that takes too long, fails or is gone, those who stand in for it."""

from collections.abc import Iterator

from events.lifecycle import PlayerKind
from service.levels import LEVELS, NEWEST, STAND_INS
from worker.players import PLAYERS, plays


def candidates(ai: PlayerKind, game: str) -> Iterator[tuple[str, int]]:
    """The seat's player, today's version of its level if its own is gone, and those who play the game in its stead."""
    level = LEVELS[ai.level]
    first = (ai.player, ai.version) if (ai.player, ai.version) in PLAYERS else (level.player, level.version)
    yield first
    others = ((player, NEWEST[player]) for player in STAND_INS if plays(player, game))
    yield from (other for other in others if other != first)
