"""Statistics in the page: what occurred and what won, drawn with how sure that is, for people who have never played."""

from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Page, expect

from games import GAMES
from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, finished_tables
from tests.browser.test_french import english
from tests.browser.test_layout import fits
from tests.servers import wait_until

PHONE = {"width": 400, "height": 850}
TABLES = 6  # of Tomahawk, with two seats each: enough for an interval to be drawn
LEVELS = [{"kind": "ai", "level": "uniform"}, {"kind": "ai", "level": "greedy"}]


def counted(address: str, game: str) -> int:
    """How many games of a kind statistics count."""
    found = requests.get(f"{address}v1/statistics?game={game}", timeout=60).json()
    return int(found["games"])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A service at which a game of each kind was played, and some more of Tomahawk."""
    with hosts.service() as found:
        finished_tables(found)
        hostess = Player(found, "Hostess")
        for _ in range(TABLES - 1):
            hostess.post("tables", {"game": "tomahawk", "seats": LEVELS})
        wait_until(lambda: counted(found, "tomahawk") == TABLES, 120)
        wait_until(lambda: all(counted(found, game) for game in GAMES), 120)
        yield found


def wins_of_first_option(address: str, game: str) -> str:
    """How often the seats won that played by the first house rule, as the page says it; more than half if some tied."""
    found = requests.get(f"{address}v1/statistics?game={game}", timeout=60).json()
    wins = next(feature for feature in found["features"] if feature["of"] == "option")["values"][0]["wins"]
    return "{share:.0%} ({low:.0%} to {high:.0%})".format_map(wins)


def opened(page: Page, address: str, query: str) -> None:
    """Opens statistics by their address."""
    page.goto(f"{address}#/")
    page.goto(f"{address}#/played?{query}")
    page.locator(".statistics .filters").wait_for()


def test_statistics_are_drawn_with_intervals_and_numbers(visit: Opener, address: str) -> None:
    """From games played to a game's statistics: each figure with its interval and the number of seats."""
    page = visit(**FOR_AXE)
    page.click("[data-key=played]")
    page.click("[data-key=statistics]")
    page.select_option(".filters [name=statistics]", "tomahawk")
    expect(page.locator("[data-group=opening] caption").first).to_be_visible()
    expect(page.locator(".statistics [role=status]")).to_have_text(f"{TABLES} public games are counted.")
    expect(page.locator(".statistics .notice")).to_contain_text("few games")
    expect(page.locator("[data-group=game] tbody tr").first).to_be_visible()  # games end in one way or in several
    row = page.locator("[data-group=option] tbody tr").first  # all were played by the same rules
    expect(row.locator(".interval-range")).to_have_count(1)
    expect(row.locator("td").first).to_have_text(wins_of_first_option(address, "tomahawk"))
    expect(row.locator("td.number")).to_have_text(str(2 * TABLES))
    expect(page.locator("[data-group=option] caption").first).to_be_visible()
    assert violations(page) == []


def test_filters_stand_in_the_address(visit: Opener, address: str) -> None:
    """As the API has them: seats, rated or not, and who sits there; what nobody played is said to be nothing."""
    page = visit()
    opened(page, address, "statistics=tomahawk")
    page.select_option(".filters [name=level]", "uniform")
    expect(page.locator(".statistics [role=status]")).to_have_text(f"{TABLES - 1} public games are counted.")
    expect(page.locator("[data-group=option] td.number").first).to_have_text(str(TABLES - 1))
    expect(page.locator("[data-group=option] td").first).to_have_text("too few to tell")
    assert page.url.endswith("#/played?statistics=tomahawk&level=uniform")
    page.select_option(".filters [name=rated]", "false")
    expect(page.locator(".statistics [role=status]")).to_have_text("No such game has been played to its end yet.")
    page.select_option(".filters [name=statistics]", "plenty-coups")
    page.wait_for_url("**/#/played?statistics=plenty-coups&rated=false")
    opened(page, address, "statistics=tomahawk&seats=5")
    expect(page.locator(".statistics [role=status]")).to_have_text("No such game has been played to its end yet.")


def test_endings_are_compared_by_who_plays(visit: Opener, address: str) -> None:
    """People, bots and levels are asked about one by one, once somebody wants to know."""
    page = visit(**FOR_AXE)
    opened(page, address, "statistics=tomahawk")
    page.click("[data-key=by-level]")
    rows = page.locator("[data-group=levels] table").first.locator("tbody th")
    expect(rows).to_have_text(["Random", "Steady"])
    expect(page.locator("[data-group=levels] table").first.locator("td.number")).to_have_text(
        [str(TABLES - 1), str(TABLES + 1)]
    )
    assert violations(page) == []


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_told_in_words(visit: Opener, address: str, game: str, locale: str) -> None:
    """On a phone too: nothing is wider than the screen, and no word is one of the record."""
    page = visit(viewport=PHONE, locale=locale)
    opened(page, address, f"statistics={game}")
    expect(page.locator("[data-group=opening] caption").first).to_be_visible()
    for summary in page.locator(".statistics summary").all():
        summary.click()
    assert fits(page)
    assert "_" not in page.locator(".statistics").inner_text()
    assert ":" not in "".join(page.locator("[data-group=opening] tbody th").all_inner_texts())
    if locale == "fr-FR":
        assert english(page) == []
