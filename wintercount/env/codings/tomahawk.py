"""Tomahawk: cards are placed pile by pile; a warrior is named by its face, as its id changes from game to game."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, zip_longest
from typing import Any

from msgspec import UNSET

from games.tomahawk.components import BALANCED_1, PICTOS, PILES, SPECIES, TURNS
from games.tomahawk.events import Card
from games.tomahawk.moves import ChooseSpecials, DeclineForestLook, LookInForests, Placement, PlayCards
from games.tomahawk.sight import PileView, SeatView, SlotView, TerritoryView, View
from wintercount.env.choices import Choice, OneOf, spelled
from wintercount.env.layout import Actions, Coding, Slots

PHASES = ("choose_specials", "play_cards", "mountain_look", "over")
MOST_SLOTS = 3  # of a battle
MOST_BELOW = 4  # territories of a pile before one is in play
PLAYERS = 2


def _face_names() -> list[str]:
    """Returns a name for each basic warrior of the catalogue; the second of two alike ends in `b`."""
    names: list[str] = []
    for face in BALANCED_1.warriors:
        name = f"warrior-{face.value}-{face.hair}"
        names.append(f"{name}b" if name in names else name)
    return names


WARRIORS = _face_names()
SPECIALS = [special.name for special in BALANCED_1.specials]
FIGHTERS = (*WARRIORS, *SPECIALS)
KINDS = tuple(name for name in FIGHTERS if not name.endswith("b"))  # what a card shows; two may show the same
TERRITORIES = tuple(face.face for face in BALANCED_1.territories)
TERRAINS = tuple(SPECIES)

ACTIONS = Actions()
KEEP = ACTIONS.add("keep", SPECIALS)
REPLACE = ACTIONS.add("replace", WARRIORS)
PLAY = ACTIONS.add("play", [(fighter, pile) for fighter in FIGHTERS for pile in PILES])
(LOOK,) = ACTIONS.add("look")
(NO_LOOK,) = ACTIONS.add("decline_look")
NUMBER = ACTIONS.numbers
LOOKS: dict[type, int] = {LookInForests: LOOK, DeclineForestLook: NO_LOOK}


def fighters(view: View) -> Mapping[str, str]:
    """Returns the name of each card of the seat by its id: warriors in the order of the catalogue, and specials."""
    own = own_seat(view)
    return _fighters(own.faces, own.dealt)


@lru_cache(maxsize=64)
def _fighters(faces: Sequence[Card], dealt: Sequence[Card]) -> Mapping[str, str]:
    ordered = sorted(faces, key=lambda card: (card.value, card.hair, card.card))
    named = dict(zip([card.card for card in ordered], WARRIORS, strict=False))
    return {**named, **{card.card: card.name for card in dealt}}


def own_seat(view: View) -> Any:
    """Returns what the observing seat knows of itself."""
    return view.seats[(view.seat or 1) - 1]


class Placing:
    """A card of the hand for each pile, pile by pile."""

    __slots__ = ("cards", "piles", "placed")

    def __init__(self, cards: Mapping[int, str], piles: Sequence[Any], placed: tuple[Placement, ...] = ()) -> None:
        self.cards, self.piles, self.placed = cards, piles, placed

    @property
    def open(self) -> Collection[int]:
        """Each card of the hand at the next pile."""
        return [action + self.piles[0] - 1 for action in self.cards]

    def take(self, action: int) -> Any:
        """Returns the choice for the next pile, or the move after the last pile."""
        pile, rest = self.piles[0], self.piles[1:]
        first = action - pile + 1
        placed = (*self.placed, Placement(pile, self.cards[first]))
        if not rest:
            return PlayCards(placed)
        return Placing({other: card for other, card in self.cards.items() if other != first}, rest, placed)


def choose(seen: Callable[[], View], legal: Sequence[Any]) -> Choice:
    """Opens the decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, ChooseSpecials):
        view = seen()
        return spelled((actions, move) for move in legal for actions in _keepings(view, move))
    if type(first) in LOOKS:
        return OneOf({LOOKS[type(move)]: move for move in legal})
    named = fighters(seen())
    return Placing({NUMBER["play", named[card], PILES[0]]: card for card in first.hand}, first.piles)


