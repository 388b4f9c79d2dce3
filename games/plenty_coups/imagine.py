"""A whole state that agrees with what a seat has seen: its view and its feed.

The feed is folded like any other; a card whose face the seat does not know is a *veil*, named for the shuffle that
it came from. What the feed shows later lifts a veil: a card played from a hand that is not known to hold it was one
of its veils. In the end the cards of each shuffle that nobody has shown are dealt to the veils that are left. So a
world agrees with the feed by construction, and all deals are equally likely.

Where veils of several shuffles may have been the card shown, each counts for the deals that it allows; where a gift
unseen may have been one of several cards, each counts for one. A choice that the rest of the feed contradicts
starts the fold again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from games.kernel import Chance
from games.plenty_coups import events as happened
from games.plenty_coups.components import DECK, WORTHY, in_order, without
from games.plenty_coups.evolution import evolve
from games.plenty_coups.outlook import Outlook, is_veil, shown_by
from games.plenty_coups.sight import View
from games.plenty_coups.state import State, camp_of

Cards = tuple[str, ...]


class _ContradictionError(Exception):
    """The choices made so far do not agree with the feed."""


def imagine(view: View, feed: Sequence[Any], chance: Chance) -> State:
    """A state that the reader of `view` and `feed` may take for the true one; the true one once the game is over."""
    outlook = Outlook(view, feed)
    for attempt in count():
        try:
            w= _Fold(outlook, chance, HOPE(attempt)).world()
            STATS[attempt]+=1
            return w
        except _ContradictionError:
            if attempt>3000: raise
            continue
STATS=Counter()
def HOPE(a): return 0 if a else 2


def _veil(shuffle: int) -> str:
    return f"veil-{shuffle}"


def _modest(veil: str) -> str:
    """A veil that is certainly no card of PC-4.95."""
    return veil if veil.endswith("modest") else f"{veil}-modest"


class _Pool:
    """The cards of one shuffle that lie under its veils, `modest` of which hide no card of PC-4.95."""

    def __init__(self, cards: Cards, revealed: Counter[str]) -> None:
        self.cards = Counter(cards) - revealed
        self.modest = 0

    def _humble(self) -> int:
        return sum(count for card, count in self.cards.items() if card not in WORTHY)

    def chance_of(self, card: str, veil: str) -> Fraction:
        """How likely it is that this veil hides the card."""
        count, humble = self.cards[card], self._humble()
        if not count or (veil == _modest(veil) and card in WORTHY):
            return Fraction(0)
        if veil == _modest(veil):
            return Fraction(count, humble)
        free = self.cards.total() - self.modest
        if card in WORTHY:
            return Fraction(count, free)
        return Fraction(count * (humble - self.modest), humble * free)

    def take(self, card: str, veil: str) -> None:
        """The veil hid the card."""
        self.cards[card] -= 1
        self.modest -= veil == _modest(veil)

    def humble(self, veils: int) -> None:
        """So many more veils hide no card of PC-4.95."""
        self.modest += veils
        if self.modest > self._humble():
            raise _ContradictionError

    def deal(self, chance: Chance) -> tuple[Cards, Cards]:
        """The cards under modest veils and those under the others, each deal equally likely."""
        cards = in_order(self.cards.elements())
        if not self.modest:
            return (), tuple(chance("imagine", cards, len(cards)))
        humble = tuple(card for card in cards if card not in WORTHY)
        modest = tuple(chance("imagine", humble, self.modest))
        rest = without(cards, modest)
        return modest, tuple(chance("imagine", rest, len(rest)))


class _Fold:
    """One attempt to fold the feed."""

    def __init__(self, outlook: Outlook, chance: Chance, hope: int) -> None:
        self.hope=hope
        self.outlook, self.chance = outlook, chance
        self.state: State = evolve(None, outlook.feed[0])
        self.pools: list[_Pool] = []

    def world(self) -> State:
        """The state at the end of the feed."""
        for at, event in enumerate(self.outlook.feed[1:], 1):
            if shown := shown_by(event):
                self._lift(event.tribe, without_all(shown, camp_of(self.state, event.tribe).hand))
            special = _SPECIAL.get(type(event))
            self.state = special(self, at, event) if special else evolve(self.state, event)
        if self.outlook.view.over:
            return self._as_seen()
        for camp in self.outlook.view.camps:
            if isinstance(camp.hand, tuple):
                self._show(camp.tribe, camp.hand)
        return self._dealt()

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
            self.pools[int(veil.split("-")[1])].take(card, veil)
            hand = (*without(hand, (veil,)), card)
        self.state = self._with_hand(tribe, in_order(hand))

    def _veil_over(self, hand: Cards, card: str) -> str:
        """The veil of the hand that hid the card, one of several in proportion to the deals that each allows."""
        veils = Counter(filter(is_veil, hand))
        shares = {
            veil: number * self.pools[int(veil.split("-")[1])].chance_of(card, veil) for veil, number in veils.items()
        }
        scale = lcm(*(share.denominator for share in shares.values()))
        weights = {veil: int(share * scale) for veil, share in shares.items() if share}
        return self._pick(weights)

    def _pick(self, weights: dict[str, int]) -> str:
        """One of the keys, by its weight."""
        if len(weights) > 1:
            drawn = self.chance("imagine", range(sum(weights.values())), 1)[0]
            for key, weight in weights.items():
                if drawn < weight:
                    return key
                drawn -= weight
        for key in weights:
            return key
        raise _ContradictionError

    def _show(self, tribe: str, hand: Cards) -> None:
        """The view shows the hand as it is now."""
        held = camp_of(self.state, tribe).hand
        if any(not is_veil(card) for card in without_all(held, hand)):
            raise _ContradictionError
        self._lift(tribe, without_all(hand, held))

    # --- events that hide something ---

    def _shuffled(self, _: int, event: Any) -> State:
        shuffle = len(self.pools)
        cards = DECK if isinstance(event, happened.DeckShuffled) else self.state.discards
        if isinstance(event.order, tuple):  # the game is over, and the order is known
            self.pools.append(_Pool((), Counter()))
            return evolve(self.state, event)
        self.pools.append(_Pool(cards, self.outlook.revealed[shuffle]))
        return evolve(self.state, replace(event, order=(_veil(shuffle),) * event.count))

    def _drawn(self, _: int, event: Any) -> State:
        top = self.state.pile[: event.count]
        if event.cards is UNSET:
            return evolve(self.state, replace(event, cards=top))
        if len(set(top)) == 1 or not all(map(is_veil, top)):
            return evolve(self.state, event)
        self.state = evolve(self.state, replace(event, cards=top))
        self._lift(event.tribe, event.cards)
        return self.state

    def _offered(self, at: int, event: Any) -> State:
        give = self._gift(at, event) if event.give is UNSET else event.give
        return evolve(self.state, replace(event, give=give))

    def _gift(self, at: int, event: Any) -> str:
        """The card offered unseen: the one that the feed shows later, or one that both hands can do with."""
        received = getattr(self.outlook.feed[at + 1], "received", UNSET) if at + 1 < len(self.outlook.feed) else UNSET
        hand = camp_of(self.state, event.tribe).hand
        if not event.free:
            hand = without(hand, (event.discarded,))
        if isinstance(received, str):
            if received not in hand:
                self._lift(event.tribe, (received,))
            return received
        other = camp_of(self.state, event.to).hand

        def suits(card: str, hope: int) -> bool:
            keeps = self.outlook.supplies(event.tribe, without(hand, (card,)), at, hope)
            return keeps and self.outlook.supplies(event.to, (*other, card), at + 1, hope)

        return self._one_of(hand, suits)

    def _exchanged(self, at: int, event: Any) -> State:
        offer = self.state.offer
        if offer is None:
            raise _ContradictionError
        if event.given is not UNSET:
            return evolve(self.state, replace(event, received=offer.give))
        hand, other = camp_of(self.state, event.tribe).hand, camp_of(self.state, event.to).hand

        def suits(card: str, hope: int) -> bool:
            keeps = self.outlook.supplies(event.tribe, (*without(hand, (card,)), offer.give), at, hope)
            return keeps and self.outlook.supplies(event.to, (*other, card), at, hope)

        return evolve(self.state, replace(event, given=self._one_of(hand, suits), received=offer.give))

    def _one_of(self, hand: Cards, suits: Callable[[str, int], bool]) -> str:
        for hope in range(self.hope, 3):
            weights = {card: number for card, number in Counter(hand).items() if suits(card, hope)}
            if weights:
                return self._pick(weights)
        raise _ContradictionError

    def _endured(self, _: int, event: Any) -> State:
        """PC-4.96: where worth must be proved, who endures holds no card for it."""
        if self.state.options.prove_worth == "forced":
            hand = camp_of(self.state, event.tribe).hand
            if not WORTHY.isdisjoint(hand):
                raise _ContradictionError
            for veil in filter(is_veil, hand):
                self.pools[int(veil.split("-")[1])].humble(veil != _modest(veil))
            hand = tuple(_modest(card) if is_veil(card) else card for card in hand)
            self.state = self._with_hand(event.tribe, hand)
        return evolve(self.state, event)

    # --- the end ---

    def _dealt(self) -> State:
        """The cards that nobody has shown, dealt to the veils that are left."""
        deals: dict[str, Iterator[str]] = {}
        for shuffle, pool in enumerate(self.pools):
            modest, others = pool.deal(self.chance)
            deals[_veil(shuffle)], deals[_modest(_veil(shuffle))] = iter(others), iter(modest)

        def faces(cards: Cards) -> Cards:
            return tuple(next(deals[card]) if is_veil(card) else card for card in cards)

        state = self.state
        camps = tuple(replace(camp, hand=in_order(faces(camp.hand))) for camp in state.camps)
        offer = state.offer and replace(state.offer, give=faces((state.offer.give,))[0])
        return replace(state, camps=camps, pile=faces(state.pile), offer=offer)

    def _as_seen(self) -> State:
        """PC-7.5: once the game is over the view shows everything."""
        view = self.outlook.view
        hands = {camp.tribe: camp.hand for camp in view.camps}
        camps = tuple(replace(camp, hand=hands[camp.tribe]) for camp in self.state.camps)
        return replace(self.state, camps=camps, pile=view.pile)


def without_all(cards: Cards, gone: Cards) -> Cards:
    """What of `cards` is left when the copies in `gone` are taken away, as far as they are there."""
    return tuple((Counter(cards) - Counter(gone)).elements())


_SPECIAL: dict[type, Callable[[_Fold, int, Any], State]] = {
    happened.DeckShuffled: _Fold._shuffled,
    happened.DeckReshuffled: _Fold._shuffled,
    happened.CardsDrawn: _Fold._drawn,
    happened.GiftOffered: _Fold._offered,
    happened.GiftsExchanged: _Fold._exchanged,
    happened.DisdainEndured: _Fold._endured,
}
