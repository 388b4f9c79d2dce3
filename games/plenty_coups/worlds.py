"""Folding a feed in which some cards are not known.

The feed is folded like any other; a card whose face the seat does not know is a *veil*, named for the shuffle that
it came from. What the feed shows later lifts a veil: a card played from a hand that is not known to hold it was one
of its veils. In the end the cards of each shuffle that nobody has shown are dealt to the veils that are left.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from games.kernel import Chance
from games.plenty_coups import events as happened
from games.plenty_coups.components import DECK, WORTHY, in_order, without
from games.plenty_coups.evolution import evolve
from games.plenty_coups.mending import Gift, Lift, Past
from games.plenty_coups.outlook import HandSeen, Outlook, shown_by
from games.plenty_coups.pools import Pool, as_modest, is_veil, shuffle_of, veil_of
from games.plenty_coups.state import State, camp_of

Cards = tuple[str, ...]

_GRAIN = 2**30  # chance draws from finite populations; so fine is a fraction
_MENDINGS = 6  # for one event
# How much less, and more, often a card is proposed as a gift that its giver, or its taker, shows next; set by hand.
_KEPT, _PASSED_ON = 0.05, 20.0


class ContradictionError(Exception):
    """The choices made in this world do not agree with the feed: beside `kept` the hand of `tribe` lacks `card`."""

    def __init__(self, tribe: str, card: str, kept: Cards) -> None:
        super().__init__(tribe, card, kept)
        self.tribe, self.card, self.kept = tribe, card, kept


def fraction(chance: Chance) -> float:
    """A number between 0 and 1."""
    return (chance("imagine", range(_GRAIN), 1)[0] + 0.5) / _GRAIN


class World:
    """One fold of the feed, with what it takes for granted about cards unseen."""

    def __init__(self, outlook: Outlook, chance: Chance) -> None:
        self.outlook, self.chance = outlook, chance
        self.state: State = evolve(None, outlook.feed[0])
        self.past = Past()
        self.weight = 1.0

    def copy(self) -> "World":
        """The same world once more, with a weight of its own."""
        other = copy(self)
        other.past, other.weight = copy(self.past), 1.0
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
        """Goes on with the event; false, with nothing changed, if it contradicts this world."""
        before, lifts = (self.state, self.past.pools, self.weight), len(self.past.lifts)
        try:
            self._go_on(at, event)
        except ContradictionError as error:
            self.state, self.past.pools, self.weight = before
            del self.past.lifts[lifts:]
            self.lacking = error
            return False
        self.past.hands.append(tuple(camp.hand for camp in self.state.camps))
        return True

    def _go_on(self, at: int, event: Any) -> None:
        if shown := shown_by(event):
            self._lift(event.tribe, shown)
        special = _SPECIAL.get(type(event))
        self.state = special(self, at, event) if special else evolve(self.state, event)

    def is_mended(self, at: int, event: Any) -> bool:
        """Goes on with an event that contradicts this world after gifts unseen were exchanged; false if none help."""
        for _ in range(_MENDINGS):
            if not self._mend(self.lacking):
                return False
            if self.follows(at, event):
                return True
        return False

    def _mend(self, lacking: ContradictionError) -> bool:
        camp = self.state.tribes.index(lacking.tribe)
        is_mended = self.past.mend(camp, lacking.card, self.chance)
        hands = zip(self.state.camps, self.past.hands[-1], strict=True)
        self.state = replace(self.state, camps=tuple(replace(camp, hand=hand) for camp, hand in hands))
        return is_mended

    def is_hidden(self, tribe: str) -> bool:
        """Whether the reader of the feed did not see the hand all the time, nor does now."""
        return tribe in self.outlook.hidden and self.state.tribes.index(tribe) not in self.past.settled

    def dealt(self) -> State:
        """The state, with the cards that nobody has shown dealt to the veils; over, it is as the view shows it."""
        view = self.outlook.view
        state = replace(self.state, options=view.options)
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
        for shuffle, pool in enumerate(self.past.pools):
            modest, others = pool.deal(self.chance)
            veil = veil_of(shuffle)
            deals[veil], deals[as_modest(veil)] = iter(others), iter(modest)
        return lambda card: next(deals[card]) if card in deals else card

    # --- veils ---

    def with_hand(self, tribe: str, hand: Cards) -> State:
        """The state with another hand."""
        camps = tuple(replace(camp, hand=hand) if camp.tribe == tribe else camp for camp in self.state.camps)
        return replace(self.state, camps=camps)

    def _lift(self, tribe: str, shown: Cards) -> None:
        """The hand holds all of the cards, some perhaps under veils."""
        hand = camp_of(self.state, tribe).hand
        cards = less(shown, hand)
        if not cards:
            return
        kept = less(shown, cards)
        for card in cards:
            veil = self._veil_over(tribe, hand, card, kept)
            self.past.pool_under(veil).take(card, veil)
            self.past.lifts.append(Lift(self.state.tribes.index(tribe), len(self.past.hands), veil, card))
            hand, kept = (*without(hand, (veil,)), card), (*kept, card)
        self.state = self.with_hand(tribe, in_order(hand))

    def _veil_over(self, tribe: str, hand: Cards, card: str, kept: Cards) -> str:
        """The veil of the hand that hid the card, of several each by the deals that it allows."""
        veils = Counter(filter(is_veil, hand))
        needed = self.outlook.needed(tribe, len(self.past.hands))
        spare = {veil: max(0, number - needed[shuffle_of(veil)]) for veil, number in veils.items()}
        shares = self._shares(card, spare)
        if not any(shares.values()):
            shares = self._shares(card, veils)
        if not any(shares.values()):
            raise ContradictionError(tribe, card, kept)
        self.weight *= min(1.0, sum(shares.values()))
        return self._pick(shares)

    def _shares(self, card: str, veils: Mapping[str, int]) -> dict[str, float]:
        """By veil, how likely so many of them hide the card."""
        pools = self.past.pools
        return {veil: number * pools[shuffle_of(veil)].chance_of(card, veil) for veil, number in veils.items()}

    def _pick(self, weights: dict[str, float]) -> str:
        """One of the keys, by its weight."""
        options = [(key, weight) for key, weight in weights.items() if weight > 0]
        if len(options) > 1:
            mark = fraction(self.chance) * sum(weight for _, weight in options)
            for key, weight in options:
                mark -= weight
                if mark < 0:
                    return key
        return options[-1][0]

    # --- events that hide something ---

    def _shuffled(self, _: int, event: Any) -> State:
        shuffle = len(self.past.pools)
        if isinstance(event.order, tuple):  # the game is over
            self.past.pools = (*self.past.pools, Pool((), Counter()))
            return evolve(self.state, event)
        cards = DECK if isinstance(event, happened.DeckShuffled) else self.state.discards
        self.past.pools = (*self.past.pools, Pool(cards, self.outlook.revealed[shuffle]))
        return evolve(self.state, replace(event, order=(veil_of(shuffle),) * event.count))

    def _cards_drawn(self, _: int, event: Any) -> State:
        top = self.state.pile[: event.count]
        if event.cards is UNSET:
            return evolve(self.state, replace(event, cards=top))
        if len(set(top)) == 1 or not all(map(is_veil, top)):
            return evolve(self.state, event)
        # A draw across two shuffles does not tell which card came from which.
        held = camp_of(self.state, event.tribe).hand
        self.state = evolve(self.state, replace(event, cards=top))
        self._lift(event.tribe, (*held, *event.cards))
        return self.state

    def _gift_offered(self, at: int, event: Any) -> State:
        if event.give is not UNSET:
            return evolve(self.state, event)
        hand = camp_of(self.state, event.tribe).hand
        if not event.free:
            hand = without(hand, (event.discarded,))
        received = self.outlook.received_after(at)
        if received is None:
            give = self._gift(hand, event.tribe, event.to, at)
        else:
            self._lift(event.tribe, (received, *(() if event.free else (event.discarded,))))
            give = received
        return evolve(self.state, replace(event, give=give))

    def _gifts_exchanged(self, at: int, event: Any) -> State:
        offer = self.state.offer
        if offer is None:
            raise LookupError("no gift was offered")
        given = event.given
        if given is UNSET:
            given = self._gift(camp_of(self.state, event.tribe).hand, event.tribe, event.to, at)
            answerer, giver = self.state.tribes.index(event.tribe), self.state.tribes.index(event.to)
            self.past.gifts.append(Gift(giver, answerer, at - 1, at - 1, at, offer.give))
            self.past.gifts.append(Gift(answerer, giver, at - 1, at, at, given))
        return evolve(self.state, replace(event, given=given, received=offer.give))

    def _gift(self, hand: Cards, giver: str, taker: str, at: int) -> str:
        """A card of the hand given unseen: any, but proposed more or less often as the feed shows it later.

        The weight of the world makes up for that.
        """
        numbers, needed = Counter(hand), self.outlook.needed(giver, at)
        guided = {}
        for card, number in numbers.items():
            spare = number - needed[shuffle_of(card)] if is_veil(card) else 1
            shown_by_next = None if is_veil(card) else self.outlook.next_shown_by(card, at)
            guided[card] = number * (_KEPT if shown_by_next == giver or spare < 1 else 1.0)
            guided[card] *= _PASSED_ON if shown_by_next == taker else 1.0
        card = self._pick(guided)
        self.weight *= sum(guided.values()) * numbers[card] / (len(hand) * guided[card])
        return card

    def _disdain_endured(self, at: int, event: Any) -> State:
        """PC-4.96: where worth must be proved, who endures holds no card for it.

        The house rules may have changed since the game began; what was so all the time can be relied on.
        """
        rules = (self.state.options, self.outlook.view.options)
        if all(options.prove_worth == "forced" for options in rules):
            hand = camp_of(self.state, event.tribe).hand
            for card in hand:
                is_wrong = card in WORTHY or (is_veil(card) and not self.past.pool_under(card).humble(card))
                instead = self._humble_cards(event.tribe) if is_wrong else ()
                if instead:
                    raise ContradictionError(event.tribe, one_of(instead, self.chance), without(hand, (card,)))
            self.state = self.with_hand(event.tribe, tuple(map(as_modest, hand)))
            self.past.endured = at
        return evolve(self.state, event)

    def _humble_cards(self, tribe: str) -> Cards:
        """The cards in pools and out of the hand of `tribe` that do not prove worth."""
        hidden = (camp for camp in self.state.camps if camp.tribe != tribe and self.is_hidden(camp.tribe))
        held = [card for camp in hidden for card in camp.hand if not is_veil(card)]
        pooled = [card for pool in self.past.pools for card in (+pool.cards).elements() if pool.has_spare()]
        return tuple(card for card in (*pooled, *held) if card not in WORTHY)

    def _hand_seen(self, _: int, event: HandSeen) -> State:
        """The view shows the hand."""
        held = camp_of(self.state, event.tribe).hand
        strange = [card for card in less(held, event.cards) if not is_veil(card)]
        if strange:
            raise ContradictionError(event.tribe, less(event.cards, held)[0], without(held, strange[:1]))
        self._lift(event.tribe, event.cards)
        self.past.settled |= {self.state.tribes.index(event.tribe)}
        return self.state


def one_of(cards: Cards, chance: Chance) -> str:
    """One of the cards, each equally likely."""
    return chance("imagine", cards, 1)[0]


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
    HandSeen: World._hand_seen,
}
