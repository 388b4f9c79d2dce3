"""The first minute: from a browser that knows nothing to a first card, a friend, and what was played."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener

MOST_CLICKS = 5
# What is pressed after the table is open, until a first card is laid or taken.
FIRST_CARD = {
    "big-manitou": ["[data-confirm]", ".heap-hand button.can", "button.lay.can"],
    "manitou": ["[data-confirm]", ".heap-hand button.can", "button.lay.can"],
    "tomahawk": ["[data-confirm]", ".heap-hand button.can", "button.lay.can"],
    "plenty-coups": [".tribes button.can", "[data-confirm]", ".display button.can"],
}


@pytest.mark.parametrize("game", FIRST_CARD)
def test_a_first_card_lies_after_five_clicks(
    visit: Opener, game: str, record_property: Callable[[str, object], None]
) -> None:
    """Nobody is asked for a name; a party is suggested, and one click takes it."""
    page = visit()
    clicks = [f"[data-game={game}]", "[data-start=ai]", *FIRST_CARD[game]]
    for each in clicks:
        page.locator(each).first.click()
    expect(page.locator("button.piece.picked, .box-board .since").first).to_be_visible()
    record_property(f"Clicks to a first card, {game}", len(clicks))
    assert len(clicks) <= MOST_CLICKS
