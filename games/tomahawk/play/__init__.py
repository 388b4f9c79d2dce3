"""Decisions: who must act, what is legal, and what a move leads to (TO-3, TO-4)."""

from collections.abc import Callable
from typing import Any

from games.kernel import Attempt, Chance, Move, MoveRefused, Transition, check_turn
from games.tomahawk import events as e
from games.tomahawk.components import DEALT, PREFIX, SEATS
from games.tomahawk.evolve import Scribe
from games.tomahawk.moves import ChooseSpecials, DeclineForestLook, LookInForests, PlayCards, read_move
from games.tomahawk.play.legal import legal_moves
from games.tomahawk.play.looks import forest_look
from games.tomahawk.play.refusals import CHECKS
from games.tomahawk.play.turns import close, fight
from games.tomahawk.setup import muster
from games.tomahawk.state import Phase, State

__all__ = ["legal_moves", "play", "to_act"]

PHASE_OF: dict[type[Move], Phase] = {
    ChooseSpecials: "choose_specials",
    PlayCards: "play_cards",
    LookInForests: "mountain_look",
    DeclineForestLook: "mountain_look",
}


def to_act(state: State) -> tuple[int, ...]:
    """TO-3.4: the seats that still owe a decision."""
    return state.to_act


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