def _keepings(view: View, move: ChooseSpecials) -> Iterable[Sequence[int]]:
    """Yields the actions of a choice of specials, in either order."""
    named = fighters(view)
    pairs = [(NUMBER["keep", named[kept.card]], NUMBER["replace", named[kept.replaces]]) for kept in move.keep]
    return (sum(order, ()) for order in permutations(pairs))


def spell(view: View, move: Any) -> Sequence[int]:
    """Returns the actions that make a move."""
    if isinstance(move, ChooseSpecials):
        return next(iter(_keepings(view, move)))
    if isinstance(move, PlayCards):
        named = fighters(view)
        return [NUMBER["play", named[card.card], card.pile] for card in sorted(move.cards, key=lambda card: card.pile)]
    return (LOOKS[type(move)],)


# What a seat sees. Seats count from it: 0 is the seat itself, 1 the other.

SEAT_FIGURES = ("decided", "hand", "pile_left", "cemetery", "territories", "scalps", "bonus", "total")
DISTANCES = range(PLAYERS)


@lru_cache(maxsize=256)
def kind_of(card: Card) -> str:
    """Returns the name of a card's face."""
    return card.name if card.name in SPECIALS else f"warrior-{card.value}-{card.hair}"


class TerritorySlots:
    """The slots of the territory in play at a pile."""

    def __init__(self, slots: Slots, name: str) -> None:
        slots.figures(name, ("turns", "animals"))
        self.face, self.terrain = slots.marks(f"{name}/face", TERRITORIES), slots.marks(f"{name}/terrain", TERRAINS)
        self.picto = slots.marks(f"{name}/picto", PICTOS)

    def write(self, territory: TerritoryView | None, figures: list[float], marks: list[int]) -> None:
        """Adds a territory that lies face up."""
        if territory is None or territory.animals is UNSET:
            figures += (0, 0)
            return
        figures += (territory.turns, territory.animals)
        marks += (self.face[territory.face], self.terrain[territory.terrain], self.picto[territory.picto])


class CardSlots:
    """The slots of a place for a card: whether one is there, and its face if the seat knows it."""

    def __init__(self, slots: Slots, name: str) -> None:
        self.there, self.kind = slots.marks(name, ("there",)), slots.marks(f"{name}/kind", KINDS)

    def write(self, card: Any, marks: list[int]) -> None:
        """Adds a card; it is unset if the seat does not know it."""
        marks.append(self.there["there"])
        if card is not UNSET:
            marks.append(self.kind[kind_of(card)])


class BattleSlots:
    """The slots of two warriors face to face, each with its value after effects."""

    def __init__(self, slots: Slots, name: str) -> None:
        slots.figures(name, [f"value of {distance}" for distance in DISTANCES])
        self.face_up = slots.marks(name, ("face_up",))
        self.cards = [CardSlots(slots, f"{name}/{distance}") for distance in DISTANCES]

    def write(self, slot: SlotView | None, own: int, figures: list[float], marks: list[int]) -> None:
        """Adds the cards that are there."""
        if slot is None:
            figures += (0, 0)
            return
        if slot.face_up:
            marks.append(self.face_up["face_up"])
        for row, slots in zip((slot.cards[own - 1], slot.cards[2 - own]), self.cards, strict=True):
            figures.append(0 if row.value is UNSET else row.value)
            slots.write(row.card, marks)


class PileSlots:
    """The slots of a pile: the territory in play, the battle for it, the cards laid this turn, the turns below."""

    def __init__(self, slots: Slots, pile: int) -> None:
        name = f"pile {pile}"
        self.territory = TerritorySlots(slots, f"{name}/territory")
        self.battle = [BattleSlots(slots, f"{name}/slot {slot}") for slot in range(1, MOST_SLOTS + 1)]
        self.laid = [CardSlots(slots, f"{name}/laid by {distance}") for distance in DISTANCES]
        slots.figures(f"{name}/turns below", range(1, MOST_BELOW + 1))

    def write(self, pile: PileView, own: int, figures: list[float], marks: list[int]) -> None:
        """Adds the cards that are there."""
        self.territory.write(pile.territory, figures, marks)
        for slot, slots in zip_longest(pile.slots, self.battle):
            slots.write(slot, own, figures, marks)
        for row in pile.laid:
            self.laid[(row.seat - own) % PLAYERS].write(row.card, marks)
        below = [row.turns for row in pile.below]
        figures += below + [0] * (MOST_BELOW - len(below))


