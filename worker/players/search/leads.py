"""What a lead on a ground of Big Manitou is worth: how likely it is to hold until the hunt ends."""

from __future__ import annotations

import math

from games.big_manitou.components import TURNS
from worker.players.greedy.big_manitou import WEIGHTS

SPAN = 60  # leads are told apart up to this many points


def bounded(ahead: int) -> int:
    """A lead as a place in a table of leads."""
    place = ahead + SPAN
    if place < 0:  # plain comparisons, as a playout asks some two hundred times
        return 0
    return place if place < 2 * SPAN else 2 * SPAN


def hoped(own: int, rivals: list[int], one: float, two: float, leads: list[float]) -> float:
    """What a seat with hunters may hope for on a ground: the share of the majority, and the runner-up's."""
    first = leads[bounded(own - rivals[0])]
    either = leads[bounded(own - rivals[1])] if len(rivals) > 1 else 1.0
    return first * one + (either - first) * two if either > first else first * one


def lead_table(turns_left: int, base: float, swing: float) -> list[float]:
    """How likely each lead is to hold; a tie is as good as nothing (BM-R13)."""
    spread = base + swing * math.sqrt(turns_left)
    return [1 / (1 + math.exp(min(500.0, (1 - 2 * ahead) / spread))) for ahead in range(-SPAN, SPAN + 1)]


LEADS = [lead_table(turns, 0.5, WEIGHTS["swing"]) for turns in range(TURNS + 1)]
DREADS = [lead_table(turns, 1.0, 2 * WEIGHTS["swing"]) for turns in range(TURNS + 1)]
