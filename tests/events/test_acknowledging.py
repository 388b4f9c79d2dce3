"""With `WINTERCOUNT_ACK=replica`, a write is acknowledged when a replica has it on disk, and not before."""

from collections.abc import Iterator

import pytest

from events.log import PARTITIONS, VersionRange
from events.scripts import REPLICA, NotReplicated
from events.store import RedisLog, connect
from tests.cluster import hand_over, hold_back, let_follow, pair_of, replicated
from tests.events.batches import batch, tell
from tools.cluster import Cluster, Pair


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with replicated() as found:
        yield found


@pytest.fixture
def log(cluster: Cluster) -> RedisLog:
    """A log acknowledged by replicas, in which nothing is kept."""
    client = connect(cluster.url, REPLICA)
    client.flushall(target_nodes=client.PRIMARIES)
    return RedisLog(client, PARTITIONS)


@pytest.fixture
def pair(cluster: Cluster, log: RedisLog) -> Iterator[Pair]:
    """The nodes that keep `t_one`, whose replica follows again afterwards."""
    tell(log, "warm", table="t_one")
    found = pair_of(cluster, log.table_key("t_one", "events"))
    yield found
    found.replica.resume()
    let_follow(found)


def test_what_is_acknowledged_is_on_the_replica(log: RedisLog, pair: Pair) -> None:
    """The replica has every event of the batch on disk when the append returns."""
    for number in range(20):
        tell(log, f"{number}")
        with pair.replica.asked() as replica:
            replica.execute_command("READONLY")
            assert replica.xlen(log.table_key("t_one", "events")) == number + 2


def test_a_write_that_no_replica_has_is_not_acknowledged(log: RedisLog, pair: Pair, cluster: Cluster) -> None:
    """It is recorded; its repeat, by whichever process, waits until the replica has it, though it writes nothing."""
    other = RedisLog(connect(cluster.url, REPLICA), PARTITIONS)
    third = RedisLog(connect(cluster.url, REPLICA), PARTITIONS)
    mine = batch(log.head("t_one"), "mine", request="r1")
    pair.replica.pause()  # the primary still counts it: it is as far as it was

    with pytest.MonkeyPatch.context() as impatient:
        impatient.setattr("events.scripts.WAIT_MS", 50)
        with pytest.raises(NotReplicated):
            log.append("t_one", mine)
        with pytest.raises(NotReplicated):
            other.append("t_one", mine)
        with pytest.raises(NotReplicated):
            third.find_answer("t_one", "r1")
    assert log.head("t_one").version == 2

    pair.replica.resume()
    assert other.append("t_one", mine) == VersionRange(2, 2, repeated=True)
    assert third.find_answer("t_one", "r1") == ("body", VersionRange(2, 2, repeated=True))


def test_without_a_replica_nothing_is_acknowledged(log: RedisLog, pair: Pair) -> None:
    """Not even what was acknowledged before, if it is asked for again."""
    mine = batch(log.head("t_one"), "mine", request="r1")
    log.append("t_one", mine)
    hold_back(pair)

    with pytest.raises(NotReplicated):
        log.append("t_one", mine)


def test_a_replica_that_keeps_nothing_on_disk_acknowledges_nothing(log: RedisLog, pair: Pair) -> None:
    """What a replica has in memory alone is no promise."""
    with pair.replica.asked() as replica:
        replica.config_set("appendonly", "no")
        with pytest.raises(NotReplicated):
            tell(log, "one")
        replica.config_set("appendonly", "yes")


def test_a_primary_that_keeps_nothing_on_disk_says_so(log: RedisLog, pair: Pair) -> None:
    """The error names what is missing."""
    with pair.primary.asked() as primary:
        primary.config_set("appendonly", "no")
        with pytest.raises(NotReplicated, match="appendonly is disabled"):
            tell(log, "one")
        primary.config_set("appendonly", "yes")


def test_a_write_goes_where_the_slot_is(log: RedisLog, pair: Pair, cluster: Cluster) -> None:
    """After a failover in good order the next write goes to the new primary, which does not know the script yet."""
    hand_over(cluster, pair)

    tell(log, "one")
    assert log.head("t_one").version == 2
    hand_over(cluster, Pair(pair.replica, pair.primary))
