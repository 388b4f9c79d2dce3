"""Tomahawk: cards are placed pile by pile; a warrior is named by what it shows, as its id changes from game to game."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

from msgspec import UNSET

from games.tomahawk.components import BALANCED_1, PICTOS, PILES, SPECIES, TURNS
from games.tomahawk.events.rows import Card
from games.tomahawk.moves import ChooseSpecials, DeclineForestLook, LookInForests, Placement, PlayCards
from games.tomahawk.sight import PileView, SeatView, SlotView, TerritoryView, View
from wintercount.env.choices import Choice, OneOf, spelled
from wintercount.env.layout import Actions, Block, Coding, block
from wintercount.env.rows import KEPT, flags, nothing, number, numbers, one_of
from wintercount.env.seating import around, of_some_seats

PHASES = ("choose_specials", "play_cards", "mountain_look", "over")
MOST_SLOTS = 3  # of a battle
MOST_BELOW = 4  # territories of a pile before one is in play
PLAYERS = 2


def _face_names() -> list[str]:
    """A name for each basic warrior of the catalogue; of two alike the second has `b`."""
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

of_kind, of_kinds_kept, of_fighters = one_of(KINDS), flags(SPECIALS), flags(FIGHTERS)
of_warriors, of_territory, of_territories = flags(WARRIORS), one_of(TERRITORIES), flags(TERRITORIES)
of_phases, of_turns, of_piles = one_of(PHASES), one_of(range(TURNS + 1)), one_of(PILES)
of_terrain, of_picto = one_of(TERRAINS), one_of(PICTOS)


def fighters(view: View) -> Mapping[str, str]:
    """The name of each card of the seat, by its id: its warriors in the order of the catalogue, and its specials."""
    own = own_seat(view)
    return _fighters(own.faces, own.dealt)


@lru_cache(maxsize=KEPT)
def _fighters(faces: Sequence[Card], dealt: Sequence[Card]) -> Mapping[str, str]:
    ordered = sorted(faces, key=lambda card: (card.value, card.hair, card.card))
    named = dict(zip([card.card for card in ordered], WARRIORS, strict=False))
    return {**named, **{card.card: card.name for card in dealt}}


def own_seat(view: View) -> Any:
    """What the seat that looks knows of itself."""
    return view.seats[(view.seat or 1) - 1]


class Placing:
    """A card of the hand for each pile, pile by pile."""

    __slots__ = ("cards", "piles", "placed")

    def __init__(self, cards: Mapping[int, str], piles: Sequence[Any], placed: tuple[Placement, ...] = ()) -> None:
        self.cards, self.piles, self.placed = cards, piles, placed

    @property
    def open(self) -> Sequence[int]:
        """Each card of the hand at the next pile."""
        return [action + self.piles[0] - 1 for action in self.cards]

    def take(self, action: int) -> Any:
        """What is left when that card is placed; after the last pile the move."""
        pile, rest = self.piles[0], self.piles[1:]
        first = action - pile + 1
        placed = (*self.placed, Placement(pile, self.cards[first]))
        if not rest:
            return PlayCards(placed)
        return Placing({other: card for other, card in self.cards.items() if other != first}, rest, placed)


def choose(view: View, legal: Sequence[Any]) -> Choice:
    """The decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, ChooseSpecials):
        return spelled((actions, move) for move in legal for actions in _keepings(view, move))
    if type(first) in LOOKS:
        return OneOf({LOOKS[type(move)]: move for move in legal})
    named = fighters(view)
    return Placing({NUMBER["play", named[card], PILES[0]]: card for card in first.hand}, first.piles)


def _keepings(view: View, move: ChooseSpecials) -> Iterable[Sequence[int]]:
    """The actions of a choice of specials, in either order of them."""
    named = fighters(view)
    pairs = [(NUMBER["keep", named[kept.card]], NUMBER["replace", named[kept.replaces]]) for kept in move.keep]
    return (sum(order, ()) for order in permutations(pairs))


def spell(view: View, move: Any) -> Sequence[int]:
    """The actions that make a move."""
    if isinstance(move, ChooseSpecials):
        return next(iter(_keepings(view, move)))
    if isinstance(move, PlayCards):
        named = fighters(view)
        return [NUMBER["play", named[card.card], card.pile] for card in sorted(move.cards, key=lambda card: card.pile)]
    return (LOOKS[type(move)],)


# What a seat sees


def _moment() -> list[Block]:
    """The course of the game, and what lies beside the piles."""
    seats, at = range(PLAYERS), of_relative()
    return [
        block("phase", PHASES, lambda view: of_phases(view.phase)),
        block("turn", range(TURNS + 1), lambda view: of_turns(view.turn)),
        block("to_act", seats, of_some_seats(PLAYERS, "to_act")),
        block("supply", ["left"], lambda view: number(view.supply)),
        block("discarded", TERRITORIES, lambda view: of_territories(tuple([row.face for row in view.discarded]))),
        block("most_wanted", TERRITORIES, _most_wanted),
        block(
            "forced",
            [*seats, *(f"pile {pile}" for pile in PILES), "for_turn", *KINDS],
            lambda view: _forced(view, at),
        ),
        block("dance", [*seats, *(f"pile {pile}" for pile in PILES)], lambda view: _dance(view, at)),
    ]


