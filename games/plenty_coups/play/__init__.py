"""What may be played and what it leads to: the common checks of PC-4.1, and the subjects' tables of moves."""

from typing import Any

from games.kernel import Attempt, Chance, MoveRefused, Transition, check_turn
from games.plenty_coups import moves as asked
from games.plenty_coups.components import PREFIX, holds
from games.plenty_coups.moves import read_move
from games.plenty_coups.play import alliances, defence, disdain, display, gifts, horses, proposals, raids, tribes, turns
from games.plenty_coups.play.scribe import Kind, Scribe, refuse_unless
from games.plenty_coups.state import Camp, State, acting, seats_to_act

PHASES: dict[str, tuple[type, ...]] = {  # PC-3.13, in its order, which is that of the legal moves
    "choose_tribe": (asked.ChooseTribe,),
    "take": (asked.TakeCards,),
    "actions": (
        asked.ReturnRaid,
        asked.Raid,
        asked.Defend,
        asked.MarkDefenceCoup,
        asked.Breed,
        asked.DonateHorses,
        asked.Hunt,
        asked.ExchangeGifts,
        asked.ExchangeGiftsFree,
        asked.ProposeAlliance,
        asked.AcceptAlliance,
        asked.AllyNeutral,
        asked.Disdain,
        asked.PassTurn,
    ),
    "answer_gift": (asked.AnswerGift,),
    "answer_disdain": (asked.ProveWorth, asked.EndureDisdain),
    "hunt_discard": (asked.DiscardAfterHunt,),
    "excess": (asked.DiscardExcess,),
    "over": (),
}
_SUBJECTS = (tribes, display, raids, defence, horses, gifts, proposals, alliances, disdain, turns)
KINDS: dict[type, Kind] = {move: kind for subject in _SUBJECTS for move, kind in subject.KINDS.items()}
_LISTS = {phase: tuple(KINDS[move].options for move in moves) for phase, moves in PHASES.items()}


def legal_moves(state: State, seat: int) -> list[Any]:
    """Every move that `seat` may make now, in the order of PC-3.16; none if it need not act."""
    camp = acting(state)
    if seat not in seats_to_act(state, camp):
        return []
    if state.phase == "actions" and turns.must_return(state):
        return list(KINDS[asked.ReturnRaid].options(state, camp))
    listed: list[Any] = []
    for options in _LISTS[state.phase]:
        listed += options(state, camp)
    return listed


def play(state: State, seat: int, move: Any, chance: Chance) -> Transition[State]:
    """What the move leads to; raises `MoveRefused` with the first rule of PC-4.1 and section 4 that forbids it."""
    move = read_move(move)
    kind = KINDS[type(move)]
    camp: Any = acting(state)  # none while the tribes are chosen: a choice has no use for it
    attempt = Attempt(seat, move, state.players)
    in_phase, to_act = type(move) in PHASES[state.phase], seats_to_act(state, camp)
    check_turn(PREFIX, state, attempt, in_phase=in_phase, to_act=to_act)
    cost = kind.cost(state, move)
    if state.phase == "actions":
        _check_actions(state, cost, move)
    if camp is not None:
        _check_cards(state, camp, kind, move)
    refuse_unless(kind.checks, state, camp, move)
    return _carried_out(kind, Scribe(state, seat, camp, cost, chance), move)


def play_legal(state: State, seat: int, move: Any, chance: Chance) -> Transition[State]:
    """The same for one of the legal moves of the seat, which no rule has to allow again: players try thousands."""
    kind = KINDS[type(move)]
    camp: Any = acting(state)
    return _carried_out(kind, Scribe(state, seat, camp, kind.cost(state, move), chance), move)


def _carried_out(kind: Kind, scribe: Scribe, move: Any) -> Transition[State]:
    if kind.effect(scribe, move) or turns.actions_over(scribe.state):
        turns.end_actions(scribe)
    return scribe.transition()


def _check_actions(state: State, cost: int, move: Any) -> None:
    """PC-4.1f, PC-4.1g: raids return first, and actions are not spent twice."""
    if turns.must_return(state) and not isinstance(move, asked.ReturnRaid):
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
