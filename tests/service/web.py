"""The web server as it really runs, a process of its own."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

from tests.servers import SECRET, data_beside, free_port, wait_while

PATIENCE_S = 10.0


@contextlib.contextmanager
def serving(store_url: str, *command: str, **settings: str) -> Iterator[str]:
    """The address of a web server on a store, started by `wintercount serve` or by another command of Python's.

    `settings` are environment variables without their WINTERCOUNT_.
    """
    with process_of(store_url, *command, **settings) as (address, process):
        wait_until_ready(process, address)
        yield address


@contextlib.contextmanager
def process_of(store_url: str, *command: str, **settings: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The same before it is ready: its address and its process. One process answers, if nothing else is said.

    Each process is ready by itself and has its own share of what is bounded: `test_web_processes` has several.
    """
    port, data = free_port(), data_beside(store_url)
    found = {"REDIS_URL": store_url, "PORT": str(port), "SECRET": SECRET, "DATA": str(data), "WEB_PROCESSES": "1"}
    environment = os.environ | {f"WINTERCOUNT_{name}": value for name, value in (found | settings).items()}
    process = subprocess.Popen([sys.executable, *(command or ("-m", "wintercount", "serve"))], env=environment)
    try:
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_ready(process: "subprocess.Popen[bytes]", address: str) -> None:
    """Waits for a web server as long as its process lives."""
    wait_while(lambda: process.poll() is None, lambda: is_ready(address))


def is_ready(address: str) -> bool:
    """Whether the server answers that it is ready. Asked often: `requests` would take a millisecond to be refused."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE_S)
    with contextlib.closing(connection), contextlib.suppress(OSError, HTTPException):
        connection.request("GET", "/readyz")
        return connection.getresponse().status == HTTPStatus.OK
    return False
