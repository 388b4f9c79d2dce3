"""The typed page of the examples, served from another origin than the API."""

from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Browser, expect

from tests.commands import command, going_on
from tests.servers import free_port, wait_until


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The origin of the page, as the one command of docs/start.md builds and serves it."""
    port = free_port()
    page = f"http://127.0.0.1:{port}"
    with going_on(*command("a typed page of another origin", ("9000", str(port)))):
        wait_until(lambda: serves(page))
        yield page


def serves(page: str) -> bool:
    """Whether the page is there with its script."""
    try:
        return requests.get(f"{page}/page.js", timeout=10).ok
    except requests.ConnectionError:
        return False


def test_a_page_of_another_origin_plays_a_whole_game(address: str, elsewhere: str, chromium: Browser) -> None:
    """It opens a table, follows it, plays to the end and tells the events in words."""
    with chromium.new_context() as context:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{elsewhere}/?server={address}")
        expect(page.locator("#standing")).to_have_text("The game is being played.")
        expect(page.locator("#standing")).to_contain_text("The table is finished")
        assert page.locator("#events li").last.text_content()
    assert errors == []
