"""Manitou: the party card by card; a card and a ground as one action."""

from collections.abc import Sequence
from typing import Any

from games.manitou.components import CARDS, GROUNDS, HERO_CARDS, HUNTS, VALUE
from games.manitou.moves import PassTurn
from games.manitou.sight import HIDDEN, SeatView, View
from games.manitou_family_parties import ChooseParty, PartyChoice
from wintercount.env.choices import Choice, OneOf
from wintercount.env.layout import Actions, Coding, Slots
from wintercount.env.manitou_family_coding import GroundSlots, PartyActions, Pieces

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
PARTY = PartyActions(ACTIONS, CARDS)
ACTIONS.add("play", [(card, ground) for card in CARDS for ground in GROUNDS])
(PASS,) = ACTIONS.add("pass")

PLAY_ON = {card: ACTIONS.numbers["play", card, GROUNDS[0]] - GROUNDS[0] for card in CARDS}  # and the ground


def choose(_: Any, legal: Sequence[Any]) -> Choice:
    """Opens the decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, PartyChoice):
        return PARTY.choose(first)
    if isinstance(first, PassTurn):
        return OneOf({PASS: first})
    return OneOf({PLAY_ON[move.card] + move.ground: move for move in legal})


def spell(_: View, move: Any) -> Sequence[int]:
    """Returns the actions that make a move."""
    if isinstance(move, ChooseParty):
        return PARTY.spell(move)
    return (PASS,) if isinstance(move, PassTurn) else (PLAY_ON[move.card] + move.ground,)


# What a seat sees. Seats count from it: 0 is the seat itself, 1 the next clockwise.

PIECES = Pieces("stake", BUFFALO, CARDS, HERO_CARDS)  # of a ground


class SeatSlots:
    """The slots of a seat: its counts, its unseen cards, the buffalo it has taken, and prisoners by their seat."""

    def __init__(self, slots: Slots, seat: int, owners: Sequence[int]) -> None:
        name = f"seat {seat}"
        slots.figures(name, SEAT_FIGURES)
        self.unseen = slots.marks(f"{name}/unseen", CARDS)
        self.buffalo = slots.marks(f"{name}/buffalo", BUFFALO)
        self.prisoners = [slots.marks(f"{name}/prisoners of {owner}", CARDS) for owner in owners]

    def write(self, seat: SeatView, total: int, own: int, figures: list[float], marks: list[int]) -> None:
        """Adds what everybody knows of the seat."""
        figures += (seat.party_size, seat.party_chosen, seat.reserve_count, seat.party_count, seat.pile_count)
        figures += (seat.hand_count, len(seat.hide_thieves), seat.paper_penalties, total)
        marks += map(self.unseen.__getitem__, seat.unseen_cards)
        marks += map(self.buffalo.__getitem__, seat.buffalo)
        marks += [self.prisoners[(row.seat - own) % len(self.prisoners)][row.card] for row in seat.prisoners]


class ManitouObserver:
    """What a seat sees of Manitou."""

    def __init__(self, players: int) -> None:
        self.players, self.slots = players, Slots()
        seats, slots = range(players), self.slots
        self.phase, self.hunt = slots.marks("phase", PHASES), slots.marks("hunt", range(1, HUNTS + 1))
        slots.figures("now", ("turns_taken", "hide_thieves_left"))
        self.dealer, self.to_act = slots.marks("dealer", seats), slots.marks("to_act", seats)
        self.small, self.large = slots.marks("small_herd", BUFFALO), slots.marks("large_herd", BUFFALO)
        self.removed = slots.marks("removed", BUFFALO)
        self.own = {place: slots.marks(f"own/{place}", CARDS) for place in HIDDEN}
        self.seats = [SeatSlots(slots, seat, seats) for seat in seats]
        self.grounds = [GroundSlots(slots, ground, seats, PIECES) for ground in GROUNDS]

    def write(self, seen: View, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own, players = seen.seat or 1, self.players
        marks += (self.phase[seen.phase], self.hunt[seen.hunt])
        figures += (seen.turns_taken, len(seen.hide_thieves))
        if seen.dealer is not None:
            marks.append(self.dealer[(seen.dealer - own) % players])
        marks += [self.to_act[(seat - own) % players] for seat in seen.to_act]
        marks += map(self.small.__getitem__, seen.small_pile.cards)
        marks += map(self.large.__getitem__, seen.large_pile.cards)
        marks += map(self.removed.__getitem__, seen.removed)
        for place, slots in self.own.items():
            marks += map(slots.__getitem__, getattr(seen.seats[own - 1], place))
        for distance, seat_slots in enumerate(self.seats):
            seat = (own + distance - 1) % players
            seat_slots.write(seen.seats[seat], seen.scores.scores[seat].total, own, figures, marks)
        for ground_slots, ground in zip(self.grounds, seen.grounds, strict=True):
            marks += ground_slots.marks(ground, ground.buffalo, own)


def coding(players: int) -> Coding:
    """Returns the coding of Manitou for so many players."""
    return Coding(players, tuple(ACTIONS.names), tuple(PARTY.numbers), ManitouObserver(players), choose, spell)
