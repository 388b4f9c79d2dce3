"""The levels of AI players: a level names a player and its version.

`worker.thinking` says which levels play a game, and with how many iterations.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import PlayerKind
from service.errors import Refused


class Level(msgspec.Struct, frozen=True):
    """A strength of AI player."""

    level: str
    player: str
    version: int
    description: str
    options: dict[str, Any] = {}

    @property
    def searches(self) -> bool:
        """Whether its player uses iterations."""
        return self.player == "search"


class Effort(NamedTuple):
    """The iterations of a level for a move of a game; 0 if it does not search."""

    iterations: int


class Measured(msgspec.Struct, frozen=True):
    """The share won by one seat of a level against others of level `against` in `n` mirrored deals; 95 % interval.

    `iterations` is the number used, if less than its budget.
    """

    game: str
    players: int
    against: str
    share: float
    low: float
    high: float
    margin: float
    n: int
    iterations: int
    ms_median: float


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
NEWEST = {level.player: level.version for level in LEVELS.values()}  # the version of each player today
STAND_INS = ("greedy", "uniform")  # players that replace one that failed: the first that plays the game


def strength() -> dict[str, list[Measured]]:
    """Returns the strength of each level, as `make strength` measured it."""
    found: dict[str, list[Measured]] = {level: [] for level in LEVELS}
    for row in json.loads(STRENGTH.read_text(encoding="utf-8")):
        found[row["level"]].append(msgspec.convert(row, Measured))
    return found


def kind_of(level: str) -> PlayerKind:
    """Returns the player of a level as it is recorded; raises `Refused`."""
    if level not in LEVELS:
        raise Refused("invalid", f"there is no AI level {level!r}; there are {', '.join(LEVELS)}")
    found = LEVELS[level]
    return PlayerKind(found.player, found.version, found.level)


def check_played(title: str, played: Mapping[str, Effort], levels: Iterable[str]) -> None:
    """Raises `Refused` for a level without a player for the game of this title."""
    for level in levels:
        if level not in played:
            raise Refused("opening_refused", f"{title} has no level {level!r}; choose from {', '.join(played)}")
