"""A world that forgets: a card that it lacks is fetched from wherever it lies."""

from typing import Any

from msgspec.structs import replace

from games.plenty_coups.components import in_order, without
from games.plenty_coups.pools import is_veil, shuffle_of, veil_of
from games.plenty_coups.state import camp_of
from games.plenty_coups.worlds import ContradictionError, World, less, one_of


class ForgetfulWorld(World):
    """A fold that always goes on: what cannot be mended is made to fit."""

    def forgets(self, at: int, event: Any) -> None:
        """Goes on with the event after the cards that are missing were fetched from wherever they are."""
        while not self.follows(at, event):
            self._fetch(self.lacking)
            self.past.hands[-1] = tuple(camp.hand for camp in self.state.camps)

    def _fetch(self, lacking: ContradictionError) -> None:
        """The hand gets its card in exchange for another, as if both had always been there."""
        hand = camp_of(self.state, lacking.tribe).hand
        replaceable = less(hand, lacking.kept)
        if not replaceable:  # it lacks a card that it is about to draw
            self._stock(lacking)
            return
        gone = one_of(replaceable, self.chance)
        self._give_up(lacking, gone)
        self.state = self.with_hand(lacking.tribe, in_order((*without(hand, (gone,)), lacking.card)))

    def _stock(self, lacking: ContradictionError) -> None:
        """A card on top of the pile gets to be the one lacking, which lay elsewhere."""
        veil = next(veil for veil in self.state.pile if not self.past.may_be(veil, lacking.card))
        face = self._any_under(veil)
        self._give_up(lacking, face)
        pool = self.past.pool_under(veil)
        pool.cards[face] -= 1
        pool.cards[lacking.card] += 1

    def _give_up(self, lacking: ContradictionError, instead: str) -> None:
        """A place out of the hand has another card instead of the one lacking: a hand, a pool or the offer."""
        card, state = lacking.card, self.state
        for camp in state.camps:
            if camp.tribe != lacking.tribe and card in camp.hand and self.is_hidden(camp.tribe):
                self.state = self.with_hand(camp.tribe, in_order((*without(camp.hand, (card,)), instead)))
                return
        veil = next((veil_of(at) for at, pool in enumerate(self.past.pools) if pool.cards[card] > 0), None)
        if veil is None:
            self.state = replace(state, offer=state.offer and replace(state.offer, give=instead))
            return
        face = instead
        if is_veil(instead):
            face = self._any_under(instead)
            self.past.pool_under(instead).take(face, instead)
        pool = self.past.pool_under(veil)
        pool.cards[card] -= 1
        pool.cards[face] += 1

    def _any_under(self, veil: str) -> str:
        return one_of(tuple((+self.past.pools[shuffle_of(veil)].cards).elements()), self.chance)
