"""A table's record shows its notation, to be copied."""

import pytest
from playwright.sync_api import Page, expect

from rulings.notation import parse, replay
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import menu
from tests.browser.conftest import Opener
from tests.browser.hosts import Player

WORDS = {"en-GB": ("Copy", "Copied"), "fr-FR": ("Copier", "Copié")}


def shown(page: Page) -> str:
    """The text in the record that the menu leads to."""
    menu(page)
    page.click("[data-key=record]")
    return page.locator(".notation").input_value()


@pytest.mark.parametrize("locale", WORDS)
def test_a_finished_game_is_copied_as_a_text_that_replays(visit: Opener, finished: dict[str, str], locale: str) -> None:
    """In both languages; what is in the clipboard is what is shown, and leads to the end of the game."""
    copy, copied = WORDS[locale]
    page = visit(f"#/tables/{finished['tomahawk']}", locale=locale, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".winners").wait_for()
    text = shown(page)
    page.get_by_role("button", name=copy, exact=True).click()
    expect(page.get_by_role("button", name=copied, exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    played = replay(parse(text))
    assert played.game.to_act(played.state) == ()


def test_a_running_game_is_shown_as_its_reader_knows_it(visit: Opener, player: Player) -> None:
    """A spectator reads no move that was not told; the record of a running game holds; axe finds nothing."""
    opening = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
    table = player.post("tables", opening)["id"]
    page = visit(f"#/tables/{table}", **FOR_AXE)
    page.locator(".table-head").wait_for()
    text = shown(page)
    assert text.startswith("[Format 1]")
    assert "choose_party" not in text
    expect(page.locator(".record")).to_contain_text("as far as you may know it")
    expect(page.locator(".verdict.good")).to_be_visible()
    assert violations(page) == []
