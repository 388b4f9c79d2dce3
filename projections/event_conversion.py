"""Converts between events of the game and records of the log.

A record keeps its bytes for ever, as hashes cover them. If a release changes the fields of a type, its `schema` becomes
the next number, and `UPCASTERS` gets a function from payloads of the schema before (Young, Versioning in an Event
Sourced System, 2017). Until the first release every type has schema 1.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from events.envelopes import NewEvent, Recorded
from events.lifecycle import TYPES, Lifecycle
from games.kernel import AnyGame, Event, Transition
from games.payloads import event_type, payload_of

Payload = Mapping[str, Any]
EventT = TypeVar("EventT")

UPCASTERS: dict[tuple[type, int], Callable[[Payload], Payload]] = {}
"""By type of event and the schema before. Payloads lack the fields that are hidden from their reader."""


class UnknownSchema(ValueError):
    """Recorded under a schema that this release does not know."""


def upcast(kind: Any, schema: int, payload: Payload) -> Payload:
    """Returns the payload with the fields that its type has today; raises `UnknownSchema`."""
    if schema == kind.schema and type(schema) is int:
        return payload
    if type(schema) is not int or not 1 <= schema < kind.schema:
        raise UnknownSchema(f"{kind.__name__} has the schema {schema!r}; this release reads 1 to {kind.schema}")
    for number in range(schema, kind.schema):
        payload = UPCASTERS[kind, number](payload)
    return payload


def read_event(kind: type[EventT], schema: int, payload: Payload) -> EventT:
    """Returns the event of a payload of this schema."""
    return msgspec.convert(upcast(kind, schema, payload), kind)


def new_events_of(game: AnyGame, turn: Transition[Any]) -> tuple[NewEvent, ...]:
    """Returns the events of a decision, each with its readers at that time."""
    return tuple([_new_event(game, *step) for step in turn.steps])


def _new_event(game: AnyGame, before: Any, event: Event, after: Any) -> NewEvent:
    return NewEvent(event_type(event), payload_of(event), _readers(game, before, event), event.schema, after)


def _readers(game: AnyGame, before: Any, event: Event) -> dict[str, list[int]]:
    found = game.readers(before, event)
    return {name: list(seats) for name, seats in found.items()} if found else {}


def new_lifecycle_event(
    type_: str, payload: Mapping[str, Any], readers: Mapping[str, list[int]] = MappingProxyType({})
) -> NewEvent:
    """Returns a lifecycle event to record."""
    return NewEvent(type_, msgspec.to_builtins(payload), dict(readers), TYPES[type_].schema)


def lifecycle_of(event: Recorded) -> Lifecycle:
    """Returns a recorded lifecycle event; raises `UnknownSchema`."""
    return read_event(TYPES[event.envelope.type], event.envelope.schema, event.payload)


def event_of(game: AnyGame, event: Recorded) -> Event:
    """Returns a recorded event of the game with all its secrets; raises `UnknownSchema`."""
    envelope = event.envelope
    kind = game.kinds[envelope.type]
    if envelope.schema == kind.schema:  # as nearly always
        return msgspec.convert(event.payload, kind)
    return read_event(kind, envelope.schema, event.payload)


def as_of_today(game: AnyGame, event: Recorded) -> NewEvent:
    """Returns a recorded event as it would be recorded today."""
    envelope = event.envelope
    kind: Any = game.kinds.get(envelope.type) or TYPES[envelope.type]
    return NewEvent(envelope.type, dict(upcast(kind, envelope.schema, event.payload)), envelope.readers, kind.schema)
