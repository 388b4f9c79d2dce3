"""Applies events to the state and decides nothing (see `games/deciding.py`)."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from games.plenty_coups import events as ev
from games.plenty_coups.components import COUP_STICK, HORSE, in_order, without
from games.plenty_coups.state import Camp, HerdRow, Offer, Proposal, Repelled, Side, StandingRaid, State, camp_of
from games.rows import swapped

Camps = tuple[Camp, ...]


# The cards that events move from hands to the discards


def _the_card(event: Any) -> tuple[str, ...]:
    return (event.card,)


def _the_cards(event: Any) -> tuple[str, ...]:
    return tuple(event.cards)


def _a_stick(_: Any) -> tuple[str, ...]:
    return (COUP_STICK,)


def _a_horse(_: Any) -> tuple[str, ...]:
    return (HORSE,)


def _the_discard(event: Any) -> tuple[str, ...]:
    return () if event.discarded is None else (event.discarded,)


SHOWN: dict[type, Callable[[Any], tuple[str, ...]]] = {  # the cards that leave the hand of `tribe` for all to see
    ev.RaidLaunched: _the_cards,
    ev.RaidRepelled: lambda event: tuple(event.weapons),
    ev.CoupMarked: _a_stick,
    ev.HorseBred: _a_horse,
    ev.HorsesDonated: _the_discard,
    ev.GiftOffered: _the_discard,
    ev.AllianceProposed: _the_card,
    ev.AllianceSealed: _the_card,
    ev.NeutralAllianceFormed: _the_card,
    ev.DisdainCast: _a_stick,
    ev.WorthProved: _the_card,
    ev.CardsDiscarded: _the_cards,
}
DISCARDED: dict[type, Callable[[Any], tuple[str, ...]]] = {  # the cards that come to the discards, in their order
    ev.DisplaySwept: _the_cards,
    ev.DisplayCleared: _the_cards,
    ev.RaidDrivenOff: _the_cards,
    ev.RaidReturned: _the_cards,
    ev.RaidRepelled: lambda event: tuple(event.weapons) + tuple(event.cards),
    ev.RaidBoughtOff: _the_cards,
    ev.RaidLost: _the_cards,
    ev.CoupMarked: _a_stick,
    ev.HorseBred: _a_horse,
    ev.HorsesDonated: _the_discard,
    ev.GiftOffered: _the_discard,
    ev.ProposalOutbid: _the_card,
    ev.ProposalExpired: _the_card,
    ev.ProposalWithdrawn: _the_card,
    ev.AllianceEnded: lambda event: tuple(row.card for row in event.allies),
    ev.NeutralAllianceEnded: _the_card,
    ev.DisdainLifted: _a_stick,
    ev.WorthProved: _the_card,
    ev.CardsDiscarded: _the_cards,
}


def _cards_moved(state: State, event: Any) -> State:
    """The state after the cards of an event have left the hand, and come to the discards."""
    shown, discarded = SHOWN.get(type(event)), DISCARDED.get(type(event))
    if shown is None and discarded is None:
        return state
    camps = less_cards(state, event.tribe, shown(event)) if shown else state.camps
    return replace(state, camps=camps, discards=state.discards + (discarded(event) if discarded else ()))


# What several events do to camps, raids and proposals


def changed(state: State, camps: Camps, tribe: str, **changes: Any) -> Camps:
    """The camps with that of `tribe` changed."""
    at = state.tribes.index(tribe)
    return swapped(camps, at + 1, replace(camps[at], **changes))


def _with_camp(state: State, tribe: str, **changes: Any) -> State:
    return replace(state, camps=changed(state, state.camps, tribe, **changes))


def less_cards(state: State, tribe: str, cards: Iterable[str]) -> Camps:
    """The camps after `cards` have left the hand of `tribe`."""
    return changed(state, state.camps, tribe, hand=without(camp_of(state, tribe).hand, cards))


def more_cards(state: State, tribe: str, cards: tuple[str, ...]) -> Camps:
    """The camps after `cards` have come to the hand of `tribe`."""
    return changed(state, state.camps, tribe, hand=in_order(camp_of(state, tribe).hand + cards))


def marker_home(state: State, tribe: str, marker: str) -> Camps:
    """The camps after a raid's marker has come back with the same side up."""
    camp = camp_of(state, tribe)
    if marker == "raid":
        return changed(state, state.camps, tribe, raid_markers=camp.raid_markers + 1)
    return changed(state, state.camps, tribe, prestige_markers=camp.prestige_markers + 1)


def with_herds(state: State, camps: Camps, rows: Iterable[HerdRow]) -> Camps:
    """The camps with the herds that the rows give."""
    for row in rows:
        camps = changed(state, camps, row.tribe, horses=row.horses)
    return camps


def less_raid(state: State, tribe: str, target: str) -> tuple[StandingRaid, ...]:
    """The standing raids but that of `tribe` on `target`."""
    return tuple(raid for raid in state.raids if (raid.tribe, raid.target) != (tribe, target))


