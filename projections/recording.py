"""Converts between the game's events and the log's: a decision into its record, a record into today's events.

A recorded event keeps its bytes for ever, as hashes cover them. Where a release records other fields, the type's
`schema` is the next number, and `UPCASTERS` gets the function that turns a payload of the schema before into one of it
(Young, Versioning in an Event Sourced System, 2017). Until the first release every type has schema 1.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from events.lifecycle import TYPES, Lifecycle
from events.recorded import NewEvent, Recorded
from games.kernel import AnyGame, Event, Transition
from games.payloads import event_type, payload_of

Payload = Mapping[str, Any]
EventT = TypeVar("EventT")

UPCASTERS: dict[tuple[type, int], Callable[[Payload], Payload]] = {}
"""By type of event and the schema that they take. Fields that are hidden from a reader are missing in its payload."""


class UnknownSchema(ValueError):
    """Recorded by another release, which knows more of the type than this one."""


def upcast(kind: Any, schema: int, payload: Payload) -> Payload:
    """The payload with the fields that its type has today; raises `UnknownSchema`."""
    if schema == kind.schema and type(schema) is int:
        return payload
    if type(schema) is not int or not 1 <= schema < kind.schema:
        raise UnknownSchema(f"{kind.__name__} has the schema {schema!r}; this release reads 1 to {kind.schema}")
    for number in range(schema, kind.schema):
        payload = UPCASTERS[kind, number](payload)
    return payload


def read_event(kind: type[EventT], schema: int, payload: Payload) -> EventT:
    """The event that a payload of this schema tells."""
    return msgspec.convert(upcast(kind, schema, payload), kind)


def new_events_of(game: AnyGame, turn: Transition[Any]) -> tuple[NewEvent, ...]:
    """The events of a decision, each with its readers as they stand when it is written."""
    return tuple([_new_event(game, *step) for step in turn.steps])


def _new_event(game: AnyGame, before: Any, event: Event, after: Any) -> NewEvent:
    return NewEvent(event_type(event), payload_of(event), _readers(game, before, event), event.schema, after)


def _readers(game: AnyGame, before: Any, event: Event) -> dict[str, list[int]]:
    found = game.readers(before, event)
    return {name: list(seats) for name, seats in found.items()} if found else {}


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
