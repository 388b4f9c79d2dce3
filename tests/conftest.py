"""What all tests share: real servers, started when a test first asks for one, and houses, clocks and luck."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import freezegun
import pytest
from hypothesis import HealthCheck, settings

from games.msgspec_threads import learn_structs
from projections.finished_games import index
from service.tables import feed
from tests.archives import archive
from tests.fixtures import address, court, lucky, now, visit
from tests.servers import cluster, cluster_log, cluster_url, proxy, replica_log, valkey, valkey_log, valkey_url
from tests.wheels import unpacked, wheel

__all__ = ["address", "archive", "cluster", "cluster_log", "cluster_url", "court", "lucky", "now", "proxy"]
__all__ += ["replica_log", "unpacked", "valkey", "valkey_log", "valkey_url", "visit", "wheel"]

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # nothing is asserted of time: a busy machine is slow

freezegun.configure(extend_ignore_list=["_pytest.timing", "xdist."])  # --durations tells how long tests really took

NO_FOLDER = "/dev/null/a-test-needs-a-data-directory-of-its-own"  # nothing can be made there

OFTEN = gc.get_threshold()  # what a test leaves open is to be found while it runs, and not in another
gc.disable()  # until all tests are collected: what is imported and made meanwhile is no garbage
# Tests ask for more than people do, all from one address.
RAISED = "ACCOUNTS OPEN_TABLES AI_SEATS REFUSED_MOVES CHANGES QUESTIONS READS"


def pytest_configure() -> None:
    """A run that is told to end ends its servers, as one that is interrupted does."""
    for name in RAISED.split():
        os.environ.setdefault(f"WINTERCOUNT_{name}", "1000000000")
    os.environ.setdefault("WINTERCOUNT_AI_RELEASE_MS", "0")  # nobody waits for an AI player
    os.environ["WINTERCOUNT_DATA"] = NO_FOLDER
    os.environ["XDG_CONFIG_HOME"] = NO_FOLDER  # nobody is logged in
    index.PATIENCE_S = feed.READING_S = 60.0  # a busy machine is slow, and neither a stale nor a short answer is wanted
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Services whose threads are this process's own are as safe here as in a web process.

    What was collected stays to the end: the garbage collector need not look through ten thousand tests again and again.
    """
    learn_structs()
    gc.freeze()
    gc.set_threshold(*OFTEN)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def data_of_whoever_runs_them() -> Iterator[None]:
    """No test touches `var/`, where the service keeps its data if nothing else is said."""
    before = _data()
    yield
    assert _data() == before, "a test needs a data directory of its own"


def _data() -> list[Path]:
    """What is in `var/`."""
    return sorted(Path("var").rglob("*"))
