"""The supervisor starts its children again, and leaves none behind when it ends."""

import contextlib
import errno
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from service.config import Settings
from service.runtime import embedded, supervisor
from service.runtime.lifeline import ask_to_end_with
from service.runtime.supervisor import Supervisor
from tests.servers import free_port, running, wait_until


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


class DiskUsage(NamedTuple):
    """What the system tells of a disk, in bytes."""

    total: int
    used: int
    free: int


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


def test_a_child_that_ended_is_started_again(watched: Supervisor) -> None:
    """However a child ends, another takes its place."""
    starts = Starts()
    watched._add("web", starts)
    starts.children[0].kill()

    wait_until(lambda: len(starts.children) == 2)
    assert starts.children[1].poll() is None


def test_children_are_ended(watched: Supervisor) -> None:
    """When the supervisor ends, so do all children, and none is started again."""
    starts = Starts()
    for name in ("store", "web", "dispatcher"):
        watched._add(name, starts)
    watched.end()

    assert len(starts.children) == 3
    assert all(child.poll() is not None for child in starts.children)


def test_a_child_that_is_just_being_started_is_ended_too(watched: Supervisor) -> None:
    """The end may come while the store is started again: it is not left behind with the data directory's lock."""
    started, go_on = threading.Event(), threading.Event()

    def be_slow() -> None:
        started.set()
        go_on.wait(30)

    starts = Starts(lambda: None, be_slow)
    watched._add("store", starts)
    starts.children[0].kill()
    assert started.wait(30)
    ending = threading.Thread(target=watched.end)
    ending.start()
    wait_until(watched._ending.is_set)
    go_on.set()
    ending.join()

    assert len(starts.children) == 2
    assert all(child.poll() is not None for child in starts.children)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends no child with its parent")
