"""Proposals of alliance: making, outbidding, buying off a raid, and how they fall (PC-4.70 to 4.76, PC-5.9)."""

from collections.abc import Sequence
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
    booty,
    herds_moved,
    meets,
    one,
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

PLAYERS_TO_ALLY = 4  # PC-4.70


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


def is_bound(state: State, camp: Camp, to: str) -> bool:
    """PC-4.72: whether the camp's ally forbids it to propose to that tribe; PC-R29 says what a neutral one forbids."""
    allowed = state.options.neutral_ally_may_propose
    if camp.ally is None or camp.ally in state.tribes or allowed in ("no", False):
        return camp.ally is not None
    return allowed == "to_unallied" and seated_ally(state, camp_of(state, to)) is not None


def possible_allies(state: State, tribe: str) -> tuple[str, ...]:
    """PC-4.70: the seated tribes with which one may ally: all from 4 players on, or the shared tribe (PC-R44)."""
    if state.players >= PLAYERS_TO_ALLY:
        return state.tribes
    if state.shared is None or state.options.shared_alliance != "allowed":
        return ()
    return state.tribes if tribe == state.shared else (state.shared,)


def _is_possible_ally(state: State, camp: Camp, move: ProposeAlliance) -> bool:
    return move.to in possible_allies(state, camp.tribe)


def _is_warrior_of_wooed(_: State, __: Camp, move: ProposeAlliance) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe == move.to


def _is_free_to_propose(state: State, camp: Camp, move: ProposeAlliance) -> bool:
    return not is_bound(state, camp, move.to)


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
    Check("PC-4.70", _is_possible_ally, "seated tribes ally from 4 players on"),
    Check("PC-4.71", _is_warrior_of_wooed, "{card} is no warrior of {to}"),
    Check("PC-4.72", _is_free_to_propose, "the ally of your tribe forbids it to propose to {to}"),
    *against(PROPOSE_BARS, attrgetter("to")),
    *PROPOSE_VALUE,
)


def _propose(scribe: Scribe, move: ProposeAlliance) -> None:
    state = scribe.state
    camp = scribe.camp
    rival, value = proposal_to(state, move.to), ally_value(state, move.to)
    rules = (
        *when(state.shared, "PC-R44"),
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
    outbid = (playing(scribe.state, rival.tribe), rival.tribe, rival.to, rival.card, rival.value)
    by = (playing(scribe.state, by_tribe), by_tribe, by_card, value_of(by_card))
    scribe.write(ProposalOutbid(*outbid, *by, ("PC-4.75", "PC-5.8")))


def _buy_off(scribe: Scribe, raider: str, proposer: str) -> None:
    """PC-R25: a raid of the wooed tribe on the proposer leaves at once, with a horse if there is one."""
    state = scribe.state
    raid = next((raid for raid in raids_of(state, raider) if raid.target == proposer), None)
    if raid is None:
        return
    horses = booty(camp_of(state, proposer).horses)
    bought_off = (seat_of(state, raider), raider, proposer, raid.cards)
    taken = (horses, *herds_moved(state, proposer, raider, horses))
    by = (playing(state, proposer), proposer)
    scribe.write(RaidBoughtOff(*bought_off, *taken, raid.marker, *by, ("PC-5.8", "PC-R25")))


def _proposals(state: State, camp: Camp) -> list[ProposeAlliance]:
    possible = possible_allies(state, camp.tribe) if state.actions else ()
    warriors = warriors_in(camp.hand) if possible else ()
    if not warriors or camp.ally in state.tribes:
        return []
    wooable = [to for to in unbarred(PROPOSE_BARS, state, camp) if to in possible and not is_bound(state, camp, to)]
    moves = _offered(warriors, wooable)
    return [move for move in moves if meets(PROPOSE_VALUE, state, camp, move)]


def _offered(warriors: Sequence[str], wooable: Sequence[str]) -> list[ProposeAlliance]:
    """Each of these tribes proposed to with each of its own warriors."""
    return [ProposeAlliance(to, card) for to in wooable for card in warriors if WARRIORS[card].tribe == to]


# --- proposals that fall ---


def withdraw_proposals(scribe: Scribe) -> None:
    """PC-5.9: what could no longer be proposed is discarded, oldest first."""
    for proposal in scribe.state.proposals:
        state = scribe.state
        value = ally_value(state, proposal.to)
        if is_bound(state, camp_of(state, proposal.tribe), proposal.to):
            _withdraw(scribe, proposal, "proposer_allied")
        elif value is not None and value >= proposal.value:
            _withdraw(scribe, proposal, "value_too_low")


def _withdraw(scribe: Scribe, proposal: Proposal, reason: Literal["proposer_allied", "value_too_low"]) -> None:
    seat = seat_of(scribe.state, proposal.tribe)
    rules = ("PC-5.9", "PC-R31")
    scribe.write(ProposalWithdrawn(seat, proposal.tribe, proposal.to, proposal.card, reason, rules))


def expire(scribe: Scribe, proposal: Proposal, rule: str) -> None:
    """An open proposal lapses: in its proposer's upkeep (PC-3.4) or at the end (PC-5.10)."""
    seat = seat_of(scribe.state, proposal.tribe)
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
