"""The levels of AI players: each names a player and its version.

`worker.ai_process` has the levels that play a game, and their numbers of iterations.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from events.lifecycle import PlayerKind
from service.errors import Refused


class Level(msgspec.Struct, frozen=True):
    """A strength of AI player."""

    level: str
    player: str
    version: int
    description: str

    @property
    def searches(self) -> bool:
        """Whether its player uses iterations."""
        return self.player == "search"


STRENGTH = Path(__file__).parent / "strength.json"

LEVELS = {
    level.level: level
    for level in (
        Level("uniform", "uniform", 2, "any legal move, each equally likely"),
        Level("novice", "novice", 3, "as greedy, but misjudges moves that are nearly equal"),
        Level("greedy", "greedy", 2, "looks one move ahead from its own view"),
        Level("skilled", "search", 4, "searches for a moment on tables that may be, given what it has seen"),
        Level("expert", "search", 4, "searches longer"),
    )
}
NEWEST = {level.player: level.version for level in LEVELS.values()}  # the newest version of each player
STAND_INS = ("greedy", "uniform")  # replace a player that failed: the first one that plays the game


def strength() -> dict[str, list[dict[str, Any]]]:
    """Returns what each level won against others, as `make strength` measured it and the API shows it."""
    found: dict[str, list[dict[str, Any]]] = {level: [] for level in LEVELS}
    for row in json.loads(STRENGTH.read_text(encoding="utf-8")):
        found[row.pop("level")].append(row)
    return found


def kind_of(level: str) -> PlayerKind:
    """Returns the player of a level as it is recorded; raises `Refused`."""
    if level not in LEVELS:
        raise Refused("invalid", f"there is no AI level {level!r}; there are {', '.join(LEVELS)}")
    found = LEVELS[level]
    return PlayerKind(found.player, found.version, found.level)
