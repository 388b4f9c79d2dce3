"""Events of earlier forms, told as events of today (MA-5.11).

Form 1 left out what follows from an event by the rules: `evolve` worked it out as it wrote. Here that work goes on, on
the state before the event, so that a table recorded then is read as it was. Nothing here changes when the rules do.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.manitou.components import STRENGTH
from games.manitou.state import State

Payload = dict[str, Any]


def _game_started(_: None, payload: Payload) -> Payload:
    return {**payload, "hide_thieves": payload["options"]["hide_thief_cards"]}


def _cards_drawn(state: State, payload: Payload) -> Payload:
    """When the last seat has its first three cards, play begins."""
    begins = state.phase == "party" and payload["seat"] == state.turn_order[-1]
    return {**payload, "phase": "play" if begins else state.phase}


def _card_played(state: State, payload: Payload) -> Payload:
    """A hero meets the heroes of another seat, if there are any."""
    face_up = state.grounds[payload["ground"] - 1].face_up
    meets = face_up is not None and face_up.seat != payload["seat"]
    return {**payload, "trial": payload["card"] not in STRENGTH and meets}


UPCASTERS: Mapping[tuple[str, int], Callable[[Any, Payload], Payload]] = {
    ("GameStarted", 1): _game_started,
    ("CardsDrawn", 1): _cards_drawn,
    ("CardPlayed", 1): _card_played,
}
"""By type and form: the payload of the next form, from the state before the event and the whole payload."""
