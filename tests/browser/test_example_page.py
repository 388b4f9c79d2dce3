"""The typed page of the examples, served from another origin than the API."""

import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tools.node import NODE

PAGE = Path(__file__).parents[2] / "examples" / "page"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The origin of the page, as its one command builds it."""
    subprocess.run([NODE, "build.js", tmp_path / "page.js"], cwd=PAGE, check=True, capture_output=True)
    (tmp_path / "index.html").write_bytes((PAGE / "index.html").read_bytes())
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_page_of_another_origin_plays_a_whole_game(address: str, elsewhere: str, chromium: Browser) -> None:
    """It opens a table, follows it, plays to the end and tells the events in words."""
    with chromium.new_context() as context:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{elsewhere}/?server={address}")
        expect(page.locator("#standing")).to_have_text("The game goes on.")
        expect(page.locator("#standing")).to_contain_text("The table is finished")
        assert page.locator("#events li").last.text_content()
    assert errors == []
