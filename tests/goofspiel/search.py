"""A player of Goofspiel that searches, at the level `expert` alone."""

import random
from collections.abc import Sequence
from typing import Any

from tests.goofspiel.greedy import weigh
from wintercount.scaffold.goofspiel import View
from worker.players import Chosen

ITERATIONS = {"expert": 8}


def choose(view: View, feed: Sequence[Any], luck: random.Random, budget: int) -> Chosen:
    """Bids as the greedy player does."""
    return Chosen(weigh(view, feed, luck)[0].move, budget)
