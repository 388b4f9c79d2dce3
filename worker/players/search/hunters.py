"""The players of Manitou and Big Manitou that search: every decision of a hunt in a tree, the party on its own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from games import big_manitou, manitou
from games.big_manitou.state import State as BigState
from games.big_manitou.state import party_size
from games.kernel import AnyGame
from games.manitou.state import State as SmallState
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

    game: AnyGame = manitou.game

    def hunt_of(self, state: SmallState) -> small.ManitouHunt:
        """The hunt of a whole state."""
        return small.hunt_of(state)

    def unseen(self, state: SmallState, seat: int) -> list[int]:
        """The kinds of the cards that only the seat can see, sorted."""
        camp = state.camps[seat]
        return sorted([kind(card) for card in camp.reserve + camp.party + camp.pile + camp.hand])

    def reserve(self, state: SmallState, seat: int) -> tuple[str, ...]:
        """The cards that the seat may choose a party of."""
        return state.camps[seat].reserve

    def party_size(self, state: SmallState, seat: int) -> int:
        """MA-3.3."""
        return state.camps[seat].party_size

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        return kind(move.card) * 4 + move.ground - 1 if hasattr(move, "card") else PASS

    def taste(self, state: SmallState) -> Taste:
        """How much each kind is wanted with so many seats."""
        return tastes.MANITOU[state.players]


class BigManitou:
    """Big Manitou, for a search."""

    game: AnyGame = big_manitou.game

    def hunt_of(self, state: BigState) -> big.BigHunt:
        """The hunt of a whole state."""
        return big_reading.hunt_of(state)

    def unseen(self, state: BigState, seat: int) -> list[int]:
        """The kinds of the cards that only the seat can see, sorted."""
        own = state.seats[seat]
        return sorted([kind(card) for card in own.reserve + own.party + own.pile + own.hand + own.spent])

    def reserve(self, state: BigState, seat: int) -> tuple[str, ...]:
        """The cards that the seat may choose a party of."""
        return state.seats[seat].reserve

    def party_size(self, state: BigState, seat: int) -> int:
        """BM-3.5."""
        return party_size(state, seat + 1)

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        return big_reading.code(move)

    def taste(self, state: BigState) -> Taste:
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
