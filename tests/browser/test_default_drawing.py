"""A game that an installed package brings, and that the page has never heard of, is drawn and played all the same."""

import os
import re
from pathlib import Path

import requests
from playwright.sync_api import expect

from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener
from tests.goofspiel import INSTALLED

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"^Hands: \d+$")  # a card of one's hand, as those hear it who do not see it


def test_an_unknown_game_is_played_to_its_end(visit: Opener) -> None:
    """Its view as facts and rows, its moves by keys and clicks, its end with the ranking; axe finds nothing."""
    with hosts.service(PYTHONPATH=os.pathsep.join((str(INSTALLED), str(ROOT)))) as address:
        page = visit(base=address, **FOR_AXE)
        sit_against_ai(page, "goofspiel", level="uniform", players=2)
        expect(page.locator("h1")).to_have_text("Goofspiel")
        expect(page.get_by_role("region", name="Hands")).to_be_visible()
        assert violations(page) == []
        expect(page.locator(".board button.piece")).to_have_count(0)  # what is bid lies in the hand alone
        expect(page.get_by_role("region", name="Bids").get_by_role("listitem")).to_contain_text(["Guest", "Random"])
        card = page.get_by_role("button", name=NAMED).first
        card.focus()
        before = page.get_by_role("button", name=NAMED).count()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=NAMED)).to_have_count(before - 1)
        for _ in range(8):  # the last card is laid by itself
            step(page)
        page.locator(".game-end h2").wait_for()
        table = requests.get(f"{address}v1/tables/{page.url.rsplit('/', 1)[1]}", timeout=60).json()
        assert ("won" in page.locator(".game-end h2").inner_text().lower()) is (len(table["scores"]["winners"]) == 1)
        expect(page.locator(".plain-part h2").first).to_be_visible()
        assert violations(page) == []
        page.goto("about:blank")
