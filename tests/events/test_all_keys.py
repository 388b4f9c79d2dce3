"""A walk through all keys of a store meets each, or says that it may have missed some."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from redis.crc import key_slot

from events.connections import KeysMissed, all_keys
from events.scripts import Client
from events.store import connect
from tests.servers import restless

SLOT = key_slot(b"{of no key}")


def test_each_key_is_met(valkey: redis.Redis) -> None:
    """As long as the server is the same; a pattern chooses among them."""
    valkey.mset({f"key {number}": number for number in range(100)})

    assert sorted(all_keys(valkey, count=10)) == sorted(f"key {number}".encode() for number in range(100))
    assert list(all_keys(valkey, "key 1")) == [b"key 1"]


def test_a_server_that_is_started_again_is_noticed() -> None:
    """It goes through its keys in another order, from wherever a number of the earlier one leads it."""
    with restless() as url, pytest.raises(KeysMissed):
        list(all_keys(connect(url)))


@contextmanager
def handed_over(client: Client, *kind: str) -> Iterator[None]:
    """A slot without keys is with another node, or on its way there, as long as the block takes."""
    giving = client.get_node_from_key("{of no key}")
    taking = next(node for node in client.get_primaries() if node is not giving)
    name_of = {node: client.execute_command("CLUSTER MYID", target_nodes=node) for node in (giving, taking)}
    try:
        for node in (taking, giving) if kind == ("NODE",) else (giving,):
            client.execute_command("CLUSTER SETSLOT", SLOT, *kind, name_of[taking], target_nodes=node)
        yield
    finally:
        for node in (giving, taking):
            client.execute_command("CLUSTER SETSLOT", SLOT, "NODE", name_of[giving], target_nodes=node)


@pytest.mark.slow
def test_slots_that_were_moved_are_noticed(cluster: Client) -> None:
    """Their keys came to a node that had been asked already, perhaps."""
    cluster.set("key", 1)
    assert list(all_keys(cluster)) == [b"key"]
    keys = all_keys(cluster)
    assert next(keys) == b"key"

    with handed_over(cluster, "NODE"), pytest.raises(KeysMissed):
        next(keys)


def test_slots_that_are_moving_are_noticed(cluster: Client) -> None:
    """Key by key they belong to the old node until the last one has come."""
    with handed_over(cluster, "MIGRATING"), pytest.raises(KeysMissed):
        list(all_keys(cluster))
