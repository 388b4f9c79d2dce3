"""The AI players that a table may seat. A level is data: which player, in which version, with which budget."""

import msgspec

from events.lifecycle import PlayerKind
from service.errors import Refused


class Level(msgspec.Struct, frozen=True):
    """A strength of AI player; `budget` is in iterations (0: the player does not search)."""

    level: str
    player: str
    version: int
    budget: int
    description: str


LEVELS = {
    level.level: level
    for level in (
        Level("uniform", "uniform", 1, 0, "any legal move, each equally likely"),
        Level("greedy", "greedy", 1, 0, "looks one move ahead from its own view"),
    )
}


def kind_of(level: str) -> PlayerKind:
    """The player of a level as it is recorded; raises `Refused`."""
    if level not in LEVELS:
        raise Refused("invalid", f"there is no AI level {level!r}; there are {', '.join(LEVELS)}")
    found = LEVELS[level]
    return PlayerKind(found.player, found.version, found.level)
