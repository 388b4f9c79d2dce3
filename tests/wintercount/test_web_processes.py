"""Several web processes on one port: clients see one service, and each process counts only what is its own."""

import contextlib
import os
import re
import signal
import stat
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
    with (
        embedded_store() as url,
        process_of(url, WEB_PROCESSES=str(COUNT), **METRICS) as (address, process),
    ):
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


def test_as_many_answer_as_are_set(service: Service) -> None:
    """Each has answered something."""
    assert len(service.processes()) == COUNT


def test_a_request_sent_at_once_to_all_is_done_once(service: Service) -> None:
    """The same `Idempotency-Key` on many connections opens one table, which every process knows."""
    headers = account(service) | {"Idempotency-Key": str(uuid.uuid4())}
    with ThreadPoolExecutor(12) as pool:
        sent = [pool.submit(opened, service, headers) for _ in range(24)]
        tables = {one.result().json()["table"] for one in sent}
        (table,) = tables
        seen = [pool.submit(service.send, "GET", f"/v1/tables/{table}") for _ in range(24)]
        assert {one.result().status_code for one in seen} == {200}


def test_a_stream_tells_what_any_process_has_written(service: Service) -> None:
    """Followed in one process, changed from many connections."""
    headers = account(service)
    body = {"game": "tomahawk", "seats": [{"kind": "me"}, {"kind": "open"}]}
    table = service.send("POST", "/v1/tables", json=body, headers=headers).json()["table"]
    with service.send(
        "GET", f"/v1/tables/{table}/events", headers={"Accept": "text/event-stream"}, stream=True
    ) as told:
        wait_until(lambda: service.metric("wintercount_streams") == 1)
        service.send("PUT", f"/v1/tables/{table}/seats/2", headers=account(service))
        service.send("POST", f"/v1/tables/{table}/seats/2", headers=account(service), json={})
        lines = (line.decode() for line in told.iter_lines())
        assert next(line for line in lines if "SeatTaken" in line and '"seat":2' in line.replace(" ", ""))
    wait_until(lambda: service.metric("wintercount_streams") == 0)


def test_metrics_are_those_of_all(service: Service) -> None:
    """Whoever is asked tells what both have counted."""
    before = service.metric("wintercount_requests_total")
    for _ in range(20):
        service.send("GET", "/v1/games")
    assert service.metric("wintercount_requests_total") == before + 21  # the first look at the metrics counts too


def test_one_that_is_killed_is_replaced_and_its_streams_are_not_counted(service: Service) -> None:
    """The others answer meanwhile; what it had counted stays."""
    table = opened(service, account(service)).json()["table"]
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


@pytest.mark.usefixtures("usual_umask")
def test_what_a_web_server_makes_beside_another_store_is_private(tmp_path: Path) -> None:
    """Its data directory, which `wintercount run` does not look at there, and all that is in it."""
    data = tmp_path / "missing" / "data"
    with embedded_store() as url, process_of(url, WEB_PROCESSES=str(COUNT), DATA=str(data)) as (address, process):
        wait_until_ready(process, address)
        made = (data, *data.rglob("*"))
        assert {"data", "keys.sqlite", f"metrics-{address.rpartition(':')[2]}"} <= {path.name for path in made}
        assert [path for path in made if stat.S_IMODE(path.lstat().st_mode) & 0o077] == []


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)
