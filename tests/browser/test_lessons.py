"""Lessons on the page: a guide tells each step, lights up the next click, and plays the move."""

import pytest
from playwright.sync_api import Page, expect

from games import GAMES
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import choose_party, settled
from tests.browser.conftest import Opener

SOME = 3
PHONE = {"viewport": {"width": 400, "height": 850}}
# What of the words, the prompt and the buttons is cut off, or out of sight.
IN_SIGHT = """() => [".guide-words", ".guide-actions", ".prompt", ".own-cards", ".controls"].filter((name) => {
    const node = document.querySelector(name), { top, bottom, right } = node.getBoundingClientRect();
    const out = top < 0 || bottom > innerHeight || right > innerWidth;
    return out || (name === ".guide-words" && node.scrollHeight > node.clientHeight + 1);
})"""
# What glows though the step does not ask for it.
LIT_BESIDE = """() => [...document.querySelectorAll(".can:not(.to-play)")]
    .map((node) => getComputedStyle(node).boxShadow).filter((shadow) => shadow !== "none")"""
LOUDER = {
    "en-GB": ("Step {} of {}", "Well done", "You have won"),
    "fr-FR": ("Étape {} sur {}", "Bravo", "Vous avez gagné"),
}


def begin(page: Page, game: str) -> None:
    """The lesson of a game, as the lobby opens it."""
    page.click(f"[data-learn={game}]")
    page.locator(".guide").wait_for()


def click_what_glows(page: Page) -> None:
    """Makes the move of a step by the clicks that are lit up, and waits for the next step."""
    title = page.locator(".guide h2").inner_text()
    decision = page.locator(".moves.mine").get_attribute("data-decision")
    while page.locator(f".moves[data-decision='{decision}']").count():
        page.locator(".to-play").first.click()
        settled(page)
    expect(page.locator(".guide h2")).not_to_have_text(title)


def follow(page: Page) -> None:
    """Does a step as the guide says, and waits for the next."""
    title = page.locator(".guide h2").inner_text()
    page.locator("[data-key=lesson-do]:enabled").press("Enter")
    expect(page.locator(".guide h2")).not_to_have_text(title)
    expect(page.locator("[data-key=lesson-do]:enabled, [data-key=lesson-leave]").first).to_be_visible()


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_a_lesson_is_followed_to_its_end(visit: Opener, language: str) -> None:
    """Tomahawk in seven steps, a whole game, by one button alone; then one click opens a game against a beginner."""
    step, end, won = LOUDER[language]
    page = visit(locale=language)
    begin(page, "tomahawk")
    for number in range(1, 8):
        expect(page.locator(".guide h2")).to_have_text(step.format(number, 7))
        follow(page)
    expect(page.locator(".guide h2")).to_have_text(end)
    assert page.locator(".guide p").count() > 0
    expect(page.locator(".game-end h2")).to_have_text(won)
    expect(page.locator(".turns li .person").first).to_be_visible()  # what turned the game is told, not only named
    page.click("[data-key=lesson-play]")
    expect(page.locator(".guide")).to_have_count(0)
    expect(page.locator(".moves.mine")).to_be_visible()


@pytest.mark.parametrize("game", list(GAMES))
def test_each_lesson_begins(visit: Opener, game: str) -> None:
    """The first steps of each game on a phone: all words are in sight, and the clicks that are lit up make the move."""
    page = visit(**PHONE, **FOR_AXE)
    begin(page, game)
    assert violations(page) == []
    for number in range(1, SOME + 1):
        expect(page.locator(".guide h2")).to_contain_text(f"Step {number} of")
        expect(page.locator("[data-key=lesson-do]")).to_be_enabled()
        assert page.evaluate(IN_SIGHT) == []
        assert page.evaluate(LIT_BESIDE) == []
        click_what_glows(page)


def test_whoever_leaves_the_steps_may_come_back(visit: Opener) -> None:
    """Another move is told; taken back, the step stands there again. Left, the guide stays away over a reload."""
    page = visit()
    begin(page, "manitou")
    choose_party(page)
    page.click("[data-key=lesson-takeback]")
    expect(page.locator("[data-key=lesson-do]")).to_be_enabled()
    expect(page.locator(".guide h2")).to_have_text("Step 1 of 12")
    page.click("[data-key=lesson-leave]")
    expect(page.locator(".guide")).to_have_count(0)
    page.reload()
    page.click("[data-key=lesson-back]")
    expect(page.locator(".guide h2")).to_have_text("Step 1 of 12")
