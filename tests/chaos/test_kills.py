"""Processes are killed under load: nothing acknowledged is lost, no batch torn, no AI turn lost or played twice."""

import pytest

from tests.chaos.kills import IS, chaos
from tests.long import long_but_for

pytestmark = pytest.mark.slow

FEW, MANY = 8, 25


@pytest.mark.parametrize("kills", long_but_for(FEW.__eq__, [FEW, MANY]))
def test_nothing_is_lost_when_processes_are_killed(kills: int) -> None:
    """SIGKILL hits the store, the web server, the dispatcher and the worker in turn while eight clients play."""
    found = chaos(kills, seed=1)

    assert found.faults == []
    assert set(found.kills) == set(IS)
    assert found.in_doubt > 0
    assert found.events > found.acknowledged > kills
