"""The page on small and large screens; `make screenshots` keeps pictures of it."""

import base64
import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.clicks import choose_party, menu, moment, settled, sit_against_ai
from tests.browser.conftest import Opener, at_rest

WIDTHS = (400, 1280, 2000)
MOMENTS = (("tomahawk", 100), ("big-manitou", 128), ("manitou", 112), ("plenty-coups", 150))
EDGES = "(node) => { const { left, right } = node.getBoundingClientRect(); return [left, right, node.scrollWidth]; }"
CUT_OFF = """() => [document.querySelector(".box-board")]
    .map((board) => board.scrollHeight - board.clientHeight).filter((pixels) => pixels > 0)"""
SCREENSHOTS = Path(__file__).parents[2] / "docs" / "screenshots"


def keep(page: Page, name: str) -> None:
    """Writes a picture if pictures are to be renewed."""
    if os.environ.get("WINTERCOUNT_SCREENSHOTS") == "renew":
        expect(page.locator(".connection.lost")).to_have_count(0)
        shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 72})
        (SCREENSHOTS / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(visit: Opener, finished: dict[str, str], branch: str, width: int) -> None:
    """The lobby, a table that I play at, moments of the past and a record: on a phone, a laptop, a large screen."""
    theme = "dark" if width == 2000 else "light"
    height = 860 if width < 2000 else 1125
    page = visit(viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce")
    page.locator(".game").first.wait_for()
    assert fits(page)
    keep(page, f"lobby-{width}")
    sit_against_ai(page, "big-manitou", players=4)
    choose_party(page)
    page.locator(".heap-hand button.can").first.click()
    assert fits(page)
    page.mouse.move(0, 0)  # what lies below the pointer would be explained
    keep(page, f"table-{width}")
    for game, version in MOMENTS:
        moment(page, finished[game], f"{version}?seat=1")
        assert fits(page), game
        assert at_rest(page, CUT_OFF) == [], game
        keep(page, f"{game}-{width}")
    page.goto(f"{page.url.split('#', maxsplit=1)[0]}#/tables/{finished['big-manitou']}")
    page.click("[data-key=look-back]")
    expect(page.locator(".turns li").first).to_be_visible()
    assert fits(page), "end"
    keep(page, f"end-{width}")
    page.goto(f"{page.url.split('#', maxsplit=1)[0]}#/record/{finished['big-manitou']}")
    page.locator(f"[data-branch={branch}] summary").click()
    expect(page.locator(f"[data-branch={branch}] table")).to_be_visible()
    expect(page.locator(".verdict.good")).to_be_visible()
    assert fits(page)
    page.locator(f"[data-branch={branch}]").evaluate("(node) => node.scrollIntoView({ block: 'end' })")
    keep(page, f"branches-{width}")


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_the_menu_of_a_table_fits_a_phone(visit: Opener, finished: dict[str, str], language: str) -> None:
    """Of somebody who looks on as well, for whom its button stands in the middle."""
    page = visit(f"#/tables/{finished['manitou']}/60", viewport={"width": 400, "height": 850}, locale=language)
    settled(page)
    menu(page)
    left, right, wanted = page.locator(".menu-list").evaluate(EDGES)
    assert 0 <= left < left + wanted <= right <= 400


def test_a_link_to_no_table_is_told_as_a_page(visit: Opener) -> None:
    """What it says does not stick to the edges of the window."""
    page = visit("#/tables/t_aaaaaaaaaaaaaaaa", viewport={"width": 1280, "height": 800})
    left, right, _ = page.get_by_role("heading", level=1).evaluate(EDGES)
    assert 12 <= left < right <= 1268
