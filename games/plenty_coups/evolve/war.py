"""Raids, coups, horses and prestige."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games.plenty_coups import events as happened
from games.plenty_coups.components import COUP_STICK, HORSE, without
from games.plenty_coups.evolve.changes import changed, less_cards, less_raid, marker_home, with_herds
from games.plenty_coups.state import Repelled, Side, StandingRaid, State, camp_of


def _raid_launched(state: State, event: happened.RaidLaunched) -> State:
    camp = camp_of(state, event.tribe)
    in_camp = {
        "raid_markers": camp.raid_markers - (event.marker == "raid"),
        "prestige_markers": camp.prestige_markers - (event.marker == "prestige"),
    }
    raid = StandingRaid(event.tribe, event.target, event.cards, event.printed, event.bonus, event.marker, state.round)
    return replace(
        state,
        camps=changed(state, state.camps, event.tribe, hand=without(camp.hand, event.cards), **in_camp),
        raids=(*state.raids, raid),
        actions=state.actions - event.cost,
    )


def _raid_gone(state: State, event: Any) -> State:
    """A raid that leaves with its marker's side unchanged: driven off, returned, bought off or lost."""
    raid = next(raid for raid in state.raids if raid.target == event.target)
    camps = marker_home(state, state.camps, event.tribe, raid.marker)
    return replace(
        state,
        camps=with_herds(state, camps, getattr(event, "herds", ())),
        raids=less_raid(state, event.tribe, event.target),
        discards=state.discards + event.cards,
    )


def _raid_repelled(state: State, event: happened.RaidRepelled) -> State:
    repelled = Repelled(event.raider, event.cards, event.attack - event.printed)
    return replace(
        state,
        camps=marker_home(state, less_cards(state, event.tribe, event.weapons), event.raider, event.marker),
        raids=less_raid(state, event.raider, event.tribe),
        discards=state.discards + event.weapons + event.cards,
        actions=state.actions - event.cost,
        repelled=repelled if event.strictly_greater else None,
    )


def _coup_marked(state: State, event: happened.CoupMarked) -> State:
    return replace(
        state,
        camps=less_cards(state, event.tribe, (COUP_STICK,)),
        discards=(*state.discards, COUP_STICK),
        actions=state.actions - 1,
        repelled=None if event.occasion == "defence" else state.repelled,
    )


def _horse_bred(state: State, event: happened.HorseBred) -> State:
    return replace(
        state,
        camps=changed(state, less_cards(state, event.tribe, (HORSE,)), event.tribe, horses=event.herd),
        plain=event.plain,
        discards=(*state.discards, HORSE),
        actions=state.actions - 1,
    )


def _horses_donated(state: State, event: happened.HorsesDonated) -> State:
    return replace(
        state,
        camps=with_herds(state, less_cards(state, event.tribe, (event.discarded,)), event.herds),
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
        return replace(state, camps=changed(state, state.camps, tribe, extra=camp.extra + gain))
    if marker == "camp":
        raid, prestige = camp.raid_markers - gain, camp.prestige_markers + gain
        return replace(state, camps=changed(state, state.camps, tribe, raid_markers=raid, prestige_markers=prestige))
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
    return state if event.phase is None else replace(state, phase=event.phase, disdained=None)


EVOLVE: dict[type, Callable[[Any, Any], State]] = {
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
}
