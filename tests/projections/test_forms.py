"""Events and states recorded in an older form: read as today's, decided again as today's, and left as they are.

They are those of the fifth game, whose events had no phase at first.
"""

from collections.abc import Callable
from itertools import groupby
from typing import Any

import msgspec
import pytest

from events.lifecycle import TYPES
from events.log import Batch, LogNewer
from events.memory import MemoryLog
from events.recorded import START, BatchMetadata, Head, NewEvent, Recorded, record
from games import GAMES
from games.schemas import (
    NewerForm,
    UnknownForm,
    upcast,
)
from projections.folding import fold
from projections.history import Histories, History
from projections.recording import event_of, in_todays_form
from rulings.replay import replay
from service.accounts.callers import SCOPES, Caller
from service.tables.forks import Forking, fork
from service.tables.recheck.record import rerun_faults
from tests import fifth
from tests.court import Court
from tests.fifth import StoneKept, StoneSwapped
from tests.tables import BEN, Visit

MOST_GAMES = 100  # until there is such a one
FIRST_FORM = {"StoneKept": {"seat"}, "StoneSwapped": {"seat", "stone"}}  # their fields at first


@pytest.fixture(autouse=True)
def _hosted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fifth game is hosted."""
    monkeypatch.setitem(GAMES, "fifth", fifth.game)


@pytest.fixture
def today() -> History:
    """A finished table of the game as it is recorded today, at which several stones were kept."""
    visit = Visit()
    games = (visit.play_to_the_end(visit.open("fifth", "ann ai")) for _ in range(MOST_GAMES))
    return next(game for game in games if sum(event.envelope.type == "StoneKept" for event in game.events) > 1)


@pytest.fixture
def old(today: History) -> History:
    """The same table, recorded when events had their first form."""
    return again(today, as_at_first)


def again(history: History, form: Callable[[Recorded], NewEvent]) -> History:
    """A history recorded anew, each event in another form."""
    events: tuple[Recorded, ...] = ()
    for _, group in groupby(history.events, key=lambda event: event.envelope.batch):
        batch = tuple(group)
        first = batch[0].envelope
        extra = {name: seal.value for name, seal in batch[0].sealed.items() if name not in first.readers}
        metadata = BatchMetadata(first.at, first.by, first.request, extra, first.draws)
        head = Head(events[-1].version, events[-1].hash) if events else START
        events += record(first.table, head, [form(event) for event in batch], metadata)
    table = fold(None, events)
    assert table is not None
    return History(events, table)


def as_at_first(event: Recorded) -> NewEvent:
    """The event as the first release recorded it."""
    envelope, payload = event.envelope, event.payload
    fields = FIRST_FORM.get(envelope.type, payload.keys())
    kept = {name: value for name, value in payload.items() if name in fields}
    return NewEvent(envelope.type, kept, envelope.readers, 1 if envelope.type in FIRST_FORM else envelope.schema)


def kinds(history: History) -> set[tuple[str, int]]:
    """The types and schemas of a history's events of the game."""
    return {(e.envelope.type, e.envelope.schema) for e in history.events if e.envelope.type not in TYPES}


def test_an_event_is_recorded_with_the_schema_of_its_type(today: History) -> None:
    """Those of the second form say so; all others are of the first."""
    schemas = dict(kinds(today))
    assert {schemas[name] for name in schemas if name in FIRST_FORM} == {2}
    assert {schemas[name] for name in schemas if name not in FIRST_FORM} == {1}


def test_an_old_table_is_the_same_table(today: History, old: History) -> None:
    """Folded through the upcasters it comes to the same states, at every version; its bytes are its own."""
    assert {schema for _, schema in kinds(old)} == {1}
    for version in range(1, old.table.version + 1):
        assert old.at(version).state == today.at(version).state
    assert [event.hash for event in old.events] != [event.hash for event in today.events]


def test_an_old_table_is_decided_again_as_it_was(old: History) -> None:
    """What is decided today is held against the record in today's form."""
    assert replay(old).same
    assert list(rerun_faults(old)) == []


def mixed(history: History, kind: str, olds: Callable[[int], bool]) -> History:
    """The history with those events of a kind in the old form whose place among them is one of `olds`."""
    of_kind = [event.version for event in history.events if event.envelope.type == kind]
    old = {version for place, version in enumerate(of_kind) if olds(place)}
    assert 0 < len(old) < len(of_kind)
    return again(history, lambda event: as_at_first(event) if event.version in old else new_event(event))


