"""Mending a world that a feed contradicts: what was given unseen was another card.

A gift unseen of one card may have been another if the giver has held that other one ever since, unused, and the
taker the first: to exchange the two changes nothing that anybody saw. A world in which a tribe lacks the card that it
shows is mended by such exchanges: by one that brings the card if there is one, else by others at random until there
is.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from games.kernel import Chance
from games.plenty_coups.components import in_order, without

Cards = tuple[str, ...]
T = TypeVar("T")

_MEMORY = 24  # gifts looked back at: hardly a card is held through more
_TRIES = 8  # exchanges at random before a world is given up


class Gift(NamedTuple):
    """A card given unseen, by places of camps; at event `offered` the giver chose or knew of the exchange."""

    giver: int
    taker: int
    offered: int
    left: int
    came: int
    card: str


class Exchange(NamedTuple):
    """Instead of the card of the gift at `place` of the list, `card` was given."""

    place: int
    card: str


class Past:
    """The hands after each event, in camp order, and the gifts unseen."""

    def __init__(self) -> None:
        self.hands: list[tuple[Cards, ...]] = []
        self.gifts: list[Gift] = []
        self.endured = -1  # the last event at which a tribe showed that it held no card of PC-4.95

    def __copy__(self) -> "Past":
        other = Past()
        other.hands, other.gifts, other.endured = self.hands.copy(), self.gifts.copy(), self.endured
        return other

    def idle(self, camp: int, since: int) -> Counter[str]:
        """The cards that the camp has held after every event from `since` on."""
        last = self.hands[-1][camp]
        held = Counter(last)
        for hands in reversed(self.hands[since:-1]):
            if hands[camp] is not last:
                last = hands[camp]
                held &= Counter(last)
                if not held:
                    break
        return held

    def exchanges(self, place: int) -> Iterator[Exchange]:
        """What else the gift may have been."""
        gift = self.gifts[place]
        if gift.offered > self.endured and self.idle(gift.taker, gift.came)[gift.card]:
            yield from (Exchange(place, card) for card in self.idle(gift.giver, gift.offered) if card != gift.card)

    def recent(self) -> range:
        """The places of the gifts that may still matter."""
        return range(max(0, len(self.gifts) - _MEMORY), len(self.gifts))

    def make(self, exchange: Exchange) -> None:
        """The other card was given."""
        gift = self.gifts[exchange.place]
        self.gifts[exchange.place] = gift._replace(card=exchange.card)
        self._swap(gift.giver, gift.left, exchange.card, gift.card)
        self._swap(gift.taker, gift.came, gift.card, exchange.card)

    def _swap(self, camp: int, since: int, gone: str, come: str) -> None:
        """From event `since` on the camp held another card."""
        swapped: dict[int, Cards] = {}
        for at in range(since, len(self.hands)):
            hands = self.hands[at]
            hand = hands[camp]
            if id(hand) not in swapped:
                swapped[id(hand)] = in_order((*without(hand, (gone,)), come))
            self.hands[at] = (*hands[:camp], swapped[id(hand)], *hands[camp + 1 :])

    def bringing(self, camp: int, is_wanted: Callable[[str], bool]) -> list[Exchange]:
        """The exchanges after which the camp holds a card that is wanted."""
        found: list[Exchange] = []
        for place in self.recent():
            gift = self.gifts[place]
            if gift.taker == camp and not is_wanted(gift.card):
                found += (exchange for exchange in self.exchanges(place) if is_wanted(exchange.card))
            elif gift.giver == camp and is_wanted(gift.card):
                found += (exchange for exchange in self.exchanges(place) if not is_wanted(exchange.card))
        return found

    def mend(self, camp: int, is_wanted: Callable[[str], bool], chance: Chance) -> bool:
        """Exchanges gifts until the camp holds one more card that is wanted; false if that was not found."""
        wanted = sum(map(is_wanted, self.hands[-1][camp]))
        for _ in range(_TRIES):
            found = self.bringing(camp, is_wanted)
            if found:
                self.make(_one_of(found, chance))
                return True
            self.stir(chance)
            if sum(map(is_wanted, self.hands[-1][camp])) > wanted:
                return True
        return False

    def stir(self, chance: Chance) -> None:
        """One exchange at random, if the gift drawn allows one."""
        if self.gifts:
            found = list(self.exchanges(_one_of(self.recent(), chance)))
            if found:
                self.make(_one_of(found, chance))


def _one_of(options: Sequence[T], chance: Chance) -> T:
    return chance("imagine", options, 1)[0]
