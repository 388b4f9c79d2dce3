"""With `WINTERCOUNT_ACK=replica`, a write is acknowledged when a replica has it on disk, and not before."""

import contextlib
from collections.abc import Iterator

import pytest
from redis.crc import key_slot

from events.log import PARTITIONS, VersionRange
from events.scripts import REPLICA, WAITED, NotReplicated, acknowledged_answer
from events.store import RedisLog, connect
from tests.cluster import hand_over, hold_back, let_follow, pair_of, replicated
from tests.events.batches import batch, tell
from tools.cluster import Cluster, Node, Pair


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


def test_who_is_told_where_a_slot_is_goes_there_at_once_from_then_on(
    log: RedisLog, pair: Pair, cluster: Cluster
) -> None:
    """Whoever read the table before a failover learns from the answer to a write who serves it now."""
    mine, key = batch(log.head("t_one"), "mine"), log.table_key("t_one", "events")
    hand_over(cluster, pair)
    assert log.client.get_node_from_key(key).port == pair.primary.port

    assert log.append("t_one", mine) == VersionRange(2, 2)
    assert log.client.get_node_from_key(key).port == pair.replica.port
    hand_over(cluster, Pair(pair.replica, pair.primary))


def test_a_key_of_a_slot_that_moves_is_promised_by_who_has_it(log: RedisLog, pair: Pair, cluster: Cluster) -> None:
    """Who gives a slot away key by key names who takes it, and goes on to serve what is still there."""
    key = log.table_key("t_one", "head")
    other = next(each for each in cluster.pairs if pair.primary not in each)
    with moving(key_slot(key.encode()), pair.primary, other.primary):
        assert acknowledged_answer(log.client, key, "HGET", key, "version") == b"1"
    assert log.append("t_one", batch(log.head("t_one"), "mine")) == VersionRange(2, 2)


def test_what_waits_is_in_no_slot_s_way(log: RedisLog, pair: Pair, cluster: Cluster) -> None:
    """Whoever waits at who takes the slot, before all keys are there, leaves none that the giver has as well."""
    key = log.table_key("t_one", "head")
    other = next(each for each in cluster.pairs if pair.primary not in each)
    with moving(key_slot(key.encode()), pair.primary, other.primary, last=WAITED):
        assert acknowledged_answer(log.client, key, "HGET", key, "version") == b"1"
    assert log.head("t_one").version == 1


@contextlib.contextmanager
def moving(slot: int, giver: Node, taker: Node, last: str = "nothing") -> Iterator[None]:
    """A slot whose keys, but for `last`, have gone from one primary to another, which serves it when the block ends."""
    with giver.asked() as giving, taker.asked() as taking:
        names = [node.execute_command("CLUSTER MYID") for node in (giving, taking)]
        taking.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", names[0])
        giving.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", names[1])
        for key in giving.execute_command("CLUSTER GETKEYSINSLOT", slot, 100):
            if not key.endswith(last):
                giving.execute_command("MIGRATE", "127.0.0.1", taker.port, key, 0, 5000)
        yield
        for key in giving.execute_command("CLUSTER GETKEYSINSLOT", slot, 100):
            giving.execute_command("MIGRATE", "127.0.0.1", taker.port, key, 0, 5000)
        for node in (taking, giving):
            node.execute_command("CLUSTER SETSLOT", slot, "NODE", names[1])
