"""Takes play back to an earlier version, from which it continues; what was undone stays readable."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events.recorded import NewEvent
from games.kernel import MoveRefused
from projections.history import History
from projections.table import Table
from rulings.replay import Decider, SeatMove, World
from service.errors import Refused


class Undoing(NamedTuple):
    """Why play is taken back: a `takeback` that a seat asked for, or a `dispute` with the house rules it amends."""

    seat: int
    reason: str
    dispute: str | None = None
    options: Mapping[str, Any] = {}


class Correction(NamedTuple):
    """The events that take play back, those of the moves played again, and which of that is secret."""

    new_events: tuple[NewEvent, ...]
    sealed: dict[str, Any]


def take_back(history: History, to: int, why: Undoing, again: Sequence[SeatMove]) -> Correction:
    """Play as it was at version `to`, under the amended house rules; plays the moves `again` while legal.

    Their draws are those of the first time wherever the populations are the same: they have the same numbers.
    """
    now = history.table
    then = _amended(history.at(to), now, why.options)
    decider, world = Decider(then), World(then.state, then.draws)
    played: list[NewEvent] = []
    taken: list[SeatMove] = []
    for made in again:
        try:
            decided = decider.play(world, made.seat, then.game.read_move(made.move))
        except MoveRefused:
            break  # under the amended rule the seat has to decide otherwise
        world = decided.world
        played += decider.new_events(decided)
        taken.append(made)
    if played and played[-1].type == "GameEnded":
        raise Refused("dispute-open", "under that reading the game would be over: decide it again instead")
    taken_back = {
        "to": to,
        "first": to + 1,
        "last": now.version,
        "reason": why.reason,
        "seat": why.seat,
        "dispute": why.dispute,
        "options": dict(why.options),
        "again": [move.seat for move in taken],
        "draws": world.counts,
        "state": msgspec.to_builtins(then.state),
    }
    new_event = NewEvent("PlayTakenBack", taken_back, {"state": []})
    return Correction((new_event, *played), {"again": [move._asdict() for move in taken]} if taken else {})


def _amended(then: Table, now: Table, options: Mapping[str, Any]) -> Table:
    """The earlier table under the house rules in force now, and those amended besides."""
    in_force = now.options | dict(options)
    if in_force == then.options:
        return then
    return replace(then, options=in_force, state=replace(then.state, options=Decider(then).options(in_force)))
