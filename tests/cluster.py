"""A cluster of three primaries, each with a replica, and the failover that loses what a replica had not got."""

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import redis

from tests.servers import NODES, client_of, join, node, wait_until

STRANGER = "nobody"  # a user that no primary knows


class Pair(NamedTuple):
    """The ports of a primary and of its replica."""

    primary: int
    replica: int


class Cluster(NamedTuple):
    """A running cluster."""

    pairs: tuple[Pair, ...]

    @property
    def url(self) -> str:
        """Under which `events.store.connect` reaches it."""
        return f"redis+cluster://127.0.0.1:{self.pairs[0].primary}"

    def pair_of(self, key: str) -> Pair:
        """The pair that keeps a key, as it stands now: a failover turns it round."""
        with _asked(self.pairs[0].primary) as client:
            slot = client.execute_command("CLUSTER KEYSLOT", key)
            either = (turned for pair in self.pairs for turned in (pair, Pair(pair.replica, pair.primary)))
            return next(pair for pair in either if _serves(client, pair.primary, slot))

    def hold_back(self, pair: Pair) -> None:
        """Lets the replica get nothing more, once it has all that is written: it may not log in any more."""
        wait_until(lambda: _offset(pair.replica) == _offset(pair.primary))
        with _asked(pair.replica) as replica, _asked(pair.primary) as primary:
            for name in ("masteruser", "masterauth"):
                replica.config_set(name, STRANGER)
            primary.execute_command("CLIENT KILL TYPE replica")
        wait_until(lambda: _replication(pair.replica)["master_link_status"] == "down")

    def fail_over(self, pair: Pair) -> None:
        """Makes a primary of the replica, asking nobody; what it had not got is lost. The old primary follows it."""
        with _asked(pair.replica) as replica:
            replica.execute_command("CLUSTER FAILOVER TAKEOVER")
            for name in ("masteruser", "masterauth"):
                replica.config_set(name, "")
        wait_until(lambda: _replication(pair.primary)["role"] == "slave")
        wait_until(lambda: all(_knows(port, pair.replica) for both in self.pairs for port in both))


@contextlib.contextmanager
def replicated() -> Iterator[Cluster]:
    """A cluster whose nodes live as long as the block."""
    with contextlib.ExitStack() as stack:
        pairs = tuple(Pair(stack.enter_context(node()), stack.enter_context(node())) for _ in range(NODES))
        join([pair.primary for pair in pairs])
        for pair in pairs:
            with _asked(pair.replica) as replica:
                replica.execute_command("CLUSTER MEET", "127.0.0.1", pairs[0].primary)
        for pair in pairs:
            _replicate(pair)
        yield Cluster(pairs)


def _replicate(pair: Pair) -> None:
    with _asked(pair.primary) as primary, _asked(pair.replica) as replica:
        primary.config_set("repl-diskless-sync-delay", 0)
        name = primary.execute_command("CLUSTER MYID")
        wait_until(lambda: replica.execute_command("CLUSTER INFO")["cluster_known_nodes"] == str(2 * NODES))
        replica.execute_command("CLUSTER REPLICATE", name)
    wait_until(lambda: _replication(pair.replica).get("master_link_status") == "up")


@contextlib.contextmanager
def _asked(port: int) -> Iterator[redis.Redis]:
    with contextlib.closing(client_of(port)) as client:
        yield client


def _replication(port: int) -> dict[str, Any]:
    with _asked(port) as client:
        found: dict[str, Any] = client.info("replication")
        return found


def _offset(port: int) -> int:
    return int(_replication(port)["master_repl_offset"])


def _knows(port: int, primary: int) -> bool:
    """Whether a node takes another for a primary."""
    with _asked(port) as client:
        return any(by == primary for _, _, (_, by, *_), *_ in client.execute_command("CLUSTER SLOTS"))


def _serves(client: redis.Redis, port: int, slot: int) -> bool:
    ranges = client.execute_command("CLUSTER SLOTS")
    return any(first <= slot <= last for first, last, (_, by, *_), *_ in ranges if by == port)
