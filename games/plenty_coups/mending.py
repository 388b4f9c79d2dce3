"""Mending a world that a feed contradicts: what nobody saw was otherwise.

Three things may have been otherwise without anybody seeing a difference:

- a gift of one card may have been another, if the giver has held that other one ever since, and the taker the first;
- a card shown may have lain under another veil, if the hand has held that one ever since;
- two cards shown one after the other may have lain under each other's veils.

A world in which a tribe lacks the card that it shows is mended by such changes: by one that helps if there is one,
else by others at random until there is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from games.kernel import Chance
from games.plenty_coups.components import in_order, without
from games.plenty_coups.pools import Pool, is_veil, shuffle_of

Cards = tuple[str, ...]
T = TypeVar("T")

_MEMORY = 40  # gifts and cards shown that are looked back at: hardly a card is held through more
_TRIES = 15  # changes at random before a world is given up


class Gift(NamedTuple):
    """A card given unseen, by places of camps; both sides knew of the exchange at event `offered`."""

    giver: int
    taker: int
    offered: int
    left: int
    came: int
    card: str


class Lift(NamedTuple):
    """A card that left a hand at event `at`, and the veil that it was thought to lie under."""

    camp: int
    at: int
    veil: str
    card: str


class Past:
    """The hands after each event, in camp order, the gifts unseen and the veils lifted; and the pools as they are."""

    def __init__(self) -> None:
        self.hands: list[tuple[Cards, ...]] = [()]
        self.gifts: list[Gift] = []
        self.lifts: list[Lift] = []
        self.pools: tuple[Pool, ...] = ()
        self.endured = -1  # the last event at which a tribe showed that it held no card of PC-4.95
        self.settled: frozenset[int] = frozenset()  # the camps whose hands the view has shown, at the end

    def __copy__(self) -> "Past":
        other = Past()
        other.hands, other.gifts, other.lifts = self.hands.copy(), self.gifts.copy(), self.lifts.copy()
        other.pools, other.endured, other.settled = self.pools, self.endured, self.settled
        return other

    def pool_under(self, veil: str) -> Pool:
        """The veil's pool, to be changed in this world alone."""
        at = shuffle_of(veil)
        pool = self.pools[at].copy()
        self.pools = (*self.pools[:at], pool, *self.pools[at + 1 :])
        return pool

    def may_be(self, held: str, card: str) -> bool:
        """Whether a card held is this one, or a veil that may hide it."""
        return held == card or (is_veil(held) and self.pools[shuffle_of(held)].chance_of(card, held) > 0)

    def held_through(self, camp: int, first: int, last: int) -> Counter[str]:
        """The cards that the camp held after every event from `first` to `last`."""
        hand = self.hands[last][camp]
        held = Counter(hand)
        for hands in reversed(self.hands[first:last]):
            if hands[camp] is not hand:
                hand = hands[camp]
                held &= Counter(hand)
                if not held:
                    break
        return held

    def _swap(self, camp: int, events: range, gone: str, come: str) -> None:
        """After each of the events the camp held another card."""
        swapped: dict[int, Cards] = {}
        for at in events:
            hands = self.hands[at]
            hand = hands[camp]
            if id(hand) not in swapped:
                swapped[id(hand)] = in_order((*without(hand, (gone,)), come))
            self.hands[at] = (*hands[:camp], swapped[id(hand)], *hands[camp + 1 :])

    # --- what may have been otherwise ---

    def other_gifts(self, place: int) -> Iterator["Change"]:
        """What else the gift at this place of the list may have been."""
        gift, now = self.gifts[place], len(self.hands) - 1
        if not self.settled.isdisjoint((gift.giver, gift.taker)):
            return
        if gift.offered > self.endured and self.held_through(gift.taker, gift.came, now)[gift.card]:
            for card in self.held_through(gift.giver, gift.offered, now):
                if card != gift.card:
                    yield OtherGift(place, card)

    def other_veils(self, place: int) -> Iterator["Change"]:
        """Which other veils the card at this place of the list may have lain under."""
        lift, now = self.lifts[place], len(self.hands) - 1
        if lift.at <= self.endured:
            return
        for veil in self.held_through(lift.camp, lift.at - 1, now):
            if is_veil(veil) and veil != lift.veil and self.may_be(veil, lift.card):
                yield OtherVeil(place, veil)
        for later in range(place + 1, len(self.lifts)):
            if self._may_swap(lift, self.lifts[later]):
                yield EachOthersVeils(place, later)

    def _may_swap(self, lift: Lift, later: Lift) -> bool:
        if lift.camp != later.camp or lift.veil == later.veil or lift.at == later.at:
            return False
        may_be = self.may_be(later.veil, lift.card) and self.may_be(lift.veil, later.card)
        return may_be and self.held_through(lift.camp, lift.at - 1, later.at - 1)[later.veil] > 0

    # --- changing it ---

    def give_other(self, change: "OtherGift") -> None:
        """The other card was given."""
        gift, now = self.gifts[change.place], len(self.hands)
        self.gifts[change.place] = gift._replace(card=change.card)
        self._swap(gift.giver, range(gift.left, now), change.card, gift.card)
        self._swap(gift.taker, range(gift.came, now), gift.card, change.card)

    def lift_other(self, change: "OtherVeil") -> None:
        """The card lay under the other veil."""
        lift = self.lifts[change.place]
        self.lifts[change.place] = lift._replace(veil=change.veil)
        self._swap(lift.camp, range(lift.at, len(self.hands)), change.veil, lift.veil)
        self.pool_under(lift.veil).put_back(lift.card, lift.veil)
        self.pool_under(change.veil).take(lift.card, change.veil)

    def lift_each_other(self, change: "EachOthersVeils") -> None:
        """The two cards lay under each other's veils."""
        first, second = self.lifts[change.place], self.lifts[change.later]
        self.lifts[change.place] = first._replace(veil=second.veil)
        self.lifts[change.later] = second._replace(veil=first.veil)
        self._swap(first.camp, range(first.at, second.at), second.veil, first.veil)
        for lift in (first, second):
            self.pool_under(lift.veil).put_back(lift.card, lift.veil)
        self.pool_under(second.veil).take(first.card, second.veil)
        self.pool_under(first.veil).take(second.card, first.veil)

    # --- mending ---

    def mend(self, camp: int, card: str, chance: Chance) -> bool:
        """Changes what nobody saw until the camp holds one more card that may be this one; false if it failed."""
        before = self._may_hold(camp, card)
        for _ in range(_TRIES):
            helping = [*self._bringing(camp, card), *self._freeing(camp, card)]
            if helping:
                _one_of(helping, chance).make(self)
                return True
            self._stir(chance)
            if self._may_hold(camp, card) > before:
                return True
        return False

    def _may_hold(self, camp: int, card: str) -> int:
        return sum(self.may_be(held, card) for held in self.hands[-1][camp])

    def _bringing(self, camp: int, card: str) -> Iterator["Change"]:
        """Gifts that bring a card that may be the one wanted, or keep it from leaving."""
        for place in _recent(self.gifts):
            gift = self.gifts[place]
            if camp not in (gift.taker, gift.giver) or self.may_be(gift.card, card) != (gift.giver == camp):
                continue
            for change in self.other_gifts(place):
                if self.may_be(change.come, card) == (gift.taker == camp):
                    yield change

    def _freeing(self, camp: int, card: str) -> Iterator["Change"]:
        """Other veils lifted, so that the camp keeps a veil that may hide the card, or one that it has may hide it."""
        shuffles = {shuffle_of(held) for held in self.hands[-1][camp] if is_veil(held)}
        for place in _recent(self.lifts):
            lift = self.lifts[place]
            if lift.card == card and shuffle_of(lift.veil) in shuffles:
                yield from self.other_veils(place)
            elif lift.camp == camp and self.may_be(lift.veil, card):
                yield from (change for change in self.other_veils(place) if isinstance(change, OtherVeil))

    def _stir(self, chance: Chance) -> None:
        """One change at random, if the gift or the veil drawn allows one."""
        drawn = [(self.other_gifts, place) for place in _recent(self.gifts)]
        drawn += [(self.other_veils, place) for place in _recent(self.lifts)]
        if drawn:
            find, place = _one_of(drawn, chance)
            found = list(find(place))
            if found:
                _one_of(found, chance).make(self)


class OtherGift(NamedTuple):
    """Instead of the card of the gift at `place`, `card` was given."""

    place: int
    card: str

    @property
    def come(self) -> str:
        """The card that comes instead."""
        return self.card

    def make(self, past: Past) -> None:
        """Changes the past."""
        """Makes the change."""
        past.give_other(self)


class OtherVeil(NamedTuple):
    """The card lifted at `place` lay under this veil."""

    place: int
    veil: str
    come: str = ""

    def make(self, past: Past) -> None:
        """Changes the past."""
        """Makes the change."""
        past.lift_other(self)


class EachOthersVeils(NamedTuple):
    """The cards lifted at `place` and at `later` lay under each other's veils."""

    place: int
    later: int
    come: str = ""

    def make(self, past: Past) -> None:
        """Changes the past."""
        """Makes the change."""
        past.lift_each_other(self)


Change = OtherGift | OtherVeil | EachOthersVeils


def _recent(things: Sequence[object]) -> range:
    """The places of those that may still matter."""
    return range(max(0, len(things) - _MEMORY), len(things))


def _one_of(options: Sequence[T], chance: Chance) -> T:
    return chance("imagine", options, 1)[0]
