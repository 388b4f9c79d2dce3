"""The failovers of a cluster: in good order, and one that loses what a replica had not got."""

import contextlib
from collections.abc import Iterator
from typing import Any

import redis

from tests.servers import wait_until, where
from tools.cluster import Cluster, Node, Pair, running

STRANGER = "nobody"  # a user that no primary knows


@contextlib.contextmanager
def replicated() -> Iterator[Cluster]:
    """A cluster whose nodes live as long as the block, and in which nobody fails over of himself."""
    with running(node_timeout_ms=60_000, within=where()) as found:
        yield found


def pair_of(cluster: Cluster, key: str) -> Pair:
    """The pair that keeps a key, as it stands now: a failover turns it round."""
    with cluster.nodes[0].asked() as client:
        slot = client.execute_command("CLUSTER KEYSLOT", key)
        either = (turned for pair in cluster.pairs for turned in (pair, Pair(pair.replica, pair.primary)))
        return next(pair for pair in either if _serves(client, pair.primary.port, slot))


def hold_back(pair: Pair) -> None:
    """Lets the replica get nothing more, once it has all that is written: it may not log in any more."""
    wait_until(lambda: _offset(pair.replica) == _offset(pair.primary))
    cut_link(pair)
    wait_until(lambda: replication(pair.replica)["master_link_status"] == "down")


def cut_link(pair: Pair) -> None:
    """Lets the replica get nothing more from now on."""
    with pair.replica.asked() as replica, pair.primary.asked() as primary:
        for name in ("masteruser", "masterauth"):
            replica.config_set(name, STRANGER)
        primary.execute_command("CLIENT KILL TYPE replica")


def let_log_in(replica: Node) -> None:
    """Lets a node log in to whatever primary it has."""
    with replica.asked() as client:
        for name in ("masteruser", "masterauth"):
            client.config_set(name, "")


def let_follow(pair: Pair) -> None:
    """Lets the replica get what is written again."""
    let_log_in(pair.replica)
    wait_until(lambda: replication(pair.replica)["master_link_status"] == "up")


def fail_over(cluster: Cluster, pair: Pair) -> None:
    """Makes a primary of the replica, asking nobody; what it had not got is lost. The old primary follows it."""
    with pair.replica.asked() as replica:
        replica.execute_command("CLUSTER FAILOVER TAKEOVER")
    let_log_in(pair.replica)
    wait_until(lambda: replication(pair.primary)["role"] == "slave")
    wait_until(lambda: all(_knows(node, pair.replica) for node in cluster.nodes))


def hand_over(cluster: Cluster, pair: Pair) -> None:
    """Makes a primary of the replica in good order: the primary waits until it has everything."""
    with pair.replica.asked() as replica:
        replica.execute_command("CLUSTER FAILOVER")
    wait_until(lambda: replication(pair.primary)["role"] == "slave")
    wait_until(lambda: all(_knows(node, pair.replica) for node in cluster.nodes))
    wait_until(lambda: replication(pair.primary)["master_link_status"] == "up")


def replication(node: Node) -> dict[str, Any]:
    """What a node tells of its replication."""
    with node.asked() as client:
        found: dict[str, Any] = client.info("replication")
        return found


def _offset(node: Node) -> int:
    return int(replication(node)["master_repl_offset"])


def _knows(node: Node, primary: Node) -> bool:
    """Whether a node takes another for a primary."""
    with node.asked() as client:
        return any(by == primary.port for _, _, (_, by, *_), *_ in client.execute_command("CLUSTER SLOTS"))


def _serves(client: redis.Redis, port: int, slot: int) -> bool:
    ranges = client.execute_command("CLUSTER SLOTS")
    return any(first <= slot <= last for first, last, (_, by, *_), *_ in ranges if by == port)
