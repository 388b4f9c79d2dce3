"""What a player hands back: its move, and what it weighed."""

from typing import Any, NamedTuple


class Candidate(NamedTuple):
    """A move that was weighed: how often it was tried, and what it was worth on average (in the player's own unit)."""

    move: Any
    visits: int
    value: float


class Chosen(NamedTuple):
    """A player's move, in how many iterations it was found, and the moves that it was found among, the best first."""

    move: Any
    iterations: int
    candidates: tuple[Candidate, ...] = ()
