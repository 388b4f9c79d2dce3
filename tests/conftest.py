"""What all tests share: real servers, started when a test first asks for one, and houses, clocks and luck."""

import os
import signal

from tests.fixtures import court, lucky, now, visit
from tests.servers import cluster, cluster_log, cluster_url, proxy, valkey, valkey_log, valkey_url
from tests.wheels import wheel

__all__ = [
    "cluster",
    "cluster_log",
    "cluster_url",
    "court",
    "lucky",
    "now",
    "proxy",
    "valkey",
    "valkey_log",
    "valkey_url",
    "visit",
    "wheel",
]


def pytest_configure() -> None:
    """A run that is told to end ends its servers, as one that is interrupted does."""
    for name in (
        "WORK_MS",
        "THINKING_S",
        "ACCOUNTS",
        "OPEN_TABLES",
        "AI_SEATS",
        "FORKS",
        "OPEN_DISPUTES",
        "REFUSED_MOVES",
        "CHANGES",
        "TOKENS",
    ):  # tests ask for more than people do, all from one address
        os.environ.setdefault(f"WINTERCOUNT_{name}", "1000000000")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
