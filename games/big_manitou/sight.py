"""Who sees what (BM-7): views are built from what a seat may know, not by removing secrets from the whole."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from games.big_manitou import events as ev
from games.big_manitou.components import TABLES, in_deck_order, in_tile_order
from games.big_manitou.events import Award
from games.big_manitou.house_rules import Options
from games.big_manitou.play import to_act
from games.big_manitou.scoring import Scores, scores
from games.big_manitou.state import Cards, Ground, Phase, Seat, State, dealer_of, is_face_up
from games.manitou_family_parties import LaidCard, PartySize, SeatCard, SideView

HEAPS = ("reserve", "party", "hand", "pile", "spent")  # BM-7.3 to BM-7.5: hidden cards of a seat
SEEN = ("hand", "spent")  # those of one's own that one knows also when one has not looked at one's party (BM-R5)
HIDDEN = (*HEAPS, "bag")


class GroundView(msgspec.Struct, frozen=True, gc=False):
    """A ground; its face-up heroes in the order laid."""

    ground: int
    tiles: Cards
    sides: tuple[SideView, ...]
    heroes: tuple[SeatCard, ...]


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat; cards hidden from the viewer are unset, but counted.

    The viewer's own pile is sorted; its order, top card first, is shown only when everything is open (BM-7.4).
    """

    seat: int
    party_chosen: bool
    reserve_count: int
    party_count: int
    hand_count: int
    pile_count: int
    spent_count: int
    discards: Cards
    tiles: Cards
    tiles_taken: int
    reserve: Cards | UnsetType = UNSET
    party: Cards | UnsetType = UNSET
    hand: Cards | UnsetType = UNSET
    pile: Cards | UnsetType = UNSET
    spent: Cards | UnsetType = UNSET


class View(msgspec.Struct, frozen=True, gc=False):
    """The table as one seat, or a spectator (`seat` null), may see it."""

    game: str
    players: int
    options: Options
    seat: int | None
    phase: Phase | None
    to_act: tuple[int, ...]
    over: bool
    hunt: int
    hunts: int
    dealer: int | None
    turn_order: tuple[int, ...]
    party_sizes: tuple[PartySize, ...]
    turns: int
    grounds: tuple[GroundView, ...]
    seats: tuple[SeatView, ...]
    bag_left: int
    removed: Cards
    totem_cylinder: int | None
    horse_cylinder: int | None
    totem_gains: tuple[int, ...]
    horse_gains: tuple[int, ...]
    owing: tuple[int, ...]
    evaluating: int
    bonuses: tuple[int, ...]
    awards: tuple[Award, ...]
    scores: Scores
    bag: Cards | UnsetType = UNSET


def has_chosen(state: State, own: Seat) -> bool:
    """Whether a seat has its party of this hunt."""
    return bool(own.party or own.hand or own.pile or state.turns)


def is_unseen(state: State, own: Seat) -> bool:
    """BM-R5: whether a seat may not look at its party yet, and so neither at its reserve."""
    return state.options.party_selection == "blind" and bool(own.party or own.pile)


def ground_evaluated(state: State) -> int:
    """The ground under evaluation, 0 if there is none."""
    return 0 if state.phase == "penalty" else state.evaluating


def view(state: State, seat: int | None, *, everything: bool = False) -> View:
    """What `seat` may know, or everything: always when the game is over (BM-7, BM-7.7)."""
    everything = everything or state.phase == "over"
    table = TABLES[state.players]
    return View(
        game="big-manitou",
        players=state.players,
        options=state.options,
        seat=seat,
        phase=state.phase,
        to_act=to_act(state),
        over=state.phase == "over",
        hunt=state.hunt,
        hunts=table.hunts,
        dealer=dealer_of(state) if state.turn_order else None,
        turn_order=state.turn_order,
        party_sizes=tuple([PartySize(s, n) for s, n in zip(state.turn_order, table.party_sizes, strict=False)]),
        turns=state.turns,
        grounds=tuple([_ground_view(number, ground) for number, ground in enumerate(state.grounds, 1)]),
        seats=tuple([_seat_view(state, other, seat, everything=everything) for other in _seats(state.players)]),
        bag_left=len(state.bag),
        removed=state.removed,
        totem_cylinder=state.totem_cylinder,
        horse_cylinder=state.horse_cylinder,
        totem_gains=state.totem_gains,
        horse_gains=state.horse_gains,
        owing=state.owing,
        evaluating=ground_evaluated(state),
        bonuses=state.bonuses,
        awards=state.awards,
        scores=scores(state),
        bag=in_tile_order(state.bag) if everything else UNSET,
    )