def test_a_store_that_was_started_again_ends_last(watched: Supervisor, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with the thread that has started it: that thread stays until those have ended that need the store."""
    stores: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        stores.append(subprocess.Popen(["sleep", "600"], preexec_fn=partial(ask_to_end_with, os.getpid())))  # noqa: PLW1509 - as the store's
        return stores[-1]

    def end(children: list["subprocess.Popen[bytes]"]) -> None:
        time.sleep(0.1)
        lived.append(stores[-1].poll() is None)
        end_all(children)

    lived, end_all = list[bool](), supervisor._end
    monkeypatch.setattr(supervisor, "_end", end)
    watched._add("store", start)
    stores[0].kill()
    wait_until(lambda: len(stores) == 2)
    watched.end()

    assert lived == [True, True]
    assert stores[-1].poll() is not None


def test_a_store_that_does_not_start_is_tried_again(watched: Supervisor, capfd: pytest.CaptureFixture[str]) -> None:
    """A start that fails is told to the operator, and everything goes on being watched."""

    def fail() -> None:
        raise embedded.DoesNotStart("not now")

    starts = Starts(lambda: None, fail)
    watched._add("store", starts)
    starts.children[0].kill()

    wait_until(lambda: len(starts.children) == 2)
    assert "not now" in capfd.readouterr().err


@pytest.mark.parametrize("number", [errno.ENOMEM, errno.ENOSPC])
def test_a_child_that_the_system_has_no_room_for_is_tried_again(
    watched: Supervisor, capfd: pytest.CaptureFixture[str], number: int
) -> None:
    """No memory for a process, or no room on the disk for what is cut off a file: all are watched on."""

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    starts = Starts(lambda: None, fail)
    watched._add("worker 1", starts)
    starts.children[0].kill()

    wait_until(lambda: len(starts.children) == 2)
    assert f"the worker 1 cannot be started now: [Errno {number}]" in capfd.readouterr().err


def test_children_are_started_again_though_nobody_reads_what_is_said(
    watched: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program that took the log may have ended."""
    read, write = os.pipe()
    os.close(read)
    with contextlib.suppress(BrokenPipeError), open(write, "w", buffering=1) as broken:
        monkeypatch.setattr("sys.stderr", broken)
        starts = Starts()
        watched._add("web", starts)
        starts.children[0].kill()
        wait_until(lambda: len(starts.children) == 2)


def test_a_full_disk_is_named(
    watched: Supervisor, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The server itself has no room to log why it ended; it is started again all the same, as room may be made."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: DiskUsage(10**9, 10**9, 0))
    starts = Starts()
    watched._add("store", starts)
    starts.children[0].kill()

    wait_until(lambda: len(starts.children) == 2)
    assert "is full, so the store ends with each write: make room there" in capfd.readouterr().err


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    """Nothing listens there that could be stopped."""
    found = Supervisor(Settings(data=str(tmp_path), host="192.0.2.1"))
    with pytest.raises(embedded.DoesNotStart, match=r"cannot be listened at .* set WINTERCOUNT_HOST"):
        found.start()
    found.end()


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
    monkeypatch.setattr(Supervisor, "_wait_until_ready", lambda _: None)
    first.start()
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    with pytest.raises(embedded.AlreadyRunning):
        second.start()
    first.end()
    second.end()


def test_the_socket_of_a_server_that_was_killed_is_no_server(tmp_path: Path) -> None:
    """It stays behind; whoever wants to ask the store is told that none runs, and where."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(embedded.socket_path(tmp_path)))
        server.listen()
        assert embedded.runs(tmp_path)
    assert embedded.socket_path(tmp_path).is_socket()
    with pytest.raises(embedded.DoesNotStart, match=f"no embedded server runs on {tmp_path}.*WINTERCOUNT_DATA"):
        embedded.url_of_running(str(tmp_path))


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory whose path is too long for a socket; temporary files have a directory of their own."""
    directory = tmp_path / ("d" * embedded.SOCKET_LIMIT)
    directory.mkdir()
    with tempfile.TemporaryDirectory() as short:
        monkeypatch.setattr(tempfile, "tempdir", short)
        yield directory


@pytest.mark.parametrize("placed", ["open", "link"])
def test_nobody_else_puts_the_socket_of_a_server(long: Path, tmp_path: Path, placed: str) -> None:
    """Where all may write somebody may have been there before: what others can put there is no server of ours."""
    place = embedded.socket_path(long).parent
    if placed == "open":
        place.mkdir()
        place.chmod(0o777)
    else:
        (tmp_path / "other").mkdir(mode=0o700)
        place.symlink_to(tmp_path / "other")
    with contextlib.chdir(place), socket.socket(socket.AF_UNIX) as server:
        server.bind(embedded.SOCKET)
        server.listen()
        assert not embedded.runs(long)
    with pytest.raises(embedded.DoesNotStart, match="somebody else's"):
        embedded.start(long)


def test_a_server_whose_directory_has_a_long_path_listens_elsewhere(long: Path) -> None:
    with running(embedded.start(long)):
        assert embedded.runs(long)
        place = embedded.socket_path(long).parent
        assert (str(place.parent), place.stat().st_mode & 0o777) == (tempfile.gettempdir(), 0o700)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no means for that")
def test_of_two_that_start_at_once_one_has_the_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any web server listens: the other one is refused, and the first one's own web server may listen there."""
    port = free_port()
    first, second = (Supervisor(Settings(data=str(tmp_path / name), port=port)) for name in ("one", "two"))
    monkeypatch.setattr(Supervisor, "_add", lambda *_: None)
    monkeypatch.setattr(Supervisor, "_wait_until_ready", lambda _: None)
    first.start()
    with pytest.raises(embedded.DoesNotStart, match=r"cannot be listened at .* set WINTERCOUNT_PORT"):
        second.start()

    with socket.socket() as web:
        web.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        web.bind(("127.0.0.1", port))
        web.listen()
        with socket.create_connection(("127.0.0.1", port)), web.accept()[0]:
            pass
    first.end()
    second.end()


def test_a_port_is_not_shared(tmp_path: Path) -> None:
    """Where another process listens, nothing is started: the system would let both answer, one request each."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        found = Supervisor(Settings(data=str(tmp_path), port=other.getsockname()[1]))
        with pytest.raises(embedded.DoesNotStart, match=r"cannot be listened at .* set WINTERCOUNT_PORT"):
            found.start()
        found.end()
    assert not any(tmp_path.iterdir())
