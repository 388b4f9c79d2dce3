"""What a feed tells before it is folded: the cards that its events show, and those seen as they left each pile."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from games.plenty_coups import events as happened
from games.plenty_coups.components import COUP_STICK, HORSE, WARRIORS
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


class Need(NamedTuple):
    """At event `at` a tribe shows a warrior that it drew unseen from this shuffle."""

    at: int
    shuffle: int


_SECRET = happened.CardsDrawn | happened.GiftOffered | happened.GiftsExchanged
_LAID = (  # events after which the cards shown lie on the table
    happened.RaidLaunched,
    happened.AllianceProposed,
    happened.AllianceSealed,
    happened.NeutralAllianceFormed,
)
_CLEARED: dict[type, Callable[[Any], Cards]] = {  # the cards that go from the table to the discards
    happened.DisplaySwept: _the_cards,
    happened.DisplayCleared: _the_cards,
    happened.RaidDrivenOff: _the_cards,
    happened.RaidReturned: _the_cards,
    happened.RaidRepelled: _the_cards,
    happened.RaidBoughtOff: _the_cards,
    happened.RaidLost: _the_cards,
    happened.ProposalOutbid: _the_card,
    happened.ProposalExpired: _the_card,
    happened.ProposalWithdrawn: _the_card,
    happened.NeutralAllianceEnded: _the_card,
    happened.AllianceEnded: lambda event: tuple(row.card for row in event.allies),
}


class Warriors:
    """Where each warrior was last known to be; there is but one of each, so its way can be followed."""

    def __init__(self) -> None:
        self.needs: dict[str, list[Need]] = defaultdict(list)
        self.shown: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._shuffle: dict[str, int | None] = dict.fromkeys(WARRIORS)  # the pile that it lies or lay in unseen
        self._discarded = set(WARRIORS)

    def shuffled(self, shuffle: int) -> None:
        """The discards are a pile."""
        self._shuffle |= dict.fromkeys(self._discarded, shuffle)
        self._discarded.clear()

    def seen(self, cards: Iterable[str]) -> None:
        """The cards are no longer among those unseen."""
        self._shuffle |= dict.fromkeys(self._among(cards))

    def discarded(self, cards: Iterable[str]) -> None:
        """The cards came to the discards."""
        self._discarded |= self._among(cards)

    def played(self, at: int, tribe: str, cards: Iterable[str]) -> None:
        """A tribe showed the cards."""
        for card in self._among(cards):
            shuffle = self._shuffle[card]
            self.shown[card].append((at, tribe))
            if shuffle is not None:
                self.needs[tribe].append(Need(at, shuffle))
        self.seen(cards)

    @staticmethod
    def _among(cards: Iterable[str]) -> set[str]:
        return WARRIORS.keys() & set(cards)


def _hides(event: Any) -> bool:
    """Whether the event tells of cards that the reader may not see."""
    return isinstance(event, _SECRET) and UNSET in [getattr(event, field, None) for field in ("cards", "give", "given")]


class Outlook:
    """A feed with all that can be told of it before it is folded."""

    def __init__(self, view: View, feed: Sequence[Any]) -> None:
        self.view = view
        hands = [HandSeen(camp.tribe, camp.hand) for camp in view.camps if isinstance(camp.hand, tuple)]
        self.feed: tuple[Any, ...] = (*feed, *(() if view.over else hands))
        self.hidden = {event.tribe for event in feed if _hides(event)}  # tribes whose hands were not seen all the time
        self.revealed: list[Counter[str]] = []  # by shuffle: the cards seen as they come from its pile
        self._left: list[list[int]] = []  # of the pile: [shuffle, cards]
        self._warriors = Warriors()
        for at, event in enumerate(feed):
            self._look(event)
            self._follow(at, event)

    def _look(self, event: Any) -> None:
        if isinstance(event, happened.DeckShuffled | happened.DeckReshuffled):
            self._warriors.shuffled(len(self.revealed))
            self._left.append([len(self.revealed), event.count])
            self.revealed.append(Counter())
        elif isinstance(event, happened.DisplayRefilled):
            for shuffle, card in zip(self._leave(len(event.cards)), event.cards, strict=True):
                self.revealed[shuffle][card] += 1
            self._warriors.seen(event.cards)
        elif isinstance(event, happened.CardsDrawn):
            shuffles = self._leave(event.count)
            if isinstance(event.cards, tuple):
                self._warriors.seen(event.cards)
                # A draw across two shuffles does not tell which card came from which.
                if len(set(shuffles)) == 1:
                    self.revealed[shuffles[0]].update(event.cards)

    def _follow(self, at: int, event: Any) -> None:
        shown = shown_by(event)
        if shown:
            self._warriors.played(at, event.tribe, shown)
            if not isinstance(event, (*_LAID, happened.GiftOffered, happened.GiftsExchanged)):
                self._warriors.discarded(shown)
        if isinstance(event, happened.GiftOffered) and event.discarded is not None:
            self._warriors.discarded((event.discarded,))
        if find := _CLEARED.get(type(event)):
            self._warriors.discarded(find(event))

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
        """The card offered at event `at` as the feed shows it in the answer, or the view before that; else null."""
        after = self.feed[at + 1] if at + 1 < len(self.feed) else None
        if isinstance(after, happened.GiftsExchanged):
            return after.received if isinstance(after.received, str) else None
        offer = self.view.offer
        return offer.give if offer and isinstance(offer.give, str) else None

    def needed(self, tribe: str, at: int) -> Counter[int]:
        """By shuffle, how many warriors drawn unseen from it the tribe shows after event `at`."""
        return Counter(need.shuffle for need in self._warriors.needs[tribe] if need.at > at)

    def next_shown_by(self, card: str, at: int) -> str | None:
        """The tribe that shows a warrior next after event `at`."""
        return next((tribe for shown, tribe in self._warriors.shown[card] if shown > at), None)
