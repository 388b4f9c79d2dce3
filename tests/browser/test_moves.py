"""A move without a form: a card and a place, what is chosen is undone, a click that is not allowed says why."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import CARD, PICKED, PLACE, SENT, choose_party, moment, sit_against_ai
from tests.browser.conftest import Opener

HAND = ".heap-hand button.piece"
VERB = "[data-confirm]"
LINE = ".tray-line"
ASKED = re.compile(r"/v1/tables/\w+/moves$")
# Where the specials stand, whether they are lifted or not.
STAND = "() => [...document.querySelectorAll('.special')].map((node) => node.offsetLeft)"
# The first moment at which warriors lie face up at a territory with a sign.
WITH_SIGN = """async ([table, sign]) => {
    for (let at = 13; ; at += 1) {
        const { view } = await (await fetch(`/v1/tables/${table}?at=${at}`)).json();
        if (view.piles.some(({ territory, slots }) => territory?.picto === sign && slots[0]?.face_up)) return at;
    }
}"""


def clicked(node: Locator) -> None:
    """Presses a card, or a place wherever it is."""
    node.click()


def keyed(node: Locator) -> None:
    """Presses a card, or the button of a place, without a pointer."""
    node.or_(node.locator("> .lay")).last.focus()
    node.page.keyboard.press("Enter")


@pytest.mark.parametrize("press", [clicked, keyed])
@pytest.mark.parametrize("game", ["manitou", "big-manitou"])
def test_a_card_and_a_ground_are_a_move(visit: Opener, game: str, press) -> None:  # type: ignore[no-untyped-def]
    """The prompt asks for the ground, the grounds glow, and the card lies there: nothing is confirmed."""
    page = visit(**FOR_AXE)
    sit_against_ai(page, game, level="uniform")
    choose_party(page)
    expect(page.locator(f".own-cards {CARD}").first).to_be_visible()
    assert page.locator(f"{VERB}, {PLACE}").count() == 0
    page.locator(".ground").first.click(position={"x": 60, "y": 90})
    expect(page.locator(f"{LINE} [role=alert]")).to_have_text("Choose a card first.")
    press(page.locator(HAND).first)
    expect(page.locator(".prompt h2")).to_have_text("On which ground?")
    assert page.locator(VERB).count() == 0
    assert violations(page) == []
    with page.expect_request(SENT) as sent:
        press(page.locator(PLACE).first)
    assert '"play_card"' in (sent.value.post_data or "")
    expect(page.locator(".side.own .card").first).to_be_visible()


def test_what_is_chosen_is_undone(visit: Opener) -> None:
    """By the card itself, by Escape, and by the button; another card takes the place of the first."""
    page = visit()
    sit_against_ai(page, "big-manitou", level="uniform")
    choose_party(page)
    card, other = page.locator(HAND).first, page.locator(HAND).nth(1)
    for undo in ("card", "Escape", "button"):
        card.click()
        expect(card).to_have_attribute("aria-pressed", "true")
        if undo == "Escape":
            page.keyboard.press("Escape")
        else:
            (card if undo == "card" else page.locator("[data-key=undo]")).click()
        expect(page.locator(f".heap-hand {PICKED}")).to_have_count(0)
        expect(page.locator(".prompt h2")).to_have_text("Lay a card on a ground")
    card.click()
    other.click()
    expect(page.locator(f"{LINE} .swap")).to_contain_text(" instead of ")
    expect(page.locator(f".heap-hand {PICKED}")).to_have_count(1)
    expect(other).to_have_attribute("aria-pressed", "true")
    expect(page.locator(PLACE)).to_have_count(3)


@pytest.mark.parametrize("press", [clicked, keyed])
def test_specials_and_cards_of_tomahawk(visit: Opener, press) -> None:  # type: ignore[no-untyped-def]
    """A special is chosen by itself; cards are planned at territories, and laid by one verb."""
    page = visit(**FOR_AXE)
    sit_against_ai(page, "tomahawk", level="uniform")
    specials = page.locator(".special > button")
    expect(page.locator(f".special > {PICKED}")).to_have_count(2)
    stood = page.evaluate(STAND)
    wanted = page.locator(".special > button[aria-pressed=false]").get_attribute("data-key")
    press(page.locator(f"[data-key='{wanted}']"))
    expect(page.locator(f".special > {PICKED}")).to_have_count(2)
    expect(page.locator(f"{LINE} .swap")).to_contain_text(" instead of ")
    assert page.evaluate(STAND) == stood
    expect(specials.filter(has=page.locator("svg"))).to_have_count(3)
    assert violations(page) == []
    press(page.locator(VERB))
    for placed in range(1, 5):
        press(page.locator(f".heap-hand {CARD}").first)
        press(page.locator(PLACE).first)
        expect(page.locator(f".territory-pile {PICKED}")).to_have_count(placed)
    assert violations(page) == []
    press(page.locator(f".territory-pile {PICKED}").first)
    expect(page.locator(f".territory-pile {PICKED}")).to_have_count(3)
    expect(page.locator(VERB)).to_be_disabled()
    press(page.locator(f".heap-hand {CARD}").first)
    press(page.locator(PLACE).first)
    with page.expect_request(SENT):
        press(page.locator(VERB))


@pytest.mark.parametrize("press", [clicked, keyed])
def test_a_turn_of_plenty_coups(visit: Opener, press) -> None:  # type: ignore[no-untyped-def]
    """A tribe by one click, cards of the display by a verb; a camp that may not be chosen says why, in the tray."""
    page = visit()
    sit_against_ai(page, "plenty-coups", level="uniform", players=3)
    press(page.locator(f".tribes {CARD}").first)
    expect(page.locator(".prompt h2")).to_have_text("Take 2 cards from the display")
    for _ in range(2):
        press(page.locator(f".display {CARD}").first)
    expect(page.locator(".why_not, dialog")).to_have_count(0)
    press(page.locator(VERB))
    expect(page.locator(".prompt h2")).to_have_text("Your turn: 2 actions left")
    press(page.locator("[data-key=kind-exchange_gifts]"))
    expect(page.locator(".kind")).to_have_count(0)
    press(page.locator(".camp.own"))
    expect(page.locator(f"{LINE} [role=alert]")).not_to_be_empty()
    assert page.locator("dialog").count() == 0
    press(page.locator(".camp.can").first)
    expect(page.locator(f"{LINE} [role=alert]")).to_have_count(0)
    for _ in range(2):
        press(page.locator(f".heap-hand {CARD}").first)
    expect(page.locator(f".heap-hand {PICKED}")).to_have_count(0)
    expect(page.locator(".moves")).not_to_contain_text("Which card")


def test_the_tray_says_what_a_card_does(visit: Opener) -> None:
    """Pointed at, focused or touched, in one line that moves nothing."""
    page, phone = visit(), visit(viewport={"width": 400, "height": 850}, has_touch=True, is_mobile=True)
    for each in (page, phone):
        sit_against_ai(each, "tomahawk", level="uniform")
    special = page.locator(".special > button").first
    before = page.locator(".moves").bounding_box()
    special.hover()
    expect(page.locator("#help-line")).to_contain_text("Special")
    assert page.locator(".moves").bounding_box() == before
    page.mouse.move(5, 5)
    expect(page.locator("#help-line")).to_be_empty()
    page.keyboard.press("Tab")
    special.focus()
    expect(page.locator("#help-line")).to_contain_text("Special")
    assert special.get_attribute("aria-describedby") == "help-line"
    phone.locator(".special > button").first.tap()
    expect(phone.locator("#help-line")).to_contain_text("Special")


def test_what_was_touched_is_explained_until_the_next_decision(visit: Opener) -> None:
    """A touch that decides explains what was touched; then it is read why the next thing is asked."""
    phone = visit(viewport={"width": 400, "height": 850}, has_touch=True, is_mobile=True)
    sit_against_ai(phone, "plenty-coups", level="uniform", players=3)
    phone.locator(f".tribes {CARD}").first.tap()
    expect(phone.locator(".prompt h2")).to_have_text("Take 2 cards from the display")
    expect(phone.locator("#help-line")).to_be_empty()


def only_first(route: Route) -> None:
    """What may be done, as if its first move were the only one."""
    answer = route.fetch()
    told = answer.json()
    for decision in told["decisions"]:
        decision["moves"] = decision["moves"][:1]
    route.fulfill(response=answer, body=json.dumps(told))


def test_what_leaves_no_choice_is_done_by_itself(visit: Opener) -> None:
    """The only move is made without a click, and the log tells it."""
    page: Page = visit()
    sit_against_ai(page, "big-manitou", level="uniform")
    choose_party(page)
    expect(page.locator(f".own-cards {CARD}").first).to_be_visible()
    page.route(ASKED, only_first)
    page.reload()
    expect(page.locator(".side.own .card").first).to_be_visible()
    expect(page.locator(".event", has_text="on ground").first).to_be_visible()


@pytest.mark.parametrize("sign", ["puma", "gathering"])
def test_the_sign_of_a_territory_is_explained(visit: Opener, finished: dict[str, str], sign: str) -> None:
    """By pointer and by touch its own help, not that of the terrain."""
    page, phone = visit(), visit(viewport={"width": 400, "height": 850}, has_touch=True)
    version = page.evaluate(WITH_SIGN, [finished["tomahawk"], sign])
    words = {"puma": "do not count", "gathering": "count double"}[sign]
    for shown, touch in ((page, False), (phone, True)):
        moment(shown, finished["tomahawk"], str(version))
        drawn = shown.locator(f".picto:has(use[href='#sign-{sign}'])").first
        drawn.scroll_into_view_if_needed()
        (drawn.tap if touch else drawn.hover)()
        expect(shown.locator("#help-line")).to_contain_text(words)
