"""Reads an event of an earlier schema as one of today (Young, Versioning in an Event Sourced System, 2017).

A recorded event keeps its bytes for ever, as hashes cover them. Where a release records other fields, the type's
`schema` is the next number, and `UPCASTERS` gets the function that turns a payload of the schema before into one of it.
Until the first release every type has schema 1, and there are none.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

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
