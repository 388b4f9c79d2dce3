"""Reads a feed as transfers of cards from one place to another.

Places are the hands, the pile of each shuffle, and the face-down gift. A transfer has the card's face if the viewer
knows it. Nothing is guessed here; `card_paths` finds the card for each transfer.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from games.plenty_coups import events as ev
from games.plenty_coups.components import DECK, in_order
from games.plenty_coups.evolve import DISCARDED, SHOWN
from games.plenty_coups.sight import View

Cards = tuple[str, ...]

TABLE = -1  # what lies face up, or is out of sight for good: a card comes from there or goes there by its face
GIFT = -2  # where a gift lies until it is answered
HUMBLE = "humble"  # wanted instead of a face: any card that does not prove worth (PC-4.95)


class Transfer(NamedTuple):
    """A card moves from one place to another; `wanted` is its face, None if the viewer does not know it."""

    moment: int
    source: int
    target: int
    wanted: str | None


class Pile:
    """The rest of a shuffle in the pile: its place, the number of cards, and their order if the viewer knows it."""

    def __init__(self, place: int, count: int, order: Cards | None) -> None:
        self.place, self.count, self.order = place, count, order

    def leave(self) -> tuple[int, str | None]:
        """Removes the top card; returns its place, and its face if known."""
        self.count -= 1
        top, self.order = (self.order[0], self.order[1:]) if self.order else (None, None)
        return self.place, top


class Reading:
    """All transfers of a feed in order, and the final discards."""

    def __init__(self, view: View, feed: Sequence[Any]) -> None:
        self.view = view
        self.tribes = [camp.tribe for camp in view.camps]
        self.transfers: list[Transfer] = []
        self.discards: Cards = ()
        self.piles: list[Pile] = []
        self.shuffles: set[int] = set()  # the places of all piles that ever were
        self.places = len(self.tribes)
        self._moment = 0
        self._held = [0] * len(self.tribes)
        # The house rules may have changed since the game began; what was so all the time can be relied on.
        rules = (getattr(feed[0], "options", view.options) if feed else view.options, view.options)
        self._must_prove = all(options.prove_worth == "forced" for options in rules)
        for event in feed:
            self._read(event)
        self._look()

    def _read(self, event: Any) -> None:
        self._moment += 1
        kind = type(event)
        if kind in SHOWN:
            for card in SHOWN[kind](event):
                self._transfer(self._camp(event), TABLE, card)
        if kind in _READ:
            _READ[kind](self, event)
        if kind in DISCARDED:
            self.discards += DISCARDED[kind](event)

    def _camp(self, event: Any) -> int:
        return self.tribes.index(event.tribe)

    def _transfer(self, source: int, target: int, wanted: Any) -> None:
        self.transfers.append(Transfer(self._moment, source, target, wanted if isinstance(wanted, str) else None))
        for place, change in ((source, -1), (target, 1)):
            if 0 <= place < len(self._held):
                self._held[place] += change

    def _new_place(self) -> int:
        self.places += 1
        return self.places - 1

    # --- the pile ---

    def _shuffled(self, event: Any) -> None:
        cards = DECK if isinstance(event, ev.DeckShuffled) else in_order(self.discards)
        self.discards = ()
        place = self._new_place()
        self.shuffles.add(place)
        for card in cards:
            self._transfer(TABLE, place, card)
        self.piles.append(Pile(place, len(cards), event.order if isinstance(event.order, tuple) else None))

    def _leave(self, count: int) -> list[tuple[int, str | None]]:
        """The top cards leave the pile, those of older shuffles first."""
        gone = []
        for _ in range(count):
            gone.append(self.piles[0].leave())
            if not self.piles[0].count:
                self.piles.pop(0)
        return gone

    def _drawn(self, event: Any) -> None:
        camp, top = self._camp(event), self._leave(event.count)
        if event.cards is UNSET or all(face for _, face in top):
            for place, face in top:
                self._transfer(place, camp, face)
        elif len({place for place, _ in top}) == 1:
            for (place, _), card in zip(top, event.cards, strict=True):
                self._transfer(place, camp, card)
        else:
            self._drawn_from_two_shuffles(camp, top, event.cards)

    def _drawn_from_two_shuffles(self, camp: int, top: list[tuple[int, str | None]], cards: Cards) -> None:
        """Sends known cards from two unknown shuffles through a separate place."""
        between = self._new_place()
        for place, face in top:
            self._transfer(place, between, face)
        self._moment += 1
        for card in cards:
            self._transfer(between, camp, card)

    def _refilled(self, event: Any) -> None:
        for (place, _), card in zip(self._leave(len(event.cards)), event.cards, strict=True):
            self._transfer(place, TABLE, card)

    # --- hands ---

    def _taken(self, event: Any) -> None:
        for card in event.cards:
            self._transfer(TABLE, self._camp(event), card)

    def _offered(self, event: Any) -> None:
        self._transfer(self._camp(event), GIFT, event.give)

    def _exchanged(self, event: Any) -> None:
        self._transfer(self._camp(event), self.tribes.index(event.to), event.given)
        self._moment += 1
        self._unwrap(event.received)
        self._transfer(GIFT, self._camp(event), event.received)

    def _unwrap(self, given: Any) -> None:
        """Notes that the face-down gift is known."""
        at = next(at for at in reversed(range(len(self.transfers))) if self.transfers[at].target == GIFT)
        if isinstance(given, str):
            self.transfers[at] = self.transfers[at]._replace(wanted=given)

    def _endured(self, event: Any) -> None:
        """PC-4.96: if worth must be proved, a tribe that endures holds no card for it."""
        camp = self._camp(event)
        for _ in range(self._held[camp] if self._must_prove else 0):
            self._transfer(camp, camp, HUMBLE)

    def _look(self) -> None:
        """Reads the hands and the gift in the view."""
        self._moment += 1
        for place, camp in enumerate(self.view.camps):
            for card in camp.hand if isinstance(camp.hand, tuple) else ():
                self._transfer(place, TABLE, card)
        if self.view.offer is not None and isinstance(self.view.offer.give, str):
            self._unwrap(self.view.offer.give)
            self._transfer(GIFT, TABLE, self.view.offer.give)


_READ: dict[type, Callable[[Reading, Any], None]] = {
    ev.DeckShuffled: Reading._shuffled,
    ev.DeckReshuffled: Reading._shuffled,
    ev.CardsDrawn: Reading._drawn,
    ev.DisplayRefilled: Reading._refilled,
    ev.CardsTaken: Reading._taken,
    ev.GiftOffered: Reading._offered,
    ev.GiftsExchanged: Reading._exchanged,
    ev.DisdainEndured: Reading._endured,
}
