"""Signing out: several windows of one browser share an account, and the service may be out of reach."""

from playwright.sync_api import expect

from tests.browser.clicks import sit_against_ai
from tests.browser.conftest import Opener


def test_a_window_shows_no_hand_of_whom_another_has_signed_out(visit: Opener, address: str) -> None:
    """The window shows and acts for whoever is signed in at this browser now."""
    page = visit()
    sit_against_ai(page, "manitou")
    expect(page.locator(".own-cards .card").first).to_be_visible()
    other = page.context.new_page()
    other.on("dialog", lambda sure: sure.accept())
    other.goto(address)
    other.click("[data-key=leave]")
    expect(page.locator("[data-key=leave]")).to_have_count(0)
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator(".own-cards .card")).to_have_count(0)
    sit_against_ai(other, "tomahawk")
    expect(page.locator("[data-key=leave]")).to_be_visible()
    expect(page.locator(".moves.mine")).to_have_count(0)


def test_whoever_signs_out_offline_leaves_no_hand_behind(visit: Opener) -> None:
    """At once, and the page says that the service was not told."""
    page = visit()
    page.on("dialog", lambda sure: sure.accept())
    sit_against_ai(page, "manitou")
    expect(page.locator(".own-cards .card").first).to_be_visible()
    page.context.set_offline(True)
    page.click("[data-key=leave]")
    expect(page.locator(".own-cards .card")).to_have_count(0)
    expect(page.locator("[data-key=leave]")).to_have_count(0)
    expect(page.locator("dialog .refusal")).to_be_visible()
