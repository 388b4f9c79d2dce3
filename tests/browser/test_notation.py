"""A table's notation is shown, and copied."""

import pytest
from playwright.sync_api import Page, expect

from rulings.notation import parse, replay
from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player

WORDS = {"en-GB": ("More", "Notation", "Copy", "Copied"), "fr-FR": ("Plus", "Texte de la partie", "Copier", "Copié")}


def shown(page: Page, menu: str, name: str) -> str:
    """The text in the dialog that the menu opens."""
    page.locator(".menu summary", has_text=menu).first.click()
    page.get_by_role("button", name=name, exact=True).click()
    return page.locator("dialog textarea").input_value()


@pytest.mark.parametrize("locale", WORDS)
def test_a_finished_game_is_copied_as_a_text_that_replays(visit: Opener, finished: dict[str, str], locale: str) -> None:
    """In both languages; what is in the clipboard is what is shown, and leads to the end of the game."""
    menu, name, copy, copied = WORDS[locale]
    page = visit(f"#/tables/{finished['tomahawk']}", locale=locale, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".winners").wait_for()
    text = shown(page, menu, name)
    page.get_by_role("button", name=copy, exact=True).click()
    expect(page.get_by_role("button", name=copied, exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    played = replay(parse(text))
    assert played.game.to_act(played.state) == ()


def test_a_running_game_is_shown_as_its_reader_knows_it(visit: Opener, player: Player) -> None:
    """A spectator reads no move that was not told; axe finds nothing; Escape closes the dialog."""
    opening = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
    table = player.post("tables", opening)["id"]
    page = visit(f"#/tables/{table}", **FOR_AXE)
    page.locator(".table-head").wait_for()
    text = shown(page, "More", "Notation")
    assert text.startswith("[Format 1]")
    assert "choose_party" not in text
    expect(page.locator("dialog")).to_contain_text("as far as you may know it")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
