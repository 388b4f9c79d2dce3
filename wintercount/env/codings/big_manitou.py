"""Big Manitou: the party card by card, the tiles of an award tile by tile; a card and a ground as one action."""

from collections.abc import Sequence
from typing import Any

from games.big_manitou.components import DECK, GROUNDS, HEROES, HUNTERS, TABLES, TILE_ORDER
from games.big_manitou.events import Award
from games.big_manitou.moves import (
    DeclineExtraCard,
    DeclineHunterMove,
    DiscardTile,
    MoveHunter,
    PassTurn,
    PlayCard,
    PlayExtraCard,
    TakeTiles,
)
from games.big_manitou.sight import HEAPS, SeatView, View
from games.manitou_family_parties import ChooseParty, PartyChoice
from wintercount.env.choices import Choice, Gathered, OneOf
from wintercount.env.layout import Actions, Coding, Slots, places_among
from wintercount.env.manitou_family_coding import GroundSlots, PartyActions, Pieces

PHASES = ("party", "play", "extra_card", "hunter_move", "penalty", "take_tiles", "over")
STEPS = ("hero", "majority", "runner_up")
TILES = tuple(TILE_ORDER)
ORDERS = ("totem_gains", "horse_gains", "owing")  # of seats
PIECES = Pieces("tiles", TILES, DECK, HEROES)  # of a ground
MOST_HUNTS = 5
SEAT_FIGURES = (
    "party_size",
    "party_chosen",
    "reserve",
    "party",
    "pile",
    "hand",
    "spent",
    "tiles_taken",
    "total",
    "bonus",
)

PLACES = [(card, ground) for card in DECK for ground in GROUNDS]
HUNTER_PLACES = [(card, ground) for card in HUNTERS for ground in GROUNDS]
ACTIONS = Actions()
PARTY = PartyActions(ACTIONS, DECK)
PLAY = ACTIONS.add("play", PLACES)
(PASS,) = ACTIONS.add("pass")
EXTRA = ACTIONS.add("play_extra", PLACES)
(NO_EXTRA,) = ACTIONS.add("decline_extra")
MOVE = ACTIONS.add("move", HUNTER_PLACES)
(NO_MOVE,) = ACTIONS.add("decline_move")
DISCARD = ACTIONS.add("discard", TILES)
TAKE = ACTIONS.add("take", TILES)

NUMBERS: dict[Any, int] = {
    **{PlayCard(*place): action for action, place in zip(PLAY, PLACES, strict=True)},
    PassTurn(): PASS,
    **{PlayExtraCard(*place): action for action, place in zip(EXTRA, PLACES, strict=True)},
    DeclineExtraCard(): NO_EXTRA,
    **{MoveHunter(*place): action for action, place in zip(MOVE, HUNTER_PLACES, strict=True)},
    DeclineHunterMove(): NO_MOVE,
    **{DiscardTile(tile): action for action, tile in zip(DISCARD, TILES, strict=True)},
}
PLAY_ON = {card: ACTIONS.numbers["play", card, GROUNDS[0]] - GROUNDS[0] for card in DECK}  # and the ground
TAKING_OF = dict(zip(TILES, TAKE, strict=True))


