"""The supervisor starts its children again, and leaves none behind when it ends."""

import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.config import Settings
from tests.servers import SECRET, free_port, running, wait_until
from wintercount.processes import background_threads, embedded, supervisor
from wintercount.processes.dispatcher_process import dispatch_until
from wintercount.processes.supervisor import Supervisor
from worker.dispatcher import Dispatcher


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    """A supervisor that watches, without children yet."""
    monkeypatch.setattr(supervisor, "PAUSE_S", 0.01)
    found = Supervisor(Settings(data=str(tmp_path)))
    watching = threading.Thread(target=found.watch)
    watching.start()
    yield found
    found.end()
    watching.join()


class Starts:
    """Starts children that sleep, and remembers them; before each it does what it is told to."""

    def __init__(self, *before: Callable[[], object]) -> None:
        self.children: list[subprocess.Popen[bytes]] = []
        self._before = list(before)

    def __call__(self) -> "subprocess.Popen[bytes]":
        if self._before:
            self._before.pop(0)()
        self.children.append(subprocess.Popen(["sleep", "600"]))
        return self.children[-1]


def test_a_store_that_does_not_start_is_tried_again(watched: Supervisor, capfd: pytest.CaptureFixture[str]) -> None:
    """A start that fails is told to the operator, and everything goes on being watched."""

    def fail() -> None:
        raise embedded.DoesNotStart("not now")

    starts = Starts(lambda: None, fail)
    watched._add("store", starts)
    starts.children[0].kill()

    wait_until(lambda: len(starts.children) == 2)
    assert "not now" in capfd.readouterr().err


def test_a_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """In words, with what to set."""
    (tmp_path / "file").touch()
    found = Supervisor(Settings(data=str(tmp_path / "file"), port=free_port()))
    with pytest.raises(embedded.DoesNotStart, match=r"file cannot be the data directory .* set WINTERCOUNT_DATA"):
        found.start()
    found.end()


def test_beside_another_store_the_data_directory_is_held_too(
    tmp_path: Path, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys lie there: others may not look into it, and a second supervisor on it is refused."""
    tmp_path.chmod(0o755)
    settings = [Settings(data=str(tmp_path), port=free_port(), redis_url=valkey_url) for _ in range(2)]
    first, second = map(Supervisor, settings)
    monkeypatch.setattr(Supervisor, "_add", lambda *_: None)
    monkeypatch.setattr(Supervisor, "_wait_until_ready", lambda *_: None)
    first.start()
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    with pytest.raises(embedded.AlreadyRunning):
        second.start()
    first.end()
    second.end()


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory whose path is too long for a socket; temporary files have a directory of their own."""
    directory = tmp_path / ("d" * embedded.SOCKET_LIMIT)
    directory.mkdir()
    with tempfile.TemporaryDirectory() as short:
        monkeypatch.setattr(tempfile, "tempdir", short)
        yield directory


def test_a_server_whose_directory_has_a_long_path_listens_elsewhere(long: Path) -> None:
    with running(embedded.start(long)):
        assert embedded.runs(long)
        place = embedded.socket_path(long).parent
        assert (str(place.parent), place.stat().st_mode & 0o777) == (tempfile.gettempdir(), 0o700)


@pytest.mark.slow
@pytest.mark.fault
def test_a_data_directory_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some characters of a path mean something else in a URL."""
    data, port = tmp_path / "a #1? %41", free_port()
    for name, value in (("DATA", str(data)), ("PORT", str(port)), ("SECRET", "")):
        monkeypatch.setenv(f"WINTERCOUNT_{name}", value)
    found = Supervisor(Settings(data=str(data), port=port, workers=1, web_processes=1))
    try:
        found.start()
        assert (data / "valkey.sock").is_socket()
        assert [path.name for path in tmp_path.iterdir()] == [data.name]
    finally:
        found.end()


def test_a_port_is_not_shared(tmp_path: Path) -> None:
    """Where another process listens, nothing is started: the system would let both answer, one request each."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        found = Supervisor(Settings(data=str(tmp_path), port=other.getsockname()[1]))
        with pytest.raises(embedded.DoesNotStart, match=r"cannot be used .* set WINTERCOUNT_PORT"):
            found.start()
        found.end()
    assert not any(tmp_path.iterdir())


@pytest.mark.usefixtures("valkey_log")
def test_a_thread_that_fails_begins_anew(
    valkey_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A process goes on while one of its threads has ended, and nobody would start it again."""
    stop, begun = threading.Event(), list[int]()

    def run(_: Dispatcher, until: threading.Event) -> None:
        begun.append(1)
        if len(begun) == 1:
            raise LookupError
        until.set()

    monkeypatch.setattr(background_threads, "AGAIN_S", 0.1)
    monkeypatch.setattr(Dispatcher, "run", run)
    patience = threading.Timer(10, stop.set)
    patience.start()
    dispatch_until(stop, Settings(secret=SECRET, archive_after_days=-1), valkey_url)
    patience.cancel()
    assert len(begun) == 2
    assert "the thread dispatcher failed" in caplog.text
