"""Two people on two devices each: a rated game by the clock, one more with the seats turned, and an erasure."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import choose_party
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, play_together
from tests.servers import data_directory, free_port, wait_until

KEPT = "JSON.parse(localStorage.getItem('wintercount.account'))"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
MOST_MOVES = 400
NAME, OTHER = "Wilhelmina Sunrise", "Bea of the Plains"
FISCHER = "2"  # of the clocks to choose from: five minutes, and five seconds with each decision
RUNS = re.compile(r"^\d:\d\d$")
ZSTD, GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08"


@pytest.fixture
def host() -> Iterator[str]:
    """The address of a service of its own by name, as passkeys need it."""
    port = free_port()
    with data_directory() as data, hosts.running(port, data):
        yield f"http://localhost:{port}/"


def with_authenticator(page: Page) -> None:
    """Gives a page a device that makes passkeys, and agrees to every question."""
    wire = page.context.new_cdp_session(page)
    wire.send("WebAuthn.enable")
    wire.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.on("dialog", lambda dialog: dialog.accept())


def settings(page: Page, base: str) -> None:
    """Opens the settings anew."""
    page.goto(f"{base}#/")
    page.goto(f"{base}#/settings")
    page.locator("[data-section=who]").wait_for()


def as_player(page: Page, address: str) -> Player:
    """The person of a page, who plays over the API."""
    found = Player.__new__(Player)
    found.address, found.headers = address, {"Authorization": f"Bearer {page.evaluate(f'{KEPT}.secret')}"}
    return found


def opened_by_clicks(page: Page) -> str:
    """A rated table of Manitou with a Fischer clock and an open seat."""
    page.click("[data-key=play-manitou]")
    page.select_option("[name=players]", "2")
    page.click(".more-choices > summary")
    page.select_option("[name=clock]", FISCHER)
    page.click("[data-start=open]")
    page.wait_for_url("**/#/tables/**")
    return page.url.rpartition("/")[2]


def choose_to_stay(page: Page, base: str, name: str) -> None:
    """A guest takes a name, and makes a passkey."""
    settings(page, base)
    expect(page.locator("[data-guest=true]")).to_be_visible()
    page.fill("[data-section=who] [name=name]", name)
    page.click("[data-name=take]")
    expect(page.locator("[data-guest=false]")).to_be_visible()
    page.click("[data-add=passkey]")
    expect(page.locator("[data-passkey]")).to_have_count(1)


def comes_back(page: Page, base: str) -> None:
    """Somebody signs out, and in again by the passkey."""
    player = page.evaluate(f"{KEPT}.player")
    page.click("[data-key=leave]")
    expect(page.locator("[data-key=leave]")).to_have_count(0)
    page.goto(f"{base}#/sign-in")
    page.click("[data-sign=passkey]")
    expect(page.locator("[data-token]")).to_have_count(1)
    assert page.evaluate(f"{KEPT}.player") == player


def look_up(page: Page, base: str, player: str, name: str) -> None:
    """Somebody looks at the profile and the history of a player who has played twice."""
    page.goto(f"{base}#/player/{player}")
    expect(page.locator("h1")).to_have_text(name)
    expect(page.locator("[data-section=results] li")).to_contain_text("2 played")
    played_by(page, base, player)
    expect(page.locator(".rating-points a")).to_have_count(2)
    assert violations(page) == []


def second_device(visit: Opener, base: str, page: Page) -> Page:
    """Another device of a person's, signed in by the code that the first one shows."""
    settings(page, base)
    page.click("[data-show=code]")
    code = page.locator(".sign-in-code").inner_text()
    page.keyboard.press("Escape")
    other = visit(f"#/sign-in/{code}", base=base, **FOR_AXE)
    other.click("[data-sign=code]")
    expect(other.locator("[data-token]")).to_have_count(2)
    assert other.evaluate(f"{KEPT}.player") == page.evaluate(f"{KEPT}.player")
    assert other.evaluate(f"{KEPT}.token") != page.evaluate(f"{KEPT}.token")
    return other


def invited(visit: Opener, base: str, page: Page, table: str) -> Page:
    """A guest who was invited by a link and has sat down."""
    page.goto(f"{base}#/tables/{table}")
    page.click("[data-invite=name]")
    page.fill("dialog [name=name]", OTHER)
    page.click("[data-make]")
    invitation = page.locator("[data-invitation]").first.get_attribute("data-invitation")
    for _ in range(2):  # what has the link, and below it the invitations
        page.keyboard.press("Escape")
    guest = visit(f"#/invitation/{invitation}", base=base, **FOR_AXE)
    guest.locator("[data-answer=accepted]").wait_for()
    page.goto(f"{base}#/")
    page.goto(f"{base}#/tables/{table}")
    page.click("[data-invite=name]")
    expect(page.locator("[data-state=seen]")).to_be_visible()
    page.keyboard.press("Escape")
    guest.fill("[name=name]", "")
    guest.click("[data-answer=accepted]")
    guest.wait_for_url(f"**/#/tables/{table}")
    guest.locator(".moves.mine").wait_for()
    return guest


