"""What a seat may do now: specials listed in full, placements as one summary (TO-4.6)."""

from collections.abc import Callable
from itertools import combinations

from games.kernel import Move, MoveSet
from games.tomahawk.components import DEALT, TRIBE_CARDS
from games.tomahawk.moves import ChooseSpecials, DeclineForestLook, Kept, LookInForests, PlayCardsSet
from games.tomahawk.state import Phase, State, open_piles, side_of


def legal_moves(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.6: what `seat` may do now; nothing if it need not act."""
    return LEGAL[state.phase](state, seat) if seat in state.to_act else []


def _legal_choices(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.2: pairs of specials ascending, then the card that the first replaces, then the second's."""
    twins = {special: _same_value(state, seat, special) for special in DEALT[seat]}
    return [
        ChooseSpecials((Kept(first, one), Kept(second, two)))
        for first, second in combinations(DEALT[seat], 2)
        for one in twins[first]
        for two in twins[second]
        if one != two
    ]


def _same_value(state: State, seat: int, special: str) -> tuple[str, ...]:
    """The basic warriors of a seat that have the printed value of `special` (TO-2.4)."""
    value = state.cards[special].value
    return tuple(card for card in TRIBE_CARDS[seat] if state.cards[card].value == value)


def _legal_placements(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.3: one summary for all placements."""
    piles = open_piles(state, seat)
    return [PlayCardsSet(len(piles), side_of(state, seat).hand, piles)]


def _legal_looks(_state: State, _seat: int) -> list[Move | MoveSet]:
    """TO-4.4: to look at the forests, or not to."""
    return [LookInForests(), DeclineForestLook()]


LEGAL: dict[Phase, Callable[[State, int], list[Move | MoveSet]]] = {
    "choose_specials": _legal_choices,
    "play_cards": _legal_placements,
    "mountain_look": _legal_looks,
}
