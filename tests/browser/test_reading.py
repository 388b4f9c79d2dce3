"""The pages that are read: the rules of each game, and the help of a piece."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from events.verify import archive_faults
from games import GAMES
from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener

PHONE = {"viewport": {"width": 400, "height": 850}, "has_touch": True}


def rules_page(visit: Opener, slug: str, **options: object) -> Page:
    """The rules of a game as they are read."""
    page = visit(f"#/rules/{slug}", **options)
    page.locator(".reading-text h1").wait_for()
    page.wait_for_load_state("networkidle")  # pictures that come later move the page
    return page


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_are_told_with_pictures(visit: Opener, slug: str) -> None:
    """Every picture is drawn, and so is a table; nothing is wider than a phone; axe finds nothing."""
    page = rules_page(visit, slug, **PHONE | FOR_AXE)
    expect(page.locator(".picture .board")).to_have_count(1)
    drawn = page.locator("figure > .picture:has(.card, .tile)")
    assert page.locator("figure").count() == drawn.count() >= 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_a_rule_opens_by_its_id_and_closes_again(visit: Opener) -> None:
    """Plain words first, the rule's text behind; by link, by address, and by the keyboard alone."""
    page = rules_page(visit, "big-manitou", locale="fr-FR")
    page.locator("a.rule-link", has_text="BM-5.4b").first.focus()
    page.keyboard.press("Enter")
    box = page.locator("dialog")
    expect(box).to_contain_text("Un héros contre une paire")
    expect(box.locator("details")).not_to_have_attribute("open", re.compile(".*"))
    box.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(box.locator("article[lang=en]")).to_contain_text("the sacrifice")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    assert page.url.endswith("#/rules/big-manitou")
    page.goto(page.url + "/BM-R19")
    expect(page.locator("dialog")).to_contain_text("tomahawks")


def test_a_piece_tells_what_it_does_when_pointed_at_and_when_held(visit: Opener) -> None:
    """By a mouse, and by a finger that stays; Escape and a touch elsewhere take it away."""
    page = rules_page(visit, "big-manitou")
    page.locator(".picture .board").wait_for()
    chief = page.locator(".picture p [data-help='big-manitou/chief-1']").first
    chief.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)  # scrolling takes a bubble away, and a picture that comes into sight is drawn
    chief.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("but the matriarch")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_have_count(0)
    phone = rules_page(visit, "tomahawk", **PHONE)
    held = phone.locator("[data-help='tomahawk/great_spirit']").first
    held.scroll_into_view_if_needed()
    at = held.bounding_box()
    assert at is not None
    touch = phone.context.new_cdp_session(phone)
    point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(phone.get_by_role("tooltip")).to_contain_text("more than twice its own")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.get_by_role("tooltip")).to_be_visible()
    phone.locator("h1").tap()
    expect(phone.get_by_role("tooltip")).to_have_count(0)


def test_the_browser_checks_the_record_itself(visit: Opener, finished: dict[str, str]) -> None:
    """Every event and seal of a finished table; an altered archive is found out, with the place."""
    page = visit(f"#/record/{finished['tomahawk']}", **FOR_AXE)
    expect(page.locator(".verdict.good")).to_contain_text("The record holds")
    with page.expect_download() as kept:
        page.click("[data-key=keep]")
    lines = kept.value.path().read_bytes().splitlines(keepends=True)
    assert list(archive_faults(lines)) == []
    expect(page.locator(".checks li").first).to_have_text(
        f"{len(lines) - 1} events, each with the hash of the one before it"
    )
    expect(page.locator(".head-hash")).to_have_text(json.loads(lines[0])["head"])
    assert violations(page) == []
    altered = b"".join([*lines[:41], lines[41].replace(b'"version":41', b'"version":42'), *lines[42:]])
    page.set_input_files("[data-key=own]", {"name": "a.ndjson", "mimeType": "text/plain", "buffer": altered})
    expect(page.locator(".verdict.bad li")).to_have_text("Event 41: an event is missing or out of order")


def test_without_a_secure_context_it_says_so(visit: Opener, address: str, finished: dict[str, str]) -> None:
    """Plain http from elsewhere brings no cryptography: nothing is claimed, and what helps is named."""
    page = visit()
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto(f"{address}#/record/{finished['tomahawk']}")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("This page cannot check anything here")
    expect(page.get_by_role("alert")).to_contain_text("python events/verify.py")
    expect(page.locator(".verdict.good")).to_have_count(0)


def test_a_ruling_is_played_step_by_step(visit: Opener) -> None:
    """Opened by its address; the case goes on by keys, under each reading; where it is forbidden it says why."""
    page = visit("#/rulings/big-manitou/BM-R6", **FOR_AXE)
    ruling = page.locator("#ruling-BM-R6")
    expect(ruling).to_contain_text("It falls alone and the pair stays")
    ruling.locator("[data-case]").focus()
    page.keyboard.press("Enter")
    expect(ruling.locator(".version")).to_have_text("Step 1 of 2")
    page.keyboard.press("Enter")
    expect(ruling.locator(".version")).to_have_text("Step 2 of 2")
    expect(ruling.locator(".told-case")).to_contain_text("A chief beats a sorcerer.")
    expect(ruling.locator(".board-big-manitou .fallen")).to_have_count(1)
    assert violations(page) == []
    ruling.locator("[data-key=reading-1]").click()
    expect(ruling.locator(".refusal")).to_contain_text("This table forbids such an attack. BM-4.5c")
    expect(ruling.locator(".board-big-manitou .fallen")).to_have_count(0)
