"""Whose move it is, what a move leads to, and the end of a hunt (MA-3.5 to MA-3.8, MA-4)."""

from collections.abc import Callable
from typing import Any

from games.kernel import Attempt, Chance, Move, MoveRefused, Transition, check_turn
from games.manitou import scoring
from games.manitou.components import GROUNDS, HUNTS, PREFIX, TURNS, in_deck_order
from games.manitou.events import CardPlayed, PartyChosen, TurnPassed, UnplayedCardsReturned
from games.manitou.evolve import Scribe
from games.manitou.moves import PassTurn, PlayCard, read_move
from games.manitou.play.laying import check_card, plays, trial_of_strength
from games.manitou.setup import begin_hunt, deal_parties, draw
from games.manitou.state import State
from games.parties import ChooseParty, PartyChoice, check_party


def to_act(state: State) -> tuple[int, ...]:
    """MA-3.4, MA-3.5: the seats that owe a decision."""
    if state.phase == "play":
        taken, players = state.turns_taken, state.players
        return (state.turn_order[taken % players],) if taken < TURNS * players else ()
    if state.phase == "party":
        camps = enumerate(state.camps, 1)
        return tuple([seat for seat, camp in camps if camp.party_size and not camp.party_chosen])
    return ()


def legal_moves(state: State, seat: int) -> list[Any]:
    """MA-4.6: what a seat may do now, nothing if it need not act."""
    if seat not in to_act(state):
        return []
    if state.phase == "party":
        camp = state.camps[seat - 1]
        return [PartyChoice(camp.party_size, camp.reserve)]
    return plays(state, seat) or [PassTurn()]


def play(state: State, seat: int, move: Any, chance: Chance) -> Transition[State]:
    """What a move leads to; raises `MoveRefused` with the first rule that forbids it (MA-4.1)."""
    move = read_move(move)
    phase, decide = DECIDE[type(move)]
    check_turn(PREFIX, state, Attempt(seat, move, state.players), in_phase=state.phase == phase, to_act=to_act(state))
    scribe = Scribe(state)
    decide(scribe, seat, move, chance)
    return scribe.transition()


def choose_party(scribe: Scribe, seat: int, move: ChooseParty, chance: Chance) -> None:
    """MA-4.2; with the last choice the hunt begins."""
    state = scribe.state
    camp = state.camps[seat - 1]
    check_party("MA", move.cards, camp.party_size, camp.reserve)
    scribe.write(PartyChosen(state.hunt, seat, len(move.cards), in_deck_order(move.cards)))
    if not to_act(scribe.state):
        deal_parties(scribe, chance)


def turn_now(state: State) -> int:
    """MA-3.5: which of its seven turns the seat to act has, passes counted."""
    return state.turns_taken // state.players + 1


def play_card(scribe: Scribe, seat: int, move: PlayCard, _: Chance) -> None:
    """MA-4.3, MA-3.6: lay the card, try strength, draw."""
    state = scribe.state
    check_card(state, seat, move)
    trial = trial_of_strength(state, seat, move)
    scribe.write(CardPlayed(state.hunt, seat, turn_now(state), move.card, move.ground, trial is not None))
    if trial is not None:
        scribe.write(trial)
    draw(scribe, seat, 1, "play")
    end_turn(scribe)


def pass_turn(scribe: Scribe, seat: int, _: PassTurn, __: Chance) -> None:
    """Lets a turn go by, if no card of the hand can be laid (MA-4.4, ruling MA-R14)."""
    state = scribe.state
    open_moves = plays(state, seat)
    if open_moves:
        card, ground = open_moves[0].card, open_moves[0].ground
        raise MoveRefused("MA-4.4", f"{card} may be laid on ground {ground}")
    hand = state.camps[seat - 1].hand
    scribe.write(TurnPassed(state.hunt, seat, turn_now(state), len(hand), ("MA-4.4", "MA-R14")))
    end_turn(scribe)


def end_turn(scribe: Scribe) -> None:
    """MA-3.7, MA-3.8: after the last turn the hunt is scored, and the next begins or the game ends."""
    state = scribe.state
    if state.turns_taken < TURNS * state.players:
        return
    end_hunt(scribe)
    if state.hunt < HUNTS:
        begin_hunt(scribe)
    else:
        scribe.write(scoring.game_ended(scribe.state))


def end_hunt(scribe: Scribe) -> None:
    """MA-5.5 to MA-5.10, step by step over all grounds (ruling MA-R19)."""
    before = scoring.earnings(scribe.state)
    return_unplayed(scribe)
    scribe.write(scoring.force_penalty(scribe.state))
    for ground in GROUNDS:
        scribe.write(scoring.ground_evaluated(scribe.state, ground))
    for ground in GROUNDS:
        scribe.write(scoring.ground_cleared(scribe.state, ground))
    scribe.write(scoring.hunt_ended(scribe.state, before))


def return_unplayed(scribe: Scribe) -> None:
    """What seats have left of hand and pile goes home (MA-5.5)."""
    state = scribe.state
    for seat in state.turn_order:
        camp = state.camps[seat - 1]
        cards = in_deck_order(camp.hand + camp.pile)
        if cards:
            scribe.write(UnplayedCardsReturned(state.hunt, seat, len(cards), cards))


DECIDE: dict[type[Move], tuple[str, Callable[[Scribe, int, Any, Chance], None]]] = {
    ChooseParty: ("party", choose_party),
    PlayCard: ("play", play_card),
    PassTurn: ("play", pass_turn),
}
