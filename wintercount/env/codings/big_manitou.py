"""Big Manitou: the party card by card, the tiles of an award tile by tile; a card and a ground as one action."""

from collections.abc import Sequence
from typing import Any

from games.big_manitou.components import DECK, GROUNDS, HEROES, HUNTERS, TILE_ORDER
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
from games.big_manitou.sight import HIDDEN, SeatView, View
from games.kernel import MoveSet
from games.parties import ChooseParty
from wintercount.env.choices import AnyOf, Choice, Gathered, OneOf
from wintercount.env.grounds import GroundSlots, Pieces
from wintercount.env.layout import Actions, Coding, Slots, places_among

PHASES = ("party", "play", "extra_card", "hunter_move", "penalty", "take_tiles", "over")
MOST_HUNTS = 5
STEPS = ("hero", "majority", "runner_up")
TILES = tuple(TILE_ORDER)
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
CHOOSE = ACTIONS.add("choose", DECK)
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
CARD_OF = dict(zip(CHOOSE, DECK, strict=True))
CHOICE_OF = {card: action for action, card in CARD_OF.items()}
TAKING_OF = dict(zip(TILES, TAKE, strict=True))


def choose(_: View, legal: Sequence[Any]) -> Choice:
    """The decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, MoveSet):
        return AnyOf([CHOICE_OF[card] for card in first.from_], first.choose, _party)  # type: ignore[attr-defined]
    if isinstance(first, TakeTiles):
        return Gathered([(_taking(move), move) for move in legal])
    if isinstance(first, PlayCard):
        return OneOf({PLAY_ON[move.card] + move.ground: move for move in legal})
    return OneOf({NUMBERS[move]: move for move in legal})


def _party(actions: Sequence[int]) -> ChooseParty:
    return ChooseParty(tuple([CARD_OF[action] for action in actions]))


def _taking(move: TakeTiles) -> Sequence[int]:
    return [TAKING_OF[tile] for tile in move.tiles]


def spell(_: View, move: Any) -> Sequence[int]:
    """The actions that make a move."""
    if isinstance(move, ChooseParty):
        return sorted(CHOICE_OF[card] for card in move.cards)
    return sorted(_taking(move)) if isinstance(move, TakeTiles) else (NUMBERS[move],)


# What a seat sees. Seats are told by their distance from it: 0 is itself, 1 the next clockwise.

ORDERS = ("totem_gains", "horse_gains", "owing")  # of seats

PIECES = Pieces("tiles", TILES, DECK, HEROES)  # of a ground


class SeatSlots:
    """The slots of a seat: how much it has, and which cards and tiles lie before it."""

    def __init__(self, slots: Slots, distance: int) -> None:
        name = f"seat {distance}"
        slots.figures(name, SEAT_FIGURES)
        self.discards = slots.marks(f"{name}/discards", DECK)
        self.tiles = slots.marks(f"{name}/tiles", TILES)


class BigManitouObserver:
    """What a seat sees of Big Manitou."""

    def __init__(self, players: int) -> None:
        self.players, self.slots = players, Slots()
        slots, seats = self.slots, range(players)
        self.phase, self.hunt = slots.marks("phase", PHASES), slots.marks("hunt", range(1, MOST_HUNTS + 1))
        slots.figures("now", ("turns_taken", "bag_left"))
        self.dealer, self.to_act = slots.marks("dealer", seats), slots.marks("to_act", seats)
        self.totem, self.horse = slots.marks("totem_cylinder", seats), slots.marks("horse_cylinder", seats)
        for order in ORDERS:
            slots.figures(order, seats)
        self.evaluating = slots.marks("evaluating", GROUNDS)
        slots.figures("awards", [f"{step} of {seat}" for seat in seats for step in STEPS])
        self.removed = slots.marks("removed", TILES)
        self.own = {place: slots.marks(f"own/{place}", DECK) for place in HIDDEN}
        self.seats = [SeatSlots(slots, distance) for distance in seats]
        self.grounds = [GroundSlots(slots, ground, players, PIECES) for ground in GROUNDS]

    def tell(self, view: View, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own, players = view.seat or 1, self.players
        self._roles(view, own, marks)
        figures += (view.turns, view.bag_left)
        figures += places_among(view.totem_gains, own, players)
        figures += places_among(view.horse_gains, own, players)
        figures += places_among(view.owing, own, players)
        figures += self._awards(view, own)
        if view.evaluating:
            marks.append(self.evaluating[view.evaluating])
        marks += map(self.removed.__getitem__, view.removed)
        for place, slots in self.own.items():
            marks += map(slots.__getitem__, getattr(view.seats[own - 1], place))
        sizes = {row.seat: row.size for row in view.party_sizes}
        for distance, told in enumerate(self.seats):
            seat_view = view.seats[(own - 1 + distance) % players]
            figures.append(sizes.get(seat_view.seat, 0))
            self._seat(view, seat_view, told, figures, marks)
        for told_ground, ground in zip(self.grounds, view.grounds, strict=True):
            told_ground.tell(ground, ground.tiles, own, marks)

    def _roles(self, view: View, own: int, marks: list[int]) -> None:
        """The phase, and who deals, holds a cylinder and has to decide."""
        marks += (self.phase[view.phase or "over"], self.hunt[view.hunt])
        for slots, seat in (
            (self.dealer, view.dealer),
            (self.totem, view.totem_cylinder),
            (self.horse, view.horse_cylinder),
        ):
            if seat is not None:
                marks.append(slots[(seat - own) % self.players])
        marks += [self.to_act[(seat - own) % self.players] for seat in view.to_act]

    def _awards(self, view: View, own: int) -> list[int]:
        """How many tiles each seat may still take, by the step of the evaluation."""
        counts = [0] * (self.players * len(STEPS))
        for award in view.awards:
            counts[(award.seat - own) % self.players * len(STEPS) + STEPS.index(award.step)] += award.count
        return counts

    def _seat(self, view: View, seat: SeatView, told: SeatSlots, figures: list[float], marks: list[int]) -> None:
        figures += (
            seat.party_chosen,
            seat.reserve_count,
            seat.party_count,
            seat.pile_count,
            seat.hand_count,
            seat.spent_count,
            seat.tiles_taken,
            view.scores[seat.seat - 1].total,
            view.bonuses[seat.seat - 1] if view.bonuses else 0,
        )
        marks += map(told.discards.__getitem__, seat.discards)
        marks += map(told.tiles.__getitem__, seat.tiles)


def coding(players: int) -> Coding:
    """How Big Manitou for so many players is told."""
    return Coding(players, tuple(ACTIONS.names), (*CHOOSE, *TAKE), BigManitouObserver(players), choose, spell)
