"""What is measured: an embedded server with its data on disk, and a web process of the service with its floor."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import requests

from events.log import PARTITIONS
from events.store import RedisLog, connect
from service.accounts.key_store import keys_of
from service.accounts.personal_texts import Texts
from service.accounts.sealing import sealer_for
from service.accounts.shown_names import DisplayNames
from service.command_handler import CommandHandler
from service.config import Settings
from wintercount.processes import embedded

ADDRESS = "127.0.0.1"
UNBOUNDED = "1000000000"
TIMEOUT_S = 10.0
DATA = Path("var")  # on the disk that the service uses by default: `appendfsync always` is as fast as that disk


class Host(NamedTuple):
    """Where the store and the service are found; its processes, that of the web server first."""

    redis_url: str
    port: int
    processes: tuple[int, ...] = ()

    @property
    def url(self) -> str:
        """Where the service answers."""
        return f"http://{ADDRESS}:{self.port}"

    def log(self) -> RedisLog:
        """The log, over a connection of its own."""
        return RedisLog(connect(self.redis_url), PARTITIONS)

    def handler(self) -> CommandHandler:
        """Commands on the log, under the service's own keys: what is written so, the service can tell."""
        log, settings = self.log(), Settings(data=own_data())
        keys = keys_of(log.client, settings, sealer_for(log.client, settings))
        return CommandHandler(log, names=DisplayNames(None, Texts(keys)))


def own_data() -> str:
    """Where the measured service has its keys, which are no business of the service's own."""
    return str(DATA / "benchmark")


@contextmanager
def store() -> Iterator[str]:
    """The URL of an embedded server that is as durable as the service's own, and lives as long as the context."""
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DATA, prefix="benchmark-") as directory:
        server = embedded.start(Path(directory))
        try:
            yield embedded.url_of(Path(directory))
        finally:
            _end(server)


@contextmanager
def service(redis_url: str, *others: str, **limits: str) -> Iterator[Host]:
    """A web process on that store, with its floor; `others` are commands of the service that run beside it.

    Limits (environment variables) are not reached where nothing else is said: one client stands for many.
    """
    unbounded = dict.fromkeys(
        [f"WINTERCOUNT_{name}" for name in ("READS", "QUESTIONS", "ACCOUNTS", "CHANGES")], UNBOUNDED
    )
    commands = [["benchmarks.http_floor"], *(["wintercount", other] for other in others)]
    with launched(redis_url, commands, **unbounded | {"WINTERCOUNT_WEB_PROCESSES": "1"} | limits) as host:
        yield host


@contextmanager
def launched(redis_url: str, commands: Sequence[Sequence[str]], **settings: str) -> Iterator[Host]:
    """Processes on a store, of which the first one answers at the port."""
    host = Host(redis_url, _free_port())
    environment = os.environ | settings
    environment |= {"WINTERCOUNT_REDIS_URL": redis_url, "WINTERCOUNT_PORT": str(host.port)}
    environment["WINTERCOUNT_DATA"] = own_data()
    children = [
        subprocess.Popen([sys.executable, "-m", *command], env=environment, process_group=0) for command in commands
    ]
    try:
        _wait_until_ready(host, children[0])
        yield host._replace(processes=tuple(child.pid for child in children))
    finally:
        for child in children:
            _end(child)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(host: Host, web: subprocess.Popen[bytes]) -> None:
    while web.poll() is None:
        with suppress(requests.RequestException):
            if requests.get(f"{host.url}/readyz", timeout=TIMEOUT_S).ok:
                return
        time.sleep(0.05)
    raise RuntimeError(f"the service ended with {web.returncode}")


def _end(child: subprocess.Popen[bytes]) -> None:
    child.send_signal(signal.SIGTERM)
    try:
        child.wait(TIMEOUT_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
