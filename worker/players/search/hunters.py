"""How a game of the Manitou family is searched: every decision of a hunt in a tree, the party on its own."""

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
