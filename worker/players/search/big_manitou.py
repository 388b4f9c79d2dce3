"""The player of Big Manitou that searches."""

from functools import partial
from typing import Any

from games import big_manitou
from games.big_manitou.play.hunt import decks_are_refreshed
from games.big_manitou.state import State, party_size
from games.kernel import AnyGame
from worker.players.search import big_manitou_model, hunters, tastes
from worker.players.search.big_manitou_hunt import BigHunt
from worker.players.search.deals import Taste
from worker.players.search.hunt import kind

ITERATIONS = {"skilled": 130, "expert": 2000}  # an expert's median move stays within a second


class BigManitou:
    """What tells Big Manitou apart in a search."""

    game: AnyGame = big_manitou.game

    def hunt_of(self, state: State) -> BigHunt:
        """The hunt of a whole state."""
        return big_manitou_model.hunt_of(state)

    def unseen(self, state: State, seat: int) -> list[int]:
        """The kinds of the cards that only the seat can see, sorted."""
        own = state.seats[seat]
        return sorted([kind(card) for card in own.reserve + own.party + own.pile + own.hand + own.spent])

    def reserve(self, state: State, seat: int) -> tuple[str, ...]:
        """The cards that the seat may choose a party of."""
        return state.seats[seat].reserve

    def party_size(self, state: State, seat: int) -> int:
        """BM-3.5: how many cards the seat takes on this hunt."""
        return party_size(state, seat + 1)

    def keeps_left(self, state: State) -> bool:
        """BM-3.16: a deck serves for two hunts."""
        return not decks_are_refreshed(state.hunt)

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        return big_manitou_model.code(move)

    def taste(self, state: State) -> Taste:
        """How much each kind is wanted with so many seats; nothing is, where luck draws the parties."""
        if state.options.party_selection == "random":
            return tastes.NONE
        return tastes.BIG_MANITOU[state.players]


choose = partial(hunters.choose, BigManitou())
