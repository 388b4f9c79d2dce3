"""The players of Manitou and Big Manitou that search: every decision of a hunt in a tree, the party on its own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from games import big_manitou, manitou
from games.big_manitou.state import party_size
from games.kernel import Game
from worker.players.chosen import Candidate, Chosen
from worker.players.search import big_manitou as big
from worker.players.search import big_reading, tastes
from worker.players.search import manitou as small
from worker.players.search.deals import Deals, Taste, Title
from worker.players.search.hunt import PASS, kind
from worker.players.search.parties import choose_party
from worker.players.search.tree import Search


class Manitou:
    """Manitou, for a search."""

    game: Game = manitou

    def hunt_of(self, state: manitou.State) -> small.ManitouHunt:
        """The hunt of a whole state."""
        return small.hunt_of(state)

    def unseen(self, state: manitou.State, seat: int) -> list[int]:
        """The kinds of the cards that only the seat can see, sorted."""
        camp = state.camps[seat]
        return sorted([kind(card) for card in camp.reserve + camp.party + camp.pile + camp.hand])

    def reserve(self, state: manitou.State, seat: int) -> tuple[str, ...]:
        """The cards that the seat may choose a party of."""
        return state.camps[seat].reserve

    def party_size(self, state: manitou.State, seat: int) -> int:
        """MA-3.3."""
        return state.camps[seat].party_size

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        return kind(move.card) * 4 + move.ground - 1 if hasattr(move, "card") else PASS

    def taste(self, state: manitou.State) -> Taste:
        """How much each kind is wanted with so many seats."""
        return tastes.MANITOU[state.players]


class BigManitou:
    """Big Manitou, for a search."""

    game: Game = big_manitou

    def hunt_of(self, state: big_manitou.State) -> big.BigHunt:
        """The hunt of a whole state."""
        return big_reading.hunt_of(state)

    def unseen(self, state: big_manitou.State, seat: int) -> list[int]:
        """The kinds of the cards that only the seat can see, sorted."""
        own = state.seats[seat]
        return sorted([kind(card) for card in own.reserve + own.party + own.pile + own.hand + own.spent])

    def reserve(self, state: big_manitou.State, seat: int) -> tuple[str, ...]:
        """The cards that the seat may choose a party of."""
        return state.seats[seat].reserve

    def party_size(self, state: big_manitou.State, seat: int) -> int:
        """BM-3.5."""
        return party_size(state, seat + 1)

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        return big_reading.code(move)

    def taste(self, state: big_manitou.State) -> Taste:
        """How much each kind is wanted with so many seats; nothing is, where luck draws the parties."""
        if state.options.party_selection == "random":
            return tastes.NONE
        return tastes.BIG_MANITOU[state.players]


TITLES: dict[str, Title] = {"manitou": Manitou(), "big-manitou": BigManitou()}


def choose(view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is, after so many iterations."""
    title = TITLES[view.game]
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
