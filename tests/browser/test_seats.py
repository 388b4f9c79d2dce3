"""The bars of the seats: what each seat has, who acts now and who is next."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.clicks import menu, moment, sit_against_ai, step
from tests.browser.conftest import Opener

FIGURES = {  # what a bar tells of a seat's scores
    "big-manitou": {"bison_points": "bison", "tipi_points": "tipis"},
    "manitou": {"buffalo": "buffalo"},
    "tomahawk": {"scalps": "scalps"},
    "plenty-coups": {},
}
IN_PLAY = {"big-manitou": 100, "manitou": 60, "tomahawk": 60, "plenty-coups": 120}
PHONE = {"width": 400, "height": 850}


@pytest.mark.parametrize("game", FIGURES)
def test_a_bar_tells_what_its_seat_has(visit: Opener, finished: dict[str, str], game: str) -> None:
    """Cards in hand, total and what decides the game, in words too; on a phone no bar is off screen."""
    page = visit(viewport=PHONE)
    table = table_at(page, finished[game], IN_PLAY[game])
    bars = page.locator(".box-seats .seat")
    expect(bars).to_have_count(len(table["seats"]))
    for bar, row in zip(bars.all(), table["scores"]["scores"], strict=True):
        expect(bar.get_by_label(f"total: {row['total']}", exact=True)).to_be_in_viewport(ratio=1)
        for figure, words in FIGURES[game].items():
            expect(bar.get_by_label(f"{words}: {row[figure]}", exact=True)).to_be_in_viewport(ratio=1)
        expect(bar.get_by_label("in hand")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("game", ["big-manitou", "manitou", "plenty-coups"])
def test_who_acts_and_who_is_next(visit: Opener, finished: dict[str, str], game: str) -> None:
    """The next seat is marked beside the one to act; a past moment, and a game that is over, wait for nobody."""
    page = visit()
    sit_against_ai(page, game, level="uniform", players=3)
    step(page)
    expect(page.locator(".moves.mine")).to_be_visible()
    expect(page.locator(".box-seats [data-seat='1']")).to_contain_text("deciding")
    expect(page.locator(".box-seats [data-seat='2']")).to_contain_text("next")
    expect(page.locator(".box-seats .seat").filter(has_text="next")).to_have_count(1)
    page.on("dialog", lambda asked: asked.accept())
    menu(page)
    page.click("[data-key=leaving-resign]")
    expect(page.locator(".ending")).to_be_visible()
    expect(page.locator(".box-seats :is(.acts, .badge)")).to_have_count(0)
    table_at(page, finished[game], IN_PLAY[game])
    expect(page.locator(".box-seats .seat-total").first).to_be_visible()
    expect(page.locator(".box-seats :is(.acts, .badge)")).to_have_count(0)


def table_at(page: Page, table: str, version: int) -> Any:
    """Goes to the first moment from a version on at which a card is laid or an action taken; the table then."""
    asked = "([table, at]) => fetch(`/v1/tables/${table}?at=${at}`).then((answer) => answer.json())"
    for at in range(version, version + 100):
        found = page.evaluate(asked, [table, at])
        view = found["view"]
        if view["to_act"] and found["decisions"] and view["phase"] in ("play", "play_cards", "actions"):
            moment(page, table, str(at))
            return found
    raise AssertionError(version)