def of_relative() -> Any:
    """A row of a seat as the one that looks tells it."""
    row = one_of(range(PLAYERS))
    return lambda view, seat: row((seat - view.seat) % PLAYERS)


def _most_wanted(view: View) -> bytes:
    return of_territory(next((row.face for row in view.unused if row.territory == view.most_wanted), None))


def _forced(view: View, at: Any) -> bytes:
    forced = view.forced
    if forced is None:
        return nothing(PLAYERS + len(PILES) + 1 + len(KINDS))
    return b"".join([at(view, forced.seat), of_piles(forced.pile), number(forced.for_turn), _kind(forced.card)])


def _dance(view: View, at: Any) -> bytes:
    dance = view.dance
    return nothing(PLAYERS + len(PILES)) if dance is None else at(view, dance.seat) + of_piles(dance.pile)


def _kind(card: Any) -> bytes:
    """What a card shows, as far as the seat knows it."""
    return of_kind(None) if card is UNSET else of_kind(kind_of(card))


@lru_cache(maxsize=KEPT)
def kind_of(card: Card) -> str:
    """The name of what a card shows."""
    return card.name if card.name in SPECIALS else f"warrior-{card.value}-{card.hair}"


def _own() -> list[Block]:
    """What the seat alone knows of itself."""
    return [
        block("own/hand", FIGHTERS, lambda view: of_fighters(_named(view, own_seat(view).hand))),
        block("own/dealt", SPECIALS, lambda view: of_kinds_kept(_named(view, own_seat(view).dealt))),
        block("own/kept", SPECIALS, lambda view: of_kinds_kept(_named(view, own_seat(view).kept))),
        block("own/replaced", WARRIORS, _replaced),
    ]


def _named(view: View, cards: Iterable[Any]) -> tuple[str, ...]:
    named = fighters(view)
    return tuple([named[row.card] for row in cards])


def _replaced(view: View) -> bytes:
    named = fighters(view)
    return of_warriors(tuple([named[row.replaces] for row in own_seat(view).kept]))


SEAT_FIGURES = ("decided", "hand", "pile_left", "cemetery", "territories", "scalps", "bonus", "total")


def _seats() -> list[Block]:
    """What everybody knows of each seat, and the territories that it has won."""
    slots = [*SEAT_FIGURES, *TERRITORIES]
    names = [f"seat {distance}/{slot}" for distance in range(PLAYERS) for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_seat_row(seat, view) for seat in around(view)]))]


def _seat_row(seat: SeatView, view: View) -> bytes:
    points = view.scores.scores[seat.seat - 1]
    figures = (
        seat.decided,
        seat.hand_count,
        seat.pile_left,
        seat.cemetery_count,
        points.territories,
        points.scalps,
        points.bonus,
        points.total,
    )
    return numbers(figures) + of_territories(tuple([won.face for won in seat.won]))


TERRITORY_SLOTS = (*TERRITORIES, *TERRAINS, *PICTOS, "turns", "animals")
CARD_SLOTS = ("there", *KINDS, "value")
BATTLE_SLOTS = ("face_up", *(f"{distance} {slot}" for distance in range(PLAYERS) for slot in CARD_SLOTS))
LAID_SLOTS = ("there", *KINDS)


def _piles() -> list[Block]:
    """Each pile: the territory in play, the battle for it, the cards laid this turn, the turns of what lies below."""
    slots = [
        *TERRITORY_SLOTS,
        *(f"slot {slot} {name}" for slot in range(1, MOST_SLOTS + 1) for name in BATTLE_SLOTS),
        *(f"laid {distance} {name}" for distance in range(PLAYERS) for name in LAID_SLOTS),
        *(f"below {place} turns" for place in range(1, MOST_BELOW + 1)),
    ]
    names = [f"pile {pile}/{slot}" for pile in PILES for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_pile_row(pile, view.seat) for pile in view.piles]))]


@lru_cache(maxsize=KEPT)
def _pile_row(pile: PileView, seat: int) -> bytes:
    slots = [_slot_row(slot, seat) for slot in pile.slots]
    laid = {row.seat: ONE_CARD + _kind(row.card) for row in pile.laid}
    below = [row.turns for row in pile.below]
    return b"".join(
        [
            _territory_row(pile.territory),
            *slots,
            nothing((MOST_SLOTS - len(slots)) * len(BATTLE_SLOTS)),
            *(laid.get(other, nothing(len(LAID_SLOTS))) for other in (seat, 3 - seat)),
            numbers((*below, *[0] * (MOST_BELOW - len(below)))),
        ]
    )


ONE_CARD = number(1)


def _territory_row(territory: TerritoryView | None) -> bytes:
    if territory is None:
        return nothing(len(TERRITORY_SLOTS))
    shown = of_territory(territory.face) + of_terrain(territory.terrain) + of_picto(territory.picto)
    return shown + numbers((territory.turns, territory.animals))


def _slot_row(slot: SlotView, seat: int) -> bytes:
    cards = sorted(slot.cards, key=lambda row: row.seat != seat)
    told = [ONE_CARD + _kind(row.card) + number(0 if row.value is UNSET else row.value) for row in cards]
    return b"".join([number(slot.face_up), *told])


def coding(players: int) -> Coding:
    """How Tomahawk is told."""
    blocks = (*_moment(), *_own(), *_seats(), *_piles())
    return Coding(players, tuple(ACTIONS.names), (*KEEP, *REPLACE, *PLAY), blocks, choose, spell)
