"""Events of earlier schemas as those of the next: what an event did not say then is added from the state before it.

A recorded event never changes, and neither does what an upcaster makes of it. So each works out by itself what it adds,
as `evolve` did when such events were recorded, and follows no change of the rules in `play`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.plenty_coups.components import HAND, WINTER
from games.plenty_coups.state import State, raid_on

Payload = dict[str, Any]


def _cards_drawn(_: State, payload: Payload) -> Payload:
    return payload | {"phase": "hunt_discard" if payload["reason"] == "hunt" else None}


def _turn_started(_: State, payload: Payload) -> Payload:
    return payload | {"phase": "take" if payload["take"] else "actions"}


def _raid_launched(_: State, payload: Payload) -> Payload:
    return payload | {"cost": len(payload["cards"])}


def _raid_repelled(state: State, payload: Payload) -> Payload:
    """PC-3.7 and PC-4.50: a double defence cost two actions before winter, and is never strictly greater."""
    raid = raid_on(state, payload["tribe"])
    if raid is None:
        raise LookupError(f"no raid stands on {payload['tribe']}")
    double = len(payload["weapons"]) == 2
    strength = raid.attack if state.options.bonus_counts == "always" else raid.printed
    return payload | {
        "cost": 2 if double and state.round < WINTER else 1,
        "strictly_greater": payload["defence"] > strength and not double,
    }


def _prestige_lost(_: State, payload: Payload) -> Payload:
    return payload | {"phase": "actions" if payload["reason"] == "disdained" else None}


def _gift_offered(_: State, payload: Payload) -> Payload:
    return payload | {"cost": 0 if payload["free"] else 1}


def _cards_discarded(_: State, payload: Payload) -> Payload:
    return payload | {"cost": 1 if payload["reason"] == "hunt" else 0}


def _turn_passed(_: State, payload: Payload) -> Payload:
    return payload | {"phase": "excess" if payload["hand_count"] > HAND else "actions"}


UPCASTERS: Mapping[tuple[str, int], Callable[[State, Payload], Payload]] = {  # by type and the schema that they take
    ("CardsDrawn", 1): _cards_drawn,
    ("TurnStarted", 1): _turn_started,
    ("RaidLaunched", 1): _raid_launched,
    ("RaidRepelled", 1): _raid_repelled,
    ("PrestigeLost", 1): _prestige_lost,
    ("GiftOffered", 1): _gift_offered,
    ("CardsDiscarded", 1): _cards_discarded,
    ("TurnPassed", 1): _turn_passed,
}
