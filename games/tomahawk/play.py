"""Decisions: who must act, what is legal, and what a move leads to (TO-3, TO-4)."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from games.kernel import Attempt, Chance, Move, MoveRefused, MoveSet, Transition, check_turn
from games.tomahawk import events as e
from games.tomahawk.components import DEALT, PREFIX, SEATS, TRIBE_CARDS
from games.tomahawk.moves import (
    ChooseSpecials,
    DeclineForestLook,
    Kept,
    LookInForests,
    PlayCards,
    PlayCardsSet,
    read_move,
)
from games.tomahawk.options import Options
from games.tomahawk.scribe import Scribe
from games.tomahawk.setup import deal, game_started, muster
from games.tomahawk.state import Phase, State, open_piles, side_of
from games.tomahawk.turn import close, fight, forest_look

Check = tuple[str, Callable[[State, int, Any], str | None]]


def start(_players: int, options: Options, chance: Chance) -> Transition[State]:
    """TO-2: set-up until both seats must choose their specials."""
    scribe = Scribe(None)
    scribe.write(game_started(options))
    deal(scribe, chance)
    return scribe.transition()


def to_act(state: State) -> tuple[int, ...]:
    """TO-3.4: the seats that still owe a decision."""
    return state.to_act


def legal_moves(state: State, seat: int) -> list[Move | MoveSet]:
    """TO-4.6: what `seat` may do now; nothing if it need not act."""
    return LEGAL[state.phase](state, seat) if seat in state.to_act else []


def play(state: State, seat: int, move: Any, chance: Chance) -> Transition[State]:
    """The events that `move` leads to and the state after them; raises `MoveRefused` (TO-4.1)."""
    move = read_move(move)
    in_phase = PHASE_OF[type(move)] == state.phase
    check_turn(PREFIX, state, Attempt(seat, move, len(SEATS)), in_phase=in_phase, to_act=state.to_act)
    for rule, fault in CHECKS[type(move)]:
        detail = fault(state, seat, move)
        if detail is not None:
            raise MoveRefused(rule, detail)
    scribe = Scribe(state)
    scribe.write(DECIDED[type(move)](state, seat, move))
    if not scribe.state.to_act:
        RESOLVE[state.phase](scribe, chance)
    return scribe.transition()


# Legal moves


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
    """TO-4.4."""
    return [LookInForests(), DeclineForestLook()]


LEGAL: dict[Phase, Callable[[State, int], list[Move | MoveSet]]] = {
    "choose_specials": _legal_choices,
    "play_cards": _legal_placements,
    "mountain_look": _legal_looks,
}


# Refusals: what is wrong with a move, or None


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
PHASE_OF: dict[type[Move], Phase] = {
    ChooseSpecials: "choose_specials",
    PlayCards: "play_cards",
    LookInForests: "mountain_look",
    DeclineForestLook: "mountain_look",
}


# What a move says, and what follows when nobody owes a decision any more


def _chosen(_state: State, seat: int, move: ChooseSpecials) -> e.SpecialsChosen:
    kept = tuple(sorted(move.keep, key=lambda row: row.card))
    (returned,) = (card for card in DEALT[seat] if card not in (kept[0].card, kept[1].card))
    return e.SpecialsChosen(seat, kept, returned)


def _committed(state: State, seat: int, move: PlayCards) -> e.CardsCommitted:
    return e.CardsCommitted(seat, state.turn, tuple(sorted(move.cards, key=lambda placed: placed.pile)))


def _looked(state: State, seat: int, _move: LookInForests) -> e.ForestCardsSeen:
    return forest_look(state, seat)


def _declined(state: State, seat: int, _move: DeclineForestLook) -> e.ForestLookDeclined:
    return e.ForestLookDeclined(state.turn, seat)


DECIDED: dict[type[Move], Callable[[State, int, Any], Any]] = {
    ChooseSpecials: _chosen,
    PlayCards: _committed,
    LookInForests: _looked,
    DeclineForestLook: _declined,
}
RESOLVE: dict[Phase, Callable[[Scribe, Chance], None]] = {
    "choose_specials": muster,
    "play_cards": fight,
    "mountain_look": close,
}
