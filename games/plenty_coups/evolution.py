"""What each event does to the state: written down, never decided.

A state folds from nothing: `evolve(None, GameStarted)` is the table before the tribes are chosen.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from games.plenty_coups import events as happened
from games.plenty_coups.components import COUP_STICK, DECK, HAND, HORSE, WINTER, in_order, without
from games.plenty_coups.state import (
    Camp,
    Offer,
    Proposal,
    Repelled,
    Side,
    StandingRaid,
    State,
    camp_of,
    strength,
)

Camps = tuple[Camp, ...]


def _changed(state: State, camps: Camps, tribe: str, **changes: Any) -> Camps:
    """The camps with that of `tribe` changed."""
    at = state.tribes.index(tribe)
    return (*camps[:at], replace(camps[at], **changes), *camps[at + 1 :])


def _less_cards(state: State, tribe: str, cards: Iterable[str]) -> Camps:
    """The camps after `cards` have left the hand of `tribe`."""
    return _changed(state, state.camps, tribe, hand=without(camp_of(state, tribe).hand, cards))


def _more_cards(state: State, tribe: str, cards: tuple[str, ...]) -> Camps:
    """The camps after `cards` have come to the hand of `tribe`."""
    return _changed(state, state.camps, tribe, hand=in_order(camp_of(state, tribe).hand + cards))


def _marker_home(state: State, camps: Camps, tribe: str, marker: str) -> Camps:
    """The camps after a raid's marker has come back with the same side up."""
    camp = camps[state.tribes.index(tribe)]
    if marker == "raid":
        return _changed(state, camps, tribe, raid_markers=camp.raid_markers + 1)
    return _changed(state, camps, tribe, prestige_markers=camp.prestige_markers + 1)


def _herds(state: State, camps: Camps, rows: Iterable[happened.HerdRow]) -> Camps:
    """The camps with the herds that the rows give."""
    for row in rows:
        camps = _changed(state, camps, row.tribe, horses=row.horses)
    return camps


def _less_raid(state: State, tribe: str, target: str) -> tuple[StandingRaid, ...]:
    return tuple(raid for raid in state.raids if (raid.tribe, raid.target) != (tribe, target))


def _less_proposal(state: State, tribe: str, to: str) -> tuple[Proposal, ...]:
    return tuple(p for p in state.proposals if (p.tribe, p.to) != (tribe, to))


# --- setup and cards ---


def _game_started(_: State | None, event: happened.GameStarted) -> State:
    return State(players=event.players, options=event.options, plain=event.horses, pile=DECK)


def _tribe_chosen(state: State, event: happened.TribeChosen) -> State:
    return replace(state, chosen=(*state.chosen, event.tribe))


def _camps_set_up(state: State, event: happened.CampsSetUp) -> State:
    return replace(
        state,
        tribes=tuple(row.tribe for row in event.camps),
        camps=tuple(Camp(row.tribe, row.seat, row.horses) for row in event.camps),
        shared=event.shared_tribe,
        neutral=event.neutral_tribes,
        plain=event.plain,
    )


def _deck_shuffled(state: State, event: Any) -> State:
    return replace(state, pile=event.order)


def _deck_reshuffled(state: State, event: Any) -> State:
    """PC-5.2: the new pile lies below the cards that by the events so far are still there."""
    return replace(state, pile=state.pile + event.order, discards=())


def _cards_drawn(state: State, event: Any) -> State:
    camps = _more_cards(state, event.tribe, event.cards)
    pile = state.pile[event.count :]
    if event.reason == "hunt":
        return replace(state, camps=camps, pile=pile, phase="hunt_discard", hunted=event.count)
    return replace(state, camps=camps, pile=pile)


def _display_refilled(state: State, event: happened.DisplayRefilled) -> State:
    return replace(state, display=event.display, pile=state.pile[len(event.cards) :])


def _display_emptied(state: State, event: Any) -> State:
    return replace(state, display=(), discards=state.discards + event.cards)


def _cards_taken(state: State, event: happened.CardsTaken) -> State:
    camps = _more_cards(state, event.tribe, event.cards)
    return replace(state, camps=camps, display=event.display, phase="actions", take=0)


def _cards_discarded(state: State, event: happened.CardsDiscarded) -> State:
    return replace(
        state,
        camps=_less_cards(state, event.tribe, event.cards),
        discards=state.discards + event.cards,
        phase="actions",
        actions=state.actions - (event.reason == "hunt"),
        hunted=0,
    )


# --- rounds and turns ---


def _round_started(state: State, event: happened.RoundStarted) -> State:
    return replace(state, round=event.round)


def _unchanged(state: State, _: Any) -> State:
    return state


def _turn_started(state: State, event: happened.TurnStarted) -> State:
    return replace(
        state,
        turn=event.tribe,
        phase="take" if event.take else "actions",
        actions=event.actions,
        take=event.take,
        free_made=False,
        repelled=None,
    )


