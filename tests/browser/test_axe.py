"""axe-core finds no violation on any page, by day and by night."""

from collections.abc import Iterator

import pytest

from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import choose_party, menu, moment, sit_against_ai
from tests.browser.conftest import Opener
from tests.browser.first_view import READY
from tests.browser.test_disputes import SIZES, sign_in

PALE_BY_NIGHT = """<!doctype html><html lang="en"><title>Pale</title>
<style>body { background: white; color: black } @media (prefers-color-scheme: dark) { body { color: silver } }</style>
<main><h1>Pale by night</h1></main></html>"""

# Resolves when the page has heard of the address, so that nothing of the one before is in sight.
GO = """(address) => new Promise((there) => {
    addEventListener("hashchange", () => there(), { once: true });
    location.hash = address;
})"""


def test_colours_are_looked_at_by_night_too(visit: Opener) -> None:
    """Given words that only a dark page has too pale, axe names their contrast."""
    page = visit("docs/problems", **FOR_AXE)
    page.set_content(PALE_BY_NIGHT)
    assert [line.split(" ")[:2] for line in violations(page)] == [["dark:", "color-contrast:"]]


def test_no_violation(visit: Opener, finished: dict[str, str]) -> None:
    """Lobby, dialogs, a table before, during and after the game, its past, rulings and figures."""
    page = visit(**FOR_AXE)
    found: dict[str, list[str]] = {}
    page.locator(".game").first.wait_for()
    found["lobby"] = violations(page)
    page.click("[data-key=account]")
    found["name"] = violations(page)
    page.fill("dialog [name=name]", "Ann")
    page.click("[data-name=take]")
    page.locator(".player-id").wait_for()
    found["account"] = violations(page)
    page.keyboard.press("Escape")
    page.click("[data-game=manitou]")
    for summary in page.locator("dialog summary").all():
        summary.click()
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
    menu(page)
    found["menu"] = violations(page)
    page.click(".menu [data-key=what-is-what]")
    page.locator("dialog").wait_for()
    found["pieces"] = violations(page)
    page.keyboard.press("Escape")
    page.goto(page.url.split("#")[0] + "#/")
    sit_against_ai(page, "tomahawk")
    found["specials"] = violations(page)
    page.goto(page.url.split("#")[0] + "#/")
    sit_against_ai(page, "plenty-coups", level="uniform", players=3)
    page.locator(".tribes button.can").first.click()
    page.locator(".plains").wait_for()
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


def addresses(finished: dict[str, str], branch: str, player: str) -> Iterator[str]:
    """One of each page; of each game what is read of it, a table's start, a moment and the end, its analyses."""
    yield from ("settings", "sign-in", f"player/{player}", "player/p_none", "invitation/i_none", "tables/t_none")
    yield from ("played", "played?game=tomahawk&seats=2", f"played?player={player}", f"record/{branch}")
    for game, table in finished.items():
        yield from (f"rules/{game}", f"rulings/{game}", f"record/{table}")
        yield from (f"review/{table}", f"review/{table}?kind=luck")
        yield from (f"tables/{table}/1", f"tables/{table}/40?seat=1", f"tables/{table}")


@pytest.mark.parametrize("size", SIZES)
def test_no_violation_at_any_address(visit: Opener, finished: dict[str, str], branch: str, size: str) -> None:
    """Pages to read, pages about people and finished tables, in one visit; then tables on a phone."""
    page = visit(viewport=SIZES[size], **FOR_AXE)
    player = sign_in(page, "Ann").player
    found: dict[str, list[str]] = {}
    for at in addresses(finished, branch, player):
        if size == "phone" and not at.startswith("tables/"):
            continue
        page.evaluate(GO, f"#/{at}")
        page.locator(f"main {READY}, main article h1, main .no-table").first.wait_for()
        found[at] = violations(page)
    assert {at: lines for at, lines in found.items() if lines} == {}
