"""Portraits: whoever sits somewhere has the same one everywhere, and the name beside it says who that is."""

from playwright.sync_api import Locator, expect

from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener
from tests.servers import wait_until

SHAPES = "node => [...node.querySelectorAll('.portrait-ground, .portrait-ink')].map(each => each.outerHTML)"
ALL_SHAPES = f"nodes => nodes.map({SHAPES})"


def shapes(portrait: Locator) -> list[str]:
    """What a portrait is made of, but for the mark of the seat."""
    found: list[str] = portrait.evaluate(SHAPES)
    return found


def test_i_have_one_portrait_everywhere(visit: Opener) -> None:
    """In the strip of seats, the log, the sheet of scores, the masthead and the lobby; an AI has another."""
    page = visit()
    sit_against_ai(page, "manitou", players=3)
    step(page)
    mine = shapes(page.locator(".seats .portrait").nth(0))
    others = shapes(page.locator(".seats .portrait").nth(1))
    assert len(mine) == 2
    assert "paint-machine" in others[0]
    assert len(others) == 4  # the wheel, and three pips for the third level
    wait_until(lambda: mine in page.locator(".event-by .portrait").evaluate_all(ALL_SHAPES))
    sheet = page.locator(".scores thead .portrait").evaluate_all(ALL_SHAPES)
    assert mine in sheet
    assert others in sheet
    assert shapes(page.locator("#masthead .portrait")) == mine
    page.click(".brand")
    row = page.locator(".list-mine .table-row").first
    assert shapes(row.locator(".portrait").nth(0)) == mine
    assert shapes(row.locator(".portrait").nth(1)) == others


def test_the_name_says_who_it_is(visit: Opener, address: str) -> None:
    """A portrait is not read aloud: buttons and seats are named as before."""
    page = visit()
    sit_against_ai(page, "tomahawk")
    expect(page.get_by_role("button", name="Guest", exact=True)).to_be_visible()
    assert page.locator(".portrait:not([aria-hidden=true])").count() == 0
    assert page.locator(".portrait").count() >= 4
