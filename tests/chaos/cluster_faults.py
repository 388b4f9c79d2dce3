"""What befalls a cluster: primaries that die or are cut off, failovers, and slots that move, each until it is whole."""

import time
from collections.abc import Callable
from functools import partial
from random import Random

import redis
from redis.crc import key_slot

from events.log import PARTITIONS
from tests.cluster import cut_link, let_log_in, replication
from tools.cluster import Cluster, Node, Pair, wait_until

AHEAD_S = (0.3, 5.0)  # for what the replica is not to get: at least, and at most, as writers may wait for that replica
AHEAD_BYTES = 20_000  # that a primary has written meanwhile, however busy the machine is


def as_it_stands(pair: Pair) -> Pair:
    """The pair with the node first that is the primary now."""
    return pair if replication(pair.primary)["role"] == "master" else Pair(pair.replica, pair.primary)


def kill(cluster: Cluster, rng: Random) -> None:
    """A primary is killed under load; its replica takes over, and it comes back as the replica."""
    pair = as_it_stands(rng.choice(cluster.pairs))
    pair.primary.kill()
    _wait_for_promotion(pair)
    pair.primary.start()
    _wait_until_it_follows(pair)


def kill_ahead(cluster: Cluster, rng: Random) -> None:
    """A primary is killed whose replica has lagged for a while: what it took in meanwhile is lost."""
    pair = as_it_stands(rng.choice(cluster.pairs))
    cut_link(pair)
    _let_get_ahead(pair.primary)
    pair.primary.kill()
    _wait_for_promotion(pair)
    let_log_in(pair.replica)
    pair.primary.start()
    _wait_until_it_follows(pair)


def _let_get_ahead(primary: Node) -> None:
    """Waits until a primary whose replica gets nothing has written something."""
    least_s, most_s = AHEAD_S
    had, end = replication(primary)["master_repl_offset"], time.monotonic() + most_s
    time.sleep(least_s)
    while replication(primary)["master_repl_offset"] < had + AHEAD_BYTES and time.monotonic() < end:
        time.sleep(least_s)


def cut_off(cluster: Cluster, rng: Random) -> None:
    """A primary stands still until it is replaced, and then goes on with what its clients had sent to it."""
    pair = as_it_stands(rng.choice(cluster.pairs))
    pair.primary.pause()
    try:
        _wait_for_promotion(pair)
    finally:
        pair.primary.resume()
    _wait_until_it_follows(pair)


def fail_over(cluster: Cluster, rng: Random) -> None:
    """A replica takes over in good order."""
    pair = as_it_stands(rng.choice(cluster.pairs))
    with pair.replica.asked() as replica:
        replica.execute_command("CLUSTER FAILOVER")
    _wait_for_promotion(pair)
    _wait_until_it_follows(pair)


def move_slots(cluster: Cluster, rng: Random) -> None:
    """Slots of partitions go to another primary, each as a whole."""
    for slot in _slots(rng):
        giving, taking = _from_to(cluster, slot, rng)
        with giving.primary.asked() as source, taking.primary.asked() as target:
            name = target.execute_command("CLUSTER MYID")
            source.execute_command("CLUSTER MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", name)
            wait_until(partial(_gives_up, source, slot))


def move_keys(cluster: Cluster, rng: Random) -> None:
    """Slots of partitions go to another primary key by key."""
    for slot in _slots(rng):
        giving, taking = _from_to(cluster, slot, rng)
        with giving.primary.asked() as source, taking.primary.asked() as target:
            names = [node.execute_command("CLUSTER MYID") for node in (source, target)]
            target.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", names[0])
            source.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", names[1])
            while keys := source.execute_command("CLUSTER GETKEYSINSLOT", slot, 1):
                source.execute_command("MIGRATE", "127.0.0.1", taking.primary.port, keys[0], 0, 5000)
            for node in (target, source):
                node.execute_command("CLUSTER SETSLOT", slot, "NODE", names[1])


FAULTS: dict[str, Callable[[Cluster, Random], None]] = {
    fault.__name__: fault for fault in (kill, kill_ahead, cut_off, fail_over, move_slots, move_keys)
}


def _slots(rng: Random) -> list[int]:
    """The slots of some partitions."""
    return [key_slot(f"{{p{partition:02d}}}".encode()) for partition in rng.sample(range(PARTITIONS), 4)]


def _from_to(cluster: Cluster, slot: int, rng: Random) -> tuple[Pair, Pair]:
    """Who serves a slot, and somebody who does not."""
    pairs = [as_it_stands(pair) for pair in cluster.pairs]
    (giving,) = [pair for pair in pairs if _is_served_by(pair, slot)]
    return giving, rng.choice([pair for pair in pairs if pair is not giving])


def _is_served_by(pair: Pair, slot: int) -> bool:
    with pair.primary.asked() as client:
        return _serves(client, slot)


def _serves(client: redis.Redis, slot: int) -> bool:
    name = client.execute_command("CLUSTER MYID")
    ranges = client.execute_command("CLUSTER SLOTS")
    return any(first <= slot <= last and by == name for first, last, (_, _, by, *_), *_ in ranges)


def _gives_up(client: redis.Redis, slot: int) -> bool:
    return not _serves(client, slot)


def _wait_for_promotion(pair: Pair) -> None:
    wait_until(lambda: replication(pair.replica)["role"] == "master")


def _wait_until_it_follows(pair: Pair) -> None:
    """Waits until the old primary has all that the new one has."""
    wait_until(lambda: replication(pair.primary).get("master_link_status") == "up")