def less_proposal(state: State, tribe: str, to: str) -> tuple[Proposal, ...]:
    """The open proposals but that of `tribe` to `to`."""
    return tuple(p for p in state.proposals if (p.tribe, p.to) != (tribe, to))


# Setup, cards, rounds and turns


def _game_started(_: State | None, event: ev.GameStarted) -> State:
    pile = tuple([row.card for row in event.card_counts for _ in range(row.count)])
    return State(players=event.players, options=event.options, plain=event.horses, pile=pile)


def _camps_set_up(state: State, event: ev.CampsSetUp) -> State:
    return replace(
        state,
        tribes=tuple(row.tribe for row in event.camps),
        camps=tuple(Camp(row.tribe, row.seat, row.horses) for row in event.camps),
        shared=event.shared_tribe,
        neutral=event.neutral_tribes,
        plain=event.plain,
    )


def _cards_drawn(state: State, event: Any) -> State:
    camps, pile = more_cards(state, event.tribe, event.cards), state.pile[event.count :]
    if event.phase is None:
        return replace(state, camps=camps, pile=pile)
    return replace(state, camps=camps, pile=pile, phase=event.phase, hunted=event.count)


def _cards_taken(state: State, event: ev.CardsTaken) -> State:
    camps = more_cards(state, event.tribe, event.cards)
    return replace(state, camps=camps, display=event.display, phase="actions", take=0)


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> State:
    return replace(state, phase="actions", actions=state.actions - event.cost, hunted=0)


def _turn_started(state: State, event: ev.TurnStarted) -> State:
    return replace(
        state,
        turn=event.tribe,
        phase=event.phase,
        actions=event.actions,
        take=event.take,
        free_made=False,
        repelled=None,
    )


# Raids, coups, horses and prestige


def _raid_launched(state: State, event: ev.RaidLaunched) -> State:
    camp = camp_of(state, event.tribe)
    in_camp = {
        "raid_markers": camp.raid_markers - (event.marker == "raid"),
        "prestige_markers": camp.prestige_markers - (event.marker == "prestige"),
    }
    raid = StandingRaid(event.tribe, event.target, event.cards, event.printed, event.bonus, event.marker, state.round)
    camps = changed(state, state.camps, event.tribe, **in_camp)
    return replace(state, camps=camps, raids=(*state.raids, raid), actions=state.actions - event.cost)


def _raid_gone(state: State, event: Any) -> State:
    """Removes a raid without turning its marker: driven off, returned, bought off or lost."""
    raid = next(raid for raid in state.raids if raid.target == event.target)
    camps = with_herds(state, marker_home(state, event.tribe, raid.marker), getattr(event, "herds", ()))
    return replace(state, camps=camps, raids=less_raid(state, event.tribe, event.target))


def _raid_repelled(state: State, event: ev.RaidRepelled) -> State:
    repelled = Repelled(event.raider, event.cards, event.attack - event.printed)
    return replace(
        state,
        camps=marker_home(state, event.raider, event.marker),
        raids=less_raid(state, event.raider, event.tribe),
        actions=state.actions - event.cost,
        repelled=repelled if event.strictly_greater else None,
    )


def _coup_marked(state: State, event: ev.CoupMarked) -> State:
    repelled = None if event.occasion == "defence" else state.repelled
    return replace(state, actions=state.actions - 1, repelled=repelled)


def _horse_bred(state: State, event: ev.HorseBred) -> State:
    camps = changed(state, state.camps, event.tribe, horses=event.herd)
    return replace(state, camps=camps, plain=event.plain, actions=state.actions - 1)


def _horses_donated(state: State, event: ev.HorsesDonated) -> State:
    return replace(state, camps=with_herds(state, state.camps, event.herds), actions=state.actions - 1)


def _turn_marker(state: State, tribe: str, marker: str, side: Side) -> State:
    """PC-5.6, PC-5.7: one of the tribe's markers comes to show `side`; `marker` says which."""
    camp = camp_of(state, tribe)
    gain = 1 if side == "prestige" else -1
    if marker == "none":
        return state
    if marker == "extra":
        return _with_camp(state, tribe, extra=camp.extra + gain)
    if marker == "camp":
        raid, prestige = camp.raid_markers - gain, camp.prestige_markers + gain
        return _with_camp(state, tribe, raid_markers=raid, prestige_markers=prestige)
    raids = tuple(
        replace(raid, marker=side) if (raid.tribe, f"raid:{raid.target}") == (tribe, marker) else raid
        for raid in state.raids
    )
    return replace(state, raids=raids)


def _prestige_gained(state: State, event: ev.PrestigeGained) -> State:
    # The marker of a raid that has returned is back in camp already (PC-5.8).
    marker = "camp" if event.reason == "raid_coup" and event.marker != "none" else event.marker
    return _turn_marker(state, event.tribe, marker, "prestige")


def _prestige_lost(state: State, event: ev.PrestigeLost) -> State:
    state = _turn_marker(state, event.tribe, event.marker, "raid")
    return state if event.phase is None else replace(state, phase=event.phase, disdained=None)


