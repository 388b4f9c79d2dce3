"""Imagines complete states that agree with all that one seat has seen (TO-7).

A *world* consists of the face of each id, the specials kept and the warriors that they replaced, the orders of the
armies, and the cards laid. Without observations all worlds are equally likely: the set-up shuffles evenly, and players
are assumed to choose at random. A world either agrees with a feed or does not. So given a feed, those that agree are
equally likely, and `deal` draws one of them exactly, without rejection.

If a draw does not affect the number of ways to deal the rest, its cases are equally likely. Otherwise, as in
`_deal_choices`, each case is in the population as often as it can be completed: choices in proportion to their
completions make complete worlds uniform (Jerrum, Valiant and Vazirani, "Random generation of combinatorial structures
from a uniform distribution", 1986). `tests/games/tomahawk/test_imagine.py` checks this by counting worlds.

Nothing is inferred from the opponent's choices; a caller can weight the worlds afterwards. Searching in sampled worlds
is determinization; Frank and Basin, "Search in games with incomplete information" (1998), describe its limits.

The hidden fields of the feed's events are filled in, and the events are folded. So the state results from the very
events that the seat saw, and is therefore legal.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from games.kernel import Chance, Event
from games.tomahawk import events as ev
from games.tomahawk.battles import forest_look
from games.tomahawk.components import DEALT, PILES, SEATS, SPECIAL_CARDS, TRIBE_CARDS, TURNS_OF, UNDEALT, Face
from games.tomahawk.events import Card
from games.tomahawk.evolve import evolve
from games.tomahawk.moves import Kept, Placement
from games.tomahawk.setup import army, face_rows, special_cards
from games.tomahawk.sight import SeatView, TerritoryView, View
from games.tomahawk.state import State, open_piles, side_of

Place = tuple[int, int, int]  # the seat, turn and pile of a card that was laid


# What a seat knows, from its view and its feed


class Memory:
    """What a seat knows; anything missing is hidden.

    At a branch, the feed may hide a seat's own earlier moves; the view shows their results.
    """

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
        """Remembers the faces of these cards."""
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
        for slot in pile.slots:
            for row in slot.cards:
                _remember_laid(memory, (row.seat, slot.turn, pile.pile), row.card)
        for laid in pile.laid:
            _remember_laid(memory, (laid.seat, _turn_of(view, laid.seat, pile.pile), pile.pile), laid.card)


def _remember_seat(memory: Memory, seat: SeatView) -> None:
    """Remembers a seat's own cards in the view, and the territories that it has won."""
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


def _turn_of(view: View, seat: int, pile: int) -> int:
    """The turn for which a card lies at a pile: this one, or that of a forced card."""
    if view.forced is not None and (seat, pile) == (view.forced.seat, view.forced.pile):
        return view.forced.for_turn
    return view.turn


def _remember_laid(memory: Memory, place: Place, card: Card | UnsetType) -> None:
    if not isinstance(card, UnsetType):
        memory.laid[place] = card.card
        memory.learn([card])


def _specials_chosen(memory: Memory, event: ev.SpecialsChosen) -> None:
    memory.kept.setdefault(event.seat, None)


def _army_shuffled(memory: Memory, event: ev.ArmyShuffled) -> None:
    memory.mustered.append(event.seat)


def _cards_drawn(memory: Memory, event: ev.CardsDrawn) -> None:
    if not isinstance(event.cards, UnsetType):
        memory.drawn[event.seat] |= {
            place: card.card for place, card in enumerate(event.cards, memory.draws[event.seat])
        }
    memory.draws[event.seat] += event.count


def _cards_committed(memory: Memory, event: ev.CardsCommitted) -> None:
    for pile in PILES:  # a forced card has been laid already, and earlier
        memory.places.setdefault((event.seat, event.turn, pile), memory.draws[event.seat])
    if not isinstance(event.cards, UnsetType):
        memory.laid |= {(event.seat, event.turn, placed.pile): placed.card for placed in event.cards}


