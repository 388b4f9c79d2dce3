"""Whole games by clicks, by keys alone and by touch on a phone; at each decision everything that it needs is in sight.

`make test-browser` plays each game by clicks, and Tomahawk, which is short, in each way; `make trust` plays all.
"""

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from games import GAMES
from tests.browser.clicks import Press, sit_against_ai, step
from tests.browser.conftest import Opener
from tests.browser.sight import out_of_sight
from tests.browser.test_sight import LAPTOP, PHONE, TOUCHED, in_sight, touched
from tests.long import long_but_for

SHORT = "tomahawk"
MOST_DECISIONS = 400
MOST_TABS = 250

WON = re.compile("^(Won by|You have won)")
IS_FOCUSED = "key => document.activeElement?.dataset.key === key"


def keyed(button: Locator) -> None:
    """Tab until the button has the focus, then Enter: nothing is pointed at."""
    assert out_of_sight(button.page) == []
    page = button.page
    focusable = button.or_(button.locator("> .lay")).last  # a place has a button for the keyboard
    key = focusable.get_attribute("data-key")  # what is drawn anew meanwhile keeps its key
    assert key is not None
    for _ in range(MOST_TABS):
        if page.evaluate(IS_FOCUSED, key):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {key}")


WAYS: dict[str, tuple[Press, dict[str, Any]]] = {
    "clicks": (in_sight, {"viewport": LAPTOP}),
    "keys": (keyed, {"viewport": LAPTOP}),
    "touch": (touched, {"viewport": PHONE} | TOUCHED),
}


def is_short(played: tuple[str, str]) -> bool:
    """Whether `make test-browser` plays it."""
    game, way = played
    return way == "clicks" or game == SHORT


@pytest.mark.parametrize("played", long_but_for(is_short, itertools.product(GAMES, WAYS)))
def test_a_whole_game(visit: Opener, played: tuple[str, str]) -> None:
    """From the lobby to the ranking, with the fewest seats that the game has."""
    game, way = played
    press, screen = WAYS[way]
    page = visit(**screen)
    sit_against_ai(page, game, level="uniform", players=min(GAMES[game].players))
    for _ in range(MOST_DECISIONS):
        step(page, press)
        if page.locator(".ending").count():
            break
    expect(page.locator(".finale h2")).to_contain_text(WON)
    expect(page.locator(".finale .ranking li")).to_have_count(min(GAMES[game].players))
    expect(page.locator(".winners")).to_contain_text("Won by")
    expect(page.locator(".scores tr.figure-total td")).to_have_count(min(GAMES[game].players))
