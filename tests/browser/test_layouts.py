"""How often the browser lays the page out for a move: each time costs a slow phone a moment in which nothing moves."""

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.clicks import prepare, settled, sit_against_ai, step
from tests.browser.conftest import Opener

MOST = 5  # for a move and the answers to it
PLAYERS = {"big-manitou": 2, "manitou": 2, "tomahawk": None, "plenty-coups": 3}
# Confirms, and waits for the next decision without asking how anything is laid out.
CONFIRM = """async () => {
    const found = (selector) => document.querySelector(selector);
    const { decision } = found(".moves").dataset;
    found("[data-confirm]").click();
    const waits = () => found(`.moves[data-decision='${decision}']`) || !found(".moves.mine, .ending")
        || found(".playing, .table-page[aria-busy=true]");
    do await new Promise((done) => setTimeout(done, 400)); while (waits());
}"""


@pytest.mark.parametrize("game", PLAYERS)
def test_a_move_is_laid_out_few_times(visit: Opener, game: str) -> None:
    """From Confirm until the table waits for the next decision, whatever AI players have done in between."""
    page = visit()
    page.evaluate("localStorage.setItem('wintercount.ask', 'yes')")
    sit_against_ai(page, game, players=PLAYERS[game])
    step(page)
    assert min(layouts(page) for _ in range(3)) <= MOST


def layouts(page: Page) -> int:
    """How often a move that is made now, with the answers to it, lays the page out."""
    expect(page.locator(".moves.mine")).to_be_visible()
    settled(page)
    prepare(page)
    page.mouse.move(1, 1)
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable")
    before = counted(wire)
    page.evaluate(CONFIRM)
    return counted(wire) - before


def counted(wire: CDPSession) -> int:
    """How often the page was laid out so far."""
    metrics = wire.send("Performance.getMetrics")["metrics"]
    return next(int(found["value"]) for found in metrics if found["name"] == "LayoutCount")
