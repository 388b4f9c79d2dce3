"""Proposals of alliance: making, outbidding, buying off a raid, and how they fall (PC-4.70 to 4.76, PC-5.9)."""

from operator import attrgetter
from typing import Literal

from games.plenty_coups.components import WARRIORS, warriors_in
from games.plenty_coups.events import (
    AllianceProposed,
    ProposalExpired,
    ProposalOutbid,
    ProposalWithdrawn,
    RaidBoughtOff,
)
from games.plenty_coups.moves import ProposeAlliance
from games.plenty_coups.play.bars import Bar, against, raided, unbarred, wooed
from games.plenty_coups.play.scribe import (
    Check,
    Kind,
    Scribe,
    herd_rows,
    herds_after,
    meets,
    one,
    stealable,
    when,
)
from games.plenty_coups.state import (
    Camp,
    Proposal,
    State,
    camp_of,
    playing,
    proposal_to,
    raids_of,
    seat_of,
    seated_ally,
)


def value_of(card: str) -> int:
    """PC-R47: the printed value of a warrior."""
    return WARRIORS[card].value


def value_under(camp: Camp) -> int | None:
    """The value of the warrior under a camp, null without an ally."""
    return None if camp.ally_card is None else value_of(camp.ally_card)


def ally_value(state: State, to: str) -> int | None:
    """PC-4.76: the value under the camp of the seated ally of `to`, null without one."""
    ally = seated_ally(state, camp_of(state, to))
    return None if ally is None else value_under(ally)


def is_bound(state: State, camp: Camp) -> bool:
    """PC-4.72: whether the camp's ally forbids it to propose."""
    if state.options.neutral_ally_may_propose:
        return camp.ally in state.tribes
    return camp.ally is not None


def _are_four_players(state: State, _: Camp, __: ProposeAlliance) -> bool:
    return state.players >= 4


def _is_warrior_of_wooed(_: State, __: Camp, move: ProposeAlliance) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe == move.to


def _is_free_to_propose(state: State, camp: Camp, _: ProposeAlliance) -> bool:
    return not is_bound(state, camp)


def _outbids(state: State, _: Camp, move: ProposeAlliance) -> bool:
    rival = proposal_to(state, move.to)
    return rival is None or value_of(move.card) > rival.value


def _beats_ally(state: State, _: Camp, move: ProposeAlliance) -> bool:
    value = ally_value(state, move.to)
    return value is None or value_of(move.card) > value


PROPOSE_BARS = (
    Bar("PC-4.73", raided, "your tribe's raid stands on {to}"),
    Bar("PC-4.74", wooed, "your tribe has an open proposal to {to} already"),
)
PROPOSE_VALUE = (
    Check("PC-4.75", _outbids, "{card} does not outbid the open proposal to {to}"),
    Check("PC-4.76", _beats_ally, "{card} is not above the warrior under the camp of the ally of {to}"),
)
PROPOSE = (
    Check("PC-4.70", _are_four_players, "seated tribes ally from 4 players on"),
    Check("PC-4.71", _is_warrior_of_wooed, "{card} is no warrior of {to}"),
    Check("PC-4.72", _is_free_to_propose, "your tribe has an ally"),
    *against(PROPOSE_BARS, attrgetter("to")),
    *PROPOSE_VALUE,
)


def _propose(scribe: Scribe, move: ProposeAlliance) -> None:
    state = scribe.state
    camp = scribe.camp
    rival, value = proposal_to(state, move.to), ally_value(state, move.to)
    rules = (
        "PC-4.72",
        *when(camp.ally, "PC-R29"),
        *when(any(p.tribe == camp.tribe for p in state.proposals), "PC-R26"),
        *when(rival, "PC-4.75"),
        *when(value is not None, "PC-4.76"),
        "PC-5.8",
    )
    scribe.write(AllianceProposed(scribe.seat, camp.tribe, move.to, move.card, value_of(move.card), value, rules))
    if rival is not None:
        _outbid(scribe, rival, camp.tribe, move.card)
    _buy_off(scribe, move.to, camp.tribe)


def _outbid(scribe: Scribe, rival: Proposal, by_tribe: str, by_card: str) -> None:
    seat, by_seat = playing(scribe.state, rival.tribe), playing(scribe.state, by_tribe)
    scribe.write(
        ProposalOutbid(
            seat,
            rival.tribe,
            rival.to,
            rival.card,
            rival.value,
            by_seat,
            by_tribe,
            by_card,
            value_of(by_card),
            ("PC-4.75", "PC-5.8"),
        )
    )


def _buy_off(scribe: Scribe, raider: str, proposer: str) -> None:
    """PC-R25: a raid of the wooed tribe on the proposer leaves at once, with a horse if there is one."""
    state = scribe.state
    for raid in raids_of(state, raider):
        if raid.target == proposer:
            horses = stealable(state, proposer)
            scribe.write(
                RaidBoughtOff(
                    seat_of(state, raider),
                    raider,
                    proposer,
                    raid.cards,
                    horses,
                    herd_rows(state, proposer, raider),
                    herds_after(state, proposer, raider, horses),
                    raid.marker,
                    playing(state, proposer),
                    proposer,
                    ("PC-5.8", "PC-R25"),
                )
            )


def _proposals(state: State, camp: Camp) -> list[ProposeAlliance]:
    if not state.actions or state.players < 4 or is_bound(state, camp):
        return []
    warriors = [(WARRIORS[card].tribe, card) for card in warriors_in(camp.hand)]
    wooable = unbarred(PROPOSE_BARS, state, camp) if warriors else []
    moves = [ProposeAlliance(to, card) for to in wooable for tribe, card in warriors if tribe == to]
    return [move for move in moves if meets(PROPOSE_VALUE, state, camp, move)]


# --- proposals that fall ---


def withdraw_proposals(scribe: Scribe) -> None:
    """PC-5.9: what could no longer be proposed is discarded, oldest first."""
    for proposal in scribe.state.proposals:
        state = scribe.state
        value = ally_value(state, proposal.to)
        if is_bound(state, camp_of(state, proposal.tribe)):
            _withdraw(scribe, proposal, "proposer_allied")
        elif value is not None and value >= proposal.value:
            _withdraw(scribe, proposal, "value_too_low")


def _withdraw(scribe: Scribe, proposal: Proposal, reason: Literal["proposer_allied", "value_too_low"]) -> None:
    seat = playing(scribe.state, proposal.tribe)
    rules = ("PC-5.9", "PC-R31")
    scribe.write(ProposalWithdrawn(seat, proposal.tribe, proposal.to, proposal.card, reason, rules))


def expire(scribe: Scribe, proposal: Proposal, rule: str) -> None:
    """An open proposal lapses: in its proposer's upkeep (PC-3.4) or at the end (PC-5.10)."""
    seat = playing(scribe.state, proposal.tribe)
    scribe.write(ProposalExpired(seat, proposal.tribe, proposal.to, proposal.card, (rule,)))


KINDS = {
    ProposeAlliance: Kind(
        _propose,
        _proposals,
        PROPOSE,
        cost=one,
        cards=lambda move: (move.card,),
        other=attrgetter("to"),
    ),
}
