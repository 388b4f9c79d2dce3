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
from games.big_manitou.sight import HEAPS, Knowledge, knowledge
from games.big_manitou.state import Ground
from games.kernel import MoveSet
from games.parties import ChooseParty
from wintercount.env.choices import AnyOf, Choice, Gathered, OneOf
from wintercount.env.grounds import GroundSlots, Pieces
from wintercount.env.layout import Actions, Coding, Slots, places_among

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


def choose(_: Any, legal: Sequence[Any]) -> Choice:
    """Opens the decision between the legal moves of a seat."""
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


def spell(_: Knowledge, move: Any) -> Sequence[int]:
    """Returns the actions that make a move."""
    if isinstance(move, ChooseParty):
        return sorted(CHOICE_OF[card] for card in move.cards)
    return sorted(_taking(move)) if isinstance(move, TakeTiles) else (NUMBERS[move],)


# What a seat sees. Seats count from it: 0 is the seat itself, 1 the next clockwise.


class SeatSlots:
    """The slots of a seat: its counts, and the cards and tiles before it."""

    def __init__(self, slots: Slots, seat: int) -> None:
        name = f"seat {seat}"
        slots.figures(name, SEAT_FIGURES)
        self.discards = slots.marks(f"{name}/discards", DECK)
        self.tiles = slots.marks(f"{name}/tiles", TILES)


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
        reserve, party, hand, pile, spent = [slots.marks(f"own/{place}", DECK) for place in HEAPS]
        self.reserve, self.party, self.hand, self.pile, self.spent = reserve, party, hand, pile, spent
        self.seats = [SeatSlots(slots, seat) for seat in seats]
        self.grounds = [GroundSlots(slots, ground, seats, PIECES) for ground in GROUNDS]

    def write(self, seen: Knowledge, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        own, players = seen.seat, self.players
        self._roles(seen, own, marks)
        figures += (seen.turns, seen.bag_left)
        figures += places_among(seen.totem_gains, own, players)
        figures += places_among(seen.horse_gains, own, players)
        figures += places_among(seen.owing, own, players)
        figures += awards(seen.awards, own, players)
        if seen.evaluating:
            marks.append(self.evaluating[seen.evaluating])
        marks += map(self.removed.__getitem__, seen.removed)
        marks += map(self.reserve.__getitem__, seen.reserve)
        marks += map(self.party.__getitem__, seen.party)
        marks += map(self.hand.__getitem__, seen.hand)
        marks += map(self.pile.__getitem__, seen.pile)
        marks += map(self.spent.__getitem__, seen.spent)
        for distance, slots in enumerate(self.seats):
            self._seat(seen, (own + distance - 1) % players, slots, figures, marks)
        for ground_slots, ground in zip(self.grounds, seen.grounds, strict=True):
            self._ground(ground_slots, ground, own, marks)

    def _roles(self, seen: Knowledge, own: int, marks: list[int]) -> None:
        """Adds the phase, and the seats that deal, hold a cylinder and have to decide."""
        players = self.players
        marks += (self.phase[seen.phase or "over"], self.hunt[seen.hunt])
        marks.append(self.dealer[(seen.turn_order[-1] - own) % players])
        if seen.totem_cylinder is not None:
            marks.append(self.totem[(seen.totem_cylinder - own) % players])
        if seen.horse_cylinder is not None:
            marks.append(self.horse[(seen.horse_cylinder - own) % players])
        marks += [self.to_act[(seat - own) % players] for seat in seen.to_act]

    def _seat(self, seen: Knowledge, place: int, slots: SeatSlots, figures: list[float], marks: list[int]) -> None:
        seat = seen.seats[place]
        figures += (
            self.party_sizes[seen.turn_order.index(place + 1)],
            seat.party_chosen,
            seat.reserve,
            seat.party,
            seat.pile,
            seat.hand,
            seat.spent,
            seat.tiles_taken,
            seen.totals[place],
            seen.bonuses[place] if seen.bonuses else 0,
        )
        marks += map(slots.discards.__getitem__, seat.discards)
        marks += map(slots.tiles.__getitem__, seat.tiles)

    def _ground(self, slots: GroundSlots, ground: Ground, own: int, marks: list[int]) -> None:
        slots.write(ground.tiles, ground.sides, own, marks)
        for hero in ground.heroes:
            slots.write_heroes(hero.seat, (hero.card,), own, marks)
        if ground.heroes:
            slots.write_last(ground.heroes[-1].card, marks)


def coding(players: int) -> Coding:
    """Returns the coding of Big Manitou for so many players."""
    parts = (*CHOOSE, *TAKE)
    return Coding(players, tuple(ACTIONS.names), parts, BigManitouObserver(players), choose, spell, knowledge)
