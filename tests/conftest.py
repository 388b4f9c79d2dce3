"""What all tests share: real servers, started when a test first asks for one."""

from tests.servers import cluster, cluster_log, cluster_url, proxy, valkey, valkey_log, valkey_url

__all__ = ["cluster", "cluster_log", "cluster_url", "proxy", "valkey", "valkey_log", "valkey_url"]
