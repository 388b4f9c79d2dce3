"""Folding a feed in which some cards are not known.

The feed is folded like any other; a card whose face the seat does not know is a *veil*, named for the shuffle that
it came from. What the feed shows later lifts a veil: a card played from a hand that is not known to hold it was one
of its veils. In the end the cards of each shuffle that nobody has shown are dealt to the veils that are left.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from games.kernel import Chance
from games.plenty_coups import events as happened
from games.plenty_coups.components import DECK, WORTHY, in_order, without
from games.plenty_coups.evolution import evolve
from games.plenty_coups.outlook import Outlook, shown_by
from games.plenty_coups.pools import Pool, as_modest, is_veil, shuffle_of, veil_of
from games.plenty_coups.state import State, camp_of

Cards = tuple[str, ...]

_GRAIN = 2**30  # chance draws from finite populations; so fine is a fraction
# Of two cards that may have been given unseen, the one that leaves one card less to be explained later is proposed
# so many times as often; the weight of the world makes up for it. Tuned on feeds of random games.
_GUIDE = 8.0


class ContradictionError(Exception):
    """The choices made in this world do not agree with the feed."""


def fraction(chance: Chance) -> float:
    """A number between 0 and 1."""
    return (chance("imagine", range(_GRAIN), 1)[0] + 0.5) / _GRAIN


class World:
    """One fold of the feed, with what it takes for granted about cards unseen."""

    def __init__(self, outlook: Outlook, chance: Chance) -> None:
        self.outlook, self.chance = outlook, chance
        self.state: State = evolve(None, outlook.feed[0])
        self.pools: list[Pool] = []
        self.weight = 1.0

    def copy(self) -> "World":
        """The same world once more, with a weight of its own."""
        other = copy(self)
        other.pools = [copy(pool) for pool in self.pools]
        other.weight = 1.0
        return other

    def is_open(self, event: Any) -> bool:
        """Whether there may be a choice at the event."""
        if getattr(event, "give", None) is UNSET or getattr(event, "given", None) is UNSET:
            return True
        shown = shown_by(event) or (event.cards if isinstance(event, happened.CardsDrawn) else ())
        if shown is UNSET or not shown:
            return False
        return len(set(filter(is_veil, (*camp_of(self.state, event.tribe).hand, *self.state.pile[:3])))) > 1

    def follows(self, at: int, event: Any) -> bool:
        """Goes on with the event; false if it contradicts this world."""
        try:
            if shown := shown_by(event):
                self._lift(event.tribe, less(shown, camp_of(self.state, event.tribe).hand))
            special = _SPECIAL.get(type(event))
            self.state = special(self, at, event) if special else evolve(self.state, event)
        except ContradictionError:
            return False
        return True

    def shows_hands(self) -> bool:
        """Lifts what the view shows; false if it contradicts this world."""
        try:
            for camp in self.outlook.view.camps:
                if isinstance(camp.hand, tuple) and not self.outlook.view.over:
                    self._show(camp.tribe, camp.hand)
        except ContradictionError:
            return False
        return True

    def dealt(self) -> State:
        """The state, with the cards that nobody has shown dealt to the veils; over, it is as the view shows it."""
        state, view = self.state, self.outlook.view
        if view.over:
            hands = {camp.tribe: camp.hand for camp in view.camps}
            camps = tuple(replace(camp, hand=hands[camp.tribe]) for camp in state.camps)
            return replace(state, camps=camps, pile=view.pile)
        faces = self._faces()
        camps = tuple(replace(camp, hand=in_order(map(faces, camp.hand))) for camp in state.camps)
        offer = state.offer and replace(state.offer, give=faces(state.offer.give))
        return replace(state, camps=camps, pile=tuple(map(faces, state.pile)), offer=offer)

    def _faces(self) -> Callable[[str], str]:
        """From a veil to the next card dealt to such; other cards stay."""
        deals: dict[str, Iterator[str]] = {}
        for shuffle, pool in enumerate(self.pools):
            modest, others = pool.deal(self.chance)
            veil = veil_of(shuffle)
            deals[veil], deals[as_modest(veil)] = iter(others), iter(modest)
        return lambda card: next(deals[card]) if card in deals else card

    # --- veils ---

    def _with_hand(self, tribe: str, hand: Cards) -> State:
        camps = tuple(replace(camp, hand=hand) if camp.tribe == tribe else camp for camp in self.state.camps)
        return replace(self.state, camps=camps)

    def _lift(self, tribe: str, cards: Cards) -> None:
        """Each of the cards was under a veil of the hand."""
        if not cards:
            return
        hand = camp_of(self.state, tribe).hand
        for card in cards:
            veil = self._veil_over(hand, card)
            self.pools[shuffle_of(veil)].take(card, veil)
            hand = (*without(hand, (veil,)), card)
        self.state = self._with_hand(tribe, in_order(hand))

    def _veil_over(self, hand: Cards, card: str) -> str:
        """The veil of the hand that hid the card, of several each by the deals that it allows."""
        veils = Counter(filter(is_veil, hand))
        shares = {veil: number * self.pools[shuffle_of(veil)].chance_of(card, veil) for veil, number in veils.items()}
        self.weight *= min(1.0, sum(shares.values()))
        return self._pick(shares)

    def _pick(self, weights: dict[str, float]) -> str:
        """One of the keys, by its weight."""
        options = [(key, weight) for key, weight in weights.items() if weight > 0]
        if not options:
            raise ContradictionError
        if len(options) > 1:
            mark = fraction(self.chance) * sum(weight for _, weight in options)
            for key, weight in options:
                mark -= weight
                if mark < 0:
                    return key
        return options[-1][0]

    def _show(self, tribe: str, hand: Cards) -> None:
        """The hand is this one now."""
        held = camp_of(self.state, tribe).hand
        if not all(map(is_veil, less(held, hand))):
            raise ContradictionError
        self._lift(tribe, less(hand, held))

    # --- events that hide something ---

    def _shuffled(self, _: int, event: Any) -> State:
        shuffle = len(self.pools)
        if isinstance(event.order, tuple):  # the game is over
            self.pools.append(Pool((), Counter()))
            return evolve(self.state, event)
        cards = DECK if isinstance(event, happened.DeckShuffled) else self.state.discards
        self.pools.append(Pool(cards, self.outlook.revealed[shuffle]))
        return evolve(self.state, replace(event, order=(veil_of(shuffle),) * event.count))

    def _cards_drawn(self, _: int, event: Any) -> State:
        top = self.state.pile[: event.count]
        if event.cards is UNSET:
            return evolve(self.state, replace(event, cards=top))
        if len(set(top)) == 1 or not all(map(is_veil, top)):
            return evolve(self.state, event)
        # A draw across two shuffles does not tell which card came from which.
        self.state = evolve(self.state, replace(event, cards=top))
        self._lift(event.tribe, event.cards)
        return self.state

    def _gift_offered(self, at: int, event: Any) -> State:
        if event.give is not UNSET:
            return evolve(self.state, event)
        hand = camp_of(self.state, event.tribe).hand
        if not event.free:
            hand = without(hand, (event.discarded,))
        received = self.outlook.received_after(at)
        if received is None:
            give = self._gift(hand, (event.tribe, ()), (event.to, camp_of(self.state, event.to).hand), at)
        else:
            self._lift(event.tribe, less((received,), hand))
            give = received
        return evolve(self.state, replace(event, give=give))

    def _gifts_exchanged(self, at: int, event: Any) -> State:
        offer = self.state.offer
        if offer is None:
            raise ContradictionError
        given = event.given
        if given is UNSET:
            hand, other = camp_of(self.state, event.tribe).hand, camp_of(self.state, event.to).hand
            given = self._gift(hand, (event.tribe, (offer.give,)), (event.to, other), at)
        return evolve(self.state, replace(event, given=given, received=offer.give))

    def _gift(self, hand: Cards, giver: tuple[str, Cards], taker: tuple[str, Cards], at: int) -> str:
        """A card of the hand given unseen; `giver` and `taker` are tribes with the cards that they hold besides."""
        missing = self.outlook.missing
        numbers = Counter(hand)
        guided = {
            card: number
            * _GUIDE
            ** -(missing(giver[0], (*without(hand, (card,)), *giver[1]), at) + missing(taker[0], (*taker[1], card), at))
            for card, number in numbers.items()
        }
        card = self._pick(guided)
        self.weight *= sum(guided.values()) * numbers[card] / (len(hand) * guided[card])
        return card

    def _disdain_endured(self, _: int, event: Any) -> State:
        """PC-4.96: where worth must be proved, who endures holds no card for it."""
        if self.state.options.prove_worth == "forced":
            hand = camp_of(self.state, event.tribe).hand
            if not WORTHY.isdisjoint(hand):
                raise ContradictionError
            for veil in filter(is_veil, hand):
                if not self.pools[shuffle_of(veil)].humble(veil):
                    raise ContradictionError
            self.state = self._with_hand(event.tribe, tuple(map(as_modest, hand)))
        return evolve(self.state, event)


def less(cards: Cards, gone: Cards) -> Cards:
    """What of `cards` is left when the copies in `gone` are taken away, as far as they are there."""
    if all(card in gone for card in cards) and len(set(cards)) == len(cards):
        return ()
    return tuple((Counter(cards) - Counter(gone)).elements())


_SPECIAL: dict[type, Callable[[World, int, Any], State]] = {
    happened.DeckShuffled: World._shuffled,
    happened.DeckReshuffled: World._shuffled,
    happened.CardsDrawn: World._cards_drawn,
    happened.GiftOffered: World._gift_offered,
    happened.GiftsExchanged: World._gifts_exchanged,
    happened.DisdainEndured: World._disdain_endured,
}
