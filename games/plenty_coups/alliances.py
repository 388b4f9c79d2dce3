"""Alliances and disdain: proposing, accepting, neutral allies, disdaining and its answers (PC-4.70 to 4.96, PC-5.9)."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Literal

from games.deciding import when
from games.plenty_coups import events as ev
from games.plenty_coups import moves as mv
from games.plenty_coups.components import COUP_STICK, WARRIORS, WORTHY, warriors_in
from games.plenty_coups.scribe import (
    Bar,
    Check,
    Kind,
    Scribe,
    against,
    booty,
    checked,
    gain,
    herds_moved,
    lose,
    meets,
    one,
    played_along,
    raided,
    the_card,
    unbarred,
    wooed,
    wooers,
)
from games.plenty_coups.state import (
    Camp,
    Proposal,
    State,
    camp_of,
    is_winter,
    neutral_tribes,
    off_herd,
    playing,
    proposal_between,
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
    if camp.ally is None or seated_ally(state, camp) or allowed == "no":
        return camp.ally is not None
    return allowed == "to_unallied" and seated_ally(state, camp_of(state, to)) is not None


def possible_allies(state: State, tribe: str) -> tuple[str, ...]:
    """PC-4.70: the seated tribes with which one may ally: all from 4 players on, or the shared tribe (PC-R44)."""
    if state.players >= PLAYERS_TO_ALLY:
        return state.tribes
    if state.shared is None or state.options.shared_alliance != "allowed":
        return ()
    return state.tribes if tribe == state.shared else (state.shared,)


def _is_possible_ally(state: State, camp: Camp, move: mv.ProposeAlliance) -> bool:
    return move.to in possible_allies(state, camp.tribe)


def _is_warrior_of(card: str, tribe: str) -> bool:
    return card in WARRIORS and WARRIORS[card].tribe == tribe


def _is_free_to_propose(state: State, camp: Camp, move: mv.ProposeAlliance) -> bool:
    return not is_bound(state, camp, move.to)


def _outbids(state: State, _: Camp, move: mv.ProposeAlliance) -> bool:
    rival = proposal_to(state, move.to)
    return rival is None or value_of(move.card) > rival.value


def _beats_ally(state: State, _: Camp, move: mv.ProposeAlliance) -> bool:
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
    Check("PC-4.71", lambda _, __, move: _is_warrior_of(move.card, move.to), "{card} is no warrior of {to}"),
    Check("PC-4.72", _is_free_to_propose, "the ally of your tribe forbids it to propose to {to}"),
    *against(PROPOSE_BARS, attrgetter("to")),
    *PROPOSE_VALUE,
)


def _propose(scribe: Scribe, move: mv.ProposeAlliance) -> None:
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
    scribe.write(ev.AllianceProposed(scribe.seat, camp.tribe, move.to, move.card, value_of(move.card), value, rules))
    if rival is not None:
        _outbid(scribe, rival, camp.tribe, move.card)
    _buy_off(scribe, move.to, camp.tribe)


def _outbid(scribe: Scribe, rival: Proposal, by_tribe: str, by_card: str) -> None:
    outbid = (playing(scribe.state, rival.tribe), rival.tribe, rival.to, rival.card, rival.value)
    by = (playing(scribe.state, by_tribe), by_tribe, by_card, value_of(by_card))
    scribe.write(ev.ProposalOutbid(*outbid, *by, ("PC-4.75", "PC-5.8")))


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
    scribe.write(ev.RaidBoughtOff(*bought_off, *taken, raid.marker, *by, ("PC-5.8", "PC-R25")))


def _proposals(state: State, camp: Camp) -> list[mv.ProposeAlliance]:
    possible = possible_allies(state, camp.tribe) if state.actions else ()
    warriors = warriors_in(camp.hand) if possible else ()
    if not warriors or seated_ally(state, camp):
        return []
    wooable = [to for to in unbarred(PROPOSE_BARS, state, camp) if to in possible and not is_bound(state, camp, to)]
    moves = _offered(warriors, wooable)
    return [move for move in moves if meets(PROPOSE_VALUE, state, camp, move)]


def _offered(warriors: Sequence[str], wooable: Sequence[str]) -> list[mv.ProposeAlliance]:
    """Each of these tribes proposed to with each of its own warriors."""
    return [mv.ProposeAlliance(to, card) for to in wooable for card in warriors if WARRIORS[card].tribe == to]


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
    scribe.write(ev.ProposalWithdrawn(seat, proposal.tribe, proposal.to, proposal.card, reason, rules))


def expire(scribe: Scribe, proposal: Proposal, rule: str) -> None:
    """An open proposal lapses: in its proposer's upkeep (PC-3.4) or at the end (PC-5.10)."""
    seat = seat_of(scribe.state, proposal.tribe)
    scribe.write(ev.ProposalExpired(seat, proposal.tribe, proposal.to, proposal.card, (rule,)))


# --- accepting ---


def _has_been_wooed(state: State, _: Camp, move: mv.AcceptAlliance) -> bool:
    return proposal_between(state, move.from_, state.turn) is not None


