"""A whole service, a browser, and tables to look at."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.wire import Wire
from tests.servers import data_directory, free_port, wait_until
from tests.service.web import is_ready

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE_MS = 60_000  # a test waits for states, never for time: this is how long until it gives up
Opener = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a service with everything that belongs to it."""
    port = free_port()
    with data_directory() as data:
        environment = os.environ | {"WINTERCOUNT_PORT": str(port), "WINTERCOUNT_DATA": str(data)}
        command = [sys.executable, "-m", "service.cli", "run", "--no-demo"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: is_ready(f"http://127.0.0.1:{port}"), 120)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Opener]:
    """Opens a page as a new person; fails at the end if a page had an error, asked elsewhere or told a token."""
    contexts: list[BrowserContext] = []
    heard: list[str] = []

    def open_page(at: str = "", base: str = address, **options: Any) -> Page:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"} | options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("request", lambda request: heard.extend(_leaks(request.url, base)))
        page.on("console", lambda message: heard.extend(_complaints(message.text)))
        page.goto(base + at)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not heard


def _leaks(url: str, base: str) -> list[str]:
    return [f"asked {url}"] if not url.startswith(base) or "wc_" in url or "secret" in url else []


def _complaints(text: str) -> list[str]:
    return [text] if "Content Security Policy" in text or "Trusted" in text else []


@pytest.fixture
def wire(address: str) -> Iterator[Wire]:
    """A wire before the service."""
    with contextlib.closing(Wire(address)) as found:
        yield found


class Player:
    """Somebody who plays over the API."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        made = requests.post(f"{address}v1/players", json={"name": name}, timeout=10).json()
        self.headers = {"Authorization": f"Bearer {made['token']['secret']}"}

    def post(self, path: str, body: Any) -> Any:
        """The answer to a POST."""
        answer = requests.post(f"{self.address}v1/{path}", json=body, headers=self.headers, timeout=30)
        answer.raise_for_status()
        return answer.json()

    def get(self, path: str) -> Any:
        """The answer to a GET."""
        answer = requests.get(f"{self.address}v1/{path}", headers=self.headers, timeout=30)
        answer.raise_for_status()
        return answer.json()


@pytest.fixture
def player(address: str) -> Player:
    """A person at another machine."""
    return Player(address, "Bea")


@pytest.fixture(scope="session")
def finished(address: str) -> dict[str, str]:
    """Tables that AI seats have played to the end, by game."""
    owner = Player(address, "Archivist")
    seats = {"big-manitou": 3, "manitou": 3, "tomahawk": 2, "plenty-coups": 4}
    opened = {}
    for game, count in seats.items():
        body = {"game": game, "seats": [{"kind": "ai", "level": "greedy"}] * count}
        opened[game] = owner.post("tables", body)["table"]
    for table in opened.values():
        wait_until(lambda table=table: owner.get(f"tables/{table}")["status"] == "finished", 300)
    return opened
