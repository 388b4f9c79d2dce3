"""Events of an earlier schema are read as today's, with the help of an invented event that has had three."""

from typing import ClassVar

import pytest
from msgspec import UNSET, UnsetType

from events.chain import GENESIS
from events.envelopes import START, BatchMetadata, NewEvent, Recorded, record
from games.kernel import Event
from projections import event_conversion
from projections.event_conversion import UnknownSchema, as_of_today, event_of, read_event, upcast
from wintercount.scaffold import goofspiel


class StoneTurned(Event, frozen=True):
    """At first it told neither of a side nor of a colour, and called the seat a player."""

    schema: ClassVar[int] = 3

    seat: int
    side: str
    colour: str | UnsetType = UNSET


FIRST = {"player": 2, "colour": "red"}
TODAY = {"seat": 2, "side": "front", "colour": "red"}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(payload: event_conversion.Payload) -> event_conversion.Payload:
        return {"seat" if name == "player" else name: value for name, value in payload.items()}

    monkeypatch.setitem(event_conversion.UPCASTERS, (StoneTurned, 1), renamed)
    monkeypatch.setitem(event_conversion.UPCASTERS, (StoneTurned, 2), lambda payload: {**payload, "side": "front"})


def test_a_payload_goes_through_every_schema_in_between() -> None:
    assert upcast(StoneTurned, 1, FIRST) == TODAY
    assert upcast(StoneTurned, 2, {"seat": 2, "colour": "red"}) == TODAY
    assert upcast(StoneTurned, 3, TODAY) is TODAY


def test_a_reader_from_whom_a_field_is_hidden_reads_the_rest() -> None:
    assert read_event(StoneTurned, 1, {"player": 2}) == StoneTurned(2, "front", UNSET)


@pytest.mark.parametrize("schema", [0, 4, -1, True, "1", None])
def test_a_schema_that_this_release_does_not_know_is_refused(schema: int) -> None:
    with pytest.raises(UnknownSchema, match=r"StoneTurned has the schema .*; this release reads 1 to 3"):
        upcast(StoneTurned, schema, TODAY)


def test_a_recorded_event_keeps_its_bytes_and_is_read_in_todays_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(goofspiel.game.kinds, "StoneTurned", StoneTurned)
    event = recorded(NewEvent("StoneTurned", FIRST, {"colour": [2]}, 1))
    assert event_of(goofspiel.game, event) == StoneTurned(2, "front", "red")
    assert as_of_today(goofspiel.game, event) == NewEvent("StoneTurned", TODAY, {"colour": [2]}, 3)
    assert (event.envelope.schema, event.payload) == (1, FIRST)


def recorded(new_event: NewEvent) -> Recorded:
    (event,) = record("t_1", START, [new_event], BatchMetadata("2026-11-28T09:00:00.000Z", {"kind": "clock"}, GENESIS))
    return event
