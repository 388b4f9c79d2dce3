"""Events that hold what people wrote."""

from events.lifecycle import TEXTS, PersonalText
from tests.court import Court
from tests.tables import ANN, TELL


def test_a_table_keeps_what_people_wrote_encrypted() -> None:
    """Disputes in memory, and every event of theirs in the log, which holds no names at all."""
    court = Court()
    table = court.open_disputable("manitou", "ann ben")
    ruling = court.play_until(
        table, lambda event: "rules" in event.envelope.payload and court.table(table).version > 20
    )
    dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
    court.resolve(table, dispute, "upheld")
    now = court.table(table)
    found = [now.disputes[0].claim, now.disputes[0].text]
    assert [one.of for one in found if isinstance(one, PersonalText)] == ["p_ann", "p_ida"]
    assert TELL(table, "DisputeOpened", now.disputes[0].claim) == "It says otherwise."
    events = [event for event in court.history(table).events if event.envelope.type in TEXTS]
    assert events
    written = b"".join(event.raw for event in court.history(table).events)
    assert [text for text in (b'"Ann"', b'"Ben"', b"It says", b"So I read") if text in written] == []
