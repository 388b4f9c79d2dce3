"""Events outside the games: the name of a type, the payload as JSON values, and an event as a seat may read it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.kernel import Event


def event_type(event: Any) -> str:
    """Returns the name of an event, or of its class, in the log."""
    return str(event.__struct_config__.tag)


def as_json(value: Any) -> Any:
    """Returns a state, view, move or payload as it is read from JSON, with lists for tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def payload_of(event: Event) -> dict[str, Any]:
    """Returns the payload of an event as JSON values, without unset fields."""
    payload: dict[str, Any] = msgspec.to_builtins(event)
    del payload["type"]
    return payload


def as_read(event: Any, readers: Mapping[str, Sequence[int]], seat: int | None) -> Any:
    """Returns an event as a seat (None: a spectator) reads it: fields whose `readers` exclude the seat are unset."""
    hidden = {field: msgspec.UNSET for field, seats in readers.items() if seat not in seats}
    return msgspec.structs.replace(event, **hidden) if hidden else event
