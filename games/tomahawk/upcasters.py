"""Events recorded in an older form, read in today's: each upcaster adds what the next schema says (TO-5.1).

What it adds is what `evolve` worked out from the table when such events were recorded. It stands here by itself: a
table of then folds to the states of then, whatever becomes of the rules in `play`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.tomahawk.components import SEATS, TURNS_OF
from games.tomahawk.state import Pile, State

Payload = dict[str, Any]


def _warriors_discarded(before: State, payload: Payload) -> Payload:
    """TO-5.9: with `mountain_look: "ask"` the winners of a mountain were asked when no battle was left to judge."""
    is_asked = before.options.mountain_look == "ask" and not any(map(_is_judged_next, before.piles))
    asked = [seat for seat in SEATS if is_asked and _has_won_a_mountain(before, seat)]
    return payload | {"asked": asked if any(map(_hides_cards, before.piles)) else []}


def _is_judged_next(pile: Pile) -> bool:
    return pile.territory is not None and len(pile.slots) == TURNS_OF[pile.territory]


def _has_won_a_mountain(state: State, seat: int) -> bool:
    return any(won.turn == state.turn and won.species == "eagle" for won in state.sides[seat - 1].won)


def _hides_cards(pile: Pile) -> bool:
    return bool(pile.slots) and pile.slots[-1].values is None


UPCASTERS: Mapping[tuple[str, int], Callable[[State, Payload], Payload]] = {
    ("WarriorsDiscarded", 1): _warriors_discarded,
}
