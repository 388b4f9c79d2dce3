"""What a person does at a table."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.servers import wait_until

SENT = re.compile(r"/moves\?include=table$")  # where a move is sent to
CARD = "button.piece.can"
PICKED = "button.piece.picked"
MOST_PICKS = 24
PLACE = ".target.can"
KIND = ".moves:not(:has(.undo)) .kind"
# What can be pressed next: a place for what is picked, a card, a word, the kind of move.
NEXT = (PLACE, f".own-cards {CARD}", f".board {CARD}", ".choice[aria-pressed=false]", ".kind")

Press = Callable[[Locator], None]


def sit_against_ai(page: Page, game: str, level: str = "greedy", players: int | None = None) -> None:
    """Two clicks: the game, and start."""
    page.click(f"[data-game={game}]")
    page.select_option("[name=level]", level)
    if players is not None:
        page.select_option("[name=players]", str(players))
    page.click("[data-start=ai]")
    expect(page.locator(".moves.mine")).to_be_visible()


def choose_party(page: Page) -> None:
    """Takes the party that is suggested; in a lesson, cards of the reserve, as many as are missing."""
    page.locator(".moves.mine").wait_for()
    for chosen in range(1, MOST_PICKS):
        if page.locator("[data-confirm]:enabled").count():
            break
        page.locator(f".heap-reserve {CARD}").first.click()
        expect(page.locator(f".heap-reserve {PICKED}")).to_have_count(chosen)
    page.click("[data-confirm]")


def lay_card(page: Page, card: Locator) -> None:
    """A card of the hand, then a ground where it may lie."""
    card.click()
    page.locator(PLACE).first.click()


def menu(page: Page) -> None:
    """Opens what else can be done at a table."""
    page.click(".menu > summary")


def settled(page: Page) -> None:
    """Waits until the table is drawn as it was asked for, with what changed."""
    expect(page.locator(".table-page")).to_have_attribute("aria-busy", "false")


def moment(page: Page, table: str, query: str) -> None:
    """Goes to a moment of a table: `90` or `90?seat=1`."""
    page.goto(f"{page.url.split('#')[0]}#/tables/{table}/{query}")
    expect(page.locator(".version")).to_contain_text(f"{query.split('?', maxsplit=1)[0]} / ")
    settled(page)


def step(page: Page, press: Press = Locator.click) -> None:
    """Makes whatever move is asked for, in the way that comes first, and waits until it is no longer asked for."""
    page.locator(".moves.mine, .ending").first.wait_for()
    decision = page.evaluate("document.querySelector('.moves.mine')?.dataset.decision")
    if decision is None:
        return  # it left no choice, so the page has played it meanwhile
    answer(page, decision, press)
    expect(page.locator(f".moves[data-decision='{decision}']")).to_have_count(0)


def answer(page: Page, decision: str, press: Press = Locator.click) -> None:
    """Presses what comes next until the move is whole; the verb where the last part does not send it."""
    open_decision = page.locator(f".moves[data-decision='{decision}']")
    for pick in range(MOST_PICKS):
        if not open_decision.count():
            return
        if page.locator("[data-confirm]:enabled").count():
            press(page.locator("[data-confirm]"))
            return
        press(_next(page, sum(map(ord, decision)) + pick))
    raise AssertionError(page.locator(".moves").inner_text())


def prepare(page: Page) -> None:
    """Presses what comes next until the move that is asked for can be confirmed."""
    for pick in range(MOST_PICKS):
        if page.locator("[data-confirm]:enabled").count():
            return
        _next(page, pick).click()


def _next(page: Page, turn: int) -> Locator:
    """What is pressed next: of several the one whose turn it is, so that all kinds of moves come up."""
    for wanted in (KIND, *NEXT) if turn % 3 else NEXT:
        found = page.locator(wanted)
        if count := found.count():
            return found.nth(turn % count)
    raise AssertionError(page.locator(".moves").inner_text())


def wait_until_so(page: Page, what: str, argument: Any = None) -> None:
    """Waits until the script `what` is true; `page.wait_for_function` asks within the page, whose policy forbids it."""
    wait_until(lambda: page.evaluate(what, argument))
