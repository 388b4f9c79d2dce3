"""Time travel by keys and clicks."""

import re

from playwright.sync_api import Page, expect

from tests.browser.clicks import settled
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, play_together

LONG_AGO = 90  # events, of which a first view reads the last thirty


def version(page: Page) -> int:
    """The version that the address names."""
    return int(page.url.rsplit("/", 1)[1].split("?")[0])


def test_the_timeline_is_driven_by_keys(visit: Opener, finished: dict[str, str]) -> None:
    """Home, End, left, right and Space; every moment has its address and its sentence."""
    page = visit(f"#/tables/{finished['tomahawk']}")
    page.locator(".winners").wait_for()
    page.keyboard.press("Home")
    expect(page.locator(".version")).to_have_text(re.compile("^1 / "))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".version")).to_have_text(re.compile("^3 / "))
    assert version(page) == 3
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".version")).to_have_text(re.compile("^2 / "))
    expect(page.locator("#announcer")).not_to_be_empty()
    page.keyboard.press("Space")
    expect(page.locator(".version")).to_contain_text(re.compile(r"^([5-9]|\d\d+) / "))
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".winners")).to_be_visible()


def test_who_plays_is_left_in_peace_until_they_look_back(visit: Opener, player: Player) -> None:
    """No timeline at a running game; a key or the button leads back, where the log ends; one press leads to now."""
    opening = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
    table = player.post("tables", opening)["id"]
    page = visit(f"#/tables/{table}")
    page.locator(".event").first.wait_for()
    expect(page.locator(".timeline")).to_have_count(0)
    page.keyboard.press("Space")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".timeline.past")).to_be_visible()
    settled(page)
    told = page.locator("[data-key^=event-]").evaluate_all("links => links.map((link) => +link.dataset.key.slice(6))")
    assert max(told) == version(page)
    page.keyboard.press("End")
    expect(page.locator(".timeline")).to_have_count(0)
    page.get_by_role("button", name="Look back").click()
    expect(page.locator(".timeline.past")).to_be_visible()
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".timeline")).to_have_count(0)


def test_a_link_leads_to_a_moment_with_somebodys_eyes(visit: Opener, player: Player, finished: dict[str, str]) -> None:
    """When the game is over everybody may see what a seat saw then; what the event changed is highlighted."""
    table = finished["big-manitou"]
    events = player.get(f"tables/{table}/events?limit=60")["events"]
    laid = next(event["version"] for event in events if event["type"] == "CardPlayed")
    page = visit(f"#/tables/{table}/{laid}?seat=2")
    expect(page.locator(".version")).to_have_text(re.compile(f"^{laid} / "))
    expect(page.locator(".heap-hand .card").first).to_be_visible()
    expect(page.locator(".eyes select")).to_have_value("2")
    expect(page.locator(".changed").first).to_be_visible()
    for panel in ("rulings", "figures", "events"):
        page.click(f"#tab-{panel}")
        expect(page.locator(f".panel-{panel}")).to_be_visible()
        expect(page.locator(".changed").first).to_be_visible()


def test_the_timeline_marks_every_ruling_over_a_reload(visit: Opener, address: str, player: Player) -> None:
    """Nobody has to touch it for that: the first view reads the newest events alone, and then the others."""
    other = Player(address, "Ann")
    table = player.post("tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]})["id"]
    other.post(f"tables/{table}/seats/2", {})
    while player.get(f"tables/{table}")["version"] < LONG_AGO:
        play_together([player, other], table)
    events = player.get(f"tables/{table}/events?limit=500")["events"]
    rulings = len([event for event in events if "rules" in event["payload"]])
    page = visit(f"#/tables/{table}/2")
    expect(page.locator(".ruling-mark")).to_have_count(rulings)
    page.reload()
    expect(page.locator(".ruling-mark")).to_have_count(rulings)


def test_a_ruling_is_explained_and_decided_again(visit: Opener, player: Player, finished: dict[str, str]) -> None:
    """Figures, words and rules of a ruling; and the game under another reading of one of them.

    A game may end without a ruling that has another reading, but not each of four.
    """
    rulings = [
        (table, ruling, rule["id"])
        for table in finished.values()
        for ruling in player.get(f"tables/{table}/rulings")["rulings"]
        for rule in ruling["rules"]
        if rule["options"]
    ]
    table, ruling, rule = rulings[0]
    page = visit(f"#/tables/{table}/{ruling['version']}")
    page.click("#tab-rulings")
    expect(page.locator(".rule-id").first).to_contain_text(rule[:3])
    page.locator("[data-again]").first.click()
    expect(page.locator(".again").first).not_to_be_empty()
    page.locator("summary", has_text="Figures compared").click()
    expect(page.locator(".figures").first).to_be_visible()


def test_the_scores_are_plotted(visit: Opener, finished: dict[str, str]) -> None:
    """A line a seat."""
    page = visit(f"#/tables/{finished['manitou']}")
    page.click("#tab-figures")
    expect(page.locator(".plot-line")).to_have_count(3)
    expect(page.locator(".legend li")).to_have_count(3)


def test_everything_is_there_in_french(visit: Opener, player: Player, finished: dict[str, str]) -> None:
    """The page's words, the sentences of events, and the announcements for screen readers."""
    table = finished["big-manitou"]
    told = {
        language: player.get(f"tables/{table}/events?after=59&limit=2&language={language}")["events"]
        for language in ("fr", "en")
    }
    page = visit(f"#/tables/{table}/60", locale="fr-FR")
    expect(page.locator(".version")).to_have_text(re.compile("^60 / "))
    expect(page.locator(".moment")).not_to_be_empty()
    page.keyboard.press("ArrowRight")
    announced(page, told["fr"][1]["words"])
    page.click("[data-key=language]")
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()
    settled(page)
    page.keyboard.press("ArrowLeft")
    announced(page, told["en"][0]["words"])


def announced(page: Page, words: str) -> None:
    """Waits until a sentence is told, in which people have their names."""
    for part in re.split(r"(?:[Ll]a )?(?:[Ss]eat|[Pp]lace) \d+", words):
        expect(page.locator("#announcer")).to_contain_text(part.strip())
