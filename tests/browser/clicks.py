"""What a person does at a table."""

from playwright.sync_api import Locator, Page, expect

CARD = "button.piece.can"
PICKED = "button.piece.picked"
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
    for chosen in range(1, MOST_PIECES):
        page.locator(f".heap-reserve {CARD}").first.click()
        expect(page.locator(f".heap-reserve {PICKED}")).to_have_count(chosen)
        if page.locator("[data-confirm]:enabled").count():
            break
    page.click("[data-confirm]")


def lay_card(page: Page, card: Locator) -> None:
    """A card of the hand, then a ground where it may lie."""
    card.click()
    page.locator("button.lay.can").first.click()


def settled(page: Page) -> None:
    """Waits until the table is drawn as it was asked for, with what changed."""
    expect(page.locator(".table-page")).to_have_attribute("aria-busy", "false")


def moment(page: Page, table: str, query: str) -> None:
    """Goes to a moment of a table: `90` or `90?seat=1`."""
    page.goto(f"{page.url.split('#')[0]}#/tables/{table}/{query}")
    expect(page.locator(".version")).to_contain_text(f"Event {query.split('?', maxsplit=1)[0]} of")
    settled(page)


def step(page: Page) -> None:
    """Makes whatever move is asked for, in the way that comes first, and waits until it is no longer asked for."""
    decision = page.locator(".moves.mine").get_attribute("data-decision")
    answer(page)
    expect(page.locator(f".moves[data-decision='{decision}']")).to_have_count(0)


def answer(page: Page) -> None:
    """Clicks what makes a move, whichever kind is asked for."""
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
        pieces = page.locator(f".board {CARD}, .choice[aria-pressed=false]")
        if pieces.count():
            pieces.first.click()
    raise AssertionError(page.locator(".moves").inner_text())
