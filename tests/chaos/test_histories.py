"""Many devices read and play at one table at the same time, and an order explains all that they saw."""

import pytest

from tests.chaos.histories import DEVICES, GAMES_PLAYED, MOVES, concurrent_histories
from tests.long import long_but_for

pytestmark = pytest.mark.slow

FEW, MANY = len(GAMES_PLAYED), 40


@pytest.mark.parametrize("histories", long_but_for(FEW.__eq__, [FEW, MANY]))
def test_what_many_see_at_once_can_have_happened_one_after_the_other(histories: int) -> None:
    """On two web processes, at tables of every game."""
    found = concurrent_histories(histories, seed=1)

    assert found.faults == []
    assert found.operations > histories * MOVES * DEVICES
