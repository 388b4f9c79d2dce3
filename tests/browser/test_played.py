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


def test_every_filter_of_the_service_is_chosen_on_the_page(visit: Opener, address: str) -> None:
    """Those that are used seldom are folded away, and open when one is set; another game has other house rules."""
    table = played(address)
    page = visit("#/played?game=tomahawk", **FOR_AXE)
    rows = page.locator(".played .table-row")
    expect(rows.first).to_be_visible()
    offered = {control.get_attribute("name") for control in page.locator(".filters [name]").all()}
    document = requests.get(f"{address}openapi.json", timeout=60).json()["paths"]["/v1/games-played"]["get"]
    parameters = {one.get("name", one.get("$ref", "").rpartition("/")[2]) for one in document["parameters"]}
    assert parameters - offered == {"cursor", "limit"}

    page.click(".filters summary")
    for name, none, all_ in CHOICES:
        set_filter(page, name, none)
        expect(rows).to_have_count(0)
        set_filter(page, name, all_)
        expect(page.locator(f"[data-key={table}]")).to_be_visible()
    assert violations(page) == []
    page.select_option(".filters [name=game]", "manitou")
    expect(rows).to_have_count(0)
    assert "options" not in page.url
    assert page.locator(".filters details").get_attribute("open") is not None


CHOICES = (  # filters, each with a value that no game here fits, and with one that the game fits
    ("level", "expert", "greedy"),
    ("options", '{"tie_break":"most_scalps"}', '{"tie_break":"shared"}'),
    ("disputed", "true", "false"),
    ("since", "2999-01-01", "2020-01-01"),
    ("until", "2020-01-01", "2999-01-01"),
    ("moves_from", "1000", "1"),
    ("moves_to", "1", "1000"),
    ("rating_from", "3000", "1000"),
    ("rating_to", "100", "3000"),
)


def set_filter(page: Page, name: str, value: str) -> None:
    """Chooses a filter, and waits until the list was read anew."""
    control = page.locator(f".filters [name={name}]")
    if control.evaluate("node => node.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)
        control.dispatch_event("change")
    page.wait_for_url(f"**{name}=*")
    expect(page.locator(f".filters [name={name}]")).to_have_value(value)


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