# Gifts, alliances and disdain


def _gift_offered(state: State, event: Any) -> State:
    return replace(
        state,
        camps=less_cards(state, event.tribe, (event.give,)),
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


def _alliance_proposed(state: State, event: ev.AllianceProposed) -> State:
    proposals = (*state.proposals, Proposal(event.tribe, event.to, event.card))
    return replace(state, proposals=proposals, actions=state.actions - 1)


def _proposal_gone(state: State, event: Any) -> State:
    return replace(state, proposals=less_proposal(state, event.tribe, event.to))


def _alliance_sealed(state: State, event: ev.AllianceSealed) -> State:
    camps = changed(state, state.camps, event.tribe, ally=event.proposer, ally_card=event.card)
    return replace(
        state,
        camps=changed(state, camps, event.proposer, ally=event.tribe, ally_card=event.proposer_card),
        proposals=less_proposal(state, event.proposer, event.tribe),
        actions=state.actions - 1,
    )


def _alliance_ended(state: State, event: ev.AllianceEnded) -> State:
    camps = state.camps
    for row in event.allies:
        camps = changed(state, camps, row.tribe, ally=None, ally_card=None)
    return replace(state, camps=camps)


def _neutral_alliance_formed(state: State, event: ev.NeutralAllianceFormed) -> State:
    camps = changed(state, state.camps, event.tribe, ally=event.neutral, ally_card=event.card)
    return replace(state, camps=camps, actions=state.actions - 1)


def _disdain_cast(state: State, event: ev.DisdainCast) -> State:
    camps = changed(state, state.camps, event.target, disdained=True)
    return replace(state, camps=camps, phase="answer_disdain", disdained=event.target, actions=state.actions - 1)


EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    ev.GameStarted: _game_started,
    ev.TribeChosen: lambda state, event: replace(state, chosen=(*state.chosen, event.tribe)),
    ev.CampsSetUp: _camps_set_up,
    ev.DeckShuffled: lambda state, event: replace(state, pile=event.order),
    ev.CardsDrawn: _cards_drawn,
    ev.DisplayRefilled: lambda state, event: replace(state, display=event.display, pile=state.pile[len(event.cards) :]),
    ev.DisplaySwept: lambda state, _: replace(state, display=()),
    ev.DisplayCleared: lambda state, _: replace(state, display=()),
    # PC-5.2: the new pile lies below the cards that by the events so far are still there
    ev.DeckReshuffled: lambda state, event: replace(state, pile=state.pile + event.order, discards=()),
    ev.RoundStarted: lambda state, event: replace(state, round=event.round),
    ev.WinterStarted: lambda state, _: state,  # the round says it already (PC-3.2)
    ev.TurnStarted: _turn_started,
    ev.CardsTaken: _cards_taken,
    ev.CardsDiscarded: _cards_discarded,
    ev.TurnPassed: lambda state, event: replace(state, actions=0, phase=event.phase),
    ev.TurnEnded: lambda state, _: replace(state, turn=None, actions=0, phase="actions"),
    # PC-7.5: nothing is left to be marked by a coup
    ev.GameEnded: lambda state, _: replace(state, phase="over", repelled=None),
    ev.RaidDrivenOff: _raid_gone,
    ev.RaidLaunched: _raid_launched,
    ev.RaidReturned: _raid_gone,
    ev.CoupMarked: _coup_marked,
    ev.RaidRepelled: _raid_repelled,
    ev.RaidBoughtOff: _raid_gone,
    ev.RaidLost: _raid_gone,
    ev.HorseBred: _horse_bred,
    ev.HorsesDonated: _horses_donated,
    ev.PrestigeGained: _prestige_gained,
    ev.PrestigeLost: _prestige_lost,
    ev.DisdainLifted: lambda state, event: _with_camp(state, event.tribe, disdained=False),
    ev.GiftOffered: _gift_offered,
    ev.GiftsExchanged: _gifts_exchanged,
    ev.AllianceProposed: _alliance_proposed,
    ev.ProposalOutbid: _proposal_gone,
    ev.ProposalExpired: _proposal_gone,
    ev.ProposalWithdrawn: _proposal_gone,
    ev.AllianceSealed: _alliance_sealed,
    ev.AllianceEnded: _alliance_ended,
    ev.NeutralAllianceFormed: _neutral_alliance_formed,
    ev.NeutralAllianceEnded: lambda state, event: _with_camp(state, event.tribe, ally=None, ally_card=None),
    ev.DisdainCast: _disdain_cast,
    ev.WorthProved: lambda state, _: replace(state, phase="actions", disdained=None),
    ev.DisdainEndured: lambda state, _: state,  # the loss follows in an event of its own (PC-5.7)
}


def evolve(state: State | None, event: Any) -> State:
    """Returns the state after an event; before the first event it is None."""
    return EVOLVE[type(event)](state if state is None else _cards_moved(state, event), event)
