"""What a seat may know (BM-7) in pieces of the state, for programs that look at very many tables."""

import msgspec

from games.big_manitou.events.rows import Award
from games.big_manitou.play import to_act
from games.big_manitou.scoring import totals
from games.big_manitou.sight.views import ground_evaluated, has_chosen
from games.big_manitou.state import Cards, Ground, Phase, Seat, State


class Knowledge(msgspec.Struct, frozen=True, gc=False):
    """What a seat may know while the game runs, in pieces of the state where these are open to it.

    It tells what the `View` tells, for programs that look at very many tables and write none down. Cards whose order
    nobody may know have none here either.
    """

    seat: int
    phase: Phase | None
    to_act: tuple[int, ...]
    hunt: int
    turn_order: tuple[int, ...]
    turns: int
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
    grounds: tuple[Ground, ...]
    seats: tuple["OpenSeat", ...]
    totals: tuple[int, ...]
    reserve: Cards
    party: Cards
    hand: Cards
    pile: frozenset[str]
    spent: Cards


class OpenSeat(msgspec.Struct, frozen=True, gc=False):
    """What all may know of a seat (BM-7.3 to BM-7.5)."""

    party_chosen: bool
    reserve: int
    party: int
    pile: int
    hand: int
    spent: int
    discards: Cards
    tiles: Cards
    tiles_taken: int


def knowledge(state: State, seat: int) -> Knowledge:
    """What `seat` may know, as in its view while the game runs (BM-7)."""
    own = state.seats[seat - 1]
    return Knowledge(
        seat,
        state.phase,
        to_act(state),
        state.hunt,
        state.turn_order,
        state.turns,
        len(state.bag),
        state.removed,
        state.totem_cylinder,
        state.horse_cylinder,
        state.totem_gains,
        state.horse_gains,
        state.owing,
        ground_evaluated(state),
        state.bonuses,
        state.awards,
        state.grounds,
        tuple([_open_seat(state, each) for each in state.seats]),
        totals(state),
        own.reserve,
        own.party,
        own.hand,
        frozenset(own.pile),
        own.spent,
    )


def _open_seat(state: State, own: Seat) -> OpenSeat:
    return OpenSeat(
        has_chosen(state, own),
        len(own.reserve),
        len(own.party),
        len(own.pile),
        len(own.hand),
        len(own.spent),
        own.discards,
        own.tiles,
        own.tiles_taken,
    )
