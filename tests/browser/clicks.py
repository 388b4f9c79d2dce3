"""What a person does at a table."""

import re

from playwright.sync_api import Locator, Page, expect

CARD = "button.piece.can"
MOST_PIECES = 12


def sit_against_ai(page: Page, game: str, level: str = "greedy", players: int | None = None) -> None:
    """Two clicks: the game, and start."""
    page.click(f"[data-game={game}]")
    page.select_option("[name=level]", level)
    if players is not None:
        page.select_option("[name=players]", str(players))
    page.click("[data-start=ai]")
    expect(page.locator(".moves.mine")).to_be_visible()


def choose_party(page: Page) -> None:
    """Takes cards of the reserve, as many as are missing, and confirms."""
    missing = int(re.search(r"(\d+) missing", page.locator(".moves .hint[role=status]").inner_text()).group(1))
    for _ in range(missing):
        page.locator(f".heap-reserve {CARD}").first.click()
    page.click("[data-confirm]")


def lay_card(page: Page, card: Locator) -> None:
    """A card of the hand, then a ground where it may lie."""
    card.click()
    page.locator("button.lay.can").first.click()


def step(page: Page) -> None:
    """Makes whatever move is asked for, in the way that comes first."""
    if page.locator(f".heap-reserve {CARD}").count():
        choose_party(page)
    elif page.locator(".kind").count():
        page.locator(".kind").last.click()
    elif page.locator(f".heap-hand {CARD}").count():
        lay_card(page, page.locator(f".heap-hand {CARD}").first)
    elif page.locator(f".paying {CARD}").count():
        page.locator(f".paying {CARD}").first.click()
    else:
        take_what_there_is(page)


def take_what_there_is(page: Page) -> None:
    """Picks pieces until the move is whole, and confirms; a pass needs no piece."""
    for _ in range(MOST_PIECES):
        if page.locator("[data-confirm]:enabled").count():
            page.click("[data-confirm]")
            return
        if not page.locator(".moves.mine").count():
            return  # somebody else was asked meanwhile
        pieces = page.locator(f".board {CARD}, .choice[aria-pressed=false]")
        if pieces.count():
            pieces.first.click()
    raise AssertionError(page.locator(".moves").inner_text())
