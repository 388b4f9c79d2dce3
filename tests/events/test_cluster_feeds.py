"""On a cluster, a follower reads only the feeds for which a server announces something."""

from collections import Counter

import pytest
import redis

from events import feeds
from events.log import PARTITIONS
from events.store import RedisLog, connect
from tests.events.batches import tell


@pytest.fixture
def follower(cluster_url: str, cluster_log: RedisLog, monkeypatch: pytest.MonkeyPatch) -> RedisLog:
    """Another process's log, which has looked at all feeds already and does not do so again."""
    monkeypatch.setattr(feeds, "READ_ALL_S", 600.0)
    log = RedisLog(connect(cluster_url), cluster_log.partitions)
    assert told(log, dict.fromkeys(range(PARTITIONS), 0), 0.0) == []
    assert told(log, dict.fromkeys(range(PARTITIONS), 0), 0.0) == []  # its connections were new
    return log


def told(log: RedisLog, after: dict[int, int], wait_s: float) -> list[str]:
    """The tables of which the feeds tell; `after` moves behind them."""
    found = list(log.wait_for_pointers(after, wait_s))
    after.update({partition: pointer.position for partition, pointer in found})
    return [pointer.table for _, pointer in found]


def asked(cluster: redis.RedisCluster) -> Counter[str]:
    """How often the primaries were asked what, in all."""
    stats = cluster.info("commandstats", target_nodes=redis.RedisCluster.PRIMARIES)
    return sum((Counter({name: told["calls"] for name, told in node.items()}) for node in stats.values()), Counter())


def test_nobody_asks_while_nothing_happens(follower: RedisLog, cluster: redis.RedisCluster) -> None:
    """No feed is read while nothing is announced; of 64 partitions, the one that was written to is read, once."""
    after = dict.fromkeys(range(PARTITIONS), 0)
    before = asked(cluster)
    for _ in range(5):
        assert told(follower, after, 0.05) == []
    assert (asked(cluster) - before)["cmdstat_xrange"] == 0

    tell(follower, "one")
    assert told(follower, after, 600.0) == ["t_one"]
    assert told(follower, after, 0.05) == []
    assert (asked(cluster) - before)["cmdstat_xrange"] == 1


def test_what_is_written_while_nobody_listens_is_found(
    follower: RedisLog, cluster: redis.RedisCluster, cluster_url: str
) -> None:
    """Servers that close the connections on which they announce are listened to anew, and all feeds are read."""
    after = dict.fromkeys(range(PARTITIONS), 0)
    for node in cluster.get_primaries():
        cluster.execute_command("CLIENT KILL", "TYPE", "pubsub", target_nodes=node)
    tell(RedisLog(connect(cluster_url), PARTITIONS), "one")

    assert told(follower, after, 600.0) == ["t_one"]
    tell(follower, "two")
    assert told(follower, after, 600.0) == ["t_one"]


def test_a_server_that_announces_nothing_is_asked(
    cluster_log: RedisLog, cluster: redis.RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a provider forbids announcements, the feeds are read now and then, in one trip to each server."""

    def forbidden(*_: object) -> None:
        raise redis.ResponseError("unknown command 'CLIENT TRACKING'")

    monkeypatch.setattr("events.feeds._listening", forbidden)
    after = dict.fromkeys(range(PARTITIONS), 0)
    assert told(cluster_log, after, 0.0) == []
    tell(cluster_log, "one")

    assert told(cluster_log, after, 600.0) == ["t_one"]
