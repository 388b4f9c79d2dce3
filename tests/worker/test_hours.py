"""Hours of play while clocks of machines are wrong now and then."""

import pytest

from events.store import RedisLog
from tests.long import long_but_for
from tests.memory_log import MemoryLog
from tests.worker.hours import lived

FEW, MANY = 1, 12


@pytest.mark.parametrize("hours", long_but_for(FEW.__eq__, [FEW, MANY], is_slow=FEW.__eq__))
def test_wrong_clocks_put_off_nothing_for_long(hours: int) -> None:
    """No deadline, no AI turn and no clock that has run out; and every record holds."""
    found = lived(MemoryLog(), hours, seed=1)

    assert found.faults == []
    assert found.jumps > 0
    assert found.events > hours * 100


@pytest.mark.slow
def test_so_it_is_on_a_real_store(valkey_log: RedisLog) -> None:
    """Where timers are leased by a script."""
    assert lived(valkey_log, 1, seed=2).faults == []