def _is_worth_the_change(_: State, camp: Camp, move: mv.AcceptAlliance) -> bool:
    needed = value_under(camp)
    return needed is None or value_of(move.card) >= needed


ACCEPT = (
    Check("PC-4.80", _has_been_wooed, "{from} has no open proposal to your tribe"),
    Check("PC-4.81", lambda _, __, move: _is_warrior_of(move.card, move.from_), "{card} is no warrior of {from}"),
    Check("PC-4.82", _is_worth_the_change, "{card} is below the warrior under your camp"),
)


def end_alliance(scribe: Scribe, tribe: str, reason: Literal["changed", "disdain"], by_card: str) -> None:
    """PC-5.8: `tribe` ends its alliance with a seated tribe; both cards are discarded."""
    state = scribe.state
    pair = (tribe, camp_of(state, tribe).ally)
    rows = tuple(
        ev.AllyRow(seat_of(state, camp.tribe), camp.tribe, camp.ally_card)
        for camp in state.camps
        if camp.tribe in pair and camp.ally_card is not None
    )
    scribe.write(ev.AllianceEnded(playing(state, tribe), tribe, rows, reason, by_card, ("PC-5.8",)))


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
            ev.NeutralAllianceEnded(
                seat, camp.tribe, camp.ally, camp.ally_card, reason, by_seat, by_tribe, by_card, rules
            )
        )


def _accept(scribe: Scribe, move: mv.AcceptAlliance) -> None:
    """PC-5.8: former alliances end, the new one is sealed, the proposer gains a point."""
    state = scribe.state
    camp, proposer = scribe.camp, camp_of(state, move.from_)
    proposal = checked(proposal_between(state, move.from_, camp.tribe))
    was_neutral = camp.ally is not None and seated_ally(state, camp) is None
    if was_neutral:
        _end_neutral(scribe, camp, "superseded", (camp.tribe, move.card), ("PC-4.82", "PC-R49", "PC-5.8"))
    elif camp.ally is not None:
        end_alliance(scribe, camp.tribe, "changed", move.card)
    _end_neutral(scribe, proposer, "superseded", (camp.tribe, proposal.card), ("PC-5.8", "PC-R29"))
    needed = value_under(camp)
    rules = (*when(needed is not None, "PC-4.82"), *when(was_neutral, "PC-R49"), "PC-5.8")
    value = value_of(move.card)
    scribe.write(ev.AllianceSealed(scribe.seat, camp.tribe, move.card, value, move.from_, proposal.card, needed, rules))
    gain(scribe, move.from_, "alliance")
    withdraw_proposals(scribe)


def _acceptances(state: State, camp: Camp) -> list[mv.AcceptAlliance]:
    if not state.actions or not state.proposals:
        return []
    moves = [mv.AcceptAlliance(tribe, card) for tribe in wooers(state, camp) for card in camp.hand]
    return [move for move in moves if meets(ACCEPT, state, camp, move)]


# --- neutral allies ---


def _is_neutral_warrior(state: State, camp: Camp, move: mv.AllyNeutral) -> bool:
    return move.card in WARRIORS and WARRIORS[move.card].tribe in neutral_tribes(state, camp)


def _replaces_own(_: State, camp: Camp, move: mv.AllyNeutral) -> bool:
    needed = value_under(camp)
    return needed is None or (WARRIORS[move.card].tribe != camp.ally and value_of(move.card) >= needed)


def _holder(state: State, neutral: str) -> Camp | None:
    """Another camp than the turn's that is allied with the neutral tribe."""
    for camp in state.camps:
        if camp.ally == neutral and camp.tribe != state.turn:
            return camp
    return None


def _beats_holder(state: State, _: Camp, move: mv.AllyNeutral) -> bool:
    holder = _holder(state, WARRIORS[move.card].tribe)
    value = None if holder is None else value_under(holder)
    return value is None or value_of(move.card) > value


def _is_at_peace(state: State, camp: Camp, move: mv.AllyNeutral) -> bool:
    return WARRIORS[move.card].tribe not in raided(state, camp)


NEUTRAL_VALUE = (
    Check("PC-4.87", _replaces_own, "{card} cannot replace your neutral ally"),
    Check("PC-4.88", _beats_holder, "{card} is not above the card of the tribe allied with that neutral tribe"),
    Check("PC-4.89", _is_at_peace, "your raid stands on the tribe of {card}"),
)
ALLY_NEUTRAL = (
    Check("PC-4.85", _is_neutral_warrior, "{card} is no warrior of a neutral tribe"),
    Check("PC-4.86", lambda state, camp, _: seated_ally(state, camp) is None, "your tribe has a seated ally"),
    *NEUTRAL_VALUE,
)


