"""Accepting proposals, ending alliances, neutral allies (PC-4.80 to 4.88)."""

from typing import Literal

from games.plenty_coups.components import WARRIORS, warriors_in
from games.plenty_coups.events import (
    AllianceEnded,
    AllianceSealed,
    AllyRow,
    NeutralAllianceEnded,
    NeutralAllianceFormed,
)
from games.plenty_coups.moves import AcceptAlliance, AllyNeutral
from games.plenty_coups.play.bars import wooers
from games.plenty_coups.play.prestige import gain
from games.plenty_coups.play.proposals import value_of, value_under, withdraw_proposals
from games.plenty_coups.play.scribe import (
    Check,
    Kind,
    Scribe,
    checked,
    meets,
    one,
    when,
)
from games.plenty_coups.state import (
    Camp,
    State,
    camp_of,
    playing,
    proposal_between,
    seat_of,
)

# --- accepting ---


def _has_been_wooed(state: State, _: Camp, move: AcceptAlliance) -> bool:
    return proposal_between(state, move.from_, state.turn) is not None


def _is_warrior_of_proposer(_: State, __: Camp, move: AcceptAlliance) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe == move.from_


def _is_worth_the_change(_: State, camp: Camp, move: AcceptAlliance) -> bool:
    needed = value_under(camp)
    return needed is None or value_of(move.card) >= needed


ACCEPT = (
    Check("PC-4.80", _has_been_wooed, "{from} has no open proposal to your tribe"),
    Check("PC-4.81", _is_warrior_of_proposer, "{card} is no warrior of {from}"),
    Check("PC-4.82", _is_worth_the_change, "{card} is below the warrior under your camp"),
)


def end_alliance(scribe: Scribe, tribe: str, reason: Literal["changed", "disdain"], by_card: str) -> None:
    """PC-5.8: `tribe` ends its alliance with a seated tribe; both cards are discarded."""
    state = scribe.state
    pair = (tribe, camp_of(state, tribe).ally)
    rows = tuple(
        AllyRow(seat_of(state, camp.tribe), camp.tribe, camp.ally_card)
        for camp in state.camps
        if camp.tribe in pair and camp.ally_card is not None
    )
    scribe.write(AllianceEnded(playing(state, tribe), tribe, rows, reason, by_card, ("PC-5.8",)))


def _end_neutral(
    scribe: Scribe,
    camp: Camp,
    reason: Literal["replaced", "outbid", "superseded"],
    by: tuple[str, str],
    rules: tuple[str, ...],
) -> None:
    """A neutral alliance ends; `by` is the tribe that moved and the card that ended it."""
    if camp.ally is not None and camp.ally_card is not None:
        seat, (by_tribe, by_card) = seat_of(scribe.state, camp.tribe), by
        by_seat = playing(scribe.state, by_tribe)
        scribe.write(
            NeutralAllianceEnded(seat, camp.tribe, camp.ally, camp.ally_card, reason, by_seat, by_tribe, by_card, rules)
        )


def _accept(scribe: Scribe, move: AcceptAlliance) -> None:
    """PC-5.8: former alliances end, the new one is sealed, the proposer gains a point."""
    state = scribe.state
    camp, proposer = scribe.camp, camp_of(state, move.from_)
    proposal = checked(proposal_between(state, move.from_, camp.tribe))
    was_neutral = camp.ally in state.neutral
    if was_neutral:
        _end_neutral(scribe, camp, "superseded", (camp.tribe, move.card), ("PC-4.82", "PC-R49", "PC-5.8"))
    elif camp.ally is not None:
        end_alliance(scribe, camp.tribe, "changed", move.card)
    _end_neutral(scribe, proposer, "superseded", (camp.tribe, proposal.card), ("PC-5.8", "PC-R29"))
    needed = value_under(camp)
    rules = (*when(needed is not None, "PC-4.82"), *when(was_neutral, "PC-R49"), "PC-5.8")
    value = value_of(move.card)
    scribe.write(AllianceSealed(scribe.seat, camp.tribe, move.card, value, move.from_, proposal.card, needed, rules))
    gain(scribe, move.from_, "alliance")
    withdraw_proposals(scribe)


def _acceptances(state: State, camp: Camp) -> list[AcceptAlliance]:
    if not state.actions or not state.proposals:
        return []
    moves = [AcceptAlliance(tribe, card) for tribe in wooers(state, camp) for card in camp.hand]
    return [move for move in moves if meets(ACCEPT, state, camp, move)]


# --- neutral allies ---


def _is_neutral_warrior(state: State, _: Camp, move: AllyNeutral) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe in state.neutral


def _has_no_seated_ally(state: State, camp: Camp, _: object) -> bool:
    return camp.ally not in state.tribes


def _replaces_own(_: State, camp: Camp, move: AllyNeutral) -> bool:
    needed = value_under(camp)
    return needed is None or (WARRIORS[move.card].tribe != camp.ally and value_of(move.card) >= needed)


def _holder(state: State, neutral: str) -> Camp | None:
    """Another camp than the turn's that is allied with the neutral tribe."""
    for camp in state.camps:
        if camp.ally == neutral and camp.tribe != state.turn:
            return camp
    return None


def _beats_holder(state: State, _: Camp, move: AllyNeutral) -> bool:
    holder = _holder(state, WARRIORS[move.card].tribe)
    value = None if holder is None else value_under(holder)
    return value is None or value_of(move.card) > value


NEUTRAL_VALUE = (
    Check("PC-4.87", _replaces_own, "{card} cannot replace your neutral ally"),
    Check("PC-4.88", _beats_holder, "{card} is not above the card of the tribe allied with that neutral tribe"),
)
ALLY_NEUTRAL = (
    Check("PC-4.85", _is_neutral_warrior, "{card} is no warrior of a neutral tribe"),
    Check("PC-4.86", _has_no_seated_ally, "your tribe has a seated ally"),
    *NEUTRAL_VALUE,
)


def _ally_neutral(scribe: Scribe, move: AllyNeutral) -> None:
    state = scribe.state
    camp, neutral = scribe.camp, WARRIORS[move.card].tribe
    holder, by = _holder(state, neutral), (camp.tribe, move.card)
    _end_neutral(scribe, camp, "replaced", by, ("PC-4.87", "PC-5.8"))
    if holder is not None:
        _end_neutral(scribe, holder, "outbid", by, ("PC-4.88", "PC-5.8"))
    rules = (*when(camp.ally, "PC-4.87"), *when(holder, "PC-4.88"), "PC-5.8")
    scribe.write(NeutralAllianceFormed(scribe.seat, camp.tribe, neutral, move.card, rules))
    withdraw_proposals(scribe)


def _neutral_allies(state: State, camp: Camp) -> list[AllyNeutral]:
    if not state.actions or not state.neutral or not _has_no_seated_ally(state, camp, None):
        return []
    moves = [AllyNeutral(card) for card in warriors_in(camp.hand) if WARRIORS[card].tribe in state.neutral]
    return [move for move in moves if meets(NEUTRAL_VALUE, state, camp, move)]


KINDS = {
    AcceptAlliance: Kind(
        _accept,
        _acceptances,
        ACCEPT,
        cost=one,
        cards=lambda move: (move.card,),
        other=lambda move: move.from_,
    ),
    AllyNeutral: Kind(_ally_neutral, _neutral_allies, ALLY_NEUTRAL, cost=one, cards=lambda move: (move.card,)),
}
