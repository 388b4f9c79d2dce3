"""Converts between the game's events and the log's: a decision into its record, a record into today's form."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from events.clocks import CLOCK_FORMS
from events.lifecycle import TEXTS, TYPES, Lifecycle, PersonalText
from events.recorded import NewEvent, Recorded
from games.kernel import AnyGame, Event, Transition
from games.payloads import event_type, payload_of
from games.schemas import UnknownForm, check_form, upcast

AIDS_FORMS = {"TableOpened": 5, "TableForked": 3}
RATINGS_FORMS = {"TableOpened": 6}


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
    """An event of the table in the form that follows from what it holds."""
    return NewEvent(type_, msgspec.to_builtins(payload), dict(readers), form_of(type_, payload))


def form_of(type_: str, payload: Mapping[str, Any]) -> int:
    """The form of an event that holds this: the newest of what it holds, else the first."""
    text, clock = payload.get(TEXTS.get(type_, "")), payload.get("clock")
    held = (
        (isinstance(text, PersonalText | Mapping) or "lesson" in payload, 2),
        ("rated" in payload, 3),
        ("aids" in payload, AIDS_FORMS.get(type_, 1)),
        ("ratings" in payload, RATINGS_FORMS.get(type_, 1)),
        (isinstance(clock, Mapping) and "kind" in clock, CLOCK_FORMS.get(type_, 1)),
    )
    return max((form for holds, form in held if holds), default=1)


def lifecycle_of(event: Recorded) -> Lifecycle:
    """An event of the table; raises `NewerForm`, `UnknownForm`.

    The form follows from what the event holds, so it cannot be another one: what was altered does not pass.
    """
    name, schema = event.envelope.type, event.envelope.schema
    kind = TYPES[name]
    check_form(schema, kind.schema, name)
    found = msgspec.convert(event.payload, kind)
    if schema != form_of(name, event.payload):
        raise UnknownForm(f"{name} has the schema {schema}, and the fields of another")
    return found


def event_of(game: AnyGame, event: Recorded, before: Any) -> Event:
    """An event of the game with all its secrets, in today's form, from the state before it."""
    kind, schema, payload = game.kinds[event.envelope.type], event.envelope.schema, event.payload
    return msgspec.convert(payload if schema == kind.schema else upcast(game, kind, schema, payload, before), kind)


def in_todays_form(game: AnyGame, event: Recorded, before: Any) -> NewEvent:
    """A recorded event of any kind as it would be recorded today, from the state of the game before it.

    Who may read a field that was hidden then is told as it was recorded, so that it can be held against the rules.
    """
    envelope = event.envelope
    if is_todays(game, event):
        return NewEvent(envelope.type, event.payload, envelope.readers, envelope.schema)
    kind = game.kinds[envelope.type]
    payload = dict(upcast(game, kind, envelope.schema, event.payload, before))
    readers = _readers(game, before, msgspec.convert(payload, kind))
    return NewEvent(envelope.type, payload, readers | envelope.readers, kind.schema)


def all_in_todays_form(game: AnyGame, events: tuple[Recorded, ...], before: Any) -> Iterator[NewEvent]:
    """The game's events of one batch as they would be recorded today, from the state before the first of them."""
    differs = not all(is_todays(game, event) for event in events)
    for event in events:
        yield in_todays_form(game, event, before)
        if differs:
            before = game.evolve(before, event_of(game, event, before))


def is_todays(game: AnyGame, event: Recorded) -> bool:
    """Whether an event has the form in which it would be recorded today."""
    kind = game.kinds.get(event.envelope.type)
    return kind is None or kind.schema == event.envelope.schema
