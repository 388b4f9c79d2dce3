"""The end of a game: ranking, what each total is made of, the largest swings, and what can be done then."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener

MOST = 40
# All in one go: between two questions what was asked for may have been drawn anew, and is nowhere then.
EDGES = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  return [box(".game-end .ranking li:last-child").bottom, box(".game-end").bottom, box(".box-time").top];
}"""
SHARED = "() => { window.shared = []; navigator.share = async (what) => { shared.push(what.url); }; }"


def play_out(page: Page) -> None:
    """Plays until the game is over."""
    for _ in range(MOST):
        page.locator(".moves.mine, .ending").first.wait_for()
        if page.locator(".ending").count():
            return
        step(page)
    raise AssertionError("the game does not end")


def test_the_end_tells_how_it_came_about(visit: Opener, finished: dict[str, str]) -> None:
    """Of each game: totals as the sum of their parts; the largest swings on request, each leading to its moment."""
    page = visit(**FOR_AXE)
    for game, table in finished.items():
        page.goto(f"{page.url.split('#')[0]}#/tables/{table}")
        expect(page.locator(f".game-end .scene-{game}")).to_be_visible()
        rows = page.locator(".game-end .ranking li")
        expect(rows.first).to_have_class(re.compile("first"))
        for row in rows.all():
            parts = row.locator(".made-of").inner_text()
            total = int(row.locator(".ranked-total").inner_text())
            signed = re.sub(r"\([^)]*\)", "", parts).replace("−", "-")
            assert sum(int(sign + number) for sign, number in re.findall(r"(-?) ?(\d+)", signed)) == total, parts
    assert violations(page) == []
    page.locator("[data-key=look-back]").click()
    expect(page.locator(".turns .hint")).to_contain_text(
        "+5 means that the player gained 5 points on the strongest opponent."
    )
    page.locator(".turns li a").first.click()
    expect(page.locator(".game-end")).to_have_count(0)
    expect(page.locator(".timeline.past")).to_be_visible()


def test_the_table_can_be_seen_behind_the_end(visit: Opener, finished: dict[str, str]) -> None:
    """Put away and taken up again; the timeline leads to the beginning."""
    page = visit(f"#/tables/{finished['tomahawk']}")
    page.locator("[data-key=game-end-close]").click()
    expect(page.locator(".game-end")).to_have_count(0)
    page.locator("[data-key=game-end-open]").click()
    expect(page.locator(".game-end")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".version")).to_contain_text("1 / ")


def test_another_game_is_a_click_away_with_the_seats_turned(visit: Opener) -> None:
    """After a game that ended before one's eyes the largest swings are there; the link is shared; then once more."""
    page = visit()
    page.evaluate(SHARED)
    sit_against_ai(page, "tomahawk", level="uniform")
    play_out(page)
    expect(page.locator(".turns li, .turns .empty").first).to_be_visible()
    page.locator("[data-key=ending-share]").click()
    assert page.evaluate("shared") == [page.url]
    former = page.url
    page.locator("[data-key=rematch]").click()
    expect(page).not_to_have_url(former)
    expect(page.locator(".seat").nth(1)).to_contain_text("You")
    expect(page.locator(".seat").nth(0)).to_contain_text("Random")
