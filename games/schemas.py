"""What was written in an older form, read in today's: events by their schema, states that events keep by theirs.

What is recorded keeps its bytes for ever. An event that is read in an older form goes through the game's upcasters,
each a pure function of the state before the event and of the payload, which gives the next form of the payload: it adds
what was worked out then and is recorded now, and leaves the rest alone. (Young, Versioning in an Event Sourced System,
2017, calls these weak schema and upcasting.)
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.kernel import AnyGame, Event

FORM = "schema"  # the field of a kept state that names its form; the first form has none


class NewerForm(Exception):
    """Written by a later release than this one, which cannot read it."""


class UnknownForm(ValueError):
    """A form that no release has written."""


def upcast(game: AnyGame, kind: type[Event], schema: int, payload: Mapping[str, Any], before: Any) -> Mapping[str, Any]:
    """The whole payload of an event in today's form, from the state before it; raises `NewerForm`, `UnknownForm`."""
    check_form(schema, kind.schema, kind.__name__)
    for form in range(schema, kind.schema):
        added = game.upcasters[kind.__name__, form](before, dict(payload))
        if not set(added) > set(payload):
            raise UnknownForm(f"{kind.__name__} of schema {form} has fields that came later")
        payload = added
    return payload


def check_form(schema: int, newest: int, what: str) -> None:
    """Raises `NewerForm` or `UnknownForm` unless `schema` is one of the forms 1 to `newest`."""
    if type(schema) is not int or schema < 1:
        raise UnknownForm(f"{what} has the schema {schema!r}")
    if schema > newest:
        raise NewerForm(f"{what} has schema {schema}; this release knows {newest}")


def event_as_read(kind: type[Event], schema: int, payload: Mapping[str, Any]) -> Event:
    """An event as somebody read it; fields that came after its form are unset, as are those hidden from the reader."""
    if schema == kind.schema:
        return msgspec.convert(payload, kind, str_keys=True)
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    read = {
        name: msgspec.convert(payload[name], fields[name].type, str_keys=True) for name in fields if name in payload
    }
    return kind(**dict.fromkeys(fields, msgspec.UNSET) | read)


def state_to_keep(game: AnyGame, state: Any) -> dict[str, Any]:
    """A state as an event keeps it: JSON values, and the form if it is not the first."""
    kept: dict[str, Any] = msgspec.to_builtins(state)
    return kept if game.state_schema == 1 else kept | {FORM: game.state_schema}


def todays_state(game: AnyGame, kept: Mapping[str, Any]) -> dict[str, Any]:
    """A kept state in the form in which it would be kept today; raises `NewerForm`, `UnknownForm`."""
    schema = kept.get(FORM, 1)
    check_form(schema, game.state_schema, f"a state of {game.title}")
    plain = {name: value for name, value in kept.items() if name != FORM}
    for form in range(schema, game.state_schema):
        plain = game.state_upcasters[form](plain)
    return plain if game.state_schema == 1 else plain | {FORM: game.state_schema}


def kept_state(game: AnyGame, kept: Mapping[str, Any]) -> Any:
    """The state that an event kept, in whichever form."""
    return msgspec.convert(todays_state(game, kept), game.state_type)
