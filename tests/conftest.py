"""What all tests share: real servers, started when a test first asks for one."""

import signal

from tests.servers import cluster, cluster_log, cluster_url, proxy, valkey, valkey_log, valkey_url

__all__ = ["cluster", "cluster_log", "cluster_url", "proxy", "valkey", "valkey_log", "valkey_url"]


def pytest_configure() -> None:
    """A run that is told to end ends its servers, as one that is interrupted does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
