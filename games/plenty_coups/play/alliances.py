"""Proposing, accepting, neutral allies, and what a change of alliances undoes (PC-4.70 to 4.88, PC-5.9)."""

from collections.abc import Iterator
from typing import Literal

from games.plenty_coups.components import WARRIORS
from games.plenty_coups.events import (
    AllianceEnded,
    AllianceProposed,
    AllianceSealed,
    AllyRow,
    NeutralAllianceEnded,
    NeutralAllianceFormed,
    ProposalExpired,
    ProposalOutbid,
    ProposalWithdrawn,
    RaidBoughtOff,
)
from games.plenty_coups.moves import AcceptAlliance, AllyNeutral, ProposeAlliance
from games.plenty_coups.play.prestige import gain
from games.plenty_coups.play.scribe import (
    Check,
    Kind,
    Scribe,
    herd_rows,
    herds_after,
    meets,
    one,
    others,
    stealable,
    when,
)
from games.plenty_coups.state import (
    Camp,
    Proposal,
    State,
    camp_of,
    own_camp,
    playing,
    proposal_between,
    proposal_to,
    raids_of,
    seat_of,
    seated_ally,
)


def _value(card: str) -> int:
    return WARRIORS[card].value


def _value_under(camp: Camp) -> int | None:
    """The value of the warrior under a camp, null without an ally."""
    return None if camp.ally_card is None else _value(camp.ally_card)


def ally_value(state: State, to: str) -> int | None:
    """PC-4.76: the value under the camp of the seated ally of `to`, null without one."""
    ally = seated_ally(state, camp_of(state, to))
    return None if ally is None else _value_under(ally)


def _is_bound(state: State, camp: Camp) -> bool:
    """PC-4.72: whether the camp's ally forbids it to propose."""
    if state.options.neutral_ally_may_propose:
        return camp.ally in state.tribes
    return camp.ally is not None


# --- proposing ---


def _are_four_players(state: State, _: ProposeAlliance) -> bool:
    return state.players >= 4


def _is_warrior_of_wooed(_: State, move: ProposeAlliance) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe == move.to


def _is_free_to_propose(state: State, _: ProposeAlliance) -> bool:
    return not _is_bound(state, own_camp(state))


def _does_not_raid_wooed(state: State, move: ProposeAlliance) -> bool:
    return all((raid.tribe, raid.target) != (state.turn, move.to) for raid in state.raids)


def _has_not_proposed_yet(state: State, move: ProposeAlliance) -> bool:
    return proposal_between(state, own_camp(state).tribe, move.to) is None


def _outbids(state: State, move: ProposeAlliance) -> bool:
    rival = proposal_to(state, move.to)
    return rival is None or _value(move.card) > rival.value


def _beats_ally(state: State, move: ProposeAlliance) -> bool:
    value = ally_value(state, move.to)
    return value is None or _value(move.card) > value


PROPOSE = (
    Check("PC-4.70", _are_four_players, "seated tribes ally from 4 players on"),
    Check("PC-4.71", _is_warrior_of_wooed, "{card} is no warrior of {to}"),
    Check("PC-4.72", _is_free_to_propose, "your tribe has an ally"),
    Check("PC-4.73", _does_not_raid_wooed, "your tribe's raid stands on {to}"),
    Check("PC-4.74", _has_not_proposed_yet, "your tribe has an open proposal to {to} already"),
    Check("PC-4.75", _outbids, "{card} does not outbid the open proposal to {to}"),
    Check("PC-4.76", _beats_ally, "{card} is not above the warrior under the camp of the ally of {to}"),
)


def _propose(scribe: Scribe, move: ProposeAlliance) -> None:
    state = scribe.state
    camp = own_camp(state)
    rival, value = proposal_to(state, move.to), ally_value(state, move.to)
    rules = (
        "PC-4.72",
        *when(camp.ally, "PC-R29"),
        *when(any(p.tribe == camp.tribe for p in state.proposals), "PC-R26"),
        *when(rival, "PC-4.75"),
        *when(value is not None, "PC-4.76"),
        "PC-5.8",
    )
    seat = playing(state, camp.tribe)
    scribe.write(AllianceProposed(seat, camp.tribe, move.to, move.card, _value(move.card), value, rules))
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
            _value(by_card),
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


def _proposals(state: State) -> Iterator[ProposeAlliance]:
    camp = own_camp(state)
    if not state.actions or state.players < 4 or _is_bound(state, camp):
        return
    for to in others(state):
        for card in camp.hand:
            move = ProposeAlliance(to, card)
            if _is_warrior_of_wooed(state, move) and meets(PROPOSE, state, move):
                yield move


