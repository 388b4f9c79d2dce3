"""The turn is in sight: at each decision the prompt, one's cards, the places for them and Confirm are on the screen.

In short one number of seats a game, a laptop or a phone, some decisions; `make trust` plays whole games of all.
"""

import pytest
from playwright.sync_api import Locator

from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener
from tests.browser.sight import out_of_sight

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 400, "height": 850}
SHORT = [("big-manitou", 5, 1280), ("manitou", 4, 400), ("tomahawk", 2, 400), ("plenty-coups", 6, 1280)]
SOME = 8
TOUCHED = {"has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(("game", "seats", "width"), SHORT)
def test_the_turn_is_in_sight(visit: Opener, game: str, seats: int, width: int) -> None:
    """At some decisions and behind each pick, against random players; on a phone the game is played by touch."""
    look_on(visit, game, seats, PHONE if width == PHONE["width"] else LAPTOP, SOME)


def look_on(visit: Opener, game: str, seats: int, screen: dict[str, int], decisions: int) -> bool:
    """Takes so many decisions, and looks at each; whether the game ended with them."""
    page = visit(viewport=screen, reduced_motion="reduce", **(TOUCHED if screen is PHONE else {}))
    sit_against_ai(page, game, level="uniform", players=seats)
    for _ in range(decisions):
        page.locator(".moves.mine, .ending").first.wait_for()
        if page.locator(".ending").count():
            return True
        step(page, in_sight if screen is LAPTOP else touched)
    return False


def in_sight(button: Locator) -> None:
    """Presses a button, if nothing of the decision has to be scrolled to."""
    assert out_of_sight(button.page) == []
    button.click()


def touched(button: Locator) -> None:
    """The same by touch."""
    assert out_of_sight(button.page) == []
    button.tap()