def _next_card_forced(memory: Memory, event: ev.NextCardForced) -> None:
    place = (event.seat, event.for_turn, event.pile)
    memory.places[place] = memory.draws[event.seat]
    _remember_laid(memory, place, event.forced_card)


def _cards_revealed(memory: Memory, event: ev.CardsRevealed) -> None:
    for slot in event.slots:
        for row in slot.cards:
            card = Card(row.card, row.name, row.value, row.hair)
            _remember_laid(memory, (row.seat, slot.turn, event.pile), card)


def _forest_cards_seen(memory: Memory, event: ev.ForestCardsSeen) -> None:
    for row in () if isinstance(event.cards, UnsetType) else event.cards:
        card = Card(row.card, row.name, row.value, row.hair)
        _remember_laid(memory, (3 - event.seat, event.turn, row.pile), card)


REMEMBER: dict[type[Event], Callable[[Memory, Any], None]] = {
    ev.SpecialsChosen: _specials_chosen,
    ev.ArmyShuffled: _army_shuffled,
    ev.CardsDrawn: _cards_drawn,
    ev.CardsCommitted: _cards_committed,
    ev.NextCardForced: _next_card_forced,
    ev.CardsRevealed: _cards_revealed,
    ev.ForestCardsSeen: _forest_cards_seen,
}


Draw = Callable[[Sequence[Any], int], tuple[Any, ...]]
Names = tuple[str, ...]  # of the two specials that a seat kept


# Dealing what is hidden, every world being equally likely


def deal(memory: Memory, draw: Draw) -> None:
    """Fills the gaps of `memory`; all worlds are equally likely."""
    _deal_choices(memory, draw)
    for seat in SEATS:
        faces = free_faces(memory, seat)
        _name_warriors(memory, free_warriors(memory, seat), draw(faces, len(faces)))
    names = free_names(memory)
    _name_specials(memory, [card for card in SPECIAL_CARDS if card not in memory.cards], draw(names, len(names)))
    for seat in memory.mustered:
        memory.orders[seat] = _army_order(memory, seat, draw)
    _deal_territories(memory, draw)


def _deal_choices(memory: Memory, draw: Draw) -> None:
    """Draws the unknown specials that the seats kept, and the warriors that they replaced.

    A special may have replaced any unseen copy of its value, so one with more such copies is likelier to have been
    kept. The number of ways to deal the rest does not depend on the choices.
    """
    seats = [seat for seat, kept in memory.kept.items() if kept is None]
    if not seats:
        return
    population = [choices for choices, ways in _choices(memory, seats, free_names(memory)) for _ in range(ways)]
    (chosen,) = draw(population, 1)
    for seat, names in zip(seats, chosen, strict=True):
        _take_choice(memory, seat, names, draw)


def _choices(memory: Memory, seats: list[int], names: tuple[str, ...]) -> Iterator[tuple[tuple[Names, ...], int]]:
    """What `seats` may have kept, and in how many ways they may have replaced warriors by it (TO-4.2).

    `names` are the specials not known to be anywhere; a special that a seat has shown was kept.
    """
    if not seats:
        yield (), 1
        return
    shown = tuple([memory.cards[card].name for card in DEALT[seats[0]] if card in memory.cards])
    copies = Counter(face.value for face in free_faces(memory, seats[0]))
    for more in combinations(names, 2 - len(shown)):
        ways = _ways_to_replace(memory, shown + more, copies)
        left = tuple([name for name in names if name not in more])
        for others, other_ways in _choices(memory, seats[1:], left) if ways else ():
            yield (shown + more, *others), ways * other_ways


def _ways_to_replace(memory: Memory, names: Names, copies: Counter[int]) -> int:
    """In how many ways two specials find warriors of their values, all copies told apart."""
    first, second = [special.value for name in names for special in memory.components.specials if special.name == name]
    return copies[first] * (copies[second] - (first == second))


