"""Events that hold what people are called and wrote."""

from events.lifecycle import TEXTS, PersonalText
from projections import standings
from projections.lobby import facts_of
from tests.court import Court
from tests.tables import ANN, TELL


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
    assert events
    written = b"".join(event.raw for event in court.history(table).events)
    assert [text for text in (b'"Ann"', b'"Ben"', b"It says", b"So I read") if text in written] == []


def test_the_standings_name_the_table_that_a_name_is_bound_to() -> None:
    court = Court()
    history = court.play_to_the_end(court.open("manitou", "ann greedy"))
    counted = standings.counts(facts_of(history.table), lambda _: None)
    rows = {row["player"]: row for row in counted.values()}
    assert rows["p_ann"]["named_at"] == history.table.id
    assert TELL(history.table.id, "SeatTaken", PersonalText(**rows["p_ann"]["name"])) == "Ann"
    assert "named_at" not in rows["ai:greedy"]
