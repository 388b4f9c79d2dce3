"""The guides and the API reference in a browser: found, read, and requests sent with a token of one's own."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.test_layout import fits

MOVE = "docs/reference#tag/moves/POST/v1/tables/{table}/moves"
ME = "docs/reference#tag/players/GET/v1/players/me"
# What axe-core objects to in the layout of Zensical and in the rules of the games.
OF_ZENSICAL = tuple(
    f"light: {rule}:"
    for rule in ("empty-table-header", "heading-order", "landmark-unique", "scrollable-region-focusable")
)
TRY = "Test Request (get /v1/players/me)"


def shown(page: Page) -> Page:
    """The page, once the library has drawn it."""
    expect(page.get_by_role("heading", name="Tokens", exact=True)).to_be_attached()
    return page


@pytest.mark.parametrize("width", [400, 1280])
def test_no_violation_and_nothing_wider_than_the_screen(visit: Opener, width: int) -> None:
    """Tokens at the top, and an operation with its tables and samples; on a phone too."""
    found = {}
    for at in ("docs/reference", MOVE, "docs/problems"):
        page = visit(at, viewport={"width": width, "height": 850}, **FOR_AXE)
        expect(
            page.get_by_role("heading", name="Problems" if "problems" in at else "Tokens", exact=True)
        ).to_be_attached()
        assert fits(page)
        found[at] = violations(page)
    assert {at: lines for at, lines in found.items() if lines} == {}


@pytest.mark.parametrize("width", [400, 1280])
def test_guides_fit_and_can_be_read(visit: Opener, width: int) -> None:
    """By day and by night; the tabs of samples, tables and full rules among them."""
    found = {}
    for at in ("docs/", "docs/first-bot/", "docs/settings/", "docs/games/manitou-rules/"):
        page = visit(at, viewport={"width": width, "height": 850}, **FOR_AXE)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert fits(page)
        found[at] = [line for line in violations(page) if not line.startswith(OF_ZENSICAL)]
    assert {at: lines for at, lines in found.items() if lines} == {}


def test_a_guide_is_found_by_searching(visit: Opener) -> None:
    """The field and its results are in a closed shadow root: the test waits longer each time for what it cannot see."""
    for pause_ms in (1000, 3000, 9000):
        page = visit("docs/bots/")
        page.wait_for_timeout(pause_ms)
        page.keyboard.press("Control+k")
        page.wait_for_timeout(pause_ms)
        page.keyboard.type("webhook signature")
        page.wait_for_timeout(pause_ms)
        page.keyboard.press("Enter")
        page.wait_for_timeout(pause_ms)
        if "/docs/webhooks/" in page.url:
            break
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Webhooks"))


def test_the_token_of_the_page_is_there_already(visit: Opener) -> None:
    """Who has an account at `/` need not copy anything."""
    page = visit()
    page.click("[data-key=account]")
    page.fill("dialog [name=name]", "Ann")
    page.click("[data-name=take]")
    page.locator(".player-id").wait_for()
    page.goto(page.url.split("#")[0] + ME)
    shown(page).get_by_role("button", name=TRY, exact=True).click()
    with page.expect_response(re.compile("/v1/players/me$")) as answer:
        page.get_by_role("button", name="Send").first.click()
    assert answer.value.json()["name"] == "Ann"
