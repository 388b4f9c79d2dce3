"""A novice: weighs moves as the greedy player does and misjudges them a little, so that it errs among the near-equal.

A bonus of luck on the best few moves makes it weaker without blunders: no move that is far worse is ever made.
"""

import random
from collections.abc import Sequence
from typing import Any

from games.kernel import Game
from worker.players import greedy
from worker.players.chosen import Candidate, Chosen

BEST = 4  # moves among which it errs
NOISE = {"manitou": 8.0, "big-manitou": 1.5, "tomahawk": 4.0, "plenty-coups": 2.5}  # points of misjudgement at most


def choose(game: Game, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """A move for the seat whose view it is."""
    noise = NOISE[game.slug]
    best = greedy.weigh(game, view, feed, luck)[:BEST]
    felt = [Candidate(row.move, row.visits, row.value + noise * luck.random()) for row in best]
    felt.sort(key=lambda row: -row.value)
    return Chosen(felt[0].move, 0, tuple(felt))
