"""The player of Manitou that searches."""

from functools import partial
from typing import Any

from games import manitou
from games.kernel import AnyGame
from games.manitou.state import State
from worker.players.search import hunters, manitou_model, tastes
from worker.players.search.deals import Taste
from worker.players.search.hunt import PASS, kind
from worker.players.search.manitou_hunt import ManitouHunt

ITERATIONS = {"skilled": 200, "expert": 3000}  # an expert's median move stays within a second


class Manitou:
    """What tells Manitou apart in a search."""

    game: AnyGame = manitou.game

    def hunt_of(self, state: State) -> ManitouHunt:
        """The hunt of a whole state."""
        return manitou_model.hunt_of(state)

    def unseen(self, state: State, seat: int) -> list[int]:
        """The kinds of the cards that only the seat can see, sorted."""
        camp = state.camps[seat]
        return sorted([kind(card) for card in camp.reserve + camp.party + camp.pile + camp.hand])

    def reserve(self, state: State, seat: int) -> tuple[str, ...]:
        """The cards that the seat may choose a party of."""
        return state.camps[seat].reserve

    def party_size(self, state: State, seat: int) -> int:
        """MA-3.3: how many cards the seat takes on this hunt."""
        return state.camps[seat].party_size

    def keeps_left(self, _state: State) -> bool:
        """MA-5.9: all cards go home after a hunt, but for prisoners."""
        return False

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        return kind(move.card) * 4 + move.ground - 1 if hasattr(move, "card") else PASS

    def taste(self, state: State) -> Taste:
        """How much each kind is wanted with so many seats."""
        return tastes.MANITOU[state.players]


choose = partial(hunters.choose, Manitou())
