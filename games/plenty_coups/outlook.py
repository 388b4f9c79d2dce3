"""What a feed tells before it is folded: the cards that its events show, and those seen as they left each pile."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from games.plenty_coups import events as happened
from games.plenty_coups.components import COUP_STICK, HORSE
from games.plenty_coups.sight import View

Cards = tuple[str, ...]


def _the_card(event: Any) -> Cards:
    return (event.card,)


def _the_cards(event: Any) -> Cards:
    return tuple(event.cards)


def _the_stick(_: Any) -> Cards:
    return (COUP_STICK,)


def _offered(event: Any) -> Cards:
    return tuple(card for card in (event.discarded, event.give) if isinstance(card, str))


_SHOWN: dict[type, Callable[[Any], Cards]] = {  # the cards that leave the hand of `tribe` for all (or us) to see
    happened.RaidLaunched: _the_cards,
    happened.RaidRepelled: lambda event: tuple(event.weapons),
    happened.CoupMarked: _the_stick,
    happened.HorseBred: lambda _: (HORSE,),
    happened.HorsesDonated: lambda event: (event.discarded,),
    happened.GiftOffered: _offered,
    happened.GiftsExchanged: lambda event: () if event.given is UNSET else (event.given,),
    happened.AllianceProposed: _the_card,
    happened.AllianceSealed: _the_card,
    happened.NeutralAllianceFormed: _the_card,
    happened.DisdainCast: _the_stick,
    happened.WorthProved: _the_card,
    happened.CardsDiscarded: _the_cards,
}


def shown_by(event: Any) -> Cards:
    """The cards of known face that leave the hand of the event's tribe."""
    find = _SHOWN.get(type(event))
    return find(event) if find else ()


class HandSeen(NamedTuple):
    """The end of a feed: a hand as the view shows it."""

    tribe: str
    cards: Cards


class Outlook:
    """A feed with all that can be told of it before it is folded."""

    def __init__(self, view: View, feed: Sequence[Any]) -> None:
        self.view = view
        hands = [HandSeen(camp.tribe, camp.hand) for camp in view.camps if isinstance(camp.hand, tuple)]
        self.feed: tuple[Any, ...] = (*feed, *(() if view.over else hands))
        self.revealed: list[Counter[str]] = []  # by shuffle: the cards seen as they come from its pile
        self._left: list[list[int]] = []  # of the pile: [shuffle, cards]
        for event in feed:
            self._look(event)

    def _look(self, event: Any) -> None:
        if isinstance(event, happened.DeckShuffled | happened.DeckReshuffled):
            self._left.append([len(self.revealed), event.count])
            self.revealed.append(Counter())
        elif isinstance(event, happened.DisplayRefilled):
            for shuffle, card in zip(self._leave(len(event.cards)), event.cards, strict=True):
                self.revealed[shuffle][card] += 1
        elif isinstance(event, happened.CardsDrawn):
            shuffles = self._leave(event.count)
            # A draw across two shuffles does not tell which card came from which.
            if isinstance(event.cards, tuple) and len(set(shuffles)) == 1:
                self.revealed[shuffles[0]].update(event.cards)

    def _leave(self, count: int) -> list[int]:
        """The top cards leave the pile: the shuffle that each came from."""
        gone: list[int] = []
        while len(gone) < count:
            top = self._left[0]
            taken = min(top[1], count - len(gone))
            gone += [top[0]] * taken
            top[1] -= taken
            if not top[1]:
                self._left.pop(0)
        return gone

    def received_after(self, at: int) -> str | None:
        """The card offered at event `at` as the feed shows it in the answer, null if it does not."""
        received = getattr(self.feed[at + 1], "received", None) if at + 1 < len(self.feed) else None
        return received if isinstance(received, str) else None
