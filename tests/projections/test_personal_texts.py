"""Events that hold what people are called and wrote: today's form and the one of before, each told by what it holds."""

from collections.abc import Mapping
from typing import Any

import pytest

from events.lifecycle import LIFECYCLE, TEXTS, Lifecycle, PersonalText, SeatTaken
from events.log import Batch, LogDamaged, LogNewer
from events.memory import MemoryLog
from events.recorded import START, BatchMetadata, NewEvent, Recorded, record
from games.schemas import NewerForm, UnknownForm
from projections import standings
from projections.history import Histories
from projections.lobby import facts_of
from projections.recording import lifecycle_of, new_lifecycle_event
from tests.court import Court
from tests.tables import ANN, TELL

NAME = {"of": "p_ann", "text": "AAAA"}
SAT = {"seat": 1, "player": "p_ann", "name": "Ann", "bot": False, "ai": None, "contribution": None}


def recorded(payload: Mapping[str, Any], schema: int, type_: str = "SeatTaken") -> Recorded:
    """One event, as the log holds it."""
    metadata = BatchMetadata("2026-11-21T09:00:00.000Z", {"kind": "player", "player": "p_ann"}, "r")
    return record("t_1", START, [NewEvent(type_, dict(payload), {}, schema)], metadata)[0]


def seat(event: Recorded) -> SeatTaken:
    found = lifecycle_of(event)
    assert isinstance(found, SeatTaken)
    return found


def test_a_name_of_before_stays_one() -> None:
    """It is read as a text that cannot be forgotten."""
    assert seat(recorded(SAT, 1)).name == "Ann"


def test_a_name_of_today_is_its_persons() -> None:
    assert seat(recorded(SAT | {"name": NAME}, 2)).name == PersonalText("p_ann", "AAAA")


@pytest.mark.parametrize(("name", "schema"), [("Ann", 2), (None, 2), (NAME, 1)])
def test_a_form_says_what_is_held(name: Any, schema: int) -> None:
    """An event that is marked as older or newer than it is does not pass: of an AI nothing is encrypted."""
    with pytest.raises(UnknownForm, match="the fields of another"):
        lifecycle_of(recorded(SAT | {"name": name}, schema))


@pytest.mark.parametrize("kind", LIFECYCLE, ids=lambda kind: kind.__name__)
def test_a_later_form_is_newer_and_not_damaged(kind: type[Lifecycle]) -> None:
    """Of every event of a table."""
    later, name = kind.schema + 1, kind.__name__
    with pytest.raises(NewerForm, match=f"{name} has schema {later}; this release knows {kind.schema}"):
        lifecycle_of(recorded({}, later, name))


def test_a_table_of_a_later_release_is_told_as_newer() -> None:
    """By a name in a third form, when it is read."""
    court = Court(MemoryLog())
    table = court.open("manitou", "ann open")
    head = court.table(table).head
    metadata = BatchMetadata(court.table(table).at, {"kind": "player", "player": "p_ben"}, "r")
    events = record(
        table, head, [NewEvent("SeatTaken", SAT | {"seat": 2, "name": {"later": "still"}}, {}, 3)], metadata
    )
    court.log.append(table, Batch(head, events, "r"))
    with pytest.raises(LogNewer, match="SeatTaken has schema 3"):
        Histories(court.log).fresh(table)


def test_an_event_that_passes_for_another_form_is_damaged() -> None:
    court = Court(MemoryLog())
    table = court.open("manitou", "ann open")
    head = court.table(table).head
    metadata = BatchMetadata(court.table(table).at, {"kind": "player", "player": "p_ben"}, "r")
    events = record(table, head, [NewEvent("SeatTaken", SAT | {"seat": 2}, {}, 2)], metadata)
    court.log.append(table, Batch(head, events, "r"))
    with pytest.raises(LogDamaged, match="UnknownForm"):
        Histories(court.log).fresh(table)


def test_what_is_recorded_has_the_form_of_what_it_holds() -> None:
    """An AI sits down, and a dispute lapses, in the first form as ever."""
    sealed = new_lifecycle_event("SeatTaken", SAT | {"name": PersonalText("p_ann", "AAAA")})
    assert (sealed.schema, sealed.payload["name"]) == (2, NAME)
    assert new_lifecycle_event("SeatTaken", SAT | {"name": None}).schema == 1
    assert new_lifecycle_event("DisputeResolved", {"text": ""}).schema == 1


def test_a_table_keeps_what_people_wrote_encrypted() -> None:
    """Seats and disputes in memory, and every event of theirs in the log."""
    court = Court()
    table = court.open_disputable("manitou", "ann ben")
    ruling = court.play_until(
        table, lambda event: "rules" in event.envelope.payload and court.table(table).version > 20
    )
    dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
    court.resolve(table, dispute, "upheld")
    now = court.table(table)
    found = [*(seat.name for seat in now.seats), now.disputes[0].claim, now.disputes[0].text]
    assert [one.of for one in found if isinstance(one, PersonalText)] == ["p_ann", "p_ben", "p_ann", "p_ida"]
    assert TELL(table, "DisputeOpened", now.disputes[0].claim) == "It says otherwise."
    events = [event for event in court.history(table).events if event.envelope.type in TEXTS]
    assert {event.envelope.schema for event in events} == {2}
    written = b"".join(event.raw for event in court.history(table).events)
    assert [text for text in (b'"Ann"', b'"Ben"', b"It says", b"So I read") if text in written] == []


def test_the_standings_name_the_table_that_a_name_is_bound_to() -> None:
    """Rows of before, with a name in plain, are as they were."""
    court = Court()
    history = court.play_to_the_end(court.open("manitou", "ann greedy"))
    counted = standings.counts(facts_of(history.table), lambda _: None)
    rows = {row["player"]: row for row in counted.values()}
    assert rows["p_ann"]["named_at"] == history.table.id
    assert TELL(history.table.id, "SeatTaken", PersonalText(**rows["p_ann"]["name"])) == "Ann"
    assert "named_at" not in rows["ai:greedy"]
