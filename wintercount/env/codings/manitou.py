"""Manitou: the party card by card; a card and a ground as one action."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from games.kernel import MoveSet
from games.manitou.components import CARDS, GROUNDS, HERO_CARDS, HUNTS, VALUE
from games.manitou.moves import PassTurn
from games.manitou.play.laying import PLAYS
from games.manitou.sight import GroundView, SeatView, SideView, View
from games.parties import ChooseParty, SeatCard
from wintercount.env.choices import AnyOf, Choice, OneOf
from wintercount.env.layout import Actions, Block, Coding, block
from wintercount.env.rows import KEPT, flags, number, numbers, one_of
from wintercount.env.seating import around, of_one_seat, of_some_seats, turned

PHASES = ("party", "play", "over")
BUFFALO = tuple(VALUE)
HEROES = frozenset(HERO_CARDS)
COUNTS = ("party_size", "party_chosen", "reserve", "party", "pile", "hand", "hide_thieves", "paper_penalties", "total")

ACTIONS = Actions()
CHOOSE = ACTIONS.add("choose", CARDS)
ACTIONS.add("play", [(card, ground) for card in CARDS for ground in GROUNDS])
(PASS,) = ACTIONS.add("pass")

NUMBERS: dict[Any, int] = {
    **{move: ACTIONS.numbers["play", move.card, move.ground] for moves in PLAYS.values() for move in moves},
    PassTurn(): PASS,
}
CARD_OF = dict(zip(CHOOSE, CARDS, strict=True))
CHOICE_OF = {card: action for action, card in CARD_OF.items()}

of_cards, of_heroes, of_buffalo = flags(CARDS), flags(HERO_CARDS), flags(BUFFALO)
of_hero = one_of(HERO_CARDS)
of_phases, of_hunts = one_of(PHASES), one_of(range(1, HUNTS + 1))


def choose(_: View, legal: Sequence[Any]) -> Choice:
    """The decision between the legal moves of a seat."""
    first = legal[0]
    if isinstance(first, MoveSet):
        return AnyOf([CHOICE_OF[card] for card in first.from_], first.choose, _party)  # type: ignore[attr-defined]
    return OneOf({NUMBERS[move]: move for move in legal})


def _party(actions: Sequence[int]) -> ChooseParty:
    return ChooseParty(tuple([CARD_OF[action] for action in actions]))


def spell(_: View, move: Any) -> Sequence[int]:
    """The actions that make a move."""
    return sorted(CHOICE_OF[card] for card in move.cards) if isinstance(move, ChooseParty) else (NUMBERS[move],)


# What a seat sees


def _moment(players: int) -> list[Block]:
    """The course of the game, and what lies beside the grounds."""
    return [
        block("phase", PHASES, lambda view: of_phases(view.phase)),
        block("hunt", range(1, HUNTS + 1), lambda view: of_hunts(view.hunt)),
        block("turns", ["taken"], lambda view: number(view.turns_taken)),
        block("dealer", range(players), of_one_seat(players, "dealer")),
        block("to_act", range(players), of_some_seats(players, "to_act")),
        block("hide_thieves", ["left"], lambda view: number(len(view.hide_thieves))),
        block("small_herd", BUFFALO, lambda view: of_buffalo(view.small_pile.cards)),
        block("large_herd", BUFFALO, lambda view: of_buffalo(view.large_pile.cards)),
        block("removed", BUFFALO, lambda view: of_buffalo(view.removed)),
    ]


def _own() -> list[Block]:
    """The places of the seat's own cards that others do not see."""
    return [
        block("own/reserve", CARDS, lambda view: of_cards(view.seats[view.seat - 1].reserve)),
        block("own/party", CARDS, lambda view: of_cards(view.seats[view.seat - 1].party)),
        block("own/pile", CARDS, lambda view: of_cards(view.seats[view.seat - 1].pile)),
        block("own/hand", CARDS, lambda view: of_cards(view.seats[view.seat - 1].hand)),
    ]


def _seats(players: int) -> list[Block]:
    """What everybody knows of each seat; prisoners by whose they were."""
    slots = [
        *COUNTS,
        *(f"unseen {card}" for card in CARDS),
        *BUFFALO,
        *(f"prisoner {card} of {owner}" for owner in range(players) for card in CARDS),
    ]
    names = [f"seat {distance}/{slot}" for distance in range(players) for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_seat_row(seat, view) for seat in around(view)]))]


def _seat_row(seat: SeatView, view: View) -> bytes:
    figures = (
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
    prisoners = prisoner_rows(seat.prisoners, view.players)
    return b"".join([numbers(figures), of_cards(seat.unseen_cards), of_buffalo(seat.buffalo), *turned(view, prisoners)])


@lru_cache(maxsize=KEPT)
def prisoner_rows(prisoners: tuple[SeatCard, ...], players: int) -> list[bytes]:
    """The prisoners that somebody has, a row for each seat whose they were."""
    return [of_cards(tuple([row.card for row in prisoners if row.seat == seat])) for seat in range(1, players + 1)]


def _grounds(players: int) -> list[Block]:
    """The stake of each ground, the cards of each seat, and which of its heroes stand; of two the one attacked."""
    sides = [
        f"{distance} {slot}" for distance in range(players) for slot in (*CARDS, *(f"{hero} up" for hero in HERO_CARDS))
    ]
    slots = [*BUFFALO, *(f"last up {hero}" for hero in HERO_CARDS), *sides]
    names = [f"ground {ground}/{slot}" for ground in GROUNDS for slot in slots]
    return [Block(tuple(names), lambda view: b"".join([_ground_row(ground, view) for ground in view.grounds]))]


def _ground_row(ground: GroundView, view: View) -> bytes:
    last = ground.heroes[-1].card if ground.heroes else None
    sides = [side_row(side) for side in turned(view, ground.sides)]
    return b"".join([of_buffalo(ground.buffalo), of_hero(last), *sides])


@lru_cache(maxsize=KEPT)
def side_row(side: SideView) -> bytes:
    """The cards of a seat on a ground, and its heroes face up."""
    heroes = tuple([laid.card for laid in side.cards if laid.face_up and laid.card in HEROES])
    return of_cards(tuple([laid.card for laid in side.cards])) + of_heroes(heroes)


def coding(players: int) -> Coding:
    """How Manitou for so many players is told."""
    blocks = (*_moment(players), *_own(), *_seats(players), *_grounds(players))
    return Coding(players, tuple(ACTIONS.names), tuple(CHOOSE), blocks, choose, spell)
