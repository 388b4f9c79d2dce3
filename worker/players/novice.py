"""A novice: weighs moves as the greedy player does, and misjudges each of them by luck, up to a bound.

It errs among the near-equal and never blunders: no move that is worse by more than the bound is ever made. The bound is
the `NOISE` of the game's greedy module. Between the best move and the middle one of its list lie 4.5 points in Manitou,
1.0 in Big Manitou, 1.8 in Tomahawk and 0.3 in Plenty Coups (medians of six games of two each). Of so many
misjudged moves one of the better ones still looks best; with half of today's bounds a novice cost itself less than luck
gives, and greedy did not win more than its share at larger tables.
"""

import random
from collections.abc import Sequence
from typing import Any

from games.kernel import AnyGame
from worker.players import greedy
from worker.players.chosen import Candidate, Chosen
from worker.players.finding import module_of


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """A move for the seat whose view it is."""
    noise = module_of("greedy", game.slug).NOISE
    weighed = greedy.weigh(game, view, feed, luck)
    felt = [Candidate(row.move, row.visits, row.value + noise * luck.random()) for row in weighed]
    felt.sort(key=lambda row: -row.value)
    return Chosen(felt[0].move, 0, tuple(felt))
