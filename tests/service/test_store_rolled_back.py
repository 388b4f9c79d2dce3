"""A store that goes back under running processes: two web servers, a dispatcher and a worker, each on its own."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import requests

from events.envelopes import event_as_read
from events.log import PARTITIONS
from events.store import RedisLog, connect
from events.verify import faults
from projections.history import TableHistory
from service.accounts.callers import Player
from service.command_handler import CommandHandler
from tests.servers import data_directory, free_port, wait_until
from tests.service.sse import Stream
from tests.service.web import is_ready
from tests.tables import Visit
from wintercount.processes import embedded
from wintercount.testing.random_games import random_move
from worker.client import Api
from worker.play_turn import play_turns

pytestmark = pytest.mark.slow

WEB = ("one", "other")
TIMEOUT_S = 20
PATIENCE_S = 60


class Store:
    """An embedded server that can be stopped and started, on data that may have been replaced meanwhile."""

    def __init__(self, directory: Path) -> None:
        self.data, self.url = directory / "data", embedded.url_of(directory / "data")
        self._server = embedded.start(self.data)

    def stop(self) -> None:
        """Kills it: what it acknowledged is on disk."""
        self._server.kill()
        self._server.wait()

    def copy(self) -> Path:
        """A backup: the data as they are now."""
        self.stop()
        backup = self.data.with_name("backup")
        shutil.rmtree(backup, ignore_errors=True)
        shutil.copytree(self.data, backup, ignore=shutil.ignore_patterns("*.sock"))
        self._server = embedded.start(self.data)
        return backup

    def put_back(self, backup: Path | None) -> None:
        """Starts it anew on a backup's data, or on none."""
        self.stop()
        shutil.rmtree(self.data)
        if backup:
            backup.rename(self.data)
        self._server = embedded.start(self.data)

    @property
    def log(self) -> RedisLog:
        """What it holds."""
        return RedisLog(connect(self.url), PARTITIONS)


class Service(NamedTuple):
    """The processes, by name: where the web servers answer, and what each has logged."""

    store: Store
    addresses: dict[str, str]
    logs: Path

    def logged(self, name: str) -> str:
        """What a process has logged."""
        return (self.logs / name).read_text()


@pytest.fixture(scope="module")
def service(valkey_url: str) -> Iterator[Service]:
    """The bell is rung on a server of its own: rq's worker ends when its server does, and would know nothing after."""
    with data_directory() as directory, contextlib.ExitStack() as stack:
        store = Store(directory)
        stack.callback(store.stop)
        addresses: dict[str, str] = {}
        processes = {}
        for name in WEB:
            port = free_port()
            addresses[name] = f"http://127.0.0.1:{port}"
            processes[name] = stack.enter_context(started(directory, store, name, "serve", PORT=str(port)))
        for name in ("dispatch", "worker"):
            processes[name] = stack.enter_context(started(directory, store, name, name, QUEUE_URL=valkey_url))
        wait_until(lambda: all(is_ready(address) for address in addresses.values()), PATIENCE_S)
        yield Service(store, addresses, directory)
        assert {name: process.poll() for name, process in processes.items()} == dict.fromkeys(processes)


@contextlib.contextmanager
def started(directory: Path, store: Store, name: str, command: str, **settings: str) -> Iterator[Any]:
    """A process of the service, its log in a file."""
    found = {"REDIS_URL": store.url, "DATA": str(directory), "WEB_PROCESSES": "1"} | settings  # each knows what it read
    environment = os.environ | {f"WINTERCOUNT_{key}": value for key, value in found.items()}
    with (directory / name).open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "wintercount", command], env=environment, stderr=log)
        try:
            yield process
        finally:
            process.terminate()  # a web server ends its own worker then
            try:
                process.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Table(NamedTuple):
    """A public table of Ann's with an AI, and how she reaches it."""

    service: Service
    token: str
    id: str

    def ask(self, web: str, path: str = "", move: Any = None) -> requests.Response:
        """The answer of one of the web servers."""
        headers, url = (
            {"Authorization": f"Bearer {self.token}"},
            f"{self.service.addresses[web]}/v1/tables/{self.id}{path}",
        )
        if move is None:
            return requests.get(url, headers=headers, timeout=TIMEOUT_S)
        body = {"game": "manitou", "seat": 1, "move": move}
        return requests.post(url, headers=headers, json=body, timeout=TIMEOUT_S)

    def play(self, web: str, moves: int, seed: int) -> None:
        """So many moves of Ann's, each answered by the AI."""
        for number in range(moves):
            answer = self.ask(web, "/moves", self.move(seed + number))
            assert answer.status_code == 200, answer.text
            wait_until(self.waits, PATIENCE_S)

    def stored(self) -> TableHistory:
        """The table as the store holds it."""
        return CommandHandler(self.service.store.log).history(self.id)

    def waits(self) -> bool:
        """Whether it is Ann's turn."""
        return [decision.seat for decision in self.stored().table.decisions] == [1]

    def move(self, seed: int) -> Any:
        """A legal move of Ann's."""
        now = self.stored().table
        return msgspec.to_builtins(random_move(now.game, now.state, 1, random.Random(seed)))

    def head(self, web: str) -> tuple[int, str]:
        """Version and hash, as a web server tells them."""
        answer = self.ask(web)
        assert answer.status_code == 200, answer.text
        return answer.json()["version"], answer.json()["hash"]


