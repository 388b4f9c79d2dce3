"""Writers and a server that is killed: nothing acknowledged is lost, torn, doubled or out of order."""

import pytest

from tests.chaos.appends import appends
from tests.long import long_but_for

FEW, MANY = 3_000, 100_000


@pytest.mark.parametrize("events", long_but_for(FEW.__eq__, [FEW, MANY]))
def test_what_the_log_acknowledges_is_there_whenever_its_server_is_killed(events: int) -> None:
    """With all that a batch changes: events, head, feed, what is due, and the answers of requests."""
    found = appends(events, seed=1)

    assert found.faults == []
    assert found.events >= events
    assert found.kills > 0
