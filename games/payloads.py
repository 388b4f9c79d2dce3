"""Events outside the games: the name of a type, the payload as JSON values, and what a seat may read of an event."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.kernel import Event


def event_type(event: Any) -> str:
    """The name of an event, or of its class, as it stands in the log."""
    return str(event.__struct_config__.tag)


def payload_of(event: Event) -> dict[str, Any]:
    """All that an event says, as JSON values, without its type; fields that are unset are left out."""
    payload: dict[str, Any] = msgspec.to_builtins(event)
    del payload["type"]
    return payload


def as_read(event: Any, readers: Mapping[str, Sequence[int]], seat: int | None) -> Any:
    """An event as a seat (None: a spectator) reads it: fields whose `readers` do not include the seat are unset."""
    hidden = {field: msgspec.UNSET for field, seats in readers.items() if seat not in seats}
    return msgspec.structs.replace(event, **hidden) if hidden else event
