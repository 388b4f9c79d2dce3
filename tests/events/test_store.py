"""What only a store on Redis can suffer: lost answers, a forgotten script, keys of another kind, two configurations."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from events.envelopes import Head
from events.log import PARTITIONS, Batch, Conflict, LogDamaged, Pointer, Timer, VersionRange, partition_of
from events.store import META, RedisLog, connect
from tests.events.batches import START, batch, said, tell
from tests.servers import Proxy, wait_until

HERE = partition_of("t_one")
TAG = f"{{p{HERE:02d}}}"
KEYS = {name: f"{TAG}:t_one:{name}" for name in ("events", "head", "requests")}
KEYS |= {name: f"{TAG}:{name}" for name in ("feed", "timers", "listeners", "attempts", "wake")}


@pytest.fixture
def behind_proxy(proxy: Proxy) -> Iterator[RedisLog]:
    """A log whose connection goes through the proxy, its scripts known to the server."""
    with contextlib.closing(connect(f"redis://127.0.0.1:{proxy.port}")) as client:
        log = RedisLog(client, PARTITIONS)
        tell(log, "before", table="t_before")
        log.lease(HERE, 0, 1000, 1)
        yield log


def test_a_lost_answer_writes_once(behind_proxy: RedisLog, proxy: Proxy) -> None:
    """When the answer to an append is lost, the client repeats it by itself: the batch is there once, and answered."""
    proxy.lose = 1

    span = behind_proxy.append("t_one", batch(START, "one", "two", request="r1", timers=(Timer("a", 10),)))

    assert proxy.lost == 1
    assert span == VersionRange(1, 2, repeated=True)
    assert [event.payload["text"] for event in behind_proxy.read("t_one")] == ["one", "two"]
    last = behind_proxy.head("t_one").hash
    assert [pointer for pointer in behind_proxy.feed(HERE, 0) if pointer.table == "t_one"] == [
        Pointer(1, "t_one", 1, 2, last)
    ]


def test_a_lost_lease_is_no_lost_turn(behind_proxy: RedisLog, proxy: Proxy) -> None:
    """Entries whose lease was answered into the void are due again when the lease is over."""
    behind_proxy.append("t_one", batch(START, "one", timers=(Timer("a", 0),)))
    proxy.lose = 1

    assert behind_proxy.lease(HERE, 0, 1000, 10) == []
    assert behind_proxy.lease(HERE, 1000, 1000, 10) == [("a", 2)]


def test_scripts_are_sent_again_when_the_server_has_forgotten_them(valkey_log: RedisLog, valkey: redis.Redis) -> None:
    """A server that was restarted knows no scripts: the next call brings them."""
    tell(valkey_log, "one")
    valkey.script_flush()

    tell(valkey_log, "two")

    assert valkey_log.head("t_one").version == 2


@pytest.mark.parametrize("name", KEYS)
def test_nothing_is_written_beside_a_key_of_another_kind(valkey_log: RedisLog, valkey: redis.Redis, name: str) -> None:
    """A script has no way back, so it touches every key before it writes to any: one of the wrong kind stops it."""
    valkey.set(KEYS[name], "not ours")

    told = batch(START, "one", request="r1", completed_timers=("b",), timers=(Timer("a", 10),))
    for write in (lambda: valkey_log.append("t_one", told), lambda: valkey_log.append_all("t_one", [told])):
        with pytest.raises(LogDamaged, match="t_one has a key of the wrong type"):
            write()

    assert set(valkey.keys()) == {META.encode(), KEYS[name].encode()}


@pytest.mark.parametrize("name", ["events", "head"])
def test_a_key_of_another_kind_is_damage_of_its_table_alone(
    valkey_log: RedisLog, valkey: redis.Redis, name: str
) -> None:
    """Given a key that is no stream, or no hash, then others that are read in the same trip are read."""
    events = tell(valkey_log, "said", table="t_other")
    tell(valkey_log, "said")
    valkey.delete(KEYS[name])
    valkey.set(KEYS[name], "rubbish")

    found = valkey_log.after_each({"t_one": START, "t_other": START})

    assert found["t_other"] == events
    assert isinstance(found["t_one"], LogDamaged)
    with pytest.raises(LogDamaged, match="t_one has a key of the wrong type"):
        valkey_log.after("t_one", START)


@pytest.mark.parametrize("kept", [b"", b"\xb1", b"body", b"body:1", b"body:1:x"])
def test_a_damaged_answer_of_a_request_is_damage(valkey_log: RedisLog, valkey: redis.Redis, kept: bytes) -> None:
    """For its repeat and for a lookup: nothing is written twice, and others are answered."""
    first = batch(START, "said", request="r1")
    valkey_log.append("t_one", first)
    valkey.hset(KEYS["requests"], "r1", kept)

    for ask in (lambda: valkey_log.append("t_one", first), lambda: valkey_log.find_answer("t_one", "r1")):
        with pytest.raises(LogDamaged):
            ask()
    assert valkey_log.find_answer("t_one", "r2") is None
    assert valkey_log.append("t_one", batch(first.leads_to, "and", request="r2")).first == 2


def test_a_head_whose_version_is_no_number_is_damage_of_its_table_alone(
    valkey_log: RedisLog, valkey: redis.Redis
) -> None:
    """By a bit: others that are read in the same trip are read."""
    events = tell(valkey_log, "said", table="t_other")
    tell(valkey_log, "said")
    valkey.hset(KEYS["head"], "version", b"\xb1")

    found = valkey_log.after_each({"t_one": START, "t_other": START})

    assert found["t_other"] == events
    assert isinstance(found["t_one"], LogDamaged)
    with pytest.raises(LogDamaged, match="t_one has a head without a valid version"):
        valkey_log.head("t_one")


@pytest.mark.parametrize("position", [0, 2])
def test_events_and_head_that_differ_are_damage(valkey_log: RedisLog, valkey: redis.Redis, position: int) -> None:
    """A stream that does not end where the head says was altered from outside: nothing is written to it."""
    event = tell(valkey_log, "one")[0]
    valkey.delete(KEYS["events"])
    if position:
        valkey.xadd(KEYS["events"], {"e": b"", "h": b""}, id=f"{position}-0")

    with pytest.raises(LogDamaged, match="corrupt"):
        valkey_log.append("t_one", batch(Head(1, event.hash), "two"))
    assert valkey.hget(KEYS["head"], "version") == b"1"


def test_an_entry_that_is_no_event_is_told_with_its_table_and_version(
    valkey_log: RedisLog, valkey: redis.Redis
) -> None:
    """The error says where to repair the store."""
    (first, second) = tell(valkey_log, "one", "two")
    valkey.delete(KEYS["events"])
    valkey.xadd(KEYS["events"], {"e": first.raw, "h": first.hash}, id="1-0")
    valkey.xadd(KEYS["events"], {"e": b"{", "h": second.hash}, id="2-0")

    assert valkey_log.read("t_one", 1, 1)[0].raw == first.raw
    with pytest.raises(LogDamaged, match=r"^t_one version 2 is not a valid event"):
        valkey_log.read("t_one", 1, 2)


@pytest.mark.parametrize("version", [1, None])
def test_events_behind_the_head_are_damage_to_every_read(
    valkey_log: RedisLog, valkey: redis.Redis, version: int | None
) -> None:
    """A head that went back alone, or is gone, is found by every reader, whatever it knew before."""
    events = tell(valkey_log, "one") + tell(valkey_log, "two", "three")
    valkey.delete(KEYS["head"])
    if version:
        valkey.hset(KEYS["head"], mapping={"version": version, "hash": events[version - 1].hash})

    for known in (START, Head(1, events[0].hash), Head(3, events[2].hash)):
        with pytest.raises(LogDamaged):
            valkey_log.after("t_one", known)


def test_all_keys_of_a_table_are_in_one_slot(cluster_log: RedisLog, cluster: redis.RedisCluster) -> None:
    """Every key of a table carries the tag of its partition, and the partitions are spread over the nodes."""
    for number in range(100):
        tell(cluster_log, "one", table=f"t_{number}")

    keys: Any = cluster.keys(target_nodes=redis.RedisCluster.PRIMARIES)
    assert all(key.startswith(b"{p") for key in keys if key != META.encode())
    nodes = {cluster.get_node_from_key(key.decode()).name for key in keys}
    assert len(nodes) == 3


def test_the_number_of_partitions_is_kept(valkey: redis.Redis) -> None:
    """What the first process wrote holds for all that come later, whatever they are configured with."""
    assert RedisLog(valkey, 16).partitions == 16
    assert RedisLog(valkey, 64).partitions == 16


@pytest.mark.parametrize("kept", ["", "0", "-1", "6\xb4", "1e3", "64 "])
def test_a_number_of_partitions_that_is_none_is_told_with_what_to_do(valkey: redis.Redis, kept: str) -> None:
    """Tables would be looked for in other partitions."""
    valkey.hset(META, "partitions", kept)
    with pytest.raises(LogDamaged, match="HSET wintercount:meta partitions N"):
        RedisLog(valkey, 64)


@pytest.mark.parametrize(("table", "of_64", "of_16"), [("t_one", 5, 5), ("t_two", 18, 2), ("t_three", 12, 12)])
def test_partitions_of_tables(table: str, of_64: int, of_16: int) -> None:
    """The partition of a table is for ever: CRC-32 of its id, modulo the number of partitions."""
    assert (partition_of(table), partition_of(table, 16)) == (of_64, of_16)


def another_primary(cluster: redis.RedisCluster) -> Any:
    """One that does not keep what the store tells of itself, and that is not asked first."""
    first = {cluster.get_default_node(), cluster.get_node_from_key(META)}
    return next(node for node in cluster.get_primaries() if node not in first)


def test_a_cluster_promises_what_its_weakest_primary_does(cluster_log: RedisLog, cluster: redis.RedisCluster) -> None:
    """Whichever that is: the tables there are as safe."""
    node = another_primary(cluster)
    for name, kept, told in (("appendfsync", "everysec", "fsync every second"), ("appendonly", "no", "none")):
        before = str(cluster.config_get(name, target_nodes=node)[name])
        cluster.config_set(name, kept, target_nodes=node)
        try:
            assert cluster_log.durability() == told
        finally:
            cluster.config_set(name, before, target_nodes=node)
            wait_until(lambda: not cluster.info("persistence", target_nodes=node)["aof_rewrite_in_progress"])
    assert cluster_log.durability() == "fsync"


def test_a_cluster_is_full_if_one_of_its_primaries_is(cluster_log: RedisLog, cluster: redis.RedisCluster) -> None:
    """Some tables take no writes, so the store as a whole reports that it is full."""
    node, before = another_primary(cluster), cluster.dbsize(target_nodes=redis.RedisCluster.PRIMARIES)
    cluster.config_set("maxmemory", "1mb", target_nodes=node)
    try:
        with pytest.raises(redis.exceptions.OutOfMemoryError):
            cluster_log.ping()
    finally:
        cluster.config_set("maxmemory", "0", target_nodes=node)
    assert cluster_log.ping()["cluster"]
    assert cluster.dbsize(target_nodes=redis.RedisCluster.PRIMARIES) <= before + 1  # the number of partitions


def test_a_conflict_brings_a_thousand_events_at_most(valkey_log: RedisLog) -> None:
    """A writer that has missed more than a thousand events gets the first thousand, which follow on what it has."""
    first = tell(valkey_log, *map(str, range(250)))
    for _ in range(4):
        tell(valkey_log, *map(str, range(250)))

    head = Head(100, first[99].hash)
    with pytest.raises(Conflict) as conflict:
        valkey_log.append("t_one", Batch(head, said(head, "mine")))
    assert [event.version for event in conflict.value.missed] == list(range(101, 1101))


def test_a_store_of_few_partitions_keeps_each_table_in_its_own(valkey: redis.Redis) -> None:
    """As many partitions as a store was made with, and not as many as there are by default."""
    few, table = 3, next(name for name in ("t_a", "t_b", "t_c") if partition_of(name, 3) != partition_of(name))
    log, here = RedisLog(valkey, few), partition_of(table, few)
    log.append(table, batch(START, "one", table=table, timers=(Timer(f"{table}|a", 1000), Timer(f"{table}|b", 2000))))
    log.bring_forward([Timer(f"{table}|b", 100)])

    assert [told.table for told in log.feed(here, 0)] == [table]
    assert log.timers(here) == [Timer(f"{table}|b", 100), Timer(f"{table}|a", 1000)]
    assert log.partitions_due(100) == [here]
    log.remove_timers([(table, f"{table}|a"), (table, f"{table}|b")])
    assert log.timers(here) == []
