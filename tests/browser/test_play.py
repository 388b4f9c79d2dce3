"""Games played by clicks and keys."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import SENT, choose_party, lay_card, settled, sit_against_ai
from tests.browser.conftest import Opener
from tests.browser.hosts import Player


def test_a_refused_move_shows_the_rule(visit: Opener) -> None:
    """Whatever is refused, the text of the rule that refuses it is read from the API."""
    page = visit(**FOR_AXE)
    sit_against_ai(page, "big-manitou", players=2)
    choose_party(page)
    page.locator(".heap-hand button.can").first.wait_for()
    refusal = {
        "title": "A rule forbids this move",
        "status": 422,
        "code": "move_refused",
        "rule": "BM-4.5b",
        "detail": "…",
    }
    answer = {"status": 422, "content_type": "application/problem+json", "body": json.dumps(refusal)}
    page.route(SENT, lambda route: route.fulfill(**answer))
    lay_card(page, page.locator(".heap-hand button.can").first)
    expect(page.locator("dialog .rule-id")).to_have_text("BM-4.5b")
    assert len(page.locator("dialog .rule p").first.inner_text()) > 20
    assert violations(page) == []


def test_a_secret_choice_by_two_browsers_at_once(visit: Opener) -> None:
    """Each sees that the other has chosen, and neither sees what."""
    ann = visit()
    ann.click("[data-game=big-manitou]")
    ann.select_option("[name=players]", "2")
    ann.click("[data-start=open]")
    ann.locator(".waiting").wait_for()
    bea = visit(ann.url.split("/", 3)[3])
    bea.click("[data-sit]")
    bea.click("[data-invited]")
    for page in (ann, bea):
        page.locator(".moves.mine").wait_for()
        expect(page.locator(".seat .badge.acting")).to_have_count(2)
    choose_party(ann)
    expect(bea.locator(".seat").first.locator(".badge.done")).to_be_visible()
    assert bea.locator(".heap-party").count() == 0
    expect(bea.locator(".heap-reserve button.piece")).to_have_count(17)
    choose_party(bea)
    for page in (ann, bea):
        expect(page.locator(".heap-hand .card")).to_have_count(3)


def test_what_is_held_is_not_drawn_anew(visit: Opener, player: Player) -> None:
    """A press, the other seat's choice, the release: that is a click all the same."""
    page = visit()
    page.click("[data-game=big-manitou]")
    page.select_option("[name=players]", "2")
    page.click("[data-start=open]")
    page.locator(".waiting").wait_for()
    table = page.url.rsplit("/", 1)[1]
    player.post(f"tables/{table}/seats/2", {})
    card = page.locator(".heap-reserve button").first
    card.hover()
    told = page.locator(".event").count()
    page.mouse.down()
    (decision,) = player.get(f"tables/{table}/moves")["decisions"]
    (party,) = decision["moves"]
    move = {"type": party["type"], "cards": party["from"][: party["choose"]]}
    player.post(f"tables/{table}/moves", {"game": "big-manitou", "seat": 2, "move": move})
    expect(page.locator(".event")).not_to_have_count(told)
    expect(page.locator(".badge.done")).to_have_count(1)  # the seats are drawn, the tray waits
    page.mouse.up()
    expect(card).to_have_attribute("aria-pressed", "true")


def test_a_dropped_stream_goes_on(visit: Opener, wire, player: Player) -> None:  # type: ignore[no-untyped-def]
    """What happened while the wire was cut is there when it is mended, without a reload."""
    page = visit(base=wire.address)
    page.click("[data-game=big-manitou]")
    page.select_option("[name=players]", "2")
    page.click("[data-start=open]")
    expect(page.locator(".connection")).to_have_class("connection live")
    table = page.url.rsplit("/", 1)[1]
    wire.cut()
    expect(page.locator(".connection")).to_have_class("connection lost")
    player.post(f"tables/{table}/seats/2", {})
    assert page.locator(".waiting").count() == 1
    wire.mend()
    expect(page.locator(".connection")).to_have_class("connection live")
    expect(page.locator(".moves.mine")).to_be_visible()


def answer_behind_the_echo(route: Route, page: Page, events: int) -> None:
    """Lets the answer through when the echo has come and the page had time to ask for more; it tells nothing ahead."""
    answer = route.fetch()
    page.wait_for_timeout(1500)
    assert page.locator(".event").count() == events
    route.fulfill(response=answer)


@pytest.mark.parametrize("first", ["the answer", "its echo"])
def test_a_move_is_one_request_and_its_echo_none(visit: Opener, player: Player, first: str) -> None:
    """The answer holds the table and what is to be decided; the stream brings the sentences, before it or behind it."""
    page = visit()
    page.click("[data-game=big-manitou]")
    page.select_option("[name=players]", "2")
    page.click("[data-start=open]")
    page.locator(".waiting").wait_for()
    player.post(f"tables/{page.url.rsplit('/', 1)[1]}/seats/2", {})
    page.locator(".heap-reserve button.piece").first.wait_for()
    settled(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.rsplit('/', 1)[1]}"))
    events = page.locator(".event").count()
    if first == "its echo":
        page.route(SENT, lambda route: answer_behind_the_echo(route, page, events))
    choose_party(page)
    expect(page.locator(".waiting-for")).to_contain_text("Waiting for Bea")
    expect(page.locator(".event")).to_have_count(events + 1)
    assert asked == ["POST moves?include=table"]


STAYS = """async (node) => {
    for (let frame = 0; frame < 40; frame += 1) {
        await new Promise(requestAnimationFrame);
        if (!node.matches(":hover")) return false;
    }
    return true;
}"""
