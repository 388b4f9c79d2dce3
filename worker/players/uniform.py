"""Any legal move, each entry of the list of legal moves equally likely."""

import random
from collections.abc import Sequence
from typing import Any

from games.kernel import AnyGame, MoveSet
from worker.players.chosen import Candidate, Chosen
from worker.players.luck import chance_of, pick


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """A move for the seat whose view it is."""
    chance = chance_of(luck)
    moves = game.legal_moves(game.imagine(view, feed, chance), view.seat)
    listed = pick(luck, moves)
    move = listed.sample(chance) if isinstance(listed, MoveSet) else listed
    return Chosen(move, 0, tuple([Candidate(entry, 0, 1 / len(moves)) for entry in moves]))
