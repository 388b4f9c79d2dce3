"""What a seat of Tomahawk places, as a search sees it: its hand and open piles, and a table before it was laid."""

from __future__ import annotations

from msgspec.structs import replace

from games.tomahawk.moves import Placement as Placed
from games.tomahawk.moves import PlayCards
from games.tomahawk.sight import View
from games.tomahawk.state import State
from worker.players.search.skirmish import Fighter

Hand = tuple[int, ...]  # places of cards in the hand, one for each open pile


def unlaid(state: State, side: int) -> State:
    """The state before the side has placed its cards of this turn: what it has laid may be any that it holds."""
    forced = state.forced.card if state.forced is not None else None
    laid = [pile.laid[side] for pile in state.piles]
    back = tuple([card for card in laid if card is not None and card != forced])
    if not back:
        return state
    piles = []
    for pile in state.piles:
        cards = list(pile.laid)
        cards[side] = cards[side] if cards[side] == forced else None
        piles.append(replace(pile, laid=(cards[0], cards[1])))
    own = replace(state.sides[side], hand=state.sides[side].hand + back)
    sides = (own, state.sides[1]) if side == 0 else (state.sides[0], own)
    return replace(state, sides=sides, piles=tuple(piles))


class Placing:
    """The hand of a seat and the piles where it places: from places in the hand to a move and to fighters."""

    def __init__(self, view: View) -> None:
        hand = view.seats[(view.seat or 1) - 1].hand
        self.cards = hand if isinstance(hand, tuple) else ()
        self.fighters: list[Fighter] = [(card.name, card.value, card.hair) for card in self.cards]
        forced = view.forced.pile if view.forced is not None and view.forced.seat == view.seat else 0
        self.piles = [pile.pile for pile in view.piles if pile.pile != forced]

    def move(self, places: Hand) -> PlayCards:
        """The move that places these cards."""
        cards = [self.cards[place].card for place in places]
        return PlayCards(tuple([Placed(pile, card) for pile, card in zip(self.piles, cards, strict=True)]))

    def lie(self, places: Hand) -> list[Fighter]:
        """The fighters that a search lays."""
        return [self.fighters[place] for place in places]