def _turn_passed(state: State, event: happened.TurnPassed) -> State:
    """Only who passes can hold too many cards: every action takes one from the hand (PC-3.7)."""
    return replace(state, actions=0, phase="excess" if event.hand_count > HAND else "actions")


def _turn_ended(state: State, _: happened.TurnEnded) -> State:
    return replace(state, turn=None, actions=0, phase="actions")


def _game_ended(state: State, _: happened.GameEnded) -> State:
    return replace(state, phase="over")


# --- raids, horses, prestige ---


def _raid_launched(state: State, event: happened.RaidLaunched) -> State:
    camp = camp_of(state, event.tribe)
    in_camp = {
        "raid_markers": camp.raid_markers - (event.marker == "raid"),
        "prestige_markers": camp.prestige_markers - (event.marker == "prestige"),
    }
    raid = StandingRaid(event.tribe, event.target, event.cards, event.printed, event.bonus, event.marker, state.round)
    return replace(
        state,
        camps=_changed(state, state.camps, event.tribe, hand=without(camp.hand, event.cards), **in_camp),
        raids=(*state.raids, raid),
        actions=state.actions - len(event.cards),
    )


def _raid_gone(state: State, event: Any) -> State:
    """A raid that leaves with its marker's side unchanged: driven off, returned, bought off or lost."""
    raid = next(raid for raid in state.raids if raid.target == event.target)
    camps = _marker_home(state, state.camps, event.tribe, raid.marker)
    return replace(
        state,
        camps=_herds(state, camps, getattr(event, "herds", ())),
        raids=_less_raid(state, event.tribe, event.target),
        discards=state.discards + event.cards,
    )


def _raid_repelled(state: State, event: happened.RaidRepelled) -> State:
    raid = next(r for r in state.raids if r.target == event.tribe)
    double = len(event.weapons) == 2
    strict = event.defence > strength(state.options, raid.printed, raid.bonus)
    return replace(
        state,
        camps=_marker_home(state, _less_cards(state, event.tribe, event.weapons), event.raider, event.marker),
        raids=_less_raid(state, event.raider, event.tribe),
        discards=state.discards + event.weapons + event.cards,
        actions=state.actions - (2 if double and state.round < WINTER else 1),
        repelled=Repelled(raid.tribe, raid.cards, raid.bonus) if strict and not double else None,
    )


def _coup_marked(state: State, event: happened.CoupMarked) -> State:
    return replace(
        state,
        camps=_less_cards(state, event.tribe, (COUP_STICK,)),
        discards=(*state.discards, COUP_STICK),
        actions=state.actions - 1,
        repelled=None if event.occasion == "defence" else state.repelled,
    )


def _horse_bred(state: State, event: happened.HorseBred) -> State:
    return replace(
        state,
        camps=_changed(state, _less_cards(state, event.tribe, (HORSE,)), event.tribe, horses=event.herd),
        plain=event.plain,
        discards=(*state.discards, HORSE),
        actions=state.actions - 1,
    )


def _horses_donated(state: State, event: happened.HorsesDonated) -> State:
    return replace(
        state,
        camps=_herds(state, _less_cards(state, event.tribe, (event.discarded,)), event.herds),
        discards=(*state.discards, event.discarded),
        actions=state.actions - 1,
    )


def _turn_marker(state: State, tribe: str, marker: str, side: Side) -> State:
    """PC-5.6, PC-5.7: one of the tribe's markers comes to show `side`; `marker` tells which."""
    camp = camp_of(state, tribe)
    gain = 1 if side == "prestige" else -1
    if marker == "none":
        return state
    if marker == "extra":
        return replace(state, camps=_changed(state, state.camps, tribe, extra=camp.extra + gain))
    if marker == "camp":
        raid, prestige = camp.raid_markers - gain, camp.prestige_markers + gain
        return replace(state, camps=_changed(state, state.camps, tribe, raid_markers=raid, prestige_markers=prestige))
    raids = tuple(
        replace(raid, marker=side) if (raid.tribe, f"raid:{raid.target}") == (tribe, marker) else raid
        for raid in state.raids
    )
    return replace(state, raids=raids)


def _prestige_gained(state: State, event: happened.PrestigeGained) -> State:
    # The marker of a raid that has returned is back in camp already (PC-5.8).
    marker = "camp" if event.reason == "raid_coup" else event.marker
    return _turn_marker(state, event.tribe, marker, "prestige")


def _prestige_lost(state: State, event: happened.PrestigeLost) -> State:
    state = _turn_marker(state, event.tribe, event.marker, "raid")
    if event.reason == "disdained":  # the last event of an answer (PC-5.8)
        return replace(state, phase="actions", disdained=None)
    return state


# --- gifts, alliances, disdain ---


def _gift_offered(state: State, event: Any) -> State:
    discarded = () if event.free else (event.discarded,)
    return replace(
        state,
        camps=_less_cards(state, event.tribe, (event.give, *discarded)),
        discards=state.discards + discarded,
        phase="answer_gift",
        offer=Offer(event.tribe, event.to, event.give, event.free),
        actions=state.actions - (not event.free),
        free_made=state.free_made or event.free,
    )


