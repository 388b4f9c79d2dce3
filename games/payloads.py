"""From a game's events to what the log has of them: the name of a type, and a payload of JSON values."""

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
