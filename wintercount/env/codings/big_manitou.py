"""Big Manitou: the party card by card, the tiles of an award tile by tile; a card and a ground as one action."""

from collections.abc import Sequence
from functools import lru_cache
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
from games.big_manitou.sight import GroundView, SeatView, SideView, View
from games.kernel import MoveSet
from games.parties import ChooseParty
from wintercount.env.choices import AnyOf, Choice, Gathered, OneOf
from wintercount.env.layout import Actions, Block, Coding, block
from wintercount.env.rows import KEPT, flags, number, numbers, one_of
from wintercount.env.seating import around, of_one_seat, of_some_seats, turned

PHASES = ("party", "play", "extra_card", "hunter_move", "penalty", "take_tiles", "over")
MOST_HUNTS = 5
STEPS = ("hero", "majority", "runner_up")
TILES = tuple(TILE_ORDER)
COUNTS = ("party_size", "party_chosen", "reserve", "party", "pile", "hand", "spent", "tiles_taken", "total", "bonus")

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
CARD_OF = dict(zip(CHOOSE, DECK, strict=True))
CHOICE_OF = {card: action for action, card in CARD_OF.items()}
TAKING_OF = dict(zip(TILES, TAKE, strict=True))

of_cards, of_heroes, of_tiles, of_hero = flags(DECK), flags(HEROES), flags(TILES), one_of(HEROES)
of_phases, of_hunts = one_of(PHASES), one_of(range(1, MOST_HUNTS + 1))
of_grounds = one_of(GROUNDS)


def choose(_: View, legal: Sequence[Any]) -> Choice:
    """The decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, MoveSet):
        return AnyOf([CHOICE_OF[card] for card in first.from_], first.choose, _party)  # type: ignore[attr-defined]
    if isinstance(first, TakeTiles):
        return Gathered([(_taking(move), move) for move in legal])
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


# What a seat sees


def _moment(players: int) -> list[Block]:
    """The course of the game, and what lies beside the grounds."""
    seats = range(players)
    return [
        block("phase", PHASES, lambda view: of_phases(view.phase)),
        block("hunt", range(1, MOST_HUNTS + 1), lambda view: of_hunts(view.hunt)),
        block("turns", ["taken"], lambda view: number(view.turns)),
        block("dealer", seats, of_one_seat(players, "dealer")),
        block("to_act", seats, of_some_seats(players, "to_act")),
        block("evaluating", GROUNDS, lambda view: of_grounds(view.evaluating)),
        block("totem_cylinder", seats, of_one_seat(players, "totem_cylinder")),
        block("horse_cylinder", seats, of_one_seat(players, "horse_cylinder")),
        block("totem_gains", seats, of_some_seats(players, "totem_gains")),
        block("horse_gains", seats, of_some_seats(players, "horse_gains")),
        block("owing", seats, of_some_seats(players, "owing")),
        block("awards", [f"{seat} {step}" for seat in seats for step in STEPS], _awards),
        block("bag", ["left"], lambda view: number(view.bag_left)),
        block("removed", TILES, lambda view: of_tiles(view.removed)),
    ]


def _awards(view: View) -> bytes:
    """How many tiles each seat may still take, by the step of the evaluation."""
    row = [0] * (view.players * len(STEPS))
    for award in view.awards:
        row[(award.seat - (view.seat or 1)) % view.players * len(STEPS) + STEPS.index(award.step)] += award.count
    return numbers(tuple(row))


def _own() -> list[Block]:
    """The places of the seat's own cards that others do not see."""
    return [
        block("own/reserve", DECK, lambda view: of_cards(view.seats[view.seat - 1].reserve)),
        block("own/party", DECK, lambda view: of_cards(view.seats[view.seat - 1].party)),
        block("own/pile", DECK, lambda view: of_cards(view.seats[view.seat - 1].pile)),
        block("own/hand", DECK, lambda view: of_cards(view.seats[view.seat - 1].hand)),
        block("own/spent", DECK, lambda view: of_cards(view.seats[view.seat - 1].spent)),
    ]


def _seats(players: int) -> list[Block]:
    """What everybody knows of each seat."""
    slots = [*COUNTS, *(f"discarded {card}" for card in DECK), *TILES]
    names = [f"seat {distance}/{slot}" for distance in range(players) for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_seat_row(seat, view) for seat in around(view)]))]


def _seat_row(seat: SeatView, view: View) -> bytes:
    figures = (
        next((row.size for row in view.party_sizes if row.seat == seat.seat), 0),
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
    return numbers(figures) + of_cards(seat.discards) + of_tiles(seat.tiles)


def _grounds(players: int) -> list[Block]:
    """The tiles of each ground, the cards of each seat, and which of its heroes stand; of two the one attacked."""
    sides = [
        f"{distance} {slot}" for distance in range(players) for slot in (*DECK, *(f"{hero} up" for hero in HEROES))
    ]
    slots = [*TILES, *(f"last up {hero}" for hero in HEROES), *sides]
    names = [f"ground {ground}/{slot}" for ground in GROUNDS for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_ground_row(ground, view) for ground in view.grounds]))]


def _ground_row(ground: GroundView, view: View) -> bytes:
    last = ground.heroes[-1].card if ground.heroes else None
    sides = [side_row(side) for side in turned(view, ground.sides)]
    return b"".join([of_tiles(ground.tiles), of_hero(last), *sides])


@lru_cache(maxsize=KEPT)
def side_row(side: SideView) -> bytes:
    """The cards of a seat on a ground, and its heroes face up."""
    heroes = tuple([laid.card for laid in side.cards if laid.face_up and laid.card in HEROES])
    return of_cards(tuple([laid.card for laid in side.cards])) + of_heroes(heroes)


def coding(players: int) -> Coding:
    """How Big Manitou for so many players is told."""
    blocks = (*_moment(players), *_own(), *_seats(players), *_grounds(players))
    return Coding(players, tuple(ACTIONS.names), (*CHOOSE, *TAKE), blocks, choose, spell)