def play_out(both: list[Player], table: str) -> Any:
    """Both play to the end; the table then."""
    for _ in range(MOST_MOVES):
        if not play_together(both, table):
            break
    found = both[0].get(f"tables/{table}")
    assert found["status"] == "finished"
    return found


def wait_until_rated(both: list[Player], table: str) -> None:
    """Waits until the game is listed, with what it did to the rating of each seat."""

    def is_rated() -> bool:
        rows = [row for row in both[0].get("games-played")["games"] if row["table"] == table]
        return [bool(seat["rating"]) for row in rows for seat in row["seats"]] == [True, True]

    wait_until(is_rated)


def test_a_rated_game_another_and_an_erasure(visit: Opener, host: str) -> None:  # noqa: PLR0915 - one story
    """Guest, account, passkey, devices, invitation, clock, rematch, profile, history; then one is nowhere, and both."""
    base = host
    will = visit(base=base, **FOR_AXE)  # a guest, who takes a name and makes a passkey
    with_authenticator(will)
    first = opened_by_clicks(will)
    choose_to_stay(will, base, NAME)
    comes_back(will, base)
    telephone = second_device(visit, base, will)

    bea = invited(visit, base, will, first)  # who was invited does the same
    with_authenticator(bea)
    choose_to_stay(bea, base, OTHER)
    tablet = second_device(visit, base, bea)
    both = [as_player(page, base) for page in (will, bea)]
    assert both[0].get(f"tables/{first}")["rated"] is True
    [sent] = both[0].get(f"tables/{first}/invitations")["invitations"]
    assert (sent["state"], sent["player"]) == ("accepted", bea.evaluate(f"{KEPT}.player"))

    will.goto(f"{base}#/")
    will.goto(f"{base}#/tables/{first}")  # the first party by clicks, under the clock; the other device sees it
    expect(will.locator(".seat-clock").first).to_have_text(RUNS)
    choose_party(will)
    telephone.goto(f"{base}#/tables/{first}")
    expect(telephone.locator(".seat-clock").first).to_have_text(RUNS)
    expect(telephone.locator(".heap-reserve button.can")).to_have_count(0)
    over = play_out(both, first)
    assert over["clock"] == {"kind": "fischer", "initial_s": 300, "increment_s": 5}
    wait_until_rated(both, first)

    telephone.goto(f"{base}#/")
    telephone.goto(f"{base}#/tables/{first}")  # another game from the second device: whoever sat last sits first
    telephone.click("[data-key=rematch]")
    telephone.wait_for_url(lambda url: first not in url)
    second = telephone.url.rpartition("/")[2]
    kept = both[1].get(f"tables/{second}")["seats"]
    ids = [page.evaluate(f"{KEPT}.player") for page in (will, bea)]
    assert [seat["kept_for"] or seat["player"] for seat in kept] == ids[::-1]
    tablet.goto(f"{base}#/tables/{second}")
    tablet.click("[data-sit='1']")
    tablet.locator(".moves.mine").wait_for()
    again = play_out(both, second)
    assert [seat["player"] for seat in again["seats"]] == ids[::-1]
    assert again["clock"] == over["clock"]
    wait_until_rated(both, second)

    look_up(tablet, base, ids[0], NAME)  # each looks at the other's profile and history
    look_up(telephone, base, ids[1], OTHER)

    erase(telephone, base)  # from the second device
    assert_unknown(both[0], base, ids[0])
    for table in (first, second):
        wait_until(lambda name=table: "somebody" in [seat["name"] for seat in both[1].get(f"tables/{name}")["seats"]])
        assert both[1].get(f"tables/{table}/audit")["holds"]
    wait_until(lambda: NAME not in played_by(tablet, base, ids[0]))  # a web process shows it for some seconds more

    erase(tablet, base)  # the other one goes as well
    assert_unknown(both[1], base, ids[1])
    for table in (first, second):
        assert requests.get(f"{base}v1/tables/{table}/audit", timeout=60).json()["holds"]


def played_by(page: Page, base: str, player: str) -> str:
    """What the page says of the two games that somebody played."""
    page.goto(f"{base}#/")
    page.goto(f"{base}#/played?player={player}")
    expect(page.locator(".played .table-row")).to_have_count(2)
    return page.locator(".played").inner_text()


def erase(page: Page, base: str) -> None:
    """A person erases themselves by the settings of the page."""
    page.on("dialog", lambda dialog: dialog.accept())
    settings(page, base)
    page.click("[data-erase]")
    expect(page.locator("[data-key=leave]")).to_have_count(0)
    assert page.evaluate(KEPT) is None


def assert_unknown(player: Player, base: str, erased: str) -> None:
    """Checks that neither the profile nor any token of an erased person is left."""
    assert requests.get(f"{base}v1/players/{erased}", timeout=60).status_code == 404
    # Another web process may have remembered the token for some seconds.
    wait_until(lambda: requests.get(f"{base}v1/players/me", headers=player.headers, timeout=60).status_code == 401, 30)
