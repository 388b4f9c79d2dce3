"""axe-core finds no violation on any page, by day and by night."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.clicks import choose_party, moment, sit_against_ai
from tests.browser.conftest import Opener

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => (await axe.run()).violations.map(
    found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 160) + node.failureSummary).join(' | ')}`
)"""


def violations(page: Page) -> list[str]:
    """What axe-core objects to, a line each."""
    page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN)
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_violation(visit: Opener, finished: dict[str, str], theme: str) -> None:
    """Lobby, dialog, a table before, during and after the game, its past, rulings and figures."""
    # Trusted Types would refuse axe-core's own innerHTML; the page itself is tested with them everywhere else.
    page = visit(color_scheme=theme, bypass_csp=True, reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    page.locator(".game").first.wait_for()
    found["lobby"] = violations(page)
    page.click("[data-game=manitou]")
    page.locator("dialog").wait_for()
    found["dialog"] = violations(page)
    page.click("[data-start=open]")
    page.locator(".waiting").wait_for()
    found["waiting"] = violations(page)
    page.goto(page.url.split("#")[0] + "#/")
    sit_against_ai(page, "big-manitou")
    found["choosing"] = violations(page)
    choose_party(page)
    page.locator(".heap-hand button.can").first.click()
    found["playing"] = violations(page)
    page.goto(page.url.split("#")[0] + "#/")
    sit_against_ai(page, "tomahawk")
    found["specials"] = violations(page)
    page.goto(page.url.split("#")[0] + "#/")
    sit_against_ai(page, "plenty-coups", level="uniform", players=3)
    page.locator(".tribes button.can").first.click()
    page.locator(".camps").wait_for()
    found["camps"] = violations(page)
    for game, table in finished.items():
        moment(page, table, "90")
        found[game] = violations(page)
    page.click("#tab-rulings")
    page.click("[data-key=ruling-later]")
    page.locator(".ruling-card").wait_for()
    found["ruling"] = violations(page)
    page.click("#tab-figures")
    page.locator(".plot").wait_for()
    found["figures"] = violations(page)
    assert {name: lines for name, lines in found.items() if lines} == {}
