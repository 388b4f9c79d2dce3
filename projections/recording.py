"""Converts between the game's events and the log's: a decision into its record, a record into today's events."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from events.lifecycle import TYPES, Lifecycle
from events.recorded import NewEvent, Recorded
from games.kernel import AnyGame, Event, Transition
from games.payloads import event_type, payload_of
from projections.upcasting import read_event, upcast


def new_events_of(game: AnyGame, turn: Transition[Any]) -> tuple[NewEvent, ...]:
    """The events of a decision, each with its readers as they stand when it is written."""
    return tuple([_new_event(game, *step) for step in turn.steps])


def _new_event(game: AnyGame, before: Any, event: Event, after: Any) -> NewEvent:
    return NewEvent(event_type(event), payload_of(event), _readers(game, before, event), event.schema, after)


def _readers(game: AnyGame, before: Any, event: Event) -> dict[str, list[int]]:
    return {name: list(seats) for name, seats in game.readers(before, event).items()}


def new_lifecycle_event(
    type_: str, payload: Mapping[str, Any], readers: Mapping[str, list[int]] = MappingProxyType({})
) -> NewEvent:
    """An event of the table."""
    return NewEvent(type_, msgspec.to_builtins(payload), dict(readers), TYPES[type_].schema)


def lifecycle_of(event: Recorded) -> Lifecycle:
    """An event of the table; raises `UnknownSchema`."""
    return read_event(TYPES[event.envelope.type], event.envelope.schema, event.payload)


def event_of(game: AnyGame, event: Recorded) -> Event:
    """An event of the game with all its secrets; raises `UnknownSchema`."""
    envelope = event.envelope
    kind = game.kinds[envelope.type]
    if envelope.schema == kind.schema:  # as nearly all are
        return msgspec.convert(event.payload, kind)
    return read_event(kind, envelope.schema, event.payload)


def as_of_today(game: AnyGame, event: Recorded) -> NewEvent:
    """A recorded event of any kind as it would be recorded today."""
    envelope = event.envelope
    kind: Any = game.kinds.get(envelope.type) or TYPES[envelope.type]
    return NewEvent(envelope.type, dict(upcast(kind, envelope.schema, event.payload)), envelope.readers, kind.schema)
