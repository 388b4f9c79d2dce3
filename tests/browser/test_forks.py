"""Branches of a table, and two of them compared, by clicks."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import menu, moment, settled
from tests.browser.conftest import Opener
from tests.browser.hosts import Player

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
    expect(page.locator(".table-head .badge")).to_have_text("branch")
    return str(page.url.rsplit("/", 1)[1])


def test_play_goes_on_from_a_moment_and_both_branches_are_compared(
    visit: Opener, player: Player, parents: dict[str, str]
) -> None:
    """A fork of a finished game; each record leads to the other, with where they part and what differs."""
    parent = parents["big-manitou"]
    page = visit(**FOR_AXE)
    moment(page, parent, "60")
    branch = play_on(page)
    page.locator(".moves.mine, .winners").first.wait_for()
    assert violations(page) == []
    for table, other, rules in ((branch, parent, ("not", "falls")), (parent, branch, ("falls", "not"))):
        page.goto(f"{page.url.partition('#')[0]}#/record/{table}")
        beside = page.locator(f"[data-branch={other}]")
        expect(beside.locator("summary")).to_contain_text("This table is a branch" if other == parent else "Branch 1")
        beside.locator("summary").click()
        expect(beside.locator("li")).to_have_count(2)
        for rule, words in zip(beside.locator("li").all(), rules, strict=True):
            expect(rule).to_contain_text(RULE)
            expect(rule).to_contain_text(words)
        expect(beside.locator("tbody tr")).to_have_count(3)
        assert violations(page) == []
    version = player.get(f"tables/{parent}/comparison?with={branch}")["common"]["version"]
    assert version <= 60
    beside.get_by_role("link", name="Where they part").click()
    expect(page.locator(".version")).to_contain_text(f"{version} / ")


def test_two_branches_part_where_they_first_differ(visit: Opener, player: Player, parents: dict[str, str]) -> None:
    """Branches played to their ends by AI: the first difference leads to its moment in each."""
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
    page.goto(f"{page.url.partition('#')[0]}#/record/{parent}")
    beside = page.locator(f"[data-branch={branch}]")
    beside.locator("summary").click()
    beside.get_by_role("link", name="there", exact=True).click()
    settled(page)
    expect(page.locator(".version")).to_contain_text(f"{difference['events'][1]['version']} / ")
