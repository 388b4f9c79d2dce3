"""How a game of the Manitou family is searched: every decision of a hunt in a tree, the party on its own.

One tree grows over what everybody sees (`tree`), and every iteration plays in another world that agrees with what the
seat has seen (`deals`), in a small model of the hunt (`hunt`) down to the hunt's end. So a seat's move is judged over
all cards that others may hold, and cannot depend on which they are; a tree for each world could (strategy fusion; Frank
and Basin 1998). Others are taken to choose by what they hold in that world, which they do know. What the tree leaves
out: that moves tell what a seat holds, and that a seat may want to hide it.

A hunt is searched to its end and no further. What it leaves for later hunts (cards lost, tiles that may yet find a
match) is a value learnt from games, as the playouts of later hunts would be long and say little.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from worker.players.chosen import Candidate, Chosen
from worker.players.search.deals import Deals, Title
from worker.players.search.parties import choose_party
from worker.players.search.tree import Search


def choose(title: Title, view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is, after so many iterations."""
    if view.phase == "party":
        return choose_party(title, view, feed, luck, budget)
    deals = Deals(title, view, feed, luck)
    moves: dict[int, Any] = {}
    for move in title.game.legal_moves(deals.state, view.seat):
        moves.setdefault(title.code(move), move)
    if len(moves) == 1:
        return Chosen(next(iter(moves.values())), 0)
    tried = Search[Any](luck).run(deals, budget)
    return Chosen(
        moves[tried[0].action], budget, tuple([Candidate(moves[row.action], row.visits, row.value) for row in tried])
    )