def _take_choice(memory: Memory, seat: int, names: Names, draw: Draw) -> None:
    """Draws the ids of the specials that a seat kept, and the warriors that they replaced."""
    shown = [card for card in DEALT[seat] if card in memory.cards]
    hidden = [card for card in DEALT[seat] if card not in memory.cards]
    specials = (*shown, *draw(hidden, 2 - len(shown)))
    _name_specials(memory, specials, names)
    kept = []
    for special in specials:
        (face,) = draw([f for f in free_faces(memory, seat) if f.value == memory.cards[special].value], 1)
        (warrior,) = draw(free_warriors(memory, seat), 1)
        _name_warriors(memory, [warrior], [face])
        kept.append(Kept(special, warrior))
    memory.kept[seat] = tuple(sorted(kept, key=lambda row: row.card))


def free_faces(memory: Memory, seat: int) -> tuple[Face, ...]:
    """The faces of a tribe that are not known to be anywhere, in catalogue order (TO-1.2)."""
    faces = list(memory.components.warriors)
    for card in TRIBE_CARDS[seat]:
        if card in memory.cards:
            faces.remove(Face(memory.cards[card].value, memory.cards[card].hair))
    return tuple(faces)


def free_warriors(memory: Memory, seat: int) -> tuple[str, ...]:
    """The basic warriors of a tribe whose faces are not known, ascending."""
    return tuple([card for card in TRIBE_CARDS[seat] if card not in memory.cards])


def free_names(memory: Memory) -> tuple[str, ...]:
    """The specials that are not known to be anywhere, in catalogue order."""
    known = {memory.cards[card].name for card in SPECIAL_CARDS if card in memory.cards}
    return tuple([special.name for special in memory.components.specials if special.name not in known])


def _name_warriors(memory: Memory, cards: Sequence[str], faces: Sequence[Face]) -> None:
    memory.learn(Card(card, "warrior", face.value, face.hair) for card, face in zip(cards, faces, strict=True))


def _name_specials(memory: Memory, cards: Sequence[str], names: Sequence[str]) -> None:
    memory.cards |= special_cards(memory.components, cards, names)


def _army_order(memory: Memory, seat: int, draw: Draw) -> tuple[str, ...]:
    """Returns the order of an army: known cards in their places, unseen ones shuffled over the rest."""
    cards_of_army = army(seat, memory.kept[seat] or ())
    places = sorted([place for place in memory.places if place[0] == seat], key=lambda place: memory.places[place])
    hidden = [place for place in places if place not in memory.laid]
    unseen = _unseen(memory, seat, cards_of_army)
    cards = iter(draw(unseen, len(unseen)))
    memory.laid |= {place: next(cards) for place in hidden}
    order = _positions(memory, seat, places, draw)
    return tuple([order[position] if position in order else next(cards) for position in range(len(cards_of_army))])


def _unseen(memory: Memory, seat: int, cards: Sequence[str]) -> list[str]:
    """The cards of an army that are not known to be anywhere."""
    laid = {card for (owner, _, _), card in memory.laid.items() if owner == seat}
    seen = {*memory.drawn[seat].values(), *memory.hands[seat], *laid}
    return [card for card in cards if card not in seen]


def _positions(memory: Memory, seat: int, places: Sequence[Place], draw: Draw) -> dict[int, str]:
    """Draws the positions in the army of cards that are known to have been drawn by some time.

    A card laid when n cards had been drawn is one of the first n of the army. In order of n, the number of free places
    for the next card does not depend on the earlier draws, so all orders are equally likely. A known hand comes last.
    """
    order = dict(memory.drawn[seat])
    laid = [(memory.laid[place], memory.places[place]) for place in places]
    held = [(card, memory.draws[seat]) for card in memory.hands[seat]]
    for card, drawn in (*laid, *held):
        if card not in order.values():
            (position,) = draw([position for position in range(drawn) if position not in order], 1)
            order[position] = card
    return order


