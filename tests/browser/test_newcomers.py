"""What newcomers need: a lesson beside a whole table, people by their names, rows that line up, the newest in sight."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.clicks import sit_against_ai, step
from tests.browser.conftest import Opener
from tests.browser.hosts import finished_tables
from tests.browser.sight import wait_until_so

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 400, "height": 850}
OVERFLOW = "node => node.scrollHeight - node.clientHeight"
BESIDE = """() => [document.querySelector(".guide").getBoundingClientRect().left,
    document.querySelector(".box-board").getBoundingClientRect().right]"""
TALL = "([panel, height]) => document.querySelector(panel)?.getBoundingClientRect().height >= height"
ROWS = """() => [...document.querySelectorAll(".ground")].map(
    ground => [...ground.querySelectorAll(".side")].map(side => Math.round(side.getBoundingClientRect().top)))"""
SEAT_NUMBERS = {"en-GB": r"\bseats? \d", "fr-FR": r"\bplaces? \d"}


@pytest.mark.parametrize("game", ["manitou", "tomahawk"])
def test_a_lesson_stands_beside_the_table(visit: Opener, game: str) -> None:
    """On a laptop guide and table are seen whole at a step with three paragraphs, and neither covers the other."""
    page = visit(viewport=LAPTOP)
    page.click(f"[data-learn={game}]")
    page.locator("[data-key=lesson-do]:enabled").click()
    page.click("[data-confirm]:enabled")
    expect(page.locator(".guide h2")).to_contain_text("Step 2")
    page.locator("[data-key=lesson-do]:enabled").wait_for()
    left, right = page.evaluate(BESIDE)
    assert right <= left
    assert page.locator(".guide-words").evaluate(OVERFLOW) <= 1
    assert page.locator(".box-board").evaluate(OVERFLOW) <= 1


@pytest.mark.parametrize("language", list(SEAT_NUMBERS))
def test_a_lesson_calls_people_by_their_names(visit: Opener, language: str) -> None:
    """The second step of Manitou speaks of the opponent: by mark and name, as the log does."""
    page = visit(locale=language)
    page.click("[data-learn=manitou]")
    page.locator("[data-key=lesson-do]:enabled").click()
    page.click("[data-confirm]:enabled")
    page.locator(".guide .person .mark").first.wait_for()
    words = page.locator(".guide").inner_text()
    assert re.search(SEAT_NUMBERS[language], words, re.IGNORECASE) is None
    assert "'" not in words or language == "en-GB"  # French is set as it is printed


@pytest.mark.parametrize("screen", [LAPTOP, PHONE])
def test_the_cards_of_a_seat_line_up(visit: Opener, screen: dict[str, int]) -> None:
    """Whatever lies there, a seat's row is as high on one ground as on the others."""
    page = visit(viewport=screen)
    sit_against_ai(page, "manitou", players=3)
    for _ in range(3):
        page.locator(".moves.mine").wait_for()
        step(page)
    rows = page.evaluate(ROWS)
    assert len(rows) == 3
    assert len(rows[0]) == 3
    assert rows == [rows[0]] * 3


def test_the_log_stays_in_sight_below_a_long_sheet_of_scores(visit: Opener, address: str) -> None:
    """Big Manitou counts ten figures; beside the finished table the newest events are seen without scrolling."""
    table = finished_tables(address, ["big-manitou"])["big-manitou"]
    page = visit(f"#/tables/{table}", viewport=LAPTOP)
    page.locator(".panel-events .event-group").first.wait_for()
    assert page.locator(".drawer").evaluate(OVERFLOW) <= 1
    wait_until_so(page, TALL, [".panel-events", 100])


def test_a_table_is_opened_with_few_choices(visit: Opener) -> None:
    """Whoever has no name here yet meets Beginners; clock, rating and rulings are folded away."""
    page = visit()
    page.click("[data-game=manitou]")
    expect(page.locator("dialog [name=level]")).to_have_value("novice")
    expect(page.locator("dialog :is(input, select):visible")).to_have_count(3)


def test_a_dialog_goes_with_the_page_below_it(visit: Opener) -> None:
    """Whoever goes back does not meet the dialog of where they were."""
    page = visit("#/played")
    page.locator("main h1").wait_for()
    page.goto(f"{page.url.partition('#')[0]}#/")
    page.click("[data-game=manitou]")
    page.locator("dialog").wait_for()
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile("#/played"))


def test_a_territory_has_a_place_for_each_turn(visit: Opener) -> None:
    """As many as its pile says, and one for a card fewer behind each that was laid."""
    page = visit(viewport=LAPTOP)
    sit_against_ai(page, "tomahawk")
    step(page)
    page.locator(".land-words").first.wait_for()
    turns = [int(number) for number in re.findall(r"\d+", " ".join(page.locator(".land-turns").all_inner_texts()))]
    places = [pile.locator(".own .free-place").count() for pile in page.locator(".territory-pile").all()]
    assert places == turns
    page.locator(".heap-hand button.piece.can").first.click()
    page.locator("button.lay.can").first.click()
    expect(page.locator(".territory-pile .own .free-place")).to_have_count(sum(turns) - 1)
