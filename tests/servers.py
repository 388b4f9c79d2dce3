"""Real servers for the tests: an embedded Valkey, a cluster of its binary, and a proxy that fails."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from events.log import PARTITIONS
from events.scripts import REPLICA
from events.store import RedisLog, connect
from tools import cluster as clusters
from wintercount.processes import embedded

SECRET = "dGhlIHNlY3JldCBvZiBhbGwgdGVzdHMsIDMyIGJ5dGU="  # what the stores of all tests are sealed under
PATIENCE_S = 120.0  # on a busy machine; nothing is asserted of time
CALM_MS = 60_000  # nobody fails over because the machine is busy
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - only for directories that mkdtemp makes there
ROOM = 2 << 30  # bytes; containers often have a small one


def where() -> Path | None:
    """The folder for what servers keep: in memory, where syncing costs nothing, if there is room; else the usual one.

    A server that is killed finds there what it had synced, as on a disk: the operating system lives on.
    """
    has_room = os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM
    return IN_MEMORY if has_room else None


def free_port() -> int:
    """A port that nobody listens on now."""
    return clusters.free_port()


def wait_until(what: Any, patience_s: float = PATIENCE_S) -> None:
    """Waits until `what()` is true; fails if that takes longer than `patience_s` seconds."""
    end = time.monotonic() + patience_s
    while not what():
        assert time.monotonic() < end, f"waited {patience_s} s in vain"
        time.sleep(0.02)


def wait_while(lives: Callable[[], bool], what: Callable[[], object]) -> None:
    """Waits until `what()` is true for as long as `lives()`: a busy machine takes its time, a dead process none."""
    while not what():
        assert lives(), "it ended instead"
        time.sleep(0.02)


@contextlib.contextmanager
def data_directory() -> Iterator[Path]:
    """A new directory with a path short enough for a Unix socket; removed afterwards."""
    path = Path(tempfile.mkdtemp(prefix="wintercount-", dir=where()))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def data_beside(url: str) -> Path:
    """A data directory for those who work with a store: that of an embedded one, else a new one."""
    if url.startswith("unix://"):
        return Path(url.removeprefix("unix://")).parent
    return Path(tempfile.mkdtemp(prefix="wintercount-"))


@contextlib.contextmanager
def running(server: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """Kills the server afterwards: the data of tests is not kept."""
    try:
        yield server
    finally:
        server.kill()
        server.wait()


@contextlib.contextmanager
def restless() -> Iterator[str]:
    """The URL of an embedded server that is killed and started again behind each page of its keys that is read."""
    with data_directory() as directory, contextlib.ExitStack() as servers, pytest.MonkeyPatch.context() as patch:
        server, scan = servers.enter_context(running(embedded.start(directory))), redis.Redis.scan

        def scanned(client: redis.Redis, *args: Any, **named: Any) -> Any:
            nonlocal server
            found = scan(client, *args, **named)
            server.kill()
            server.wait()
            server = servers.enter_context(running(embedded.start(directory)))
            return found

        patch.setattr(redis.Redis, "scan", scanned)
        yield embedded.url_of(directory)


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    """The URL of an embedded Valkey that all tests share."""
    with data_directory() as directory, running(embedded.start(directory)):
        yield embedded.url_of(directory)


@pytest.fixture
def valkey(valkey_url: str) -> Iterator[redis.Redis]:
    """A client of an embedded Valkey in which nothing is kept."""
    with contextlib.closing(connect(valkey_url)) as client:
        client.flushall()
        yield client


@pytest.fixture
def valkey_log(valkey: redis.Redis) -> RedisLog:
    """An empty log on the embedded Valkey."""
    return RedisLog(valkey, PARTITIONS)


@pytest.fixture(scope="session")
def cluster_url() -> Iterator[str]:
    """The URL of a cluster of three primaries, each with a replica, that all tests share."""
    with clusters.running(node_timeout_ms=CALM_MS, within=where()) as found:
        yield found.url


@pytest.fixture
def cluster(cluster_url: str) -> Iterator[redis.RedisCluster]:
    """A client of a cluster in which nothing is kept."""
    with contextlib.closing(connect(cluster_url)) as client:
        client.flushall(target_nodes=redis.RedisCluster.PRIMARIES)
        yield client


@pytest.fixture
def cluster_log(cluster: redis.RedisCluster) -> RedisLog:
    """An empty log on the cluster."""
    return RedisLog(cluster, PARTITIONS)


@pytest.fixture
def replica_log(cluster_log: RedisLog, cluster_url: str) -> Iterator[RedisLog]:
    """An empty log on the cluster, whose writes are acknowledged when a replica has them on disk."""
    with contextlib.closing(connect(cluster_url, REPLICA)) as client:
        yield RedisLog(client, cluster_log.partitions)


class Listener:
    """Carries each connection to a port of its own in a thread."""

    def __init__(self) -> None:
        self._ending = False
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Listens no more; what is open stays so until either side ends it."""
        self._ending = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        while not self._ending:
            with contextlib.suppress(OSError):
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        raise NotImplementedError


class Proxy(Listener):
    """Stands between a client and the server; with `lose`, it passes that many requests on but not their answers."""

    def __init__(self, server: str) -> None:
        self.lose, self.lost, self._server = 0, 0, server
        super().__init__()

    def answered(self, answer: bytes) -> bytes:
        """Returns an answer as the client gets it."""
        return answer

    def _carry(self, client: socket.socket) -> None:
        """One request and its answer after the other: the tests are small enough for one packet each."""
        with client, socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
            server.connect(self._server)
            while request := client.recv(1 << 20):
                server.sendall(request)
                answer = self.answered(server.recv(1 << 20))
                if self.lose and b"EVALSHA" in request:
                    self.lose, self.lost = self.lose - 1, self.lost + 1
                    return
                client.sendall(answer)


@pytest.fixture
def proxy(valkey: redis.Redis, valkey_url: str) -> Iterator[Proxy]:
    """A proxy before the embedded Valkey, in which nothing is kept."""
    with contextlib.closing(Proxy(valkey_url.removeprefix("unix://"))) as found:
        yield found