def new_event(event: Recorded) -> NewEvent:
    """The event as it was recorded."""
    return NewEvent(event.envelope.type, event.payload, event.envelope.readers, event.envelope.schema)


def test_forms_grow_newer_at_a_table(today: History) -> None:
    """A release that writes an older form refuses a table with a newer one: such an event was put there by others."""
    grown = mixed(today, "StoneKept", lambda place: place == 0)
    assert list(rerun_faults(grown)) == []
    fault, *_ = rerun_faults(mixed(today, "StoneKept", lambda place: place > 0))
    assert "StoneKept of schema 1 comes after StoneKept of schema 2" in fault


def test_another_move_in_the_old_form_is_found(old: History) -> None:
    """Reading an older form forgives nothing: a stone kept by another seat is another event."""

    def forged(event: Recorded) -> NewEvent:
        told = as_at_first(event)
        return msgspec.structs.replace(told, payload=told.payload | {"seat": 2}) if told.type in FIRST_FORM else told

    assert not replay(again(old, forged)).same


def test_fields_that_came_later_are_none_of_the_old_form(today: History) -> None:
    """An event that is marked as older than it is cannot pass for one of that form."""

    def marked(event: Recorded) -> NewEvent:
        schema = event.envelope.schema if event.envelope.type in TYPES else 1
        return NewEvent(event.envelope.type, event.payload, event.envelope.readers, schema)

    with pytest.raises(UnknownForm, match="came later"):
        again(today, marked)


def test_a_seat_reads_of_an_old_event_what_it_was_told_then(old: History) -> None:
    """The fields that came later are unset, as are those that the seat could not read."""
    told = [event for event in old.feed(2) if isinstance(event, StoneKept | StoneSwapped)]
    assert told
    phases: set[Any] = {event.phase for event in told}
    assert phases == {msgspec.UNSET}


def test_an_event_in_todays_form_has_its_readers_of_today(old: History) -> None:
    """The form is worked out from the state before the event, and so is who may read what."""
    event = next(event for event in old.events if event.envelope.type in FIRST_FORM)
    before = old.at(event.version - 1).state
    told = in_todays_form(fifth.game, event, before)
    assert (told.schema, told.payload["phase"]) == (2, "choose")
    assert told.readers == fifth.readers(before, event_of(fifth.game, event, before))


@pytest.mark.parametrize("schema", [3, 99])
def test_a_newer_form_is_newer_and_not_damaged(today: History, schema: int) -> None:
    """A table that a later release recorded is refused as such, and remains what it is."""
    with pytest.raises(NewerForm, match=f"schema {schema}; this release knows 2"):
        upcast(fifth.game, StoneKept, schema, {"seat": 1, "phase": "over"}, None)
    log, table = MemoryLog(), today.table.id
    opening = tuple(event for event in today.events if event.envelope.batch[0] == 1)

    def later(event: Recorded) -> NewEvent:
        newer = {"GameStarted": schema}.get(event.envelope.type, event.envelope.schema)
        return NewEvent(event.envelope.type, event.payload, event.envelope.readers, newer)

    metadata = BatchMetadata(opening[0].envelope.at, opening[0].envelope.by)
    log.append(table, Batch(START, record(table, START, [later(event) for event in opening], metadata)))
    with pytest.raises(LogNewer, match=f"GameStarted has schema {schema}"):
        Histories(log).fresh(table)


def test_a_branch_of_an_old_table_goes_on(old: History) -> None:
    """Its past keeps the form in which the parent recorded it, and tells the seats what that form tells."""
    court = Court()
    court.handler.import_archive(old)
    parent = court.handler.history(old.table.id)
    version = next(event.version for event in parent.events if event.envelope.type == "GameStarted")
    later = next(event.version for event in parent.events if event.envelope.type in FIRST_FORM)
    for at, told in ((version, set()), (later, {msgspec.UNSET})):
        branch = fork(court.handler, parent, court.asked(Caller(BEN, SCOPES)), Forking(at)).history
        past = branch.table.fork.past if branch.table.fork else ()
        assert {row["schema"] for row in past or ()} == {1}
        phases: set[Any] = {event.phase for event in branch.feed(1) if isinstance(event, StoneKept | StoneSwapped)}
        assert phases == told
