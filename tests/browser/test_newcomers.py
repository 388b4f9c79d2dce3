"""What newcomers need: a lesson beside a whole table, people by their names, rows that line up, the newest in sight."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 400, "height": 850}
OVERFLOW = "node => node.scrollHeight - node.clientHeight"
BESIDE = """() => [document.querySelector(".guide").getBoundingClientRect().left,
    document.querySelector(".box-board").getBoundingClientRect().right]"""
ROWS = """() => [...document.querySelectorAll(".ground")].map(
    ground => [...ground.querySelectorAll(".side")].map(side => Math.round(side.getBoundingClientRect().top)))"""


@pytest.mark.parametrize("game", ["manitou", "tomahawk"])
def test_a_lesson_stands_beside_the_table(visit: Opener, game: str) -> None:
    """On a laptop guide and table are seen whole at a step with three paragraphs, and neither covers the other."""
    page = visit(viewport=LAPTOP)
    page.click(f"[data-learn={game}]")
    page.locator("[data-key=lesson-do]:enabled").click()
    expect(page.locator(".guide h2")).to_contain_text("Step 2")
    page.locator("[data-key=lesson-do]:enabled").wait_for()
    left, right = page.evaluate(BESIDE)
    assert right <= left
    assert page.locator(".guide-words").evaluate(OVERFLOW) <= 1
    assert page.locator(".box-board").evaluate(OVERFLOW) <= 1


def test_a_table_is_opened_with_few_choices(visit: Opener) -> None:
    """A newcomer without a name meets Beginners; clock, rating and rulings are folded away."""
    page = visit()
    page.click("[data-game=manitou]")
    expect(page.locator("dialog [name=level]")).to_have_value("novice")
    expect(page.locator("dialog :is(input, select):visible")).to_have_count(2)


def test_a_dialog_goes_with_the_page_below_it(visit: Opener) -> None:
    """After going back, the dialog of the page before is gone."""
    page = visit("#/played")
    page.locator("main h1").wait_for()
    page.goto(f"{page.url.partition('#')[0]}#/")
    page.click("[data-game=manitou]")
    page.locator("dialog").wait_for()
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile("#/played"))


@pytest.mark.fault
def test_a_menu_closes_on_escape_and_on_a_click_elsewhere(visit: Opener) -> None:
    """The focus goes back to its button, or to what was clicked."""
    page = visit()
    page.click("[data-learn=tomahawk]")
    menu, button = page.locator(".menu"), page.locator(".menu > summary")
    button.click()
    page.focus(".menu [data-key=share]")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(menu).not_to_have_attribute("open", "")
    for elsewhere, focused in ((".table-head h1", button), ("[data-key=drawer]", page.locator("[data-key=drawer]"))):
        button.click()
        page.click(elsewhere)
        expect(menu).not_to_have_attribute("open", "")
        expect(focused).to_be_focused()


@pytest.mark.parametrize(
    ("language", "deeds", "places"),
    [
        (
            "en-GB",
            ["Explain the pieces", "Play on from here", "Copy link", "Abort the game", "Resign"],
            ["Record", "Lobby", "Profile", "Games played", "Leaderboard"],
        ),
        (
            "fr-FR",
            ["Expliquer les pièces", "Jouer à partir d’ici", "Copier le lien", "Interrompre la partie", "Abandonner"],
            ["Archives", "Salon", "Profil", "Parties jouées", "Classement"],
        ),
    ],
)
def test_the_menu_has_what_to_do_and_where_to_go(
    visit: Opener, language: str, deeds: list[str], places: list[str]
) -> None:
    """First the verbs, which are buttons; then the nouns, which are links."""
    page = visit(locale=language)
    page.click("[data-learn=tomahawk]")
    page.click(".menu > summary")
    expect(page.locator(".menu-list > button")).to_have_text(deeds)
    expect(page.locator(".menu-list > a")).to_have_text(places)
    expect(page.locator(".menu-list > button ~ a")).to_have_count(len(places))
    expect(page.locator(".menu-list > a ~ button")).to_have_count(0)
