"""A move is one request: its answer brings all that is shown, and its echo on the stream asks for nothing more."""

from playwright.sync_api import expect

from tests.browser.clicks import choose_party
from tests.browser.conftest import Opener
from tests.browser.hosts import Player
from tests.browser.sight import wait_until_so

SECOND = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}


def test_a_move_is_one_request(visit: Opener, address: str) -> None:
    """Of two who choose in secret one has chosen: up to the echo in the log nothing but the move is sent."""
    table = Player(address, "Bea").post("tables", SECOND)["table"]
    page = visit(f"#/tables/{table}?sit=2")
    page.click("[data-invited]")
    page.locator(".moves.mine").wait_for()
    expect(page.locator(".connection")).to_have_class("connection live")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(address)}"))
    told = page.locator(".panel-events li").count()
    choose_party(page)
    expect(page.locator(".waiting-for")).to_be_visible()
    wait_until_so(page, "told => document.querySelectorAll('.panel-events li').length > told", told)
    assert asked == [f"POST v1/tables/{table}/moves?include=table"]
