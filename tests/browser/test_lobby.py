"""The lobby: lists that reach every table, filters, invitations, and being called when it is one's turn."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player

OPEN = {"game": "tomahawk", "seats": [{"kind": "me"}, {"kind": "open"}]}
# What the browser would sound and show, counted; `away` is whether another window is looked at.
HEARD = """
window.heard = [];
window.away = false;
Object.defineProperty(document, "hidden", { get: () => window.away });
window.AudioContext = class { constructor() { heard.push("sound"); throw new Error("silent"); } };
window.Notification = class {
  static permission = "default";
  static asked = 0;
  static requestPermission() {
    Notification.asked += 1;
    return Promise.resolve((Notification.permission = "granted"));
  }
  constructor(title, { body, tag }) { heard.push(body, tag); }
};
"""


def open_tables(player: Player, count: int) -> list[str]:
    """Tables of Tomahawk that wait for somebody."""
    return [player.post("tables", OPEN)["id"] for _ in range(count)]


def rows(page: Page, name: str) -> list[str]:
    """The tables that a list shows."""
    links = page.locator(f".list-{name} .table-row").all()
    return [str(link.get_attribute("data-key")) for link in links]


def test_a_list_reaches_its_last_table(visit: Opener, address: str) -> None:
    """Of eleven open tables of hers eight are shown, with their number, and then all."""
    tables = open_tables(Player(address, "Hortensia"), 11)
    page = visit("#/?player=hortens")
    expect(page.locator(".list-open .table-row")).to_have_count(8)
    expect(page.locator(".list-open .list-count")).to_have_text("8+")
    page.click("[data-more=open]")
    expect(page.locator(".list-open .table-row")).to_have_count(11)
    assert rows(page, "open") == tables[::-1]
    expect(page.locator("[data-more=open]")).to_have_count(0)


def test_filters_stand_in_the_address(visit: Opener, address: str) -> None:
    """Chosen by keys; a reload keeps them; what nobody plays is said to be empty."""
    (table,) = open_tables(Player(address, "Ottoline"), 1)
    page = visit(**FOR_AXE)
    page.click(".filtering > summary")
    page.locator("[name=player]").fill("ottoline")
    page.keyboard.press("Enter")
    expect(page.locator(".list-open .table-row")).to_have_count(1)
    assert rows(page, "open") == [table]
    page.select_option(".filters [name=status]", "open")
    expect(page.locator(".list-finished")).to_have_count(0)
    page.reload()
    expect(page.locator(".list-open .table-row")).to_have_count(1)
    expect(page.locator("[name=player]")).to_have_value("ottoline")
    page.select_option(".filters [name=when]", "older")
    expect(page.locator(".list-open .empty")).to_have_text("No table matches these filters.")
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_an_invitation_asks_for_a_name(visit: Opener, address: str, language: str) -> None:
    """Somebody new comes by the address of a seat, gives a name, and sits there."""
    host = Player(address, "Bea")
    (table,) = open_tables(host, 1)
    page = visit(f"#/tables/{table}?sit=2", locale=language, **FOR_AXE)
    page.locator("dialog [name=name]").fill("Cleopatra")
    assert violations(page) == []
    page.click("[data-invited]")
    expect(page.locator(".moves.mine")).to_be_visible()
    assert [seat["name"] for seat in host.get(f"tables/{table}")["seats"]] == ["Bea", "Cleopatra"]
    late = visit(f"#/tables/{table}?sit=2", locale=language)
    expect(late.locator("#announcer")).not_to_be_empty()
    expect(late.locator("dialog")).to_have_count(0)


def test_who_wants_to_is_called(visit: Opener, address: str) -> None:
    """Permission is asked for when it is chosen; the table where it is my turn comes first, and I am called once."""
    page = visit("docs/problems")
    page.add_init_script(HEARD)
    page.goto(address)
    page.click("[data-key=account]")
    page.fill("dialog [name=name]", "Dora")
    page.click("[data-name=take]")
    assert page.evaluate("Notification.asked") == 0
    page.check("dialog [name=notice]")
    assert page.evaluate("Notification.asked") == 1
    page.keyboard.press("Escape")
    secret = json.loads(page.evaluate("localStorage['wintercount.account']"))["secret"]
    mine = Player(address, "unused")
    mine.headers = {"Authorization": f"Bearer {secret}"}
    first, second = open_tables(mine, 2)
    expect(page.locator(".list-mine .table-row")).to_have_count(2)
    assert rows(page, "mine") == [second, first]
    page.evaluate("away = true")
    Player(address, "Bea").post(f"tables/{first}/seats/2", {})
    expect(page.locator(".list-mine .table-row.waiting")).to_have_count(1)
    assert rows(page, "mine") == [first, second]
    assert page.evaluate("heard") == ["Your turn: Tomahawk", f"#/tables/{first}"]
    assert page.title() == "(1) Wintercount"
