"""What is appended that was recorded elsewhere."""

from events.recorded import Head
from events.store import in_succession
from tests.events.batches import START, said


def test_batches_of_another_place_follow_each_other_and_keep_their_requests() -> None:
    """A request that is repeated finds what it led to there; what was due here is settled with the first."""
    first = said(START, "one", "two", request="r1")
    head = Head(2, first[-1].hash)
    second = said(head, "three", request="r2")

    batches = list(in_succession(START, [first, second], ("clock",)))

    assert [(batch.head, batch.events, batch.request, batch.completed_timers) for batch in batches] == [
        (START, first, "r1", ("clock",)),
        (head, second, "r2", ()),
    ]
