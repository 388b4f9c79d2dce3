"""Sounds at the table: none until they are chosen, then one for a card, a trial, a prize, the end."""

from playwright.sync_api import Page, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import menu, sit_against_ai, step, wait_until_so
from tests.browser.conftest import Opener

HEARD = """
window.heard = [];
window.OscillatorNode = class extends OscillatorNode {
  constructor(context, options) { super(context, options); heard.push(options.frequency); }
};
"""
KNOCK = [196, 98]  # Hz, of a card that is laid
ENDS = [392, 494, 587, 784]
MOST_STEPS = 6


def sit_down(page: Page, game: str) -> None:
    """At a table whose sounds are written down."""
    page.add_init_script(HEARD)
    page.reload()
    sit_against_ai(page, game, players=2)


def test_a_card_is_heard_once_sounds_are_chosen(visit: Opener) -> None:
    """The choice stands in the menu of a table, with its volume, and is heard at once; a reload keeps it."""
    page = visit(**FOR_AXE)
    sit_down(page, "manitou")
    step(page)
    assert page.evaluate("heard") == []
    menu(page)
    page.check(".menu [name=table]")
    page.locator(".menu [name=volume]").focus()
    page.keyboard.press("ArrowLeft")
    assert violations(page) == []
    assert page.evaluate("JSON.parse(localStorage['wintercount.calling'])") == {
        "sound": False,
        "notice": False,
        "table": True,
        "volume": 0.4,
    }
    page.reload()
    for _ in range(MOST_STEPS):  # what a card brings about may be more telling than the card
        page.locator(".moves.mine").wait_for()
        page.evaluate("heard.length = 0")
        step(page)
        wait_until_so(page, "heard.length")
        if KNOCK[0] in page.evaluate("heard"):
            break
    assert page.evaluate("heard").count(KNOCK[0]) >= 1


def test_the_end_is_heard_alone(visit: Opener) -> None:
    """With reduced motion several events are one drawing: of them the most telling is heard."""
    page = visit()
    sit_down(page, "tomahawk")
    page.evaluate("localStorage['wintercount.calling'] = JSON.stringify({ table: true })")
    for _ in range(40):
        page.locator(".moves.mine, .ending").first.wait_for()
        if page.locator(".ending").count():
            break
        page.evaluate("heard.length = 0")
        step(page)
    expect(page.locator(".game-end")).to_be_visible()
    assert page.evaluate("heard")[-len(ENDS) :] == ENDS
