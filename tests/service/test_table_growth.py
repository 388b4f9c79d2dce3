"""What a table takes in beside its moves: it grows no further when much is on record, and can always be played on."""

import pytest

from events.lifecycle import DisputeRules
from service.errors import Refused
from service.limits import quotas
from service.tables import disputes
from tests.disputed_tables import ARBITER, Court, ruling_by
from tests.tables import ANN, BEN

RULE = "BM-R9"
SEATS = "ann ben cat"

pytestmark = pytest.mark.usefixtures("lucky", "now")


@pytest.fixture
def full(court: Court, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A table with as many events as one may have, and a dispute that was opened before."""
    table, ruling = court.table_with(ruling_by(RULE), "big-manitou", SEATS, rules=DisputeRules(play="goes_on"))
    dispute = court.dispute(table, ANN, ruling, RULE)
    monkeypatch.setattr(quotas, "MOST_EVENTS", court.table(table).version)
    return table, dispute


def test_a_table_that_is_full_grows_by_moves_alone(court: Court, full: tuple[str, str]) -> None:
    """No comment, no further dispute: otherwise every reader would pay for an endless table."""
    table, dispute = full
    ruling = court.history(table).events[court.the(table, dispute).version - 1]
    for ask in (
        lambda: disputes.comment(court.handler, table, court.asked(ARBITER), dispute, "And more."),
        lambda: court.dispute(table, BEN, ruling, RULE),
    ):
        with pytest.raises(Refused, match="table_full"):
            ask()
    before = court.table(table).version
    assert court.step(table)
    assert court.table(table).version > before


def test_a_dispute_ends_at_a_table_that_is_full(court: Court, full: tuple[str, str]) -> None:
    """The verdict is taken, with the play that it takes back; then nothing more is taken back."""
    table, dispute = full
    court.resolve(table, dispute, "overturned")
    assert court.the(table, dispute).outcome == "overturned"
    with pytest.raises(Refused, match="table_full"):
        court.take_back(table, ANN)


def test_the_disputes_of_a_table_have_so_many_comments(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer about disputes holds them all; a repeat of the last one is told the first answer."""
    monkeypatch.setattr(quotas, "MOST_COMMENTS", 2)
    table, ruling = court.table_with(ruling_by(RULE), "big-manitou", SEATS)
    dispute = court.dispute(table, ANN, ruling, RULE)
    asked = [court.asked(ARBITER) for _ in range(3)]
    for one in asked[:2]:
        disputes.comment(court.handler, table, one, dispute, "So it is.")
    with pytest.raises(Refused, match="table_full"):
        disputes.comment(court.handler, table, asked[2], dispute, "And more.")
    assert disputes.comment(court.handler, table, asked[1], dispute, "So it is.").span.repeated
    assert len(court.the(table, dispute).comments) == 2
