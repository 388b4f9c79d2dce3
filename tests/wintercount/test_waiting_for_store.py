"""A store that still loads its data is waited for, as long as it takes, and tells how far it has come."""

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import requests

from events import waiting_for_store
from events.waiting_for_store import until_it_answers, why_not
from service.config import Settings
from tests.commands import wintercount
from tests.servers import PATIENCE_S, Proxy, data_directory, free_port, running, wait_until
from tests.service.web import process_of
from wintercount.processes import embedded
from wintercount.processes.supervisor import Supervisor
from wintercount.processes.web import starting_app

KEYS = 200_000
SLOWLY = ("--key-load-delay", "-2")  # a shortest pause for one in so many commands: some seconds in all
HOLD = 400  # long enough for a web process to start and to answer: the store answers it once in 1,024 commands
QUICK = {"FIRST_TOLD_S": 0.1, "TOLD_S": 0.1}


@pytest.fixture(scope="module")
def filled() -> Iterator[Path]:
    """A data directory with so many keys that its server can be made to take some seconds to load them."""
    with data_directory() as directory:
        with running(embedded.start(directory, appendfsync="everysec")), client_of(directory) as client:
            pipeline = client.pipeline(transaction=False)
            for number in range(KEYS):
                pipeline.set(f"key:{number}", "x")
            pipeline.execute()
            client.shutdown(nosave=True)
        yield directory


@pytest.fixture
def big(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory that takes its server some seconds to load."""
    with data_directory() as directory:
        shutil.copytree(filled, directory, dirs_exist_ok=True)
        started_with(monkeypatch, *SLOWLY)
        for name, seconds in QUICK.items():
            monkeypatch.setattr(waiting_for_store, name, seconds)
        yield directory


def started_with(monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    """Embedded servers are started with these options from now on; of two of a name the later counts."""
    command = embedded.command
    monkeypatch.setattr(embedded, "command", lambda *args, **named: [*command(*args, **named), *options])


@contextlib.contextmanager
def client_of(directory: Path) -> Iterator[redis.Redis]:
    with contextlib.closing(redis.Redis.from_url(embedded.url_of(directory))) as client:
        yield client


@pytest.fixture
def loads(big: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A server that has just begun to load."""
    with running(embedded.launch(big)) as server:
        wait_until(lambda: code_of(big) == "store_loading")
        yield server


def load(directory: Path, delay: int) -> None:
    """Goes on loading with this delay (microseconds a command): until it is 0, a busy machine is in time to look."""
    with client_of(directory) as client:
        client.config_set("key-load-delay", delay)


def code_of(directory: Path) -> str | None:
    waits = why_not(embedded.url_of(directory))
    return waits.code if waits else None


def test_a_server_that_ends_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its end is told, with its status."""
    monkeypatch.setattr(embedded, "command", lambda *_, **__: ["false"])

    with pytest.raises(embedded.DoesNotStart, match="ended with 1"):
        embedded.start(tmp_path)


def test_only_operators_are_told_where_the_store_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has the address that does not answer; clients of the web server do not see it."""
    url = f"unix://{tmp_path}/none.sock"
    told = starting_app([url]).test_client().get("/v1/tables").get_json()
    assert (told["code"], told["detail"]) == ("store_unavailable", "the store does not answer")

    monkeypatch.setattr(waiting_for_store, "FIRST_TOLD_S", 0.0)
    words: list[str] = []
    next(until_it_answers(lambda: why_not(url), words.append))
    assert [str(tmp_path) in line for line in words] == [True]


def test_a_wrong_password_is_not_waited_for() -> None:
    """No waiting mends it."""
    with data_directory() as directory, running(embedded.start(directory)), client_of(directory) as client:
        client.config_set("requirepass", "right")
        with pytest.raises(redis.AuthenticationError):
            why_not(embedded.url_of(directory))


class Old(Proxy):
    """Before a store; to clients it is Redis 7.0."""

    def answered(self, answer: bytes) -> bytes:
        return re.sub(
            rb"redis_version:7\.\d\.", b"redis_version:7.0.", answer.replace(b"valkey_version", b"something_else")
        )


@pytest.mark.fault
@pytest.mark.parametrize("words", ["serve", "dispatch", "worker", "rebuild", "doctor"])
def test_a_store_that_is_too_old_is_refused_at_the_start(valkey_url: str, tmp_path: Path, words: str) -> None:
    """Before anything is served, with what is needed."""
    with contextlib.closing(Old(valkey_url.removeprefix("unix://"))) as proxy:
        settings = {"REDIS_URL": f"redis://127.0.0.1:{proxy.port}", "DATA": str(tmp_path), "PORT": str(free_port())}
        told = wintercount(words, **settings)
    assert told.exit_code == 1
    assert "Redis 7.0." in told.output
    assert "Redis 7.2 or later, or Valkey, is needed" in told.output


def answer_of(address: str, path: str) -> tuple[int, dict[str, Any], str | None]:
    """Status, body and `Retry-After`; (0, …) before anything answers."""
    with contextlib.suppress(requests.RequestException):
        found = requests.get(f"{address}{path}", timeout=PATIENCE_S)
        return found.status_code, found.json(), found.headers.get("Retry-After")
    return 0, {}, None


@pytest.mark.slow
@pytest.mark.usefixtures("loads")
def test_a_web_server_says_that_its_store_loads_and_opens_then(big: Path) -> None:
    """`/readyz` answers 503 with figures, everything else 503; it opens as soon as it can."""
    load(big, HOLD)
    with process_of(embedded.url_of(big)) as (address, _):
        wait_until(lambda: answer_of(address, "/readyz")[0])
        status, body, again = answer_of(address, "/readyz")
        assert (status, body["code"], again) == (503, "store_loading", "1")
        assert 0 <= body["loaded_percent"] <= 100
        assert answer_of(address, "/healthz")[:2] == (200, {"status": "alive"})
        assert answer_of(address, "/v1/tables")[1]["code"] == "store_loading"

        load(big, 0)
        wait_until(lambda: answer_of(address, "/readyz")[0] == 200)
        assert answer_of(address, "/v1/tables")[0] == 200


@pytest.mark.slow
@pytest.mark.usefixtures("loads")
@pytest.mark.parametrize("words", ["verify t_aaaaaaaaaaaaaaaa", "case t_aaaaaaaaaaaaaaaa 1"])
def test_a_command_waits_for_a_store_that_loads(
    big: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, words: str
) -> None:
    """It tells how far that has come, and then does what it was asked for."""
    told = wintercount(*words.split(), REDIS_URL=embedded.url_of(big), DATA=str(tmp_path))
    assert (told.exit_code, "there is no table" in told.output) == (1, True), told.output
    assert any("the store loads its data: " in record.message for record in caplog.records)


@pytest.mark.slow
def test_everything_starts_on_a_store_that_takes_long(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`wintercount run` waits, says what for, and is ready in the end: the store loads slowly until that was said."""
    started_with(monkeypatch, "--key-load-delay", str(HOLD))
    loading_told: list[str] = []

    def say(text: str) -> None:
        if "the store loads its data" in text and not loading_told:
            loading_told.append(text)
            load(big, 0)

    port = free_port()
    for name, value in (("PORT", str(port)), ("DATA", str(big))):  # for the children
        monkeypatch.setenv(f"WINTERCOUNT_{name}", value)
    found = Supervisor(Settings(data=str(big), port=port, workers=1))
    try:
        found.start(say)
        assert answer_of(found.address, "/readyz")[0] == 200
    finally:
        found.end()
    assert loading_told
