"""What is wrong with a move, in the order in which it is checked (TO-4.2, TO-4.3)."""

from collections.abc import Callable
from typing import Any

from games.kernel import Move
from games.tomahawk.components import DEALT, TRIBE_CARDS
from games.tomahawk.moves import ChooseSpecials, DeclineForestLook, LookInForests, PlayCards
from games.tomahawk.state import State, open_piles, side_of

Check = tuple[str, Callable[[State, int, Any], str | None]]  # the rule, and what is wrong by it, or None


def _twice(items: list[Any]) -> Any | None:
    return next((item for n, item in enumerate(items) if item in items[:n]), None)


def _not_two(_state: State, _seat: int, move: ChooseSpecials) -> str | None:
    return None if len(move.keep) == 2 else f"two specials are kept, not {len(move.keep)}"


def _special_twice(_state: State, _seat: int, move: ChooseSpecials) -> str | None:
    twice = _twice([row.card for row in move.keep])
    return twice and f"{twice} is kept twice"


def _not_dealt(_state: State, seat: int, move: ChooseSpecials) -> str | None:
    return next((f"{r.card} was not dealt to seat {seat}" for r in move.keep if r.card not in DEALT[seat]), None)


def _replaced_twice(_state: State, _seat: int, move: ChooseSpecials) -> str | None:
    twice = _twice([row.replaces for row in move.keep])
    return twice and f"{twice} is replaced twice"


def _not_of_tribe(_state: State, seat: int, move: ChooseSpecials) -> str | None:
    strangers = (row.replaces for row in move.keep if row.replaces not in TRIBE_CARDS[seat])
    return next((f"{card} is not a basic warrior of seat {seat}" for card in strangers), None)


def _other_value(state: State, _seat: int, move: ChooseSpecials) -> str | None:
    for row in move.keep:
        special, warrior = state.cards[row.card], state.cards[row.replaces]
        if special.value != warrior.value:
            return f"{row.replaces} has the value {warrior.value}, {special.name} ({row.card}) has {special.value}"
    return None


def _pile_twice(_state: State, _seat: int, move: PlayCards) -> str | None:
    twice = _twice([placed.pile for placed in move.cards])
    return twice and f"pile {twice} is named twice"


def _forced_pile(state: State, seat: int, move: PlayCards) -> str | None:
    piles = open_piles(state, seat)
    return next((f"seat {seat} has a forced card at pile {p.pile}" for p in move.cards if p.pile not in piles), None)


def _pile_missing(state: State, seat: int, move: PlayCards) -> str | None:
    named = [placed.pile for placed in move.cards]
    return next((f"no card is placed at pile {p}" for p in open_piles(state, seat) if p not in named), None)


def _card_twice(_state: State, _seat: int, move: PlayCards) -> str | None:
    twice = _twice([placed.card for placed in move.cards])
    return twice and f"{twice} is placed twice"


def _not_in_hand(state: State, seat: int, move: PlayCards) -> str | None:
    hand = side_of(state, seat).hand
    return next((f"{p.card} is not in the hand of seat {seat}" for p in move.cards if p.card not in hand), None)


CHECKS: dict[type[Move], tuple[Check, ...]] = {
    ChooseSpecials: (
        ("TO-4.2a", _not_two),
        ("TO-4.2b", _special_twice),
        ("TO-4.2c", _not_dealt),
        ("TO-4.2d", _replaced_twice),
        ("TO-4.2e", _not_of_tribe),
        ("TO-4.2f", _other_value),
    ),
    PlayCards: (
        ("TO-4.3a", _pile_twice),
        ("TO-4.3b", _forced_pile),
        ("TO-4.3c", _pile_missing),
        ("TO-4.3d", _card_twice),
        ("TO-4.3e", _not_in_hand),
    ),
    LookInForests: (),
    DeclineForestLook: (),
}