def _gifts_exchanged(state: State, event: Any) -> State:
    answerer, giver = camp_of(state, event.tribe), camp_of(state, event.to)
    camps = _changed(state, state.camps, event.to, hand=in_order((*giver.hand, event.given)))
    hand = in_order((*without(answerer.hand, (event.given,)), event.received))
    return replace(state, camps=_changed(state, camps, event.tribe, hand=hand), phase="actions", offer=None)


def _alliance_proposed(state: State, event: happened.AllianceProposed) -> State:
    return replace(
        state,
        camps=_less_cards(state, event.tribe, (event.card,)),
        proposals=(*state.proposals, Proposal(event.tribe, event.to, event.card)),
        actions=state.actions - 1,
    )


def _proposal_gone(state: State, event: Any) -> State:
    return replace(
        state,
        proposals=_less_proposal(state, event.tribe, event.to),
        discards=(*state.discards, event.card),
    )


def _alliance_sealed(state: State, event: happened.AllianceSealed) -> State:
    camps = _less_cards(state, event.tribe, (event.card,))
    camps = _changed(state, camps, event.tribe, ally=event.proposer, ally_card=event.card)
    return replace(
        state,
        camps=_changed(state, camps, event.proposer, ally=event.tribe, ally_card=event.proposer_card),
        proposals=_less_proposal(state, event.proposer, event.tribe),
        actions=state.actions - 1,
    )


def _alliance_ended(state: State, event: happened.AllianceEnded) -> State:
    camps = state.camps
    for row in event.allies:
        camps = _changed(state, camps, row.tribe, ally=None, ally_card=None)
    return replace(state, camps=camps, discards=state.discards + tuple(row.card for row in event.allies))


def _neutral_alliance_formed(state: State, event: happened.NeutralAllianceFormed) -> State:
    camps = _less_cards(state, event.tribe, (event.card,))
    return replace(
        state,
        camps=_changed(state, camps, event.tribe, ally=event.neutral, ally_card=event.card),
        actions=state.actions - 1,
    )


def _neutral_alliance_ended(state: State, event: happened.NeutralAllianceEnded) -> State:
    return replace(
        state,
        camps=_changed(state, state.camps, event.tribe, ally=None, ally_card=None),
        discards=(*state.discards, event.card),
    )


def _disdain_cast(state: State, event: happened.DisdainCast) -> State:
    camps = _less_cards(state, event.tribe, (COUP_STICK,))
    return replace(
        state,
        camps=_changed(state, camps, event.target, disdained=True),
        phase="answer_disdain",
        disdained=event.target,
        actions=state.actions - 1,
    )


def _disdain_lifted(state: State, event: happened.DisdainLifted) -> State:
    camps = _changed(state, state.camps, event.tribe, disdained=False)
    return replace(state, camps=camps, discards=(*state.discards, COUP_STICK))


def _worth_proved(state: State, event: happened.WorthProved) -> State:
    return replace(
        state,
        camps=_less_cards(state, event.tribe, (event.card,)),
        discards=(*state.discards, event.card),
        phase="actions",
        disdained=None,
    )


_EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    happened.GameStarted: _game_started,
    happened.TribeChosen: _tribe_chosen,
    happened.CampsSetUp: _camps_set_up,
    happened.DeckShuffled: _deck_shuffled,
    happened.CardsDrawn: _cards_drawn,
    happened.DisplayRefilled: _display_refilled,
    happened.DisplaySwept: _display_emptied,
    happened.DisplayCleared: _display_emptied,
    happened.DeckReshuffled: _deck_reshuffled,
    happened.RoundStarted: _round_started,
    happened.WinterStarted: _unchanged,
    happened.TurnStarted: _turn_started,
    happened.DisdainLifted: _disdain_lifted,
    happened.CardsTaken: _cards_taken,
    happened.RaidDrivenOff: _raid_gone,
    happened.RaidLaunched: _raid_launched,
    happened.RaidReturned: _raid_gone,
    happened.CoupMarked: _coup_marked,
    happened.RaidRepelled: _raid_repelled,
    happened.RaidBoughtOff: _raid_gone,
    happened.RaidLost: _raid_gone,
    happened.HorseBred: _horse_bred,
    happened.HorsesDonated: _horses_donated,
    happened.PrestigeGained: _prestige_gained,
    happened.PrestigeLost: _prestige_lost,
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
    happened.DisdainEndured: _unchanged,
    happened.CardsDiscarded: _cards_discarded,
    happened.TurnPassed: _turn_passed,
    happened.TurnEnded: _turn_ended,
    happened.GameEnded: _game_ended,
}


def evolve(state: State | None, event: Any) -> State:
    """The state after `event`; the first event of a game comes to no state at all."""
    return _EVOLVE[type(event)](state, event)