def _ally_neutral(scribe: Scribe, move: mv.AllyNeutral) -> None:
    state = scribe.state
    camp, neutral = scribe.camp, WARRIORS[move.card].tribe
    holder, by = _holder(state, neutral), (camp.tribe, move.card)
    _end_neutral(scribe, camp, "replaced", by, ("PC-4.87", "PC-5.8"))
    if holder is not None:
        _end_neutral(scribe, holder, "outbid", by, ("PC-4.88", "PC-5.8"))
    rules = (*when(neutral == state.shared, "PC-R44"), *when(camp.ally, "PC-4.87"), *when(holder, "PC-4.88"), "PC-5.8")
    scribe.write(ev.NeutralAllianceFormed(scribe.seat, camp.tribe, neutral, move.card, rules))
    withdraw_proposals(scribe)


def _neutral_allies(state: State, camp: Camp) -> list[mv.AllyNeutral]:
    neutral = neutral_tribes(state, camp) if state.actions else ()
    if not neutral or seated_ally(state, camp) is not None:
        return []
    moves = [mv.AllyNeutral(card) for card in warriors_in(camp.hand) if WARRIORS[card].tribe in neutral]
    return [move for move in moves if meets(NEUTRAL_VALUE, state, camp, move)]


# --- disdain ---


def _disdained(state: State, _: Camp) -> list[str]:
    return [camp.tribe for camp in state.camps if camp.disdained]


DISDAIN_BARS = (
    Bar("PC-4.92", _disdained, "a coup-stick of disdain lies on the camp of {target} already"),
    Bar("PC-4.93", played_along, "you would answer for {target} yourself"),
)
DISDAIN = (
    Check("PC-4.90", lambda state, _, __: not is_winter(state), "nobody is disdained in winter"),
    Check("PC-4.91", lambda _, camp, __: COUP_STICK in camp.hand, "disdain needs a coup-stick in hand"),
    *against(DISDAIN_BARS, attrgetter("target")),
)


def _disdain(scribe: Scribe, move: mv.Disdain) -> None:
    """PC-5.8: disdaining one's ally ends the alliance and costs the author a point."""
    state = scribe.state
    camp = scribe.camp
    was_ally = camp.ally == move.target and seated_ally(state, camp) is not None
    harmless = not off_herd(state, move.target) or move.target == state.shared
    rules = (*when(harmless, "PC-R32"), "PC-4.92", "PC-5.8")
    scribe.write(ev.DisdainCast(scribe.seat, camp.tribe, move.target, was_ally, rules))
    if was_ally:
        end_alliance(scribe, camp.tribe, "disdain", COUP_STICK)
        lose(scribe, camp.tribe, "disdained_ally")
        withdraw_proposals(scribe)


def _disdains(state: State, camp: Camp) -> list[mv.Disdain]:
    if not state.actions or is_winter(state) or COUP_STICK not in camp.hand:
        return []
    return [mv.Disdain(target) for target in unbarred(DISDAIN_BARS, state, camp)]


def _is_worthy(_: State, __: Camp, move: mv.ProveWorth) -> bool:
    return move.card in WORTHY


PROVE = (Check("PC-4.95", _is_worthy, "{card} is no coup-stick, weapon or warrior of value 4"),)


def _prove(scribe: Scribe, move: mv.ProveWorth) -> None:
    tribe = scribe.camp.tribe
    rules = (*when(tribe == scribe.state.shared, "PC-R42"), "PC-4.95", "PC-5.8")
    scribe.write(ev.WorthProved(scribe.seat, tribe, move.card, rules))


def _proofs(_: State, camp: Camp) -> list[mv.ProveWorth]:
    return [mv.ProveWorth(card) for card in dict.fromkeys(camp.hand) if card in WORTHY]


def _may_endure(state: State, camp: Camp, _: mv.EndureDisdain) -> bool:
    return state.options.prove_worth == "optional" or WORTHY.isdisjoint(camp.hand)


ENDURE = (Check("PC-4.96", _may_endure, "your hand holds a card that proves worth"),)


def _endure(scribe: Scribe, _: mv.EndureDisdain) -> None:
    state = scribe.state
    tribe = scribe.camp.tribe
    rules = (*when(tribe == state.shared, "PC-R42"), "PC-4.96", "PC-R33", "PC-5.7", "PC-5.8")
    scribe.write(ev.DisdainEndured(scribe.seat, tribe, min(1, off_herd(state, tribe)), rules))
    lose(scribe, tribe, "disdained")


def _endurances(state: State, camp: Camp) -> list[mv.EndureDisdain]:
    move = mv.EndureDisdain()
    return [move] if _may_endure(state, camp, move) else []


KINDS = {
    mv.ProposeAlliance: Kind(_propose, _proposals, PROPOSE, cost=one, cards=the_card, other=attrgetter("to")),
    mv.AcceptAlliance: Kind(_accept, _acceptances, ACCEPT, cost=one, cards=the_card, other=attrgetter("from_")),
    mv.AllyNeutral: Kind(_ally_neutral, _neutral_allies, ALLY_NEUTRAL, cost=one, cards=the_card),
    mv.Disdain: Kind(_disdain, _disdains, DISDAIN, cost=one, other=attrgetter("target")),
    mv.ProveWorth: Kind(_prove, _proofs, PROVE, cards=the_card),
    mv.EndureDisdain: Kind(_endure, _endurances, ENDURE),
}
