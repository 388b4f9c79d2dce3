"""Manitou: the party card by card; a card and a ground as one action."""

from collections.abc import Sequence
from typing import Any

from games.kernel import MoveSet
from games.manitou.components import CARDS, GROUNDS, HERO_CARDS, HUNTS, VALUE
from games.manitou.moves import PassTurn
from games.manitou.sight import HIDDEN, Knowledge, knowledge
from games.manitou.state import Ground
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


def choose(_: Any, legal: Sequence[Any]) -> Choice:
    """Opens the decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, MoveSet):
        return AnyOf([CHOICE_OF[card] for card in first.from_], first.choose, _party)  # type: ignore[attr-defined]
    if isinstance(first, PassTurn):
        return OneOf({PASS: first})
    return OneOf({PLAY_ON[move.card] + move.ground: move for move in legal})


def _party(actions: Sequence[int]) -> ChooseParty:
    return ChooseParty(tuple([CARD_OF[action] for action in actions]))


def spell(_: Knowledge, move: Any) -> Sequence[int]:
    """Returns the actions that make a move."""
    if isinstance(move, ChooseParty):
        return sorted(CHOICE_OF[card] for card in move.cards)
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
        self.reserve, self.party, self.pile, self.hand = [slots.marks(f"own/{place}", CARDS) for place in HIDDEN]
        self.seats = [SeatSlots(slots, seat, seats) for seat in seats]
        self.grounds = [GroundSlots(slots, ground, seats, PIECES) for ground in GROUNDS]

    def write(self, seen: Knowledge, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own, players = seen.seat, self.players
        marks += (self.phase[seen.phase], self.hunt[seen.hunt])
        figures += (seen.turns_taken, seen.hide_thieves)
        if seen.dealer is not None:
            marks.append(self.dealer[(seen.dealer - own) % players])
        marks += [self.to_act[(seat - own) % players] for seat in seen.to_act]
        marks += map(self.small.__getitem__, seen.small)
        marks += map(self.large.__getitem__, seen.large)
        marks += map(self.removed.__getitem__, seen.removed)
        marks += map(self.reserve.__getitem__, seen.reserve)
        marks += map(self.party.__getitem__, seen.party)
        marks += map(self.pile.__getitem__, seen.pile)
        marks += map(self.hand.__getitem__, seen.hand)
        for distance, slots in enumerate(self.seats):
            self._seat(seen, (own + distance - 1) % players, slots, figures, marks)
        for ground_slots, ground in zip(self.grounds, seen.grounds, strict=True):
            self._ground(ground_slots, ground, own, marks)

    def _seat(self, seen: Knowledge, place: int, slots: SeatSlots, figures: list[float], marks: list[int]) -> None:
        camp, points = seen.seats[place], seen.points[place]
        figures += (
            camp.party_size,
            camp.party_chosen,
            camp.reserve,
            camp.party,
            camp.pile,
            camp.hand,
            len(points.hide_thieves),
            points.paper_penalties,
            seen.totals[place],
        )
        marks += map(slots.unseen.__getitem__, camp.unseen)
        marks += map(slots.buffalo.__getitem__, points.buffalo)
        for row in points.prisoners:
            marks.append(slots.prisoners[(row.seat - seen.seat) % self.players][row.card])

    def _ground(self, slots: GroundSlots, ground: Ground, own: int, marks: list[int]) -> None:
        slots.write(ground.buffalo, ground.sides, own, marks)
        if up := ground.face_up:
            slots.write_heroes(up.seat, up.cards, own, marks)
            slots.write_last(up.cards[-1], marks)


def coding(players: int) -> Coding:
    """Returns the coding of Manitou for so many players."""
    return Coding(players, tuple(ACTIONS.names), tuple(CHOOSE), ManitouObserver(players), choose, spell, knowledge)
