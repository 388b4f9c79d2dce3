"""Several web processes on one port: clients see one service, and each process counts only what is its own."""

import contextlib
import os
import re
import signal
import threading
import uuid
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest
import requests

from tests.servers import wait_until
from tests.service.api.world import embedded_store
from tests.service.web import process_of, wait_until_ready

pytestmark = pytest.mark.slow

COUNT = 2
METRICS = {"METRICS_TOKEN": "for-metrics-only"}


class Service(NamedTuple):
    """A web server with two processes that answer: its address, and the process that started them."""

    address: str
    parent: psutil.Process

    def processes(self) -> list[psutil.Process]:
        """Those that answer."""
        return [one for one in self.parent.children() if _answers(one)]

    def send(self, method: str, path: str, **options: Any) -> requests.Response:
        """One request on a connection of its own, which either process may take."""
        return requests.request(method, self.address + path, timeout=60, **options)

    def metric(self, name: str) -> float:
        """The sum of a metric over its labels."""
        told = self.send("GET", "/metrics", headers={"Authorization": f"Bearer {METRICS['METRICS_TOKEN']}"}).text
        return sum(float(line.rpartition(" ")[2]) for line in told.splitlines() if re.match(rf"{name}[ {{]", line))


def _answers(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return "resource_tracker" not in " ".join(process.cmdline())
    return False


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with embedded_store() as url, process_of(url, WEB_PROCESSES=str(COUNT), **METRICS) as (address, process):
        wait_until_ready(process, address)
        found = Service(address, psutil.Process(process.pid))
        wait_until(lambda: all(_has_answered(found, one) for one in found.processes()))
        yield found


def _has_answered(service: Service, process: psutil.Process) -> bool:
    service.send("GET", "/healthz")
    files = service.parent.environ()["WINTERCOUNT_DATA"] + f"/metrics-{service.address.rpartition(':')[2]}"
    return f"counter_{process.pid}.db" in os.listdir(files)


def opened(service: Service, headers: dict[str, str]) -> requests.Response:
    """A table with one open seat."""
    body = {"game": "tomahawk", "seats": [{"kind": "me"}, {"kind": "open"}]}
    return service.send("POST", "/v1/tables", json=body, headers=headers)


def follow(service: Service, table: str) -> requests.Response:
    """A stream of a table's events."""
    headers = {"Accept": "text/event-stream"}
    return service.send("GET", f"/v1/tables/{table}/events", headers=headers, stream=True)


def account(service: Service) -> dict[str, str]:
    """Headers of a new player."""
    token = service.send("POST", "/v1/players", json={"name": "Ann"}).json()["token"]["secret"]
    return {"Authorization": f"Bearer {token}"}


def test_a_request_sent_at_once_to_all_is_done_once(service: Service) -> None:
    """The same `Idempotency-Key` on many connections opens one table, which every process knows."""
    headers = account(service) | {"Idempotency-Key": str(uuid.uuid4())}
    with ThreadPoolExecutor(12) as pool:
        sent = [pool.submit(opened, service, headers) for _ in range(24)]
        tables = {one.result().json()["id"] for one in sent}
        (table,) = tables
        seen = [pool.submit(service.send, "GET", f"/v1/tables/{table}") for _ in range(24)]
        assert {one.result().status_code for one in seen} == {200}


def test_a_stream_tells_what_any_process_has_written(service: Service) -> None:
    """Subscription in one process, changed from many connections."""
    headers = account(service)
    body = {"game": "tomahawk", "seats": [{"kind": "me"}, {"kind": "open"}]}
    table = service.send("POST", "/v1/tables", json=body, headers=headers).json()["id"]
    with service.send(
        "GET", f"/v1/tables/{table}/events", headers={"Accept": "text/event-stream"}, stream=True
    ) as told:
        wait_until(lambda: service.metric("wintercount_streams") == 1)
        service.send("PUT", f"/v1/tables/{table}/seats/2", headers=account(service))
        service.send("POST", f"/v1/tables/{table}/seats/2", headers=account(service), json={})
        lines = (line.decode() for line in told.iter_lines())
        assert next(line for line in lines if "SeatTaken" in line and '"seat":2' in line.replace(" ", ""))
    wait_until(lambda: service.metric("wintercount_streams") == 0)


def test_one_that_is_killed_is_replaced_and_its_streams_are_not_counted(service: Service) -> None:
    """The others answer meanwhile; what it had counted stays."""
    table = opened(service, account(service)).json()["id"]
    streams = [follow(service, table) for _ in range(12)]
    wait_until(lambda: service.metric("wintercount_streams") == len(streams))
    counted = service.metric("wintercount_requests_total")
    victim = service.processes()[0]
    victim.send_signal(signal.SIGKILL)

    wait_until(lambda: len({one.pid for one in service.processes()} - {victim.pid}) == COUNT)
    wait_until(lambda: service.metric("wintercount_streams") < len(streams))
    assert service.metric("wintercount_requests_total") >= counted
    for stream in streams:
        stream.close()
    wait_until(lambda: service.metric("wintercount_streams") == 0)


@pytest.mark.parametrize("count", [COUNT, 1])
def test_no_request_fails_while_all_are_replaced(tmp_path: Path, count: int) -> None:
    """SIGHUP to `wintercount run`: people play and follow on; streams resume, and nothing acknowledged is lost."""
    command = ("-m", "wintercount", "run", "--no-demo")
    settings = {"WEB_PROCESSES": str(count), "WORKERS": "0", "DATA": str(tmp_path)}
    with embedded_store() as url, process_of(url, *command, **settings) as (address, process):
        wait_until_ready(process, address)
        (web,) = [one for one in psutil.Process(process.pid).children() if "serve" in one.cmdline()]
        service = Service(address, web)
        wait_until(lambda: len(service.processes()) == count)
        before = set(service.processes())
        game = Playing(service)
        waiting = game.open()
        followers = [Following(service, game, begin) for begin in (0, 0, 1, 1, 1, 1)]
        clients: list[Playing | Reading | Following] = [game, Reading(service, game), *followers]
        with ThreadPoolExecutor() as pool:
            ends = [pool.submit(one.run) for one in clients]
            wait_until(lambda: game.moves > 10 or any(one.done() for one in ends))
            process.send_signal(signal.SIGHUP)
            wait_until(lambda: not before & set(service.processes()) or any(one.done() for one in ends), 60.0)
            then = game.moves
            wait_until(lambda: game.moves > then + 10 or any(one.done() for one in ends))
            game.sit(waiting)
            game.stop()
            for end in ends:
                end.result()
        assert len(service.processes()) == count
        for table, version in game.versions.items():
            assert service.send("GET", f"/v1/tables/{table}").json()["version"] == version
            followed = followers[:2] if table == waiting else followers
            assert all(one.versions[table] == list(range(1, version + 1)) for one in followed)
        assert all(one.resumed for one in followers[:2])


class Playing:
    """People who play over one connection, table after table, until told to stop."""

    def __init__(self, service: Service) -> None:
        self._service, self._http, self._stopped = service, requests.Session(), threading.Event()
        self._players = [service.send("POST", "/v1/players", json={"name": name}).json() for name in ("Ann", "Bob")]
        self._tokens = [{"Authorization": f"Bearer {one['token']['secret']}"} for one in self._players]
        self.versions, self.moves, self.ended = dict[str, int](), 0, False  # by table

    def run(self) -> None:
        """Plays; every request has to be answered well."""
        table = self.sit(self.open())
        while not self._stopped.wait(0.02):
            waiting = [self._ask("GET", f"/v1/tables/{table}/moves", seat)["decisions"] for seat in (1, 2)]
            for seat, decisions in enumerate(waiting, 1):
                for asked in decisions:
                    self._play(table, seat, asked)
            if not any(waiting):
                table = self.sit(self.open())
        self.ended = True

    def open(self) -> str:
        """A table at which the second of them does not sit yet."""
        seats = [{"kind": "me"}, {"kind": "player", "player": self._players[1]["id"]}]
        table: str = self._ask("POST", "/v1/tables", 1, {"game": "big-manitou", "seats": seats})["id"]
        self.versions[table] = 1
        return table

    def sit(self, table: str) -> str:
        """Begins the game of a table."""
        self.versions[table] = self._ask("POST", f"/v1/tables/{table}/seats/2", 2, {})["version"]
        return table

    def _play(self, table: str, seat: int, asked: dict[str, Any]) -> None:
        move = asked["moves"][0]
        if "choose" in move:
            cards = move["from"][: move["choose"]]
            if "piles" in move:
                cards = [{"pile": pile, "card": card} for pile, card in zip(move["piles"], cards, strict=False)]
            move = {"type": move["type"], "cards": cards}
        body = {"game": "big-manitou", "seat": seat, "decision": asked["id"], "move": move}
        told = self._ask("POST", f"/v1/tables/{table}/moves", seat, body)
        self.versions[table], self.moves = told["receipt"]["version"], self.moves + 1

    def _ask(self, method: str, path: str, seat: int, body: dict[str, Any] | None = None) -> dict[str, Any]:
        url, headers = self._service.address + path, self._tokens[seat - 1]
        return answered(self._http.request(method, url, json=body, headers=headers, timeout=60))

    def stop(self) -> None:
        """Lets it end."""
        self._stopped.set()


class Reading:
    """Somebody who reads, over a new connection each time."""

    def __init__(self, service: Service, game: Playing) -> None:
        self._service, self._game = service, game

    def run(self) -> None:
        """Reads; what was acknowledged is there."""
        while not self._game.ended:
            for table, version in list(self._game.versions.items())[-1:]:
                assert answered(self._service.send("GET", f"/v1/tables/{table}"))["version"] >= version


class Following:
    """A client that follows tables from one on, one after the other, and resumes where its stream broke off."""

    def __init__(self, service: Service, game: Playing, begin: int) -> None:
        self._service, self._game, self._begin = service, game, begin
        self.versions, self.resumed = defaultdict[str, list[int]](list), 0

    def run(self) -> None:
        """Follows until it has all."""
        followed = self._begin
        while not self._game.ended or followed < len(self._game.versions):
            for table in list(self._game.versions)[followed:]:
                self._follow(table)
                followed += 1

    def _has_all(self, table: str) -> bool:
        return self._game.ended and self.versions[table][-1:] == [self._game.versions[table]]

    def _follow(self, table: str) -> None:
        """Follows a table until it is closed, or nobody plays any more."""
        last: dict[str, str] = {}
        while not self._has_all(table):
            headers = {"Accept": "text/event-stream"} | last
            with self._service.send("GET", f"/v1/tables/{table}/events", headers=headers, stream=True) as stream:
                assert stream.ok, stream.text
                if stream.status_code == HTTPStatus.NO_CONTENT:
                    return
                self.resumed += bool(last)
                for line in stream.iter_lines(chunk_size=1, decode_unicode=True):
                    if line.startswith("id: "):
                        last = {"Last-Event-ID": line[4:]}
                        self.versions[table].append(int(re.split(r"\D", line[4:])[0]))
                    if line == "event: end" or self._has_all(table):
                        return


def answered(answer: requests.Response) -> dict[str, Any]:
    """The body of an answer that is no refusal."""
    assert answer.ok, answer.text
    told: dict[str, Any] = answer.json()
    return told
