"""Whole games by clicks, by keys alone and by touch on a phone; at each decision everything that it needs is in sight:
the prompt, seats and scores, one's cards, the places for them, and Confirm.

`make test-browser` plays some decisions at a table of many seats, each game by clicks, and Tomahawk, which is short, in
each way; `make trust` plays all.
"""

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games import GAMES
from tests.browser.clicks import Press, sit_against_ai, step
from tests.browser.conftest import Opener, at_rest
from tests.long import long_but_for

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 400, "height": 850}
SEATS = {"big-manitou": 5, "manitou": 4, "tomahawk": 2, "plenty-coups": 6}
SOME = 6
TOUCHED = {"has_touch": True, "is_mobile": True}
SHORT = "tomahawk"
MOST_DECISIONS = 400
MOST_TABS = 250

WON = re.compile("^(Won by|You have won)")
IS_FOCUSED = "key => document.activeElement?.dataset.key === key"


# Wholly inside the window and inside every box that scrolls or cuts off what it holds.
OUT_OF_SIGHT = """() => {
    const inside = (rect, box) => rect.left >= box.left - 1 && rect.top >= box.top - 1
        && rect.right <= box.right + 1 && rect.bottom <= box.bottom + 1;
    const seen = (node) => {
        const rect = node.getBoundingClientRect();
        if (!inside(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return false;
        for (let box = node.parentElement; box; box = box.parentElement) {
            const open = getComputedStyle(box).overflow === "visible";
            if (!open && !inside(rect, box.getBoundingClientRect())) return false;
        }
        return true;
    };
    const found = [];
    const look = (name, nodes) => [...nodes].forEach((node, index) => seen(node) || found.push(`${name} ${index}`));
    look("prompt", document.querySelectorAll(".moves.mine .prompt h2"));
    look("card of the hand", document.querySelectorAll(".own-cards section .card, .own-cards section .tile"));
    look("seat and its score", document.querySelectorAll(".box-seats summary, .box-seats .seat-total"));
    look("confirm", document.querySelectorAll("[data-confirm]"));
    look("word to pick", document.querySelectorAll(".kind, .choice"));
    look("card to pick", document.querySelectorAll("button.piece.can"));
    look("place", document.querySelectorAll(".target.can"));
    const wider = (node, by = 1) => node.scrollWidth > node.clientWidth + by;
    if (document.scrollingElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
    const head = [...document.querySelectorAll(".table-head h1, .stage")];
    if (head.some((box) => wider(box))) found.push("the head is cut off");
    document.querySelectorAll(".box-score").forEach((box) => wider(box) && found.push("the scores are cut off"));
    const lines = [...document.querySelectorAll(".seat-more > summary")].filter((line) => wider(line, 4));
    lines.forEach((line) => found.push(`a seat's line is cut off: ${line.textContent}`));
    return found;
}"""


def out_of_sight(page: Page) -> list[str]:
    """The parts of the open decision that one would have to scroll to, and what else is cut off or hidden."""
    return at_rest(page, OUT_OF_SIGHT)


def in_sight(button: Locator) -> None:
    """Presses a button, if nothing of the decision has to be scrolled to."""
    assert out_of_sight(button.page) == []
    button.click()


def touched(button: Locator) -> None:
    """The same by touch."""
    assert out_of_sight(button.page) == []
    button.tap()


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


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("game", SEATS)
def test_the_turn_is_in_sight(visit: Opener, game: str, screen: dict[str, int]) -> None:
    """At some decisions and behind each pick, against random players; on a phone the game is played by touch."""
    page = visit(viewport=screen, **(TOUCHED if screen is PHONE else {}))
    sit_against_ai(page, game, level="uniform", players=SEATS[game])
    for _ in range(SOME):
        page.locator(".moves.mine").wait_for()
        step(page, in_sight if screen is LAPTOP else touched)


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
    expect(page.locator(".game-end h2")).to_contain_text(WON)
    expect(page.locator(".game-end .ranking li")).to_have_count(min(GAMES[game].players))
    expect(page.locator(".winners")).to_contain_text("Won by")
    expect(page.locator(".scores tr.figure-total td")).to_have_count(min(GAMES[game].players))