# --- accepting ---


def _has_been_wooed(state: State, move: AcceptAlliance) -> bool:
    return proposal_between(state, move.from_, own_camp(state).tribe) is not None


def _is_warrior_of_proposer(_: State, move: AcceptAlliance) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe == move.from_


def _is_worth_the_change(state: State, move: AcceptAlliance) -> bool:
    needed = _value_under(own_camp(state))
    return needed is None or _value(move.card) >= needed


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
    camp, proposer = own_camp(state), camp_of(state, move.from_)
    proposal = proposal_between(state, move.from_, camp.tribe)
    if proposal is None:
        return
    was_neutral = camp.ally in state.neutral
    if was_neutral:
        _end_neutral(scribe, camp, "superseded", (camp.tribe, move.card), ("PC-4.82", "PC-R49", "PC-5.8"))
    elif camp.ally is not None:
        end_alliance(scribe, camp.tribe, "changed", move.card)
    _end_neutral(scribe, proposer, "superseded", (camp.tribe, proposal.card), ("PC-5.8", "PC-R29"))
    needed = _value_under(camp)
    rules = (*when(needed is not None, "PC-4.82"), *when(was_neutral, "PC-R49"), "PC-5.8")
    seat, value = playing(state, camp.tribe), _value(move.card)
    scribe.write(AllianceSealed(seat, camp.tribe, move.card, value, move.from_, proposal.card, needed, rules))
    gain(scribe, move.from_, "alliance")
    withdraw_proposals(scribe)


def _acceptances(state: State) -> Iterator[AcceptAlliance]:
    if not state.actions:
        return
    camp = own_camp(state)
    for proposal in state.proposals:
        if proposal.to == camp.tribe:
            moves = (AcceptAlliance(proposal.tribe, card) for card in camp.hand)
            yield from (move for move in moves if meets(ACCEPT, state, move))


# --- neutral allies ---


def _is_neutral_warrior(state: State, move: AllyNeutral) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe in state.neutral


def _has_no_seated_ally(state: State, _: AllyNeutral) -> bool:
    return own_camp(state).ally not in state.tribes


def _replaces_own(state: State, move: AllyNeutral) -> bool:
    camp = own_camp(state)
    needed = _value_under(camp)
    return needed is None or (WARRIORS[move.card].tribe != camp.ally and _value(move.card) >= needed)


def _holder(state: State, neutral: str) -> Camp | None:
    """Another camp than the turn's that is allied with the neutral tribe."""
    return next((camp for camp in state.camps if camp.ally == neutral and camp.tribe != state.turn), None)


def _beats_holder(state: State, move: AllyNeutral) -> bool:
    holder = _holder(state, WARRIORS[move.card].tribe)
    value = None if holder is None else _value_under(holder)
    return value is None or _value(move.card) > value


ALLY_NEUTRAL = (
    Check("PC-4.85", _is_neutral_warrior, "{card} is no warrior of a neutral tribe"),
    Check("PC-4.86", _has_no_seated_ally, "your tribe has a seated ally"),
    Check("PC-4.87", _replaces_own, "{card} cannot replace your neutral ally"),
    Check("PC-4.88", _beats_holder, "{card} is not above the card of the tribe allied with that neutral tribe"),
)


def _ally_neutral(scribe: Scribe, move: AllyNeutral) -> None:
    state = scribe.state
    camp, neutral = own_camp(state), WARRIORS[move.card].tribe
    holder, by = _holder(state, neutral), (camp.tribe, move.card)
    _end_neutral(scribe, camp, "replaced", by, ("PC-4.87", "PC-5.8"))
    if holder is not None:
        _end_neutral(scribe, holder, "outbid", by, ("PC-4.88", "PC-5.8"))
    rules = (*when(camp.ally, "PC-4.87"), *when(holder, "PC-4.88"), "PC-5.8")
    seat = playing(state, camp.tribe)
    scribe.write(NeutralAllianceFormed(seat, camp.tribe, neutral, move.card, rules))
    withdraw_proposals(scribe)


def _neutral_allies(state: State) -> Iterator[AllyNeutral]:
    if state.actions:
        moves = (AllyNeutral(card) for card in own_camp(state).hand)
        yield from (move for move in moves if meets(ALLY_NEUTRAL, state, move))


# --- proposals that fall ---


def withdraw_proposals(scribe: Scribe) -> None:
    """PC-5.9: what could no longer be proposed is discarded, oldest first."""
    for proposal in scribe.state.proposals:
        state = scribe.state
        value = ally_value(state, proposal.to)
        if _is_bound(state, camp_of(state, proposal.tribe)):
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
        other=lambda move: move.to,
    ),
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
