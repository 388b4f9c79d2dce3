"""The page on small and large screens; `make screenshots` keeps pictures of it."""

import base64
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.clicks import choose_party, menu, moment, settled, sit_against_ai
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, forked

WIDTHS = (400, 1280, 2000)
MOMENTS = (("tomahawk", 100), ("big-manitou", 128), ("manitou", 112), ("plenty-coups", 150))
CUT_OFF = "(lines) => lines.filter((line) => line.scrollWidth > line.clientWidth + 1).map((line) => line.textContent)"
EDGES = "(node) => { const { left, right } = node.getBoundingClientRect(); return [left, right, node.scrollWidth]; }"
# Where what stands in a node begins and ends: the node itself may be higher.
EDGES_BELOW = """(nodes) => nodes.map((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { top, bottom } = range.getBoundingClientRect();
    return [top, bottom];
})"""
SCREENSHOTS = Path(__file__).parents[2] / "docs" / "screenshots"


def keep(page: Page, name: str) -> None:
    """Writes a picture if pictures are to be renewed."""
    if os.environ.get("WINTERCOUNT_SCREENSHOTS") == "renew":
        shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 72})
        (SCREENSHOTS / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(visit: Opener, finished: dict[str, str], branch: str, width: int) -> None:
    """The lobby, a table that I play at, moments of the past and two branches: on a phone, a laptop, a large screen."""
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
        keep(page, f"{game}-{width}")
    page.goto(f"{page.url.split('#', maxsplit=1)[0]}#/tables/{finished['big-manitou']}")
    page.click("[data-key=look-back]")
    expect(page.locator(".turns li").first).to_be_visible()
    assert fits(page), "end"
    keep(page, f"end-{width}")
    page.goto(f"{page.url.split('#', maxsplit=1)[0]}#/compare/{finished['big-manitou']}/{branch}")
    expect(page.locator(".comparison")).to_have_attribute("aria-busy", "false")
    assert fits(page)
    keep(page, f"branches-{width}")


@pytest.mark.parametrize("width", [400, 960, 1280])
def test_two_branches_are_whole_in_half_a_screen(
    visit: Opener, finished: dict[str, str], branch: str, width: int
) -> None:
    """Whatever their seats' lines tell."""
    compared = f"#/compare/{finished['big-manitou']}/{branch}"
    page = visit(f"{compared}/0", viewport={"width": width, "height": 860})
    for number in range(0, last_of(page), 12):
        page.evaluate("(address) => location.hash = address", f"{compared}/{number}")
        expect(page.locator(".branch .position .version").first).to_have_text(re.compile(f"^{number} of"))
        assert fits(page), number
        assert page.locator(".seat-more > summary").evaluate_all(CUT_OFF) == [], number


def last_of(page: Page) -> int:
    """How many events are told of the first of two branches."""
    return int(page.locator("[data-key=slider-0]").get_attribute("max") or 0)


def test_hands_that_lie_open_at_the_end_lie_below_the_board(
    visit: Opener, address: str, finished: dict[str, str]
) -> None:
    """Of two branches of Plenty Coups: beside it they would leave it no room."""
    table = finished["plenty-coups"]
    branch = forked(address, table, version=150)
    page = visit(f"#/compare/{table}/{branch}/0")
    page.evaluate("(address) => location.hash = address", f"#/compare/{table}/{branch}/{last_of(page)}")
    half = page.locator(".box-boards .branch").first
    expect(half.locator(".own-cards section").first).to_be_visible()
    assert half.locator(".raiding").evaluate("(node) => node.offsetWidth") == half.evaluate(
        "(node) => node.clientWidth"
    )


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


@pytest.mark.parametrize("width", [400, 1280])
def test_what_a_waiting_table_tells_stands_together(visit: Opener, width: int) -> None:
    """Heading, sentence and seats follow each other: no empty space is shared out between them."""
    page = visit(viewport={"width": width, "height": 850})
    page.click("[data-game=manitou]")
    page.click("[data-start=open]")
    page.locator(".waiting").wait_for()
    settled(page)
    told = page.locator(".board > *").evaluate_all(EDGES_BELOW)
    assert max(below[0] - above[1] for above, below in pairwise(told)) <= 24


def test_a_free_seat_is_called_in_one_line(visit: Opener, player: Player) -> None:
    """On a phone, to somebody who sits beside it and may pass its address on."""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    table = player.post("tables", {"game": "manitou", "seats": seats})["table"]
    page = visit(f"#/tables/{table}", viewport={"width": 400, "height": 850}, locale="fr-FR")
    settled(page)
    page.click("[data-sit='2']")
    page.locator("dialog").get_by_role("button", name="S’asseoir ici").click()
    page.get_by_role("button", name="Se lever").wait_for()
    heights = page.locator(".waiting strong").evaluate_all("(names) => names.map((name) => name.offsetHeight)")
    assert max(heights) <= 30


@pytest.mark.parametrize("width", [400, 1280])
def test_the_figures_of_a_graph_can_be_read(visit: Opener, finished: dict[str, str], width: int) -> None:
    """A graph is drawn smaller on a phone, and its figures are not."""
    page = visit(f"#/tables/{finished['manitou']}", viewport={"width": width, "height": 850})
    page.locator(".event-list").wait_for(state="attached")
    if width == 400:
        page.click("[data-key=drawer]")
    page.click("#tab-figures")
    page.locator(".plot-text").first.wait_for()
    height = page.locator(".plot-text").first.evaluate("(text) => text.getBoundingClientRect().height")
    assert height >= 11
