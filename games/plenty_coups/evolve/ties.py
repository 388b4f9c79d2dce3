"""Gifts, alliances and disdain."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games.plenty_coups import events as happened
from games.plenty_coups.components import COUP_STICK, in_order, without
from games.plenty_coups.evolve.changes import changed, less_cards, less_proposal
from games.plenty_coups.state import Offer, Proposal, State, camp_of


def _gift_offered(state: State, event: Any) -> State:
    discarded = () if event.free else (event.discarded,)
    return replace(
        state,
        camps=less_cards(state, event.tribe, (event.give, *discarded)),
        discards=state.discards + discarded,
        phase="answer_gift",
        offer=Offer(event.tribe, event.to, event.give, event.free),
        actions=state.actions - event.cost,
        free_made=state.free_made or event.free,
    )


def _gifts_exchanged(state: State, event: Any) -> State:
    answerer, giver = camp_of(state, event.tribe), camp_of(state, event.to)
    camps = changed(state, state.camps, event.to, hand=in_order((*giver.hand, event.given)))
    hand = in_order((*without(answerer.hand, (event.given,)), event.received))
    return replace(state, camps=changed(state, camps, event.tribe, hand=hand), phase="actions", offer=None)


def _alliance_proposed(state: State, event: happened.AllianceProposed) -> State:
    return replace(
        state,
        camps=less_cards(state, event.tribe, (event.card,)),
        proposals=(*state.proposals, Proposal(event.tribe, event.to, event.card)),
        actions=state.actions - 1,
    )


def _proposal_gone(state: State, event: Any) -> State:
    return replace(
        state,
        proposals=less_proposal(state, event.tribe, event.to),
        discards=(*state.discards, event.card),
    )


def _alliance_sealed(state: State, event: happened.AllianceSealed) -> State:
    camps = less_cards(state, event.tribe, (event.card,))
    camps = changed(state, camps, event.tribe, ally=event.proposer, ally_card=event.card)
    return replace(
        state,
        camps=changed(state, camps, event.proposer, ally=event.tribe, ally_card=event.proposer_card),
        proposals=less_proposal(state, event.proposer, event.tribe),
        actions=state.actions - 1,
    )


def _alliance_ended(state: State, event: happened.AllianceEnded) -> State:
    camps = state.camps
    for row in event.allies:
        camps = changed(state, camps, row.tribe, ally=None, ally_card=None)
    return replace(state, camps=camps, discards=state.discards + tuple(row.card for row in event.allies))


def _neutral_alliance_formed(state: State, event: happened.NeutralAllianceFormed) -> State:
    camps = less_cards(state, event.tribe, (event.card,))
    return replace(
        state,
        camps=changed(state, camps, event.tribe, ally=event.neutral, ally_card=event.card),
        actions=state.actions - 1,
    )


def _neutral_alliance_ended(state: State, event: happened.NeutralAllianceEnded) -> State:
    return replace(
        state,
        camps=changed(state, state.camps, event.tribe, ally=None, ally_card=None),
        discards=(*state.discards, event.card),
    )


def _disdain_endured(state: State, _: happened.DisdainEndured) -> State:
    """The loss follows in an event of its own (PC-5.7)."""
    return state


def _disdain_cast(state: State, event: happened.DisdainCast) -> State:
    camps = less_cards(state, event.tribe, (COUP_STICK,))
    return replace(
        state,
        camps=changed(state, camps, event.target, disdained=True),
        phase="answer_disdain",
        disdained=event.target,
        actions=state.actions - 1,
    )


def _disdain_lifted(state: State, event: happened.DisdainLifted) -> State:
    camps = changed(state, state.camps, event.tribe, disdained=False)
    return replace(state, camps=camps, discards=(*state.discards, COUP_STICK))


def _worth_proved(state: State, event: happened.WorthProved) -> State:
    return replace(
        state,
        camps=less_cards(state, event.tribe, (event.card,)),
        discards=(*state.discards, event.card),
        phase="actions",
        disdained=None,
    )


EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    happened.DisdainLifted: _disdain_lifted,
    happened.GiftOffered: _gift_offered,
    happened.GiftsExchanged: _gifts_exchanged,
    happened.AllianceProposed: _alliance_proposed,
    happened.ProposalOutbid: _proposal_gone,
    happened.ProposalExpired: _proposal_gone,
    happened.ProposalWithdrawn: _proposal_gone,
    happened.AllianceSealed: _alliance_sealed,
    happened.AllianceEnded: _alliance_ended,
    happened.NeutralAllianceFormed: _neutral_alliance_formed,
    happened.NeutralAllianceEnded: _neutral_alliance_ended,
    happened.DisdainCast: _disdain_cast,
    happened.WorthProved: _worth_proved,
    happened.DisdainEndured: _disdain_endured,
}
