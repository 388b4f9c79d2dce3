"""The whole service under load, with its processes killed at random moments."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import psutil
import requests

from tests.chaos.checks import Kept, faults_of
from tests.chaos.client import Client
from tests.chaos.working import working
from tests.servers import data_directory, free_port, wait_while
from wintercount.processes import embedded

CLIENTS = 8
PAUSES_S = (0.4, 2.0)  # between two kills, at random
AT_WORK = 0.5  # of the kills: behind a moment at which the service was ready
PROBE_S = 5.0
STANDSTILL_S = 180.0  # in which no batch is added although some are owed: longer than any lease and any player


class Service:
    """`wintercount run` in a process of its own, and the processes that it started."""

    def __init__(self, process: "subprocess.Popen[bytes]", address: str, store_url: str) -> None:
        self._supervisor, self._process = psutil.Process(process.pid), process
        self.address, self.store_url = address, store_url

    def is_ready(self) -> bool:
        """Whether the web server answers and reaches the store."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"{self.address}/readyz", timeout=PROBE_S).ok
        return False

    def kill(self, victim: str) -> None:
        """Sends SIGKILL to a process, waiting for it if it is being started."""
        self.wait(lambda: self._find(victim))
        if found := self._find(victim):
            found.send_signal(signal.SIGKILL)
            found.wait()

    def wait(self, what: Callable[[], object]) -> None:
        """Waits until `what()` is true, for as long as the supervisor lives: a busy machine takes its time."""
        wait_while(lambda: self._process.poll() is None, what)

    def settle(self, kept: Kept) -> None:
        """Waits until nothing is owed any more, for as long as anything still happens."""
        seen, since = kept.written(), time.monotonic()
        while not kept.is_settled():
            if (now := kept.written()) != seen:
                seen, since = now, time.monotonic()
            assert time.monotonic() < since + STANDSTILL_S, f"nothing has happened for {STANDSTILL_S} s"
            time.sleep(0.1)

    def _find(self, victim: str) -> psutil.Process | None:
        with contextlib.suppress(psutil.NoSuchProcess):
            return next(filter(IS[victim], self._supervisor.children(recursive=True)), None)
        return None


def _runs(command: str) -> Callable[[psutil.Process], bool]:
    return lambda process: process.cmdline()[-3:] == ["-m", "wintercount", command]


def _answers_requests(process: psutil.Process) -> bool:
    """Whether it is the web server's worker: it is the parent that starts it again."""
    parent = process.parent()
    tracks_resources = any("resource_tracker" in word for word in process.cmdline())
    return parent is not None and _runs("serve")(parent) and not tracks_resources


IS: dict[str, Callable[[psutil.Process], bool]] = {
    "store": lambda process: any("valkey-server" in word for word in process.cmdline()[:1]),
    "web": _answers_requests,
    "dispatcher": _runs("dispatch"),
    "worker": _runs("worker"),
}


@contextlib.contextmanager
def service(**settings: str) -> Iterator[Service]:
    """The whole service on data and a port of its own, with these settings; asked to end afterwards."""
    with data_directory() as directory, (directory / "log").open("wb") as log:
        port = str(free_port())
        own = {"DATA": str(directory / "data"), "PORT": port} | settings
        environment = os.environ | {f"WINTERCOUNT_{name}": value for name, value in own.items()}
        command = [sys.executable, "-m", "wintercount", "run", "--no-demo"]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        found = Service(process, f"http://127.0.0.1:{port}", embedded.url_of(directory / "data"))
        try:
            found.wait(found.is_ready)
            yield found
        finally:
            process.terminate()
            process.wait()
            embedded.hold(directory / "data").close()  # raises if the store lives on


class Report(NamedTuple):
    """What befell the service and what happened; `faults` is what should not have."""

    befallen: Counter[str]
    events: int
    acknowledged: int
    in_doubt: int
    faults: list[str]


def chaos(kills: int, seed: int) -> Report:
    """Plays under so many kills, and checks what is left."""
    victims = []
    with service() as running:
        clients = [Client(running.address, seed * CLIENTS + number) for number in range(CLIENTS)]
        with working(clients):
            for victim in chosen(kills, random.Random(seed), lambda: running.wait(running.is_ready)):
                running.kill(victim)
                victims.append(victim)
        running.wait(running.is_ready)
        return report(running, running.store_url, clients, Counter(victims))


def report(running: Service, store_url: str, clients: list[Client], befallen: Counter[str]) -> Report:
    """Lets everything settle, repeats what the clients were not answered, and checks what the store holds."""
    with contextlib.closing(Kept(store_url, [sent for client in clients for sent in client.sent])) as kept:
        running.settle(kept)
        repeats = [repeat for client in clients for repeat in client.repeats()]
        faults, events = faults_of(kept, repeats), sum(map(len, kept.tables.values()))
        return Report(befallen, events, len(kept.sent), len(repeats), faults)


def chosen(kills: int, rng: random.Random, ready: Callable[[], object]) -> Iterator[str]:
    """Victims in a random order, each as often as the others, with a random pause before each.

    Half of the time the service is `ready` before: some are to be killed at work, others while they come back.
    """
    victims = [list(IS)[number % len(IS)] for number in range(kills)]
    rng.shuffle(victims)
    for victim in victims:
        if rng.random() < AT_WORK:
            ready()
        time.sleep(rng.uniform(*PAUSES_S))
        yield victim
