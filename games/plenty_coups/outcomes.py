"""What else could have been decided (see `games.kernel`): the coup of a defence, the horse of a raid, prestige.

Whether a raid may be launched or repelled is no outcome: a move that would not do is refused (PC-4.42, PC-4.48).
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from games.other_outcomes import Find, other_outcomes
from games.plenty_coups import events as ev
from games.plenty_coups.state import State, camp_of, has_point_to_gain, is_lone_young, raids_of


def _defences(state: State, event: ev.RaidRepelled) -> Iterator[ev.RaidRepelled]:
    """PC-4.50: whether a single weapon was strictly greater, if that decides whether a coup may be marked."""
    if len(event.weapons) == 1:
        strictly = not event.strictly_greater
        may_gain = has_point_to_gain(state, camp_of(state, event.tribe)) and state.actions > 1
        coup_open = strictly and may_gain and not is_lone_young(event.cards)
        if coup_open != event.coup_open:
            yield replace(event, strictly_greater=strictly, coup_open=coup_open)


def _booty(_: State, event: Any) -> Iterator[Any]:
    """PC-5.8, PC-R25: the raid brings no horse after all; where it brought none, there was none."""
    if event.horses:
        yield replace(event, horses=0, herds=event.herds_before)


def _gains(state: State, event: ev.PrestigeGained) -> Iterator[ev.PrestigeGained]:
    """PC-5.6: nothing is gained, another marker is turned, or the point is extra (PC-R14, PC-R15)."""
    markers = [] if event.reason == "raid_coup" else _showing(state, event.tribe, "raid") or ["extra"]
    for marker in ("none", *markers):
        if marker != event.marker:
            yield replace(event, marker=marker, after=event.before + (marker != "none"))


def _losses(state: State, event: ev.PrestigeLost) -> Iterator[ev.PrestigeLost]:
    """PC-5.7: nothing is lost, or another marker is turned back (PC-R14, PC-R54)."""
    extra = ["extra"] if camp_of(state, event.tribe).extra else []
    for marker in ("none", *extra, *_showing(state, event.tribe, "prestige")):
        if marker != event.marker:
            yield replace(event, marker=marker, after=event.before - (marker != "none"))


def _showing(state: State, tribe: str, side: str) -> list[str]:
    """The tribe's markers with this side up: in camp, and on its raids, the oldest first."""
    camp = camp_of(state, tribe)
    in_camp = camp.raid_markers if side == "raid" else camp.prestige_markers
    on_raids = [f"raid:{raid.target}" for raid in raids_of(state, tribe) if raid.marker == side]
    return ["camp", *on_raids] if in_camp else on_raids


OUTCOMES: dict[type, Find] = {
    ev.RaidRepelled: _defences,
    ev.RaidReturned: _booty,
    ev.RaidBoughtOff: _booty,
    ev.PrestigeGained: _gains,
    ev.PrestigeLost: _losses,
}
outcomes = partial(other_outcomes, OUTCOMES)
"""The other outcomes of a defence (PC-4.50), of a raid's horse (PC-5.8, PC-R25), of prestige (PC-5.6, PC-5.7)."""