class SeatSlots:
    """The slots of a seat: its counts, and the territories that it has won."""

    def __init__(self, slots: Slots, distance: int) -> None:
        slots.figures(f"seat {distance}", SEAT_FIGURES)
        self.won = slots.marks(f"seat {distance}/won", TERRITORIES)

    def write(self, seat: SeatView, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds what everybody knows of the seat."""
        points = view.scores.scores[seat.seat - 1]
        figures += (seat.decided, seat.hand_count, seat.pile_left, seat.cemetery_count)
        figures += (points.territories, points.scalps, points.bonus, points.total)
        marks += [self.won[won.face] for won in seat.won]


class TomahawkObserver:
    """What a seat sees of Tomahawk."""

    def __init__(self) -> None:
        self.slots = Slots()
        slots = self.slots
        self.phase, self.turn = slots.marks("phase", PHASES), slots.marks("turn", range(TURNS + 1))
        self.to_act = slots.marks("to_act", DISTANCES)
        slots.figures("now", ("supply", "forced for turn"))
        self.discarded = slots.marks("discarded", TERRITORIES)
        self.most_wanted = slots.marks("most_wanted", TERRITORIES)
        self.forced_seat, self.forced_pile = slots.marks("forced/of", DISTANCES), slots.marks("forced/pile", PILES)
        self.forced = CardSlots(slots, "forced/card")
        self.dance_seat, self.dance_pile = slots.marks("dance/of", DISTANCES), slots.marks("dance/pile", PILES)
        self.hand, self.dealt = slots.marks("own/hand", FIGHTERS), slots.marks("own/dealt", SPECIALS)
        self.kept, self.replaced = slots.marks("own/kept", SPECIALS), slots.marks("own/replaced", WARRIORS)
        self.seats = [SeatSlots(slots, distance) for distance in DISTANCES]
        self.piles = [PileSlots(slots, pile) for pile in PILES]

    def write(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own = view.seat or 1
        marks += (self.phase[view.phase], self.turn[view.turn])
        marks += [self.to_act[(seat - own) % PLAYERS] for seat in view.to_act]
        figures += (view.supply, 0 if view.forced is None else view.forced.for_turn)
        marks += [self.discarded[row.face] for row in view.discarded if row.face is not UNSET]
        marks += [self.most_wanted[row.face] for row in view.unused if row.territory == view.most_wanted]
        self._specials_at_work(view, own, marks)
        self._own(view, marks)
        for slots, seat in zip(self.seats, (view.seats[own - 1], view.seats[2 - own]), strict=True):
            slots.write(seat, view, figures, marks)
        for pile_slots, pile in zip(self.piles, view.piles, strict=True):
            pile_slots.write(pile, own, figures, marks)

    def _specials_at_work(self, view: View, own: int, marks: list[int]) -> None:
        """Adds the forced card, and the dusk dance still to come."""
        if view.forced is not None:
            marks += (self.forced_seat[(view.forced.seat - own) % PLAYERS], self.forced_pile[view.forced.pile])
            self.forced.write(view.forced.card, marks)
        if view.dance is not None:
            marks += (self.dance_seat[(view.dance.seat - own) % PLAYERS], self.dance_pile[view.dance.pile])

    def _own(self, view: View, marks: list[int]) -> None:
        """Adds what only the seat itself knows."""
        named, own = fighters(view), own_seat(view)
        marks += [self.hand[named[row.card]] for row in own.hand]
        marks += [self.dealt[named[row.card]] for row in own.dealt]
        marks += [self.kept[named[row.card]] for row in own.kept]
        marks += [self.replaced[named[row.replaces]] for row in own.kept]


def coding(players: int) -> Coding:
    """Returns the coding of Tomahawk."""
    return Coding(players, tuple(ACTIONS.names), (*KEEP, *REPLACE, *PLAY), TomahawkObserver(), choose, spell)
