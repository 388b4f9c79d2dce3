"""What a seat knows of a table, gathered from its view and its feed (TO-7).

At a table that was forked the feed may hide from a seat what it did before; the view shows what came of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import UnsetType

from games.kernel import Event
from games.tomahawk import events as e
from games.tomahawk.components import PILES, SEATS
from games.tomahawk.events.rows import Card
from games.tomahawk.moves import Kept
from games.tomahawk.sight import PileView, SeatView, TerritoryView, View

Place = tuple[int, int, int]  # the seat, turn and pile of a card that was laid


class Memory:
    """What is known; whatever is missing here is hidden."""

    def __init__(self, view: View, feed: Sequence[Event]) -> None:
        self.components = view.components
        self.cards: dict[str, Card] = {}
        self.territories: dict[str, str] = {}
        self.kept: dict[int, tuple[Kept, ...] | None] = {}  # of the seats that have chosen; None: it is not known what
        self.mustered: list[int] = []
        self.drawn: dict[int, dict[int, str]] = {seat: {} for seat in SEATS}  # cards by their place in the army
        self.draws = dict.fromkeys(SEATS, 0)  # how many cards were drawn
        self.hands: dict[int, tuple[str, ...]] = dict.fromkeys(SEATS, ())  # those that are known
        self.places: dict[Place, int] = {}  # where cards were laid, and how many cards the seat had drawn by then
        self.laid: dict[Place, str] = {}
        self.orders: dict[int, tuple[str, ...]] = {}
        _remember_view(self, view)
        for event in feed:
            if type(event) in REMEMBER:
                REMEMBER[type(event)](self, event)

    def learn(self, cards: Iterable[Card]) -> None:
        """These cards show what they show."""
        self.cards |= {card.card: card for card in cards}


def _remember_view(memory: Memory, view: View) -> None:
    for seat in view.seats:
        _remember_seat(memory, seat)
    for territory in _territories(view):
        if not isinstance(territory.face, UnsetType):
            memory.territories[territory.territory] = territory.face
    if not isinstance(view.set_aside, UnsetType):
        memory.learn([view.set_aside])
    for pile in view.piles:
        _remember_slots(memory, pile)
        for laid in pile.laid:
            _remember_laid(memory, (laid.seat, _turn_of(view, laid.seat, pile.pile), pile.pile), laid.card)


def _remember_seat(memory: Memory, seat: SeatView) -> None:
    """What a seat is shown of itself, and the territories that it has won."""
    for cards in (seat.faces, seat.dealt):
        memory.learn(() if isinstance(cards, UnsetType) else cards)
    if not isinstance(seat.kept, UnsetType) and seat.kept:
        memory.kept[seat.seat] = seat.kept
    if not isinstance(seat.hand, UnsetType):
        memory.hands[seat.seat] = tuple([card.card for card in seat.hand])
    memory.territories |= {won.territory: won.face for won in seat.won}


def _territories(view: View) -> Iterator[TerritoryView]:
    """The territories of a view that nobody has won."""
    yield from view.unused
    yield from view.discarded
    for pile in view.piles:
        yield from pile.below
        if pile.territory is not None:
            yield pile.territory


def _remember_slots(memory: Memory, pile: PileView) -> None:
    for slot in pile.slots:
        for row in slot.cards:
            _remember_laid(memory, (row.seat, slot.turn, pile.pile), row.card)


def _turn_of(view: View, seat: int, pile: int) -> int:
    """The turn for which a card lies at a pile: this one, or that of a forced card."""
    if view.forced is not None and (seat, pile) == (view.forced.seat, view.forced.pile):
        return view.forced.for_turn
    return view.turn


def _remember_laid(memory: Memory, place: Place, card: Card | UnsetType) -> None:
    if not isinstance(card, UnsetType):
        memory.laid[place] = card.card
        memory.learn([card])


def _specials_chosen(memory: Memory, event: e.SpecialsChosen) -> None:
    memory.kept.setdefault(event.seat, None)


def _army_shuffled(memory: Memory, event: e.ArmyShuffled) -> None:
    memory.mustered.append(event.seat)


def _cards_drawn(memory: Memory, event: e.CardsDrawn) -> None:
    if not isinstance(event.cards, UnsetType):
        memory.drawn[event.seat] |= {
            place: card.card for place, card in enumerate(event.cards, memory.draws[event.seat])
        }
    memory.draws[event.seat] += event.count


def _cards_committed(memory: Memory, event: e.CardsCommitted) -> None:
    for pile in PILES:  # a forced card has been laid already, and earlier
        memory.places.setdefault((event.seat, event.turn, pile), memory.draws[event.seat])
    if not isinstance(event.cards, UnsetType):
        memory.laid |= {(event.seat, event.turn, placed.pile): placed.card for placed in event.cards}


def _next_card_forced(memory: Memory, event: e.NextCardForced) -> None:
    place = (event.seat, event.for_turn, event.pile)
    memory.places[place] = memory.draws[event.seat]
    if not isinstance(event.forced_card, UnsetType):
        memory.laid[place] = event.forced_card.card
        memory.learn([event.forced_card])


def _cards_revealed(memory: Memory, event: e.CardsRevealed) -> None:
    for slot in event.slots:
        for row in slot.cards:
            memory.laid[row.seat, slot.turn, event.pile] = row.card
            memory.learn([Card(row.card, row.name, row.value, row.hair)])


def _forest_cards_seen(memory: Memory, event: e.ForestCardsSeen) -> None:
    for row in () if isinstance(event.cards, UnsetType) else event.cards:
        memory.laid[3 - event.seat, event.turn, row.pile] = row.card
        memory.learn([Card(row.card, row.name, row.value, row.hair)])


REMEMBER: dict[type[Event], Callable[[Memory, Any], None]] = {
    e.SpecialsChosen: _specials_chosen,
    e.ArmyShuffled: _army_shuffled,
    e.CardsDrawn: _cards_drawn,
    e.CardsCommitted: _cards_committed,
    e.NextCardForced: _next_card_forced,
    e.CardsRevealed: _cards_revealed,
    e.ForestCardsSeen: _forest_cards_seen,
}
