"""What a seat may know (MA-7) in pieces of the state, for programs that look at very many tables."""

import msgspec

from games.manitou.events.rows import Cards
from games.manitou.play import to_act
from games.manitou.scoring import totals
from games.manitou.state import Camp, Ground, Phase, PointsPile, State


class Knowledge(msgspec.Struct, frozen=True, gc=False):
    """What a seat may know while the game runs, in pieces of the state where these are open to it.

    It tells what the `View` tells, for programs that look at very many tables and write none down. Cards whose order
    nobody may know have none here either.
    """

    seat: int
    phase: Phase
    to_act: tuple[int, ...]
    hunt: int
    dealer: int | None
    turns_taken: int
    grounds: tuple[Ground, ...]
    small: frozenset[str]
    large: frozenset[str]
    hide_thieves: int
    removed: Cards
    seats: tuple["CampSize", ...]
    points: tuple[PointsPile, ...]
    totals: tuple[int, ...]
    reserve: Cards
    party: Cards
    pile: frozenset[str]
    hand: Cards


class CampSize(msgspec.Struct, frozen=True, gc=False):
    """How many cards of a seat lie out of sight, and which all together (MA-7.2)."""

    party_size: int
    party_chosen: bool
    reserve: int
    party: int
    pile: int
    hand: int
    unseen: frozenset[str]


def knowledge(state: State, seat: int) -> Knowledge:
    """What `seat` may know, as in its view while the game runs (MA-7.1, MA-7.2)."""
    own = state.camps[seat - 1]
    return Knowledge(
        seat,
        state.phase,
        to_act(state),
        state.hunt,
        state.dealer,
        state.turns_taken,
        state.grounds,
        frozenset(state.small),
        frozenset(state.large),
        len(state.hide_thieves),
        state.removed,
        tuple([_camp_size(camp) for camp in state.camps]),
        state.points,
        totals(state),
        own.reserve,
        own.party,
        frozenset(own.pile),
        own.hand,
    )


def _camp_size(camp: Camp) -> CampSize:
    reserve, party, pile, hand = camp.reserve, camp.party, camp.pile, camp.hand
    return CampSize(
        camp.party_size,
        camp.party_chosen,
        len(reserve),
        len(party),
        len(pile),
        len(hand),
        frozenset(reserve + party + pile + hand),
    )
