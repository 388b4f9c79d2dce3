"""Names that people give: as long as they may be, without a space, from right to left, and such as nobody expects."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.hosts import Player, play_together

LONG = "Wilhelmina-Konstantinopolitanowska-Maria"
ARABIC = "\u0639\u0628\u062f \u0627\u0644\u0631\u062d\u0645\u0646 (3) \u0645\u062d\u0645\u062f, 7"
ODD = "<b>&amp;'\"%s{0}\U0001f9d1\U0001f680 \u00e1\u0301\u0301"
NAMES = (LONG, ARABIC, ODD)
PHONE: dict[str, Any] = {"viewport": {"width": 400, "height": 850}}
TOO_WIDE = """[...document.querySelectorAll("main *, dialog *")]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    .filter(one => !one.closest(".scroller, .unseen, svg, .kinds, .choices, .help-bubble, .tray-line"))
    .map(one => one.outerHTML.slice(0, 200))
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page"] : [])"""
ISOLATED = "\u2068{}\u2069"


@pytest.fixture(scope="module")
def named(address: str) -> tuple[str, Player]:
    """A finished table of Manitou of three people with such names, and the first of them."""
    players = [Player(address, name) for name in NAMES]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in players[1:])]
    table: str = players[0].post("tables", {"game": "manitou", "seats": seats})["id"]
    for number, player in enumerate(players[1:], 2):
        player.post(f"tables/{table}/seats/{number}", {})
    while play_together(players, table):
        pass
    return table, players[0]


def too_wide(page: Page) -> list[str]:
    """What reaches beyond the screen, but for what may be scrolled sideways."""
    found: list[str] = page.evaluate(TOO_WIDE)
    return found


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_names_do_not_break_a_phone(visit: Opener, named: tuple[str, Player], language: str) -> None:
    """Lobby with its filters, the end with its ranking, score sheet, log, menu, the record with a branch."""
    table, owner = named
    branch = owner.post(f"tables/{table}/forks", {"version": 40})["id"]
    page = visit("#/?player=Wilhelm", locale=language, **PHONE)
    expect(page.locator(".table-row").first).to_contain_text(LONG)
    assert too_wide(page) == [], "lobby"
    page.goto(f"{page.url.split('#')[0]}#/tables/{table}")
    expect(page.locator(".ranking li")).to_have_count(3)
    for name in (ISOLATED.format(ARABIC), ISOLATED.format(ODD), LONG):
        assert name in page.locator(".ranking").inner_text()
    assert too_wide(page) == [], "end"
    page.click("[data-key=game-end-close]")
    page.click("[data-key=drawer]")
    expect(page.locator(".event .person").first).to_be_visible()
    assert too_wide(page) == [], "log and scores"
    page.click("[data-key=drawer]")
    page.click(".menu > summary")
    expect(page.locator(".menu-list")).to_be_visible()
    assert too_wide(page) == [], "menu"
    page.click("[data-key=record]")
    page.locator(f"[data-branch={branch}] summary").click()
    expect(page.locator(f"[data-branch={branch}] table")).to_be_visible()
    assert too_wide(page) == [], "record with its branches"
