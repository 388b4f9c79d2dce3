"""What several events do to camps, raids and proposals."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from games.plenty_coups import events as happened
from games.plenty_coups.components import in_order, without
from games.plenty_coups.state import Camp, Proposal, StandingRaid, State, camp_of
from games.rows import swapped

Camps = tuple[Camp, ...]


def changed(state: State, camps: Camps, tribe: str, **changes: Any) -> Camps:
    """The camps with that of `tribe` changed."""
    at = state.tribes.index(tribe)
    return swapped(camps, at + 1, replace(camps[at], **changes))


def less_cards(state: State, tribe: str, cards: Iterable[str]) -> Camps:
    """The camps after `cards` have left the hand of `tribe`."""
    return changed(state, state.camps, tribe, hand=without(camp_of(state, tribe).hand, cards))


def more_cards(state: State, tribe: str, cards: tuple[str, ...]) -> Camps:
    """The camps after `cards` have come to the hand of `tribe`."""
    return changed(state, state.camps, tribe, hand=in_order(camp_of(state, tribe).hand + cards))


def marker_home(state: State, camps: Camps, tribe: str, marker: str) -> Camps:
    """The camps after a raid's marker has come back with the same side up."""
    camp = camps[state.tribes.index(tribe)]
    if marker == "raid":
        return changed(state, camps, tribe, raid_markers=camp.raid_markers + 1)
    return changed(state, camps, tribe, prestige_markers=camp.prestige_markers + 1)


def with_herds(state: State, camps: Camps, rows: Iterable[happened.HerdRow]) -> Camps:
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
