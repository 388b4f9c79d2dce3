"""Nodes of a cluster fail under load: what a replica acknowledged is there, and what is lost otherwise is told."""

import gc
from collections.abc import Iterator

import pytest

from events.scripts import LOCAL, REPLICA
from tests.chaos.cluster import chaos
from tests.chaos.cluster_faults import FAULTS
from tests.long import long_but_for

# redis-py leaves the connections to a node that is gone to the garbage collector.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


@pytest.fixture(autouse=True)
def connections_to_nodes_that_are_gone() -> Iterator[None]:
    """Collected here, where they may be."""
    yield
    gc.collect()


BEFALLING = {"three kills": ["kill"] * 3} | {name: [name] for name in FAULTS if name != "kill"}


@pytest.mark.parametrize("befalling", long_but_for("three kills".__eq__, BEFALLING))
def test_nothing_that_a_replica_acknowledged_is_lost(befalling: str) -> None:
    """Whatever befalls primaries while four processes play."""
    found = chaos(BEFALLING[befalling], seed=1, acknowledged_by=REPLICA)

    assert (found.faults, found.lost) == ([], 0)
    assert found.acknowledged > found.tables > 0


def test_what_is_lost_is_told() -> None:
    """A primary dies ahead of its replica: every process that knew of a lost move gets `log_damaged`."""
    found = chaos(["kill_ahead"] * 2, seed=1, acknowledged_by=LOCAL)

    assert found.faults == []
    assert found.lost > 0
