"""A novice: weighs moves as the greedy player does, and misjudges each of them by luck, up to a bound.

It errs among the near-equal and never blunders: no move that is worse by more than the bound is ever made.
"""

import random
from collections.abc import Sequence
from typing import Any

from games.kernel import AnyGame
from worker.players import greedy
from worker.players.chosen import Candidate, Chosen

# Points of misjudgement at most. Between the best move and the middle one of its list lie 4.5, 1.0, 1.8 and 0.3 points
# (medians of six games of two each). Of so many misjudged moves one of the better ones still looks best; with half of
# these bounds a novice cost itself less than luck gives, and greedy did not win more than its share at larger tables.
NOISE = {"manitou": 24.0, "big-manitou": 4.0, "tomahawk": 20.0, "plenty-coups": 0.6}


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """A move for the seat whose view it is."""
    noise = NOISE[game.slug]
    weighed = greedy.weigh(game, view, feed, luck)
    felt = [Candidate(row.move, row.visits, row.value + noise * luck.random()) for row in weighed]
    felt.sort(key=lambda row: -row.value)
    return Chosen(felt[0].move, 0, tuple(felt))
