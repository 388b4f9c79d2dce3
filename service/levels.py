"""The AI players that a table may seat. A level is data: which player, in which version, with which budget."""

import json
from pathlib import Path
from typing import Any

import msgspec

from events.lifecycle import PlayerKind
from service.errors import Refused


class Level(msgspec.Struct, frozen=True):
    """A strength of AI player; `budget` is in iterations, by game (none: the player does not search)."""

    level: str
    player: str
    version: int
    budget: dict[str, int]
    description: str
    options: dict[str, Any] = {}


class Measured(msgspec.Struct, frozen=True):
    """What one seat of a level won against others of the level `against`, in `n` mirrored deals; 95 % interval.

    `iterations` is what it was measured with, if that was less than its budget.
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

# An iteration of one game takes longer than one of another; by these an expert's median move stays within a second.
EXPERT = {"manitou": 3000, "big-manitou": 2000, "tomahawk": 60, "plenty-coups": 100}
# A skilled player has a fifth of that; in Tomahawk a fifth plays as well as the whole, so it has less.
SKILLED = {game: budget // 5 for game, budget in EXPERT.items()} | {"tomahawk": 4}

LEVELS = {
    level.level: level
    for level in (
        Level("uniform", "uniform", 2, {}, "any legal move, each equally likely"),
        Level("novice", "novice", 3, {}, "as greedy, but misjudges moves that are nearly equal"),
        Level("greedy", "greedy", 2, {}, "looks one move ahead from its own view"),
        Level("skilled", "search", 3, SKILLED, "searches for a moment on tables that may be, given what it has seen"),
        Level("expert", "search", 3, EXPERT, "searches longer"),
    )
}


def strength() -> dict[str, list[Measured]]:
    """The measured strength of each level, as `make strength` wrote it down."""
    found: dict[str, list[Measured]] = {level: [] for level in LEVELS}
    for row in json.loads(STRENGTH.read_text(encoding="utf-8")):
        found[row["level"]].append(msgspec.convert(row, Measured))
    return found


def kind_of(level: str) -> PlayerKind:
    """The player of a level as it is recorded; raises `Refused`."""
    if level not in LEVELS:
        raise Refused("invalid", f"there is no AI level {level!r}; there are {', '.join(LEVELS)}")
    found = LEVELS[level]
    return PlayerKind(found.player, found.version, found.level)
