"""Clocks on the page: chosen in plain words, going on in each seat's line, and what is done when one has run out."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.hosts import Player

WORDS = {
    "en": ("5:00 for the game, plus 5 s per decision", "3 days per decision"),
    "fr": ("5:00 pour la partie, plus 5 s par décision", "3 jours par décision"),
}
RUNS = re.compile(r"^\d:\d\d$")


def sit_down(page: Page, player: Player, clock: dict[str, object]) -> None:
    """The page's person sits down at a table that the player has opened; the game begins."""
    table = player.post("tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": clock})
    page.goto(f"{player.address}#/tables/{table['id']}")
    page.click("[data-sit='2']")
    page.fill("dialog [name=name]", "Ann")
    page.keyboard.press("Enter")
    expect(page.locator(".seat")).to_have_count(2)


@pytest.mark.parametrize("language", WORDS)
def test_a_clock_is_chosen_in_plain_words(visit: Opener, language: str) -> None:
    """The table says the same; only the person's own seat has a clock, and it goes on."""
    page = visit(locale=language)
    page.click("[data-key=play-manitou]")
    page.click(".more-choices > summary")
    chooser = page.locator("[name=clock]")
    for words in WORDS[language]:
        expect(chooser.locator("option", has_text=words)).to_have_count(1)
    chooser.select_option(label=WORDS[language][0])
    page.click("[data-start=ai]")
    clock = page.locator(".seat-clock")
    expect(clock).to_have_count(1)
    expect(clock).to_have_text(RUNS)
    shown = clock.inner_text()
    expect(clock).not_to_have_text(shown)


def test_whoever_waits_is_asked_when_a_time_is_over(visit: Opener, player: Player) -> None:
    """Both have run out of time: the page offers to wait for the other, or to let an AI play on; then it does."""
    page = visit()
    sit_down(page, player, {"kind": "decision", "decision_s": 5})
    expect(page.locator(".notice-row", has_text="Bea has run out of time")).to_be_visible()
    expect(page.locator(".notice-row", has_text="Your time is up")).to_be_visible()
    page.click("[data-key=wait-1]")
    expect(page.locator("[data-key=wait-1]")).to_have_count(0)
    expect(page.locator("[data-key=handover-1]")).to_be_visible()
    page.click("[data-key=handover-1]")
    expect(page.locator(".seat").first).to_contain_text("Steady")
