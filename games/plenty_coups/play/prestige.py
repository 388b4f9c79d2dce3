"""Gaining and losing off-herd points: which marker is turned (PC-5.6, PC-5.7)."""

from typing import Literal

from games.plenty_coups.components import MARKERS
from games.plenty_coups.events import PrestigeGained, PrestigeLost
from games.plenty_coups.play.scribe import Scribe
from games.plenty_coups.state import State, camp_of, markers_turned, off_herd, raids_of, seat_of

Gain = Literal["raid_coup", "defence_coup", "alliance", "donation"]
Loss = Literal["disdained", "disdained_ally"]


def on_oldest_raid(state: State, tribe: str, side: str) -> str:
    """The marker on the tribe's oldest standing raid that bears one with this side up."""
    target = next(raid.target for raid in raids_of(state, tribe) if raid.marker == side)
    return f"raid:{target}"


def marker_gained(state: State, tribe: str) -> str:
    """PC-5.6: the marker that a gain turns over, no coup on returning from a raid."""
    if markers_turned(state, tribe) == MARKERS:
        return "extra" if state.options.prestige_limit == "none" else "none"
    return "camp" if camp_of(state, tribe).raid_markers else on_oldest_raid(state, tribe, "raid")


def marker_lost(state: State, tribe: str) -> str:
    """PC-5.7: the marker that a loss turns back; an extra point goes first."""
    camp = camp_of(state, tribe)
    if camp.extra:
        return "extra"
    if camp.prestige_markers:
        return "camp"
    return on_oldest_raid(state, tribe, "prestige") if markers_turned(state, tribe) else "none"


def _is_turned(marker: str) -> bool:
    return marker not in ("none", "extra")


def gain(scribe: Scribe, tribe: str, reason: Gain, marker: str | None = None) -> None:
    """PC-5.6: one point; `marker` is that of the raid for a coup on returning."""
    state = scribe.state
    turned = marker or marker_gained(state, tribe)
    before = off_herd(state, tribe)
    r15 = _is_turned(turned) and reason != "raid_coup" and raids_of(state, tribe)
    rules = ("PC-5.6", *(("PC-R15",) if r15 else ()), *(() if _is_turned(turned) else ("PC-R14",)))
    after = before + (turned != "none")
    scribe.write(PrestigeGained(seat_of(state, tribe), tribe, reason, before, after, turned, rules))


def lose(scribe: Scribe, tribe: str, reason: Loss) -> None:
    """PC-5.7: one point, if there is one to lose; written even if there is none."""
    state = scribe.state
    turned = marker_lost(state, tribe)
    before = off_herd(state, tribe)
    r15 = _is_turned(turned) and raids_of(state, tribe)
    rules = ("PC-5.7", *(("PC-R15",) if r15 else ()), *(("PC-R14",) if turned == "extra" else ()))
    after = before - (turned != "none")
    phase: Literal["actions"] | None = "actions" if reason == "disdained" else None  # the last event of an answer
    scribe.write(PrestigeLost(seat_of(state, tribe), tribe, reason, before, after, turned, phase, rules))
