"""Trouble with the network or the service is survived in front of the user's eyes."""

from playwright.sync_api import Page, Route, expect

from tests.browser.clicks import SENT, choose_party, sit_against_ai, step
from tests.browser.conftest import Opener
from tests.browser.hosts import running
from tests.browser.wire import Wire
from tests.servers import data_directory, free_port

ACCESS_ENDED = 'event: end\ndata: {"reason": "access_ended"}\n\n'
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 40_000, "uploadThroughput": 20_000}


def ready_to_lay(page: Page) -> None:
    """A table of Manitou at which a card is to be laid."""
    sit_against_ai(page, "manitou", players=2)
    choose_party(page)
    page.locator(".heap-hand button.can").first.wait_for()


def lay(page: Page) -> None:
    """A card of the hand, and the first ground that takes it."""
    page.locator(".heap-hand button.can").first.click()
    page.locator(".target.can").first.click()


def lies(page: Page) -> None:
    """Waits until one's own card lies on a ground, once."""
    expect(page.locator(".side.own .piece")).to_have_count(1)
    expect(page.locator(".waiting-for.lost")).to_have_count(0)


def test_a_move_made_offline_is_kept_and_sent(visit: Opener) -> None:
    """Chosen and laid without a network; when it is back the move is made by itself, once."""
    page = visit()
    ready_to_lay(page)
    page.context.set_offline(True)
    expect(page.locator(".connection")).to_have_class("connection lost")
    lay(page)
    expect(page.locator(".waiting-for.lost")).to_contain_text("could not be sent")
    page.context.set_offline(False)
    lies(page)
    expect(page.locator(".connection")).to_have_class("connection live")


def test_a_move_whose_answer_is_lost_happens_once(visit: Opener, wire: Wire) -> None:
    """The wire breaks between request and answer; the repeat has the same key."""
    page = visit(base=wire.address)
    ready_to_lay(page)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.headers.get("idempotency-key", "")))

    def lose_the_answer(route: Route) -> None:
        if not wire.is_cut:
            route.fetch()
            wire.cut()
        route.abort()

    page.route(SENT, lose_the_answer)
    lay(page)
    expect(page.locator(".waiting-for.lost")).to_be_visible()
    page.unroute(SENT)
    wire.mend()
    lies(page)
    assert len({key for key in posts if key}) == 1


def test_a_move_that_got_lost_is_sent_after_a_reload(visit: Opener, wire: Wire) -> None:
    """It is kept in the tab, and taken up when the page is opened again."""
    page = visit(base=wire.address)
    ready_to_lay(page)
    wire.cut()
    lay(page)
    expect(page.locator(".waiting-for.lost")).to_be_visible()
    wire.mend()
    page.reload()
    lies(page)


def test_what_happened_while_offline_is_there_afterwards(visit: Opener) -> None:
    """The other seat answers behind a network that is gone; nothing has to be reloaded."""
    page = visit()
    ready_to_lay(page)
    decision = page.locator(".moves.mine").get_attribute("data-decision")
    lay(page)
    page.context.set_offline(True)
    expect(page.locator(".connection")).to_have_class("connection lost")
    page.context.set_offline(False)
    expect(page.locator(f".moves.mine:not([data-decision='{decision}'])")).to_be_visible()
    step(page)


