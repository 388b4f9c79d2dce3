"""Branches of a table, and two of them side by side, by clicks."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import menu, moment, settled
from tests.browser.conftest import Opener
from tests.browser.hosts import Player

MOST_STEPS = 60
RULE = "A hero too weak for a pair"


@pytest.fixture(scope="module")
def parents(address: str) -> dict[str, str]:
    """Finished tables to branch off from, which no other file looks at."""
    return hosts.finished_tables(address, ("big-manitou", "tomahawk"))


def play_on(page: Page) -> str:
    """Opens a branch from the moment that is looked at, under another house rule; its id."""
    before = page.url.partition("#")[2]
    menu(page)
    page.click("[data-key=fork]")
    page.locator("dialog summary", has_text="House rules").click()
    page.select_option("dialog [name=pair_attack_weaker]", label="may not be laid")
    assert violations(page) == []
    page.click("[data-fork]")
    page.locator("dialog").wait_for(state="detached")
    page.wait_for_url(lambda url: url.partition("#")[2] != before)
    expect(page.locator(".lineage")).to_contain_text("A branch of")
    return str(page.url.rsplit("/", 1)[1])


def compared(page: Page) -> None:
    """Waits until both branches are drawn."""
    expect(page.locator(".comparison")).to_have_attribute("aria-busy", "false")


def test_play_goes_on_from_a_moment_and_both_branches_are_compared(
    visit: Opener, player: Player, parents: dict[str, str]
) -> None:
    """A fork of a finished game; lineage both ways; two boards in step from where they part."""
    parent = parents["big-manitou"]
    page = visit(**FOR_AXE)
    moment(page, parent, "60")
    branch = play_on(page)
    page.locator(".moves.mine, .winners").first.wait_for()
    assert violations(page) == []
    menu(page)
    origin = page.locator(".lineage a").first
    version = int(re.findall(r"event (\d+) of", origin.inner_text())[0])
    assert version <= 60
    origin.click()
    expect(page.locator(".version")).to_contain_text(f"{version} / ")
    menu(page)
    page.click(".lineage summary")
    expect(page.locator(f"[data-branch={branch}]")).to_be_visible()

    page.click("[data-key=compare]")
    assert violations(page) == []
    page.fill("dialog [name=other]", branch)
    page.click("[data-compare]")
    compared(page)
    found = player.get(f"tables/{parent}/comparison?with={branch}")
    assert found["common"] == {"table": parent, "version": version}
    first, second = page.locator(".box-time .branch").all()
    expect(first.locator("h2")).to_contain_text(parent)
    expect(second.locator("h2")).to_contain_text(branch)
    expect(first).to_contain_text(f"{RULE}: may be laid, and falls")
    expect(second).to_contain_text(f"{RULE}: may not be laid")
    assert violations(page) == []
    sliders = page.get_by_role("slider")
    sliders.first.focus()
    page.keyboard.press("Home")
    compared(page)
    expect(first.locator(".version")).to_contain_text("0 of")
    expect(second.locator(".version")).to_contain_text("0 of")
    expect(second.locator(".moment")).to_have_text("The moment that both have in common.")
    page.keyboard.press("ArrowRight")
    expect(first.locator(".version")).to_contain_text("1 of")
    page.uncheck("[data-key=in-step]")
    page.get_by_role("slider").first.press("End")
    compared(page)
    expect(first.locator(".version")).to_contain_text(re.compile(r"(\d+) of \1 "))
    expect(second.locator(".version")).not_to_contain_text(re.compile(r"^[2-9] of|^\d\d"))
    expect(page.locator(".scores tbody tr")).to_have_count(3)


def told_as_in_the_log(page: Page) -> None:
    """Steps on until both branches tell of somebody and of a card: people have names, cards are drawn."""
    moments = page.locator(".box-time .moment")
    for _ in range(MOST_STEPS):
        expect(moments.filter(has_text=re.compile(r"[Ss]eat \d"))).to_have_count(0)
        if all(moment.locator(".person").count() and moment.locator(".chip").count() for moment in moments.all()):
            return
        page.get_by_role("slider").first.press("ArrowRight")
        compared(page)
    raise AssertionError(moments.all_inner_texts())


def test_two_branches_part_where_they_first_differ(visit: Opener, player: Player, parents: dict[str, str]) -> None:
    """Branches played to their ends by AI: the first difference is marked on both sliders and can be gone to."""
    parent = parents["tomahawk"]
    ai = [{"kind": "ai", "level": "greedy"}, {"kind": "ai", "level": "uniform"}]
    page = visit()
    for _ in range(5):
        branch = player.post(f"tables/{parent}/forks", {"version": 40, "seats": ai, "visibility": "public"})["id"]
        page.goto(f"{page.url.partition('#')[0]}#/tables/{branch}")
        page.locator(".winners").wait_for()
        difference = player.get(f"tables/{parent}/comparison?with={branch}")["first_difference"]
        if difference and None not in difference["events"]:
            break
    page.goto(f"{page.url.partition('#')[0]}#/compare/{parent}/{branch}")
    compared(page)
    number = difference["number"]
    for index in (0, 1):
        side = page.locator(".box-time .branch").nth(index)
        expect(side.locator(".version")).to_contain_text(f"{number} of")
        expect(side.locator(".difference-mark")).to_have_count(1)
    page.get_by_role("slider").first.press("Home")
    compared(page)
    expect(page.locator(".moment.differs")).to_have_count(0)
    page.click("[data-key=difference]")
    expect(page.locator(".moment.differs")).to_have_count(2)
    told_as_in_the_log(page)
    page.locator(".box-time .branch").nth(1).get_by_text("open this moment").click()
    settled(page)
    expect(page.locator(".table-page .version")).to_contain_text(f"{difference['events'][1]['version']} / ")


def test_tables_of_different_games_are_not_compared(visit: Opener, finished: dict[str, str]) -> None:
    """The refusal is told, with a way back."""
    page = visit(f"#/compare/{finished['manitou']}/{finished['tomahawk']}")
    expect(page.locator("[role=alert]")).not_to_be_empty()
    page.get_by_role("link", name="Back to the table").click()
    page.locator(".winners").wait_for()
