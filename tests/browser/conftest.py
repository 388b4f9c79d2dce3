"""The fixtures of the browser tests."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser import hosts
from tests.browser.hosts import Player
from tests.browser.wire import Wire

OPERATOR = "the token of whoever runs the service"
PATIENCE_MS = 60_000  # a test waits for states, never for time: this is how long until it gives up
# Nothing is played out or flies but where a test wants to see that.
USUAL: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce"}
Opener = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


def at_rest(page: Page, script: str) -> list[Any]:
    """What a script finds wrong with the page, once what moves has come to rest."""
    with contextlib.suppress(Error):
        page.wait_for_function(f"() => !({script})().length")
    found: list[Any] = page.evaluate(script)
    return found


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a service with everything that belongs to it."""
    with hosts.service(WINTERCOUNT_ADMIN_TOKEN=OPERATOR) as found:
        yield found


@pytest.fixture(scope="session")
def in_modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service whose page is in modules: a test that asks for one of them finds it there."""
    with hosts.service(hosts.copy_of_packages(tmp_path_factory.mktemp("modules"))) as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    with hosts.browser() as found:
        yield found


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Opener]:
    """Opens a page as a new person; fails at the end if a page had an error, asked elsewhere or told a token."""
    contexts: list[BrowserContext] = []
    heard: list[str] = []

    def open_page(at: str = "", base: str = address, **options: Any) -> Page:
        context = chromium.new_context(**USUAL | options)
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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what tests counted."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{name}: {value}")


def _leaks(url: str, base: str) -> list[str]:
    return [f"asked {url}"] if not url.startswith(base) or "wc_" in url or "secret" in url else []


def _complaints(text: str) -> list[str]:
    return [text] if "Content Security Policy" in text or "Trusted" in text else []


@pytest.fixture
def wire(address: str) -> Iterator[Wire]:
    """A wire before the service."""
    with contextlib.closing(Wire(address)) as found:
        yield found


@pytest.fixture
def player(address: str) -> Player:
    """A person at another machine."""
    return Player(address, "Bea")


@pytest.fixture(scope="session")
def finished_and_branch(address: str) -> tuple[dict[str, str], str]:
    """Finished tables and the branch of one: made at once, so that no test sees more or less of them than another."""
    tables = hosts.finished_tables(address)
    return tables, hosts.branch_of(address, tables["big-manitou"])


@pytest.fixture(scope="session")
def finished(finished_and_branch: tuple[dict[str, str], str]) -> dict[str, str]:
    """Tables that AI seats have played to the end, by game: tests share them, so none changes them."""
    return finished_and_branch[0]


@pytest.fixture(scope="session")
def branch(finished_and_branch: tuple[dict[str, str], str]) -> str:
    """A branch of the finished table of Big Manitou."""
    return finished_and_branch[1]