def test_a_service_that_comes_back_is_noticed(visit: Opener) -> None:
    """Ended and started again over the same data: the page goes on without a reload."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    with data_directory() as data:
        with running(port, data):
            page = visit(base=address)
            ready_to_lay(page)
        expect(page.locator(".connection")).to_have_class("connection lost")
        lay(page)
        expect(page.locator(".waiting-for.lost")).to_be_visible()
        with running(port, data):
            lies(page)
            page.goto("about:blank")


def test_a_table_that_could_not_be_opened_is_tried_again(visit: Opener, wire: Wire) -> None:
    """The page says so, and shows the table as soon as it can."""
    page = visit(base=wire.address)
    ready_to_lay(page)
    table = page.url
    page.click(".brand")
    page.locator(".game").first.wait_for()
    wire.cut()
    page.evaluate("address => (location.href = address)", table)
    expect(page.locator("[role=alert]")).to_contain_text("cannot be reached")
    wire.mend()
    expect(page.locator(".moves.mine")).to_be_visible()


def test_a_slow_network_makes_no_second_move(visit: Opener) -> None:
    """Pressed twice and more before the answer is there: one move is sent, and the page says that it is on its way."""
    page = visit()
    ready_to_lay(page)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.locator(".heap-hand button.can").first.click()
    page.locator(".target.can").first.dblclick()
    lies(page)
    assert len([url for url in posts if SENT.search(url)]) == 1


def test_a_service_that_is_busy_is_asked_again(visit: Opener) -> None:
    """What can be done is refused once as too busy: nothing covers the table, and two seconds later it is there."""
    page = visit()
    ready_to_lay(page)
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            return route.continue_()
        refused.append(route.request.url)
        return route.fulfill(status=503, content_type="application/problem+json", body='{"code": "too_busy"}')

    page.route("**/moves", refuse_once)
    page.reload()
    page.locator(".heap-hand button.can").first.wait_for()
    assert len(refused) == 1
    assert page.locator("dialog").count() == 0


def test_an_account_that_cannot_be_read_leaves_a_guest_in_the_lobby(visit: Opener) -> None:
    """Given a stored account and choices that are no JSON, then the lobby is there and says what is lost."""
    page = visit()
    page.evaluate("localStorage['wintercount.account'] = '{'; localStorage['wintercount.calling'] = '{'")
    page.reload()
    expect(page.locator(".notice[role=alert]")).to_contain_text("can no longer be read")
    expect(page.locator("#masthead [data-key=account]")).to_have_text("Sign in")
    expect(page.get_by_text("Tomahawk").first).to_be_visible()


def test_a_stream_that_ends_with_its_token_is_opened_with_the_next(visit: Opener) -> None:
    """A browser that exchanges its token, as an arbiter's does, goes on hearing what happens."""
    page = visit()
    opened: list[str] = []

    def end_the_first(route: Route) -> None:
        opened.append(route.request.headers["last-event-id"])
        if len(opened) > 1:
            return route.continue_()
        return route.fulfill(content_type="text/event-stream", body=ACCESS_ENDED)

    page.route("**/events?language=*", end_the_first)
    ready_to_lay(page)
    expect(page.locator(".connection")).to_have_class("connection live")
    lay(page)
    expect(page.locator("#announcer")).not_to_be_empty()
    assert len(opened) > 1


def test_a_window_shows_no_hand_of_whom_another_has_signed_out(visit: Opener, address: str) -> None:
    """The window shows and acts for whoever is signed in at this browser now."""
    page = visit()
    sit_against_ai(page, "manitou")
    expect(page.locator(".own-cards .card").first).to_be_visible()
    other = page.context.new_page()
    other.on("dialog", lambda sure: sure.accept())
    other.goto(address)
    other.click("[data-key=leave]")
    expect(page.locator("[data-key=leave]")).to_have_count(0)
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator(".own-cards .card")).to_have_count(0)
    sit_against_ai(other, "tomahawk")
    expect(page.locator("[data-key=leave]")).to_be_visible()
    expect(page.locator(".moves.mine")).to_have_count(0)


def test_whoever_signs_out_offline_leaves_no_hand_behind(visit: Opener) -> None:
    """At once, and the page says that the service was not told."""
    page = visit()
    page.on("dialog", lambda sure: sure.accept())
    sit_against_ai(page, "manitou")
    expect(page.locator(".own-cards .card").first).to_be_visible()
    page.context.set_offline(True)
    page.click("[data-key=leave]")
    expect(page.locator(".own-cards .card")).to_have_count(0)
    expect(page.locator("[data-key=leave]")).to_have_count(0)
    expect(page.locator("dialog .refusal")).to_be_visible()