def _seats(players: int) -> range:
    return range(1, players + 1)


@lru_cache(maxsize=256)  # a move changes one ground, and everybody sees it alike
def _ground_view(number: int, ground: Ground) -> GroundView:
    """BM-7.1: open to all."""
    sides = [
        SideView(seat, tuple([LaidCard(card, is_face_up(ground, seat, card)) for card in cards]))
        for seat, cards in enumerate(ground.sides, 1)
    ]
    return GroundView(number, ground.tiles, tuple(sides), ground.heroes)


def _seat_view(state: State, seat: int, viewer: int | None, *, everything: bool) -> SeatView:
    """What the viewer may know of a seat (BM-7.3 to BM-7.5)."""
    own = state.seats[seat - 1]
    open_to_all = _open_to_all(seat, own, has_chosen(state, own))
    if not (everything or seat == viewer):
        return open_to_all
    shown = {field: getattr(own, field) for field in (SEEN if is_unseen(state, own) and not everything else HEAPS)}
    if "pile" in shown and not everything:
        shown["pile"] = in_deck_order(own.pile)  # its order is secret
    return replace(open_to_all, **shown)


@lru_cache(maxsize=256)  # a move changes few seats
def _open_to_all(seat: int, own: Seat, party_chosen: bool) -> SeatView:
    """What everybody may know of a seat."""
    return SeatView(
        seat=seat,
        party_chosen=party_chosen,
        reserve_count=len(own.reserve),
        party_count=len(own.party),
        hand_count=len(own.hand),
        pile_count=len(own.pile),
        spent_count=len(own.spent),
        discards=own.discards,
        tiles=own.tiles,
        tiles_taken=own.tiles_taken,
    )


READERS: Mapping[type, Callable[[State, Any], dict[str, list[int]]]] = {
    ev.PartyChosen: lambda _, event: {"cards": [event.seat]},
    ev.PartyDrawn: lambda state, event: {"cards": [event.seat] if state.options.party_selection == "random" else []},
    ev.PartyShuffled: lambda *_: {"order": []},
    ev.CardsDrawn: lambda _, event: {"cards": [event.seat]},
    ev.UnplayedCardsReturned: lambda _, event: {"cards": [event.seat]},
}


def readers(state: State, event: Any) -> dict[str, list[int]]:
    """BM-7.6: the secret fields of an event, each with the seats that may read it before the game is over."""
    found = READERS.get(type(event))
    return found(state, event) if found else {}


def census(state: State) -> tuple[list[str], ...]:
    """All tiles and every seat's cards, sorted, wherever they are: the same at every moment of a game (BM-1)."""
    owned = [tile for seat in state.seats for tile in seat.tiles]
    lying = [tile for ground in state.grounds for tile in ground.tiles]
    tiles = sorted([*state.bag, *owned, *lying, *state.removed])
    return (tiles, *[sorted(_cards_of(state, seat)) for seat in _seats(state.players)])


def _cards_of(state: State, seat: int) -> list[str]:
    """All cards of a seat, wherever they are."""
    own = state.seats[seat - 1]
    cards = [*own.reserve, *own.party, *own.hand, *own.pile, *own.spent, *own.discards]
    for ground in state.grounds:
        cards += ground.sides[seat - 1]
    return cards
