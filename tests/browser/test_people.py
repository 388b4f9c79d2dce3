"""A person on two devices: a guest who stays, signs in elsewhere, invites somebody, plays, and is erased."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, play_together
from tests.servers import wait_until

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


@pytest.fixture
def named_address(address: str) -> str:
    """The service by the name of its host: passkeys are for names."""
    return address.replace("127.0.0.1", "localhost")


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


def test_a_person_on_two_devices(visit: Opener, named_address: str) -> None:  # noqa: PLR0915 - one story
    """Guest, name, second device by code, passkey, invitation by link, game, profile, erasure."""
    ann = visit(base=named_address, **FOR_AXE)
    with_authenticator(ann)
    ann.click("[data-key=play-manitou]")
    ann.select_option("[name=players]", "2")
    ann.click("[data-start=open]")
    ann.wait_for_url("**/#/tables/**")
    table = ann.url.rpartition("/")[2]

    settings(ann, named_address)  # a guest, until a name is taken
    expect(ann.locator("[data-guest=true]")).to_be_visible()
    ann.fill("[data-section=who] [name=name]", "Ann")
    ann.click("[data-name=take]")
    expect(ann.locator("[data-guest=false]")).to_be_visible()
    assert violations(ann) == []

    ann.click("[data-show=code]")  # a second device, by a link that is not asked for
    code = ann.locator(".sign-in-code").inner_text()
    assert re.fullmatch(r"[0-9A-Z]{4}-[0-9A-Z]{4}", code)
    telephone = visit(f"#/sign-in/{code}", base=named_address)
    telephone.click("[data-sign=code]")
    expect(telephone.locator("[data-token]")).to_have_count(2)
    assert telephone.evaluate(f"{KEPT}.player") == ann.evaluate(f"{KEPT}.player")
    assert telephone.evaluate(f"{KEPT}.token") != ann.evaluate(f"{KEPT}.token")

    ann.keyboard.press("Escape")
    settings(ann, named_address)  # a passkey, by which the account comes back after signing out
    ann.click("[data-add=passkey]")
    expect(ann.locator("[data-passkey]")).to_have_count(1)
    player = ann.evaluate(f"{KEPT}.player")
    ann.click("[data-key=leave]")
    expect(ann.locator("[data-key=leave]")).to_have_count(0)
    ann.goto(f"{named_address}#/sign-in")
    ann.click("[data-sign=passkey]")
    expect(ann.locator("[data-token]")).to_have_count(2)
    assert ann.evaluate(f"{KEPT}.player") == player

    ann.goto(f"{named_address}#/tables/{table}")  # an invitation by link
    ann.click("[data-invite=name]")
    ann.fill("dialog [name=name]", "Bea")
    ann.click("[data-make]")
    invitation = ann.locator("[data-invitation]").first.get_attribute("data-invitation")
    for _ in range(2):  # what has the link, and below it the invitations
        ann.keyboard.press("Escape")
    bea = visit(f"#/invitation/{invitation}", base=named_address)
    bea.locator("[data-answer=accepted]").wait_for()
    ann.goto(f"{named_address}#/")
    ann.goto(f"{named_address}#/tables/{table}")
    ann.click("[data-invite=name]")
    expect(ann.locator("[data-state=seen]")).to_be_visible()
    ann.keyboard.press("Escape")
    bea.click("[data-answer=accepted]")
    bea.wait_for_url(f"**/#/tables/{table}")
    bea.locator(".moves.mine").wait_for()

    both = [as_player(page, named_address) for page in (ann, bea)]  # a game
    [sent] = both[0].get(f"tables/{table}/invitations")["invitations"]
    assert (sent["state"], sent["player"]) == ("accepted", bea.evaluate(f"{KEPT}.player"))
    for _ in range(MOST_MOVES):
        if not play_together(both, table):
            break
    wait_until(lambda: both[0].get(f"players/{player}")["results"] != [])

    bea.goto(f"{named_address}#/player/{player}")  # a profile
    expect(bea.locator("h1")).to_have_text("Ann")
    expect(bea.locator("[data-section=results] li")).to_have_count(1)
    expect(bea.locator("[data-section=opponents]")).to_have_count(0)

    settings(ann, named_address)  # the erasure
    ann.click("[data-erase]")
    expect(ann.locator("[data-key=leave]")).to_have_count(0)
    assert ann.evaluate(KEPT) is None
    assert requests.get(f"{named_address}v1/players/{player}", timeout=60).status_code == 404

    def is_somebody() -> bool:
        seats = both[1].get(f"tables/{table}")["seats"]
        return [seat["name"] for seat in seats] == ["somebody", "Bea"]

    wait_until(is_somebody)
