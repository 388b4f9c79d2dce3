"""Manitou: the party card by card; a card and a ground as one action."""

from collections.abc import Sequence
from typing import Any

from games.kernel import MoveSet
from games.manitou.components import CARDS, GROUNDS, HERO_CARDS, HUNTS, VALUE
from games.manitou.moves import PassTurn
from games.manitou.sight import HIDDEN, SeatView, View
from games.parties import ChooseParty
from wintercount.env.choices import AnyOf, Choice, OneOf
from wintercount.env.grounds import GroundSlots, Pieces
from wintercount.env.layout import Actions, Coding, Slots

PHASES = ("party", "play", "over")
BUFFALO = tuple(VALUE)
SEAT_FIGURES = (
    "party_size",
    "party_chosen",
    "reserve",
    "party",
    "pile",
    "hand",
    "hide_thieves",
    "paper_penalties",
    "total",
)

ACTIONS = Actions()
CHOOSE = ACTIONS.add("choose", CARDS)
ACTIONS.add("play", [(card, ground) for card in CARDS for ground in GROUNDS])
(PASS,) = ACTIONS.add("pass")

PLAY_ON = {card: ACTIONS.numbers["play", card, GROUNDS[0]] - GROUNDS[0] for card in CARDS}  # and the ground
CARD_OF = dict(zip(CHOOSE, CARDS, strict=True))
CHOICE_OF = {card: action for action, card in CARD_OF.items()}


def choose(_: View, legal: Sequence[Any]) -> Choice:
    """The decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, MoveSet):
        return AnyOf([CHOICE_OF[card] for card in first.from_], first.choose, _party)  # type: ignore[attr-defined]
    if isinstance(first, PassTurn):
        return OneOf({PASS: first})
    return OneOf({PLAY_ON[move.card] + move.ground: move for move in legal})


def _party(actions: Sequence[int]) -> ChooseParty:
    return ChooseParty(tuple([CARD_OF[action] for action in actions]))


def spell(_: View, move: Any) -> Sequence[int]:
    """The actions that make a move."""
    if isinstance(move, ChooseParty):
        return sorted(CHOICE_OF[card] for card in move.cards)
    return (PASS,) if isinstance(move, PassTurn) else (PLAY_ON[move.card] + move.ground,)


# What a seat sees. Seats are told by their distance from it: 0 is itself, 1 the next clockwise.

PIECES = Pieces("stake", BUFFALO, CARDS, HERO_CARDS)  # of a ground


class SeatSlots:
    """The slots of a seat: how much it has, its cards out of sight, what it has taken; prisoners by whose they were."""

    def __init__(self, slots: Slots, distance: int, players: int) -> None:
        name = f"seat {distance}"
        slots.figures(name, SEAT_FIGURES)
        self.unseen = slots.marks(f"{name}/unseen", CARDS)
        self.buffalo = slots.marks(f"{name}/buffalo", BUFFALO)
        self.prisoners = [slots.marks(f"{name}/prisoners of {owner}", CARDS) for owner in range(players)]


class ManitouObserver:
    """What a seat sees of Manitou."""

    def __init__(self, players: int) -> None:
        self.players, self.slots = players, Slots()
        slots = self.slots
        self.phase, self.hunt = slots.marks("phase", PHASES), slots.marks("hunt", range(1, HUNTS + 1))
        slots.figures("now", ("turns_taken", "hide_thieves_left"))
        self.dealer, self.to_act = slots.marks("dealer", range(players)), slots.marks("to_act", range(players))
        self.small, self.large = slots.marks("small_herd", BUFFALO), slots.marks("large_herd", BUFFALO)
        self.removed = slots.marks("removed", BUFFALO)
        self.own = {place: slots.marks(f"own/{place}", CARDS) for place in HIDDEN}
        self.seats = [SeatSlots(slots, distance, players) for distance in range(players)]
        self.grounds = [GroundSlots(slots, ground, players, PIECES) for ground in GROUNDS]

    def tell(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own = view.seat or 1
        marks += (self.phase[view.phase], self.hunt[view.hunt])
        figures += (view.turns_taken, len(view.hide_thieves))
        if view.dealer is not None:
            marks.append(self.dealer[(view.dealer - own) % self.players])
        marks += [self.to_act[(seat - own) % self.players] for seat in view.to_act]
        marks += map(self.small.__getitem__, view.small_pile.cards)
        marks += map(self.large.__getitem__, view.large_pile.cards)
        marks += map(self.removed.__getitem__, view.removed)
        for place, slots in self.own.items():
            marks += map(slots.__getitem__, getattr(view.seats[own - 1], place))
        for distance, told in enumerate(self.seats):
            self._seat(view, view.seats[(own - 1 + distance) % self.players], told, figures, marks)
        for told_ground, ground in zip(self.grounds, view.grounds, strict=True):
            told_ground.tell(ground, ground.buffalo, own, marks)

    def _seat(self, view: View, seat: SeatView, told: SeatSlots, figures: list[float], marks: list[int]) -> None:
        figures += (
            seat.party_size,
            seat.party_chosen,
            seat.reserve_count,
            seat.party_count,
            seat.pile_count,
            seat.hand_count,
            len(seat.hide_thieves),
            seat.paper_penalties,
            view.scores[seat.seat - 1].total,
        )
        marks += map(told.unseen.__getitem__, seat.unseen_cards)
        marks += map(told.buffalo.__getitem__, seat.buffalo)
        own = view.seat or 1
        marks += [told.prisoners[(row.seat - own) % self.players][row.card] for row in seat.prisoners]


def coding(players: int) -> Coding:
    """How Manitou for so many players is told."""
    return Coding(players, tuple(ACTIONS.names), tuple(CHOOSE), ManitouObserver(players), choose, spell)
