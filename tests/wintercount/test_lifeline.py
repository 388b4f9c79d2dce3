"""Nobody answers on: when the process that started them has ended, however it did, so have all others."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.servers import data_directory, free_port, wait_until, wait_while
from tests.service.api.world import embedded_store
from tests.service.web import is_ready, process_of, wait_until_ready
from wintercount.processes import embedded

pytestmark = pytest.mark.slow

LONG_S = 120.0  # on a busy machine


@pytest.fixture
def directory() -> Iterator[Path]:
    with data_directory() as found:
        yield found


@contextlib.contextmanager
def everything(directory: Path) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """`wintercount run` with data and a port of its own, and its address; killed in the end with all that is left."""
    port = str(free_port())
    settings = {"WINTERCOUNT_DATA": str(directory), "WINTERCOUNT_PORT": port, "WINTERCOUNT_WORKERS": "1"}
    command = [sys.executable, "-m", "wintercount", "run", "--no-demo"]
    process = subprocess.Popen(command, env=os.environ | settings)
    left: list[psutil.Process] = []
    try:
        wait_while(lambda: process.poll() is None, lambda: is_ready(f"http://127.0.0.1:{port}"))
        left = psutil.Process(process.pid).children(recursive=True)
        yield process, f"http://127.0.0.1:{port}"
    finally:
        every: list[Any] = [process, *left]
        for one in every:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        process.wait()


def lives(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGKILL]
)
def test_all_children_end_with_the_supervisor(directory: Path, number: signal.Signals) -> None:
    """Told to, or killed: neither a web process nor the store is left, and the data directory is free."""
    with everything(directory) as (process, address):
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 5  # store, web with its worker, dispatcher, worker
        process.send_signal(number)
        process.wait(LONG_S)
        wait_until(lambda: not any(map(lives, children)), LONG_S)

        assert not is_ready(address)
        embedded.hold(directory).close()


def test_a_second_signal_leaves_nothing_behind(directory: Path) -> None:
    """An impatient operator does not cut short what the first signal began."""
    with everything(directory) as (process, _):
        children = psutil.Process(process.pid).children(recursive=True)
        for _ in range(5):
            process.send_signal(signal.SIGTERM)
        process.wait(LONG_S)

        assert not any(map(lives, children))


def test_no_web_process_answers_on_when_its_parent_is_killed() -> None:
    """`wintercount serve` is a parent that starts those who answer; they end with it."""
    with embedded_store() as url, process_of(url) as (address, process):
        wait_until_ready(process, address)
        children = psutil.Process(process.pid).children(recursive=True)
        assert children
        process.kill()
        wait_until(lambda: not any(map(lives, children)), LONG_S)

        assert not is_ready(address)
