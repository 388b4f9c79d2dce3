"""The first minute: from a browser that knows nothing to a first card, a friend, and what was played."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, play_together

MOST_CLICKS = 5
RATED = re.compile(r"Your rating: 1500 → \d+ \([+−]\d+\)")
KEPT = "JSON.parse(localStorage.getItem('wintercount.account')).secret"
PHONE = {"width": 400, "height": 850}
# What is pressed after the table is open, until a first card is laid or taken.
FIRST_CARD = {
    "big-manitou": ["[data-confirm]", ".heap-hand button.can", ".target.can"],
    "manitou": ["[data-confirm]", ".heap-hand button.can", ".target.can"],
    "tomahawk": ["[data-confirm]", ".heap-hand button.can", ".target.can"],
    "plenty-coups": [".tribes button.can", ".display button.can"],
}


@pytest.mark.parametrize("game", FIRST_CARD)
def test_a_first_card_lies_after_five_clicks(
    visit: Opener, game: str, record_property: Callable[[str, object], None]
) -> None:
    """Nobody is asked for a name; a party is suggested, and one click takes it."""
    page = visit()
    clicks = [f"[data-game={game}]", "[data-start=ai]", *FIRST_CARD[game]]
    for each in clicks:
        page.locator(each).first.click()
    expect(page.locator("button.piece.picked, .side.own .card").first).to_be_visible()
    record_property(f"Clicks to a first card, {game}", len(clicks))
    assert len(clicks) <= MOST_CLICKS


@pytest.mark.fault
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_a_friend_is_invited_with_one_click_and_comes_with_one(visit: Opener, address: str, language: str) -> None:
    """The link stands in a field where nothing can be copied; the game begins by itself when the friend sits there."""
    page = visit(locale=language, **FOR_AXE)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("[data-key=invite-plenty-coups]")
    link = page.locator(".shared-link").input_value()
    page.keyboard.press("Escape")
    assert link == f"{page.url}?sit=2"
    expect(page.locator(".waiting li")).to_have_count(2)
    expect(page.locator(".waiting .free")).to_have_count(1)
    expect(page.locator("[data-agreed=clock]")).to_be_visible()
    expect(page.locator("[data-rules] li:visible")).to_have_count(0)  # none differs from the usual ones
    page.click("[data-key=options] > summary")
    expect(page.locator("[data-rules] li").first).to_be_visible()
    assert violations(page) == []
    friend = visit(link.removeprefix(address), locale=language, **FOR_AXE)
    friend.click("[data-invited]")
    expect(page.locator(".moves, .waiting-for").first).to_be_visible()
    friend.goto(f"{address}#/")
    rows_above = friend.locator(".list-mine .table-row")
    expect(rows_above).to_have_count(1)
    parts = (".list-mine", ".games", ".list-open", ".list-finished")
    tops = [friend.locator(part).evaluate("node => node.getBoundingClientRect().top") for part in parts]
    assert tops == sorted(tops)
    assert violations(friend) == []


def test_a_house_rule_that_differs_is_shown_to_whoever_comes(visit: Opener, player: Player) -> None:
    """Only that one; a link to a seat that somebody has taken leads to another, and to none when all are taken."""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    table = player.post("tables", {"game": "manitou", "seats": seats, "options": {"large_herd_low": 8}})["id"]
    player_at = Player(player.address, "Ann, the Bold")
    player_at.post(f"tables/{table}/seats/2", {})
    page = visit(f"#/tables/{table}?sit=2")
    expect(page.locator("[data-rules] li:visible")).to_have_text(["Lowest card of the large herd: 8"])
    page.fill("dialog [name=name]", "Cleopatra")
    page.click("[data-invited]")
    page.locator(".moves.mine").wait_for()
    assert [seat["name"] for seat in player.get(f"tables/{table}")["seats"]] == ["Bea", "Ann, the Bold", "Cleopatra"]
    late = visit(f"#/tables/{table}?sit=2")
    expect(late.locator("#announcer")).to_have_text("Every seat is taken.")
    expect(late.locator("dialog")).to_have_count(0)


def test_a_guest_takes_a_name_later(visit: Opener) -> None:
    """From the masthead, without leaving the game."""
    page = visit(**FOR_AXE)
    page.click("[data-learn=tomahawk]")
    page.locator(".guide").wait_for()
    expect(page.locator("[data-key=account]")).to_have_text(re.compile(r"^Guest \d{4}$"))
    page.click("[data-key=account]")
    assert violations(page) == []
    page.fill("dialog [name=name]", "Ann, the Bold")
    page.click("[data-name=take]")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-key=account]")).to_have_text("Ann, the Bold")


def test_history_profile_and_leaderboard_are_two_clicks_away(visit: Opener) -> None:
    """From a table on a phone, where there is no masthead: the menu, and a link of it."""
    page = visit(viewport=PHONE)
    page.click("[data-learn=tomahawk]")
    for key, address in {
        "people.profile": "player/p_",
        "played.title": "played[?]player",
        "lobby.leaders": "played[?]game",
    }.items():
        page.click(".menu > summary")
        page.click(f".menu [data-key='{key}']")
        expect(page).to_have_url(re.compile(address))
        page.locator("main h1").wait_for()
        page.go_back()


def test_a_rated_game_ends_with_the_change_of_a_rating(visit: Opener, player: Player) -> None:
    """It stands below the ranking, and leads to the history of the rating."""
    page = visit(**FOR_AXE)
    page.click("[data-key=invite-manitou]")
    page.locator(".waiting").wait_for()
    table = re.findall(r"t_\w+", page.url)[0]
    player.post(f"tables/{table}/seats/2", {})
    guest = Player(player.address, "unused")
    guest.headers = {"Authorization": f"Bearer {page.evaluate(KEPT)}"}
    while play_together([guest, player], table):
        pass
    expect(page.locator(".rated")).to_have_text(RATED)
    assert violations(page) == []
    page.click("[data-key=rated]")
    expect(page.locator(".rating-points a")).to_have_count(1)


def test_settings_are_short(visit: Opener) -> None:
    """Nouns as titles; only limits that count something are listed."""
    page = visit(**FOR_AXE)
    page.click("[data-learn=tomahawk]")
    page.locator(".guide").wait_for()
    page.click("[data-key=account]")
    page.click("dialog [href='#/settings']")
    account = ["Name", "Devices and programs", "Recovery codes", "Passkeys"]
    titles = [*account, "What everybody may see", "Limits", "My data"]
    expect(page.locator(".people h2")).to_have_text(titles)
    expect(page.locator("[data-section=quotas] li").first).to_have_text(re.compile(r"^[\w ]+: [1-9]\d* of \d+$"))
    expect(page.locator("[data-take=export]")).to_have_text("Export my data")
    assert violations(page) == []
