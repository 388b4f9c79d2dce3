"""Events of earlier forms, told as events of today (BM-5.1).

Form 1 left out what follows from an event by the rules: `evolve` worked it out as it wrote. Here that work goes on, on
the state before the event, so that a table recorded then is read as it was. Nothing here changes when the rules do.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.big_manitou.components import GROUNDS, TURNS, tiles_of
from games.big_manitou.state import Cards, State, dealer_of
from games.parties import without

Payload = dict[str, Any]


def _grounds_stocked(state: State, payload: Payload) -> Payload:
    return {**payload, "phase": "party" if state.options.party_selection == "chosen" else None}


def _party_chosen(state: State, payload: Payload) -> Payload:
    """The phase ends with the last seat's choice."""
    others = [own for seat, own in enumerate(state.seats, 1) if seat != payload["seat"]]
    return {**payload, "phase": None if all(own.party for own in others) else state.phase}


def _cards_drawn(state: State, payload: Payload) -> Payload:
    """When the dealer, the last, has drawn at first, the turns begin."""
    begins = state.turns == 0 and payload["seat"] == dealer_of(state)
    return {**payload, "phase": "play" if begins else state.phase}


def _turn_taken(state: State, payload: Payload) -> Payload:
    """Play goes on until every seat has had its seven turns; an extra card ends its own phase."""
    goes_on = state.phase == "play" and state.turns + 1 < TURNS * state.players
    return {**payload, "phase": "play" if goes_on else None}


def _force_penalty_assessed(_: State, payload: Payload) -> Payload:
    due = payload["penalised"] and payload["payment"] == "now"
    return {**payload, "phase": "penalty" if due else None}


def _penalty_settled(state: State, payload: Payload) -> Payload:
    """The next penalised seat is to pay."""
    return {**payload, "phase": "penalty" if state.owing[1:] else None}


def _ground_evaluated(state: State, payload: Payload) -> Payload:
    """The bonuses of all three grounds are those from before the first."""
    bonuses = state.bonuses or tuple([tiles_of(seat.tiles, "tomahawk") for seat in state.seats])
    tomahawks = [{"seat": seat, "tiles": tiles} for seat, tiles in enumerate(bonuses, 1)]
    return {**payload, "tomahawks": tomahawks, "phase": "take_tiles" if payload["awards"] else None}


def _tiles_taken(state: State, payload: Payload) -> Payload:
    phase = "take_tiles" if state.awards[1:] else None
    left = without(state.grounds[-1].tiles, payload["tiles"])
    return {**payload, "phase": "penalty" if _is_penalty_due(state, left) else phase}


def _tiles_removed(state: State, payload: Payload) -> Payload:
    left = () if payload["ground"] == GROUNDS[-1] else state.grounds[-1].tiles
    return {**payload, "phase": "penalty" if _is_penalty_due(state, left) else state.phase}


def _is_penalty_due(state: State, left: Cards) -> bool:
    """The penalty of the first hunt is due when ground 3 is empty; `left` lie there still."""
    return bool(state.owing) and state.evaluating == GROUNDS[-1] and not left


UPCASTERS: Mapping[tuple[str, int], Callable[[Any, Payload], Payload]] = {
    ("GroundsStocked", 1): _grounds_stocked,
    ("PartyChosen", 1): _party_chosen,
    ("CardsDrawn", 1): _cards_drawn,
    ("CardPlayed", 1): _turn_taken,
    ("TurnPassed", 1): _turn_taken,
    ("ForcePenaltyAssessed", 1): _force_penalty_assessed,
    ("TileDiscarded", 1): _penalty_settled,
    ("ForcePenaltyWaived", 1): _penalty_settled,
    ("GroundEvaluated", 1): _ground_evaluated,
    ("TilesTaken", 1): _tiles_taken,
    ("TilesRemoved", 1): _tiles_removed,
}
"""By type and form: the payload of the next form, from the state before the event and the whole payload."""
