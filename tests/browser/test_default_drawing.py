"""A game that an installed package brings, and that the page has never heard of, is drawn and played all the same."""

import os
from pathlib import Path

import requests
from playwright.sync_api import expect

from tests import fifth
from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener

INSTALLED = Path(fifth.__file__).parent / "installed"
WON = {True: "You have won", False: "Won by Random"}
ROOT = Path(fifth.__file__).parents[2]


def test_an_unknown_game_is_played_to_its_end(visit: Opener) -> None:
    """Its view as facts and rows, its moves as buttons, its end with the ranking; axe finds nothing."""
    with hosts.service(PYTHONPATH=os.pathsep.join((str(INSTALLED), str(ROOT)))) as address:
        page = visit(base=address, **FOR_AXE)
        sit_against_ai(page, "fifth", level="uniform", players=2)
        expect(page.locator("h1")).to_have_text("Fifth")
        expect(page.locator(".stage")).to_contain_text("Own")
        expect(page.locator(".kind")).to_have_text(["Keep", "Swap"])
        assert violations(page) == []
        step(page)
        page.locator(".finale h2").wait_for()
        table = requests.get(f"{address}v1/tables/{page.url.rsplit('/', 1)[1]}", timeout=60).json()
        assert page.locator(".finale h2").inner_text() == WON[table["scores"]["winners"] == [1]]
        expect(page.locator(".plain-part h2").first).to_be_visible()
        assert violations(page) == []
        page.goto("about:blank")
