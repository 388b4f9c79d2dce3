"""Games played and ratings in the page: the list with its filters, leaders, a level's ratings, and a casual table."""

import re
from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player
from tests.servers import wait_until

FIRST = re.compile(r"(1658|1500) ± 484 \(provisional\)")  # after one game: that of the winner, or of both in a tie
LEVELS = [{"kind": "ai", "level": "uniform"}, {"kind": "ai", "level": "greedy"}]


@pytest.fixture
def address() -> Iterator[str]:
    """A service at which nobody else has played."""
    with hosts.service() as found:
        yield found


def played(address: str, **more: object) -> str:
    """A table of Tomahawk that two levels of AI have played to its end."""
    table = str(Player(address, "Hostess").post("tables", {"game": "tomahawk", "seats": LEVELS} | more)["id"])

    def is_listed() -> bool:
        games = requests.get(f"{address}v1/games-played?game=tomahawk", timeout=60).json()["games"]
        return table in [game["table"] for game in games]

    wait_until(is_listed)
    return table


def shown(page: Page) -> list[str | None]:
    """The tables that the page lists."""
    return [row.get_attribute("data-key") for row in page.locator(".played .table-row").all()]


def test_games_are_listed_and_filtered_beside_the_leaders(visit: Opener, address: str) -> None:
    """From the lobby to the list; a filter stands in the address; a leader leads to the own ratings and games."""
    casual, rated = played(address, rated=False), played(address)
    page = visit(**FOR_AXE)
    page.click("[data-key=played]")
    expect(page.locator(".played .table-row")).to_have_count(2)
    assert shown(page) == [rated, casual]
    page.select_option(".filters [name=game]", "tomahawk")
    page.select_option(".filters [name=seats]", "2")
    expect(page.locator(".ratings li")).to_have_count(2)
    expect(page.locator(".ratings li").first).to_contain_text(FIRST)
    page.select_option(".filters [name=rated]", "false")
    expect(page.locator(".played .table-row")).to_have_count(1)
    assert shown(page) == [casual]
    assert violations(page) == []
    page.locator(".ratings a").first.click()
    expect(page.locator(".rating-points a")).to_have_count(1)
    expect(page.locator(".rating-points a")).to_have_attribute("href", f"#/tables/{rated}")


def test_a_table_is_opened_as_casual(visit: Opener, address: str) -> None:
    """It is chosen in the dialog; else the table is rated."""
    page = visit()
    page.click("[data-key=play-tomahawk]")
    page.click(".more-choices > summary")
    page.select_option("dialog [name=rated]", "false")
    page.click("[data-start=ai]")
    page.wait_for_url("**/#/tables/**")
    table = page.url.rpartition("/")[2]
    assert requests.get(f"{address}v1/tables/{table}", timeout=60).json()["rated"] is False
