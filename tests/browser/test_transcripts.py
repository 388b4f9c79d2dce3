"""A game is loaded from a text, and looked at as a table that no record proves."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.corpus import text_of

WORDS = {
    "en-GB": ("Load a game", "Show it", "Transcribed: no record proves it", "line 1, column 1"),
    "fr-FR": ("Charger une partie", "La montrer", "Transcrite : rien ne la prouve", "ne peut être chargé"),
}


@pytest.mark.parametrize("locale", WORDS)
def test_a_pasted_game_is_shown(visit: Opener, locale: str) -> None:
    """In both languages: what is no game is refused where it stands; a game has its timeline, and is marked."""
    load, show, marked, refused = WORDS[locale]
    page = visit(locale=locale, **(FOR_AXE if locale == "en-GB" else {}))
    page.get_by_role("button", name=load, exact=True).click()
    text = page.locator("dialog textarea")
    text.fill("1. 1: pass_turn")
    page.get_by_role("button", name=show, exact=True).click()
    expect(page.locator("dialog .refusal")).to_contain_text(refused)
    if locale == "en-GB":
        assert violations(page) == []
    text.fill(text_of("manitou-2-taken-back"))
    page.get_by_role("button", name=show, exact=True).click()
    expect(page.locator(".transcribed")).to_have_text(marked)
    page.locator(".winners").wait_for()
    expect(page.locator("input[type=range]:not([name=volume])").first).to_be_visible()
    address = page.evaluate("location.hash")
    page.evaluate("hash => { location.hash = hash }", f"{address}/40?seat=2")
    expect(page.locator("select[data-key=eyes]")).to_have_value("2")
    expect(page.locator(".table-page[aria-busy=false]")).to_be_visible()


def test_a_file_is_loaded_and_its_variations_are_branches(visit: Opener, tmp_path: Path) -> None:
    """One that ends before the game does says so; what was loaded is found again, and deleted."""
    file = tmp_path / "game.txt"
    file.write_text(text_of("manitou-2-taken-back"))
    page = visit()
    page.get_by_role("button", name="Load a game").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("dialog textarea")).to_have_value(file.read_text())
    page.get_by_role("button", name="Show it").click()
    page.locator(".transcribed").wait_for()
    table = page.evaluate("location.hash").split("/")[2]
    page.evaluate("hash => { location.hash = hash }", f"#/tables/{table}-1")
    expect(page.locator(".waiting-for")).to_have_text("The text ends here, before the game does.")
    expect(page.locator(".table-head")).to_contain_text("Play on")
    page.evaluate("location.hash = '#/'")
    page.get_by_role("button", name="Load a game").click()
    page.locator("dialog summary").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("dialog li")).to_have_count(0)