def opened(service: Service) -> Table:
    """A new table."""
    api = Api(service.addresses["one"])
    token = api.sign_up("Ann")
    seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
    return Table(service, token, api.post("/v1/tables", {"game": "manitou", "seats": seats})["id"])


def others(backup: Path, table: str, moves: int) -> None:
    """Lets a table go on otherwise in a backup, on a server of its own: Ann and the AI make so many moves each."""
    server = embedded.start(backup)
    try:
        visit = Visit(RedisLog(connect(embedded.url_of(backup)), PARTITIONS))
        ann = next(seat.player for seat in visit.table(table).seats if seat.player)
        for number in range(moves):
            visit.play(table, Player(ann, "Ann", bot=False, at=""), 1000 + number)
            play_turns(visit.handler, table)
    finally:
        server.kill()
        server.wait()


LOST = 2  # moves of Ann's, and as many of the AI


@pytest.mark.parametrize("moves", [0, LOST, LOST + 2], ids=["an older copy", "as long", "longer"])
def test_a_store_that_went_back(service: Service, moves: int) -> None:
    """Every process that knew more says so once; then all go by the store, and play goes on there."""
    table, watched = opened(service), opened(service)
    for one in (table, watched):
        one.play("one", 1, seed=1)
    backup = service.store.copy()
    others(backup, table.id, moves)
    for one in (table, watched):
        one.play("other", LOST, seed=100)
    lost = {web: table.head(web) for web in WEB}
    mine = table.move(seed=300)
    with contextlib.closing(Stream(service.addresses["one"], watched.id)) as stream:
        stream.events(last=watched.stored().table.version)
        service.store.put_back(backup)
        held = table.stored().table.head

        refusals = table.ask("one"), table.ask("other", "/moves", mine)
        assert [(answer.status_code, answer.json()["code"]) for answer in refusals] == [(500, "log_damaged")] * 2
        assert table.stored().table.head == held
        assert [table.head(web) for web in WEB] == [(held.version, held.hash.hex())] * 2
        assert [(frame.event, frame.data) for frame in stream.events()] == [("end", {"reason": "log_damaged"})]

    table.play("other", 2, seed=400)
    assert table.head("one") == table.head("other")
    assert list(faults(event_as_read(event, None, over=True) for event in table.stored().events)) == []
    for name in (*WEB, "worker"):
        assert f"{table.id} has diverged: version {lost['one'][0]} with hash {lost['one'][1]}" in service.logged(name)
    assert "the store went back" in service.logged("dispatch")


def test_an_emptied_server(service: Service) -> None:
    """Nothing of what was is told any more, and what is new is served."""
    table = opened(service)
    table.play("one", 1, seed=1)
    for web in WEB:
        table.head(web)

    service.store.put_back(None)

    for web in WEB:
        url = f"{service.addresses[web]}/v1/tables/{table.id}"
        codes = [requests.get(url, timeout=TIMEOUT_S).json()["code"] for _ in range(2)]
        assert codes == ["log_damaged", "no_such_table"]
        assert f"{table.id} has diverged" in service.logged(web)
    new = opened(service)
    new.play("other", 2, seed=1)
    assert new.head("one") == new.head("other")