def choose(_: Any, legal: Sequence[Any]) -> Choice:
    """Opens the decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, PartyChoice):
        return PARTY.choose(first)
    if isinstance(first, TakeTiles):
        return Gathered([(_taking(move), move) for move in legal])
    if isinstance(first, PlayCard):
        return OneOf({PLAY_ON[move.card] + move.ground: move for move in legal})
    return OneOf({NUMBERS[move]: move for move in legal})


def _taking(move: TakeTiles) -> Sequence[int]:
    return [TAKING_OF[tile] for tile in move.tiles]


def spell(_: View, move: Any) -> Sequence[int]:
    """Returns the actions that make a move."""
    if isinstance(move, ChooseParty):
        return PARTY.spell(move)
    return sorted(_taking(move)) if isinstance(move, TakeTiles) else (NUMBERS[move],)


# What a seat sees. Seats count from it: 0 is the seat itself, 1 the next clockwise.


class SeatSlots:
    """The slots of a seat: its counts, and the cards and tiles before it."""

    def __init__(self, slots: Slots, seat: int) -> None:
        name = f"seat {seat}"
        slots.figures(name, SEAT_FIGURES)
        self.discards = slots.marks(f"{name}/discards", DECK)
        self.tiles = slots.marks(f"{name}/tiles", TILES)

    def write(self, seat: SeatView, known: tuple[int, int, int], figures: list[float], marks: list[int]) -> None:
        """Adds what everybody knows of the seat; `known` beside its row are the size of its party, total and bonus."""
        size, total, bonus = known
        figures += (size, seat.party_chosen, seat.reserve_count, seat.party_count, seat.pile_count, seat.hand_count)
        figures += (seat.spent_count, seat.tiles_taken, total, bonus)
        marks += map(self.discards.__getitem__, seat.discards)
        marks += map(self.tiles.__getitem__, seat.tiles)


def awards(rows: Sequence[Award], own: int, players: int) -> list[int]:
    """Returns how many tiles each seat, from one's own on, may still take by each step of the evaluation."""
    counts = [0] * (players * len(STEPS))
    for row in rows:
        counts[(row.seat - own) % players * len(STEPS) + STEPS.index(row.step)] += row.count
    return counts


class BigManitouObserver:
    """What a seat sees of Big Manitou."""

    def __init__(self, players: int) -> None:
        self.players, self.slots = players, Slots()
        self.party_sizes = TABLES[players].party_sizes  # in turn order
        seats, slots = range(players), self.slots
        self.phase, self.hunt = slots.marks("phase", PHASES), slots.marks("hunt", range(1, MOST_HUNTS + 1))
        slots.figures("now", ("turns_taken", "bag_left"))
        self.dealer, self.to_act = slots.marks("dealer", seats), slots.marks("to_act", seats)
        self.totem, self.horse = slots.marks("totem_cylinder", seats), slots.marks("horse_cylinder", seats)
        for order in ORDERS:
            slots.figures(order, seats)
        self.evaluating = slots.marks("evaluating", GROUNDS)
        slots.figures("awards", [f"{step} of {seat}" for seat in seats for step in STEPS])
        self.removed = slots.marks("removed", TILES)
        self.own = {place: slots.marks(f"own/{place}", DECK) for place in HEAPS}
        self.seats = [SeatSlots(slots, seat) for seat in seats]
        self.grounds = [GroundSlots(slots, ground, seats, PIECES) for ground in GROUNDS]

    def write(self, seen: View, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own, players = seen.seat or 1, self.players
        self._roles(seen, own, marks)
        figures += (seen.turns, seen.bag_left)
        for order in ORDERS:
            figures += places_among(getattr(seen, order), own, players)
        figures += awards(seen.awards, own, players)
        if seen.evaluating:
            marks.append(self.evaluating[seen.evaluating])
        marks += map(self.removed.__getitem__, seen.removed)
        for place, slots in self.own.items():
            marks += map(slots.__getitem__, getattr(seen.seats[own - 1], place) or ())  # unset while not seen (BM-R5)
        for distance, seat_slots in enumerate(self.seats):
            seat = (own + distance - 1) % players
            bonus = seen.bonuses[seat] if seen.bonuses else 0
            known = (self.party_sizes[seen.turn_order.index(seat + 1)], seen.scores.scores[seat].total, bonus)
            seat_slots.write(seen.seats[seat], known, figures, marks)
        for ground_slots, ground in zip(self.grounds, seen.grounds, strict=True):
            marks += ground_slots.marks(ground, ground.tiles, own)

    def _roles(self, seen: View, own: int, marks: list[int]) -> None:
        """Adds the phase, and the seats that deal, hold a cylinder and have to decide."""
        marks += (self.phase[seen.phase or "over"], self.hunt[seen.hunt])
        held = (
            (self.dealer, seen.turn_order[-1]),
            (self.totem, seen.totem_cylinder),
            (self.horse, seen.horse_cylinder),
        )
        marks += [slots[(seat - own) % self.players] for slots, seat in held if seat is not None]
        marks += [self.to_act[(seat - own) % self.players] for seat in seen.to_act]


def coding(players: int) -> Coding:
    """Returns the coding of Big Manitou for so many players."""
    parts = (*PARTY.numbers, *TAKE)
    return Coding(players, tuple(ACTIONS.names), parts, BigManitouObserver(players), choose, spell)