def _deal_territories(memory: Memory, draw: Draw) -> None:
    """TO-2.6: the faces of a duration that are not known lie in any order."""
    known = set(memory.territories.values())
    for turns in (3, 2, 1):
        places = [territory for territory, duration in TURNS_OF.items() if duration == turns]
        hidden = [territory for territory in places if territory not in memory.territories]
        faces = [t.face for t in memory.components.territories if t.turns == turns and t.face not in known]
        memory.territories |= dict(zip(hidden, draw(faces, len(faces)), strict=True))


# The events of a feed with their hidden fields filled in


def complete(memory: Memory, feed: Sequence[Event]) -> State:
    """Folds the events after filling their hidden fields from `memory`, which has no gaps."""
    state: State | None = None
    for event in feed:
        state = evolve(state, _opened(memory, state, event))
    if state is None:
        raise ValueError("a feed begins with GameStarted")
    return state


def _opened(memory: Memory, state: State | None, event: Event) -> Event:
    """Returns the event with its hidden fields filled in."""
    fields = FILL.get(type(event), {}).items()
    hidden = {name: fill(memory, state, event) for name, fill in fields if getattr(event, name) is UNSET}
    return replace(event, **hidden) if hidden else event


def _faces(memory: Memory, cards: Iterable[str]) -> tuple[Card, ...]:
    return tuple([memory.cards[card] for card in cards])


def _returned(memory: Memory, _state: State, event: ev.SpecialsChosen) -> str:
    kept = [row.card for row in memory.kept[event.seat] or ()]
    (returned,) = (card for card in DEALT[event.seat] if card not in kept)
    return returned


def _drawn(memory: Memory, state: State, event: ev.CardsDrawn) -> tuple[Card, ...]:
    return _faces(memory, side_of(state, event.seat).draw_pile[: event.count])


def _committed(memory: Memory, state: State, event: ev.CardsCommitted) -> tuple[Placement, ...]:
    piles = open_piles(state, event.seat)
    return tuple([Placement(pile, memory.laid[event.seat, event.turn, pile]) for pile in piles])


def _forced(memory: Memory, _state: State, event: ev.NextCardForced) -> Card:
    return memory.cards[memory.laid[event.seat, event.for_turn, event.pile]]


Fill = Callable[[Memory, Any, Any], Any]
FILL: dict[type[Event], dict[str, Fill]] = {  # by field
    ev.TribeFacesAssigned: {"cards": lambda memory, _state, event: _faces(memory, TRIBE_CARDS[event.seat])},
    ev.SpecialsDealt: {"cards": lambda memory, _state, event: _faces(memory, DEALT[event.seat])},
    ev.SpecialSetAside: {"special": lambda memory, _state, _event: memory.cards[UNDEALT]},
    ev.SpecialsChosen: {"kept": lambda memory, _state, event: memory.kept[event.seat] or (), "returned": _returned},
    ev.ArmyShuffled: {"order": lambda memory, _state, event: memory.orders[event.seat]},
    ev.CardsDrawn: {"cards": _drawn},
    ev.TerritoryPilesBuilt: {"faces": lambda memory, _state, _event: face_rows(memory.territories)},
    ev.CardsCommitted: {"cards": _committed},
    ev.NextCardForced: {"forced_card": _forced},
    ev.ForestCardsSeen: {"cards": lambda _memory, state, event: forest_look(state, event.seat).cards},
}


# The table


def imagine(view: View, feed: Sequence[Event], chance: Chance) -> State:
    """Returns a state that agrees with the view and the feed; all such states are equally likely."""
    memory = Memory(view, feed)
    deal(memory, lambda population, count: chance("imagine", population, count) if count else ())
    # House rules may have changed since the events, and with them who is asked, so these are taken from the view.
    return replace(complete(memory, feed), options=view.options, phase=view.phase, to_act=view.to_act)
