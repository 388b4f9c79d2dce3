"""Legal moves and the results of moves: the common checks of PC-4.1, passing, and the tables of moves by subject."""

from collections.abc import Mapping
from typing import Any

from games.deciding import Attempt, check_turn
from games.kernel import Chance, MoveRefused, Transition
from games.plenty_coups import alliances, cards, raids, turns
from games.plenty_coups import moves as mv
from games.plenty_coups.components import PREFIX, holds
from games.plenty_coups.moves import read_move
from games.plenty_coups.scribe import Check, Kind, Scribe, refuse_unless
from games.plenty_coups.state import Camp, State, acting, is_winter, seats_to_act, to_act

__all__ = ["legal_moves", "play", "play_legal", "to_act"]

PHASES: dict[str, tuple[type, ...]] = {  # PC-3.13, in its order, which is that of the legal moves
    "choose_tribe": (mv.ChooseTribe,),
    "take": (mv.TakeCards,),
    "actions": (
        mv.ReturnRaid,
        mv.Raid,
        mv.Defend,
        mv.MarkDefenceCoup,
        mv.Breed,
        mv.DonateHorses,
        mv.Hunt,
        mv.ExchangeGifts,
        mv.ExchangeGiftsFree,
        mv.ProposeAlliance,
        mv.AcceptAlliance,
        mv.AllyNeutral,
        mv.Disdain,
        mv.PassTurn,
    ),
    "answer_gift": (mv.AnswerGift,),
    "answer_disdain": (mv.ProveWorth, mv.EndureDisdain),
    "hunt_discard": (mv.DiscardAfterHunt,),
    "excess": (mv.DiscardExcess,),
    "over": (),
}


def legal_moves(state: State, seat: int) -> list[Any]:
    """Returns the legal moves of a seat in the order of PC-3.16; none if it is not to act."""
    camp: Any = acting(state)
    if seat not in seats_to_act(state, camp):
        return []
    if state.phase == "actions" and turns.must_return(state):
        return list(KINDS[mv.ReturnRaid].options(state, camp))
    listed: list[Any] = []
    for options in _LISTS[state.phase]:
        listed += options(state, camp)
    if state.phase == "actions" and (_passing_is_free(state) or not _may_act(state, listed)):
        listed.append(mv.PassTurn())
    return listed


def _passing_is_free(state: State) -> bool:
    """PC-4.120: whether passing is legal whatever else is."""
    return not state.actions or is_winter(state) or state.options.voluntary_pass == "always"  # noqa: S105 - no password


def _may_act(state: State, moves: list[Any]) -> bool:
    """PC-4.120: whether one of these legal moves costs an action."""
    for move in moves:  # noqa: SIM110 - a plain loop is faster, and most often the first move does
        if KINDS[type(move)].cost(state, move):
            return True
    return False


def _passing_is_legal(state: State, camp: Camp, _: mv.PassTurn) -> bool:
    (seat,) = seats_to_act(state, camp)
    return _passing_is_free(state) or not _may_act(state, legal_moves(state, seat))


PASS = (Check("PC-4.120", _passing_is_legal, "an action is possible, and passing is free in winter only"),)
_SUBJECTS = (raids, cards, alliances, turns)
KINDS: dict[type, Kind] = {
    **{move: kind for subject in _SUBJECTS for move, kind in subject.KINDS.items()},
    mv.PassTurn: Kind(turns.pass_turn, lambda _, __: (), PASS),  # `legal_moves` lists it, after all others
}
_LISTS = {
    phase: tuple(KINDS[move].options for move in moves if move is not mv.PassTurn) for phase, moves in PHASES.items()
}


def play(
    state: State, seat: int, move: Any, chance: Chance, corrected: Mapping[int, Any] | None = None
) -> Transition[State]:
    """Plays a move; raises `MoveRefused` with the first rule of PC-4.1 and section 4 that forbids it."""
    move = read_move(move)
    kind = KINDS[type(move)]
    camp: Any = acting(state)  # None while tribes are chosen, which does not need it
    attempt = Attempt(seat, move, state.players)
    in_phase, to_act = type(move) in PHASES[state.phase], seats_to_act(state, camp)
    check_turn(PREFIX, state, attempt, in_phase=in_phase, to_act=to_act)
    cost = kind.cost(state, move)
    if state.phase == "actions":
        _check_actions(state, cost, move)
    if camp is not None:
        _check_cards(state, camp, kind, move)
    refuse_unless(kind.checks, state, camp, move)
    scribe = Scribe(state, seat, camp, cost, chance)
    scribe.corrected = corrected or {}
    return _carried_out(kind, scribe, move)


def play_legal(state: State, seat: int, move: Any, chance: Chance) -> Transition[State]:
    """Plays a move known to be legal, without checks: AI players try thousands."""
    kind = KINDS[type(move)]
    camp: Any = acting(state)
    return _carried_out(kind, Scribe(state, seat, camp, kind.cost(state, move), chance), move)


def _carried_out(kind: Kind, scribe: Scribe, move: Any) -> Transition[State]:
    if kind.effect(scribe, move) or turns.actions_over(scribe.state):
        turns.end_actions(scribe)
    return scribe.transition()


def _check_actions(state: State, cost: int, move: Any) -> None:
    """PC-4.1f, PC-4.1g: raids return first, and actions are not spent twice."""
    if turns.must_return(state) and not isinstance(move, mv.ReturnRaid):
        raise MoveRefused("PC-4.1f", "a due raid must return first")
    if cost > state.actions:
        raise MoveRefused("PC-4.1g", f"this costs {cost} actions, and {state.actions} are left")


def _check_cards(state: State, camp: Camp, kind: Kind, move: Any) -> None:
    """PC-4.1h, PC-4.1i: the cards are in hand, and the other tribe is seated."""
    cards = kind.cards(move)
    if not holds(camp.hand, cards):
        raise MoveRefused("PC-4.1h", f"not all of {', '.join(cards)} are in hand")
    other = None if kind.other is None else kind.other(move)
    if other is not None and (other not in state.tribes or other == state.turn):
        raise MoveRefused("PC-4.1i", f"{other} is no seated tribe other than your own")
