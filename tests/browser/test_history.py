"""Time travel by keys and clicks."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, Player


def version(page: Page) -> int:
    """The version that the address names."""
    return int(page.url.rsplit("/", 1)[1].split("?")[0])


def test_the_timeline_is_driven_by_keys(visit: Opener, finished: dict[str, str]) -> None:
    """Home, End, left, right and Space; every moment has its address and its sentence."""
    page = visit(f"#/tables/{finished['tomahawk']}")
    page.locator(".winners").wait_for()
    page.keyboard.press("Home")
    expect(page.locator(".version")).to_contain_text("Event 1 of")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".version")).to_contain_text("Event 3 of")
    assert version(page) == 3
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".version")).to_contain_text("Event 2 of")
    expect(page.locator("#announcer")).not_to_be_empty()
    page.keyboard.press("Space")
    expect(page.locator(".version")).to_contain_text(re.compile(r"Event ([5-9]|\d\d+) of"))
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".winners")).to_be_visible()


def test_a_link_leads_to_a_moment_with_somebodys_eyes(visit: Opener, player: Player, finished: dict[str, str]) -> None:
    """When the game is over everybody may see what a seat saw then; what the event changed is highlighted."""
    table = finished["big-manitou"]
    events = player.get(f"tables/{table}/events?limit=60")["events"]
    laid = next(event["version"] for event in events if event["type"] == "CardPlayed")
    page = visit(f"#/tables/{table}/{laid}?seat=2")
    expect(page.locator(".version")).to_contain_text(f"Event {laid} of")
    expect(page.locator(".heap-hand .card").first).to_be_visible()
    expect(page.locator(".eyes select")).to_have_value("2")
    expect(page.locator(".changed").first).to_be_visible()


def test_a_ruling_is_explained_and_decided_again(visit: Opener, player: Player, finished: dict[str, str]) -> None:
    """Figures, words and rules of a ruling; and the game under another reading of one of them."""
    table = finished["big-manitou"]
    rulings = player.get(f"tables/{table}/rulings")["rulings"]
    ruling = next(ruling for ruling in rulings if any(rule["options"] for rule in ruling["rules"]))
    page = visit(f"#/tables/{table}/{ruling['version']}")
    page.click("#tab-rulings")
    expect(page.locator(".rule-id").first).to_contain_text("BM-")
    page.locator("[data-again]").first.click()
    expect(page.locator(".again").first).not_to_be_empty()
    page.locator("summary", has_text="Figures compared").click()
    expect(page.locator(".figures").first).to_be_visible()


def test_the_scores_are_plotted(visit: Opener, finished: dict[str, str]) -> None:
    """A line a seat, for whichever figure is chosen."""
    page = visit(f"#/tables/{finished['manitou']}")
    page.click("#tab-figures")
    expect(page.locator(".plot-line")).to_have_count(3)
    page.select_option("[data-key=figure]", "prisoners")
    expect(page.locator(".plot")).to_have_attribute("aria-label", "prisoners of every seat over the events")


def test_everything_is_there_in_french(visit: Opener, finished: dict[str, str]) -> None:
    """The page's words and the sentences of the events are in the reader's language."""
    page = visit(f"#/tables/{finished['big-manitou']}/60", locale="fr-FR")
    expect(page.locator(".version")).to_contain_text("Événement 60 sur")
    expect(page.locator(".moment")).to_contain_text("place")
    page.click("[data-key=language]")
    expect(page.locator(".version")).to_contain_text("Event 60 of")
