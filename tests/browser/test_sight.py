"""The turn is in sight: at each decision prompt, seats and scores, one's cards, the places for them, and Confirm.

In short one number of seats a game, on a laptop and a phone, some decisions; `make trust` plays whole games of all.
"""

import pytest
from playwright.sync_api import Locator

from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener
from tests.browser.sight import out_of_sight

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 400, "height": 850}
SEATS = {"big-manitou": 5, "manitou": 4, "tomahawk": 2, "plenty-coups": 6}
SOME = 6
TOUCHED = {"has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("game", SEATS)
def test_the_turn_is_in_sight(visit: Opener, game: str, screen: dict[str, int]) -> None:
    """At some decisions and behind each pick, against random players; on a phone the game is played by touch."""
    page = visit(viewport=screen, **(TOUCHED if screen is PHONE else {}))
    sit_against_ai(page, game, level="uniform", players=SEATS[game])
    for _ in range(SOME):
        page.locator(".moves.mine").wait_for()
        step(page, in_sight if screen is LAPTOP else touched)


def in_sight(button: Locator) -> None:
    """Presses a button, if nothing of the decision has to be scrolled to."""
    assert out_of_sight(button.page) == []
    button.click()


def touched(button: Locator) -> None:
    """The same by touch."""
    assert out_of_sight(button.page) == []
    button.tap()
