"""The moves of others are animated, stay marked until one moves, and can be skipped."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import answer, menu, settled
from tests.browser.conftest import Opener
from tests.browser.hosts import Player
from tests.servers import wait_until

MOVING = {"reduced_motion": "no-preference"}
KEEP = "localStorage.setItem('wintercount.speed', '{}')"


# What is on the screen for a moment is kept as attributes of the root: captions, those while the turn was mine, that
# strengths were compared, that pieces flew.
WATCH = """() => {
    const kept = document.documentElement.dataset;
    new MutationObserver(() => {
        const caption = document.querySelector(".caption")?.textContent;
        if (caption) kept.captions = (kept.captions ?? "") + caption;
        if (caption && document.querySelector(".moves.mine")) kept.early = caption;
        const trial = document.querySelector(".trial-TrialOfStrengthResolved");
        if (trial?.querySelectorAll(".trial-side").length === 2 && trial.querySelector(".falling")) kept.trial = "fell";
        if (document.querySelector(".flights > *")) kept.flights = "seen";
    }).observe(document.body, { childList: true, subtree: true });
}"""


def watch(page: Page) -> None:
    """Keeps what is shown for a moment only."""
    page.evaluate(WATCH)


def seen(page: Page, name: str, what: str) -> None:
    """Waits until something was shown."""
    expect(page.locator("html")).to_have_attribute(f"data-{name}", re.compile(what))


def against(page: Page, player: Player, game: str = "manitou") -> str:
    """A table of the page's person and the player, both of whom have chosen a party; the first card is the player's."""
    page.click(f"[data-game={game}]")
    page.select_option("[name=players]", "2")
    page.click("[data-start=open]")
    page.locator(".waiting").wait_for()
    table = page.url.rsplit("/", 1)[1]
    player.post(f"tables/{table}/seats/2", {})
    page.locator(".moves.mine").wait_for()
    player.get(f"tables/{table}/diff")  # the process that answers this is there from here on
    mine(page)
    page.locator(".last-word").wait_for()
    decide(player, table)
    page.locator(".own-cards .heap-hand").wait_for()
    expect(page.locator(".playing")).to_have_count(0)
    settled(page)
    return table


def mine(page: Page) -> None:
    """Answers the decision that waits for the page's person."""
    decision = page.locator(".moves.mine").get_attribute("data-decision")
    assert decision is not None
    answer(page, decision)


def decide(player: Player, table: str) -> None:
    """The player's first legal move; of a party the heroes, which come last."""
    (decision,) = player.get(f"tables/{table}/moves")["decisions"]
    player.post(f"tables/{table}/moves", {"game": decision_game(player, table), "seat": 2, "move": first(decision)})


def first(decision: dict[str, Any]) -> dict[str, Any]:
    """The first move of a decision; of a party the last cards."""
    move: dict[str, Any] = decision["moves"][0]
    if "choose" not in move:
        return move
    return {"type": move["type"], "cards": move["from"][-move["choose"] :]}


def decision_game(player: Player, table: str) -> Any:
    """The game of a table."""
    return player.get(f"tables/{table}")["game"]


def slowly(page: Page) -> None:
    """Sets the slowest pace, by the menu."""
    menu(page)
    page.select_option("[data-key=pace]", "slow")
    menu(page)


def test_what_others_do_is_played_out_and_ends(visit: Opener, player: Player) -> None:
    """Their card flies to its ground, the event stands in the tray, and then the turn is mine."""
    page = visit(**MOVING)
    watch(page)
    table = against(page, player)
    decide(player, table)
    seen(page, "flights", "seen")
    seen(page, "captions", "Bea lays .* on ground")
    expect(page.locator(".moves.mine")).to_be_visible()
    expect(page.locator("html[data-early]")).to_have_count(0)
    expect(page.locator(".playing")).to_have_count(0)
    flown = page.locator(".flights > *").evaluate_all("found => found.map(one => getComputedStyle(one).opacity)")
    assert set(flown) <= {"0"}


def test_a_figure_changes_when_the_piece_has_arrived(visit: Opener, in_modules: str) -> None:
    """As long as a card flies, the total of the ground that it goes to is shown as it was."""
    page = visit(base=in_modules, **MOVING)
    assert page.evaluate(FLY) == ["3", None]


# What a total shows while a card flies to its ground, and then, beside what it is.
FLY = """async () => {
    const { drawnIn, travel } = await import("/page/js/views/moving-pieces.js");
    const made = (className, data, ...parts) => {
        const node = Object.assign(document.createElement("div"), { className });
        Object.assign(node.dataset, data);
        node.append(...parts);
        return node;
    };
    const [card, total] = [made("card", { card: "1:hunter-2" }), made("side-total", {}, "3")];
    const [hand, ground] = ["/view/hand", "/view/ground"].map((path) => made("", { path }));
    hand.append(card);
    const frame = made("", {}, made("box-board", {}, hand, ground, total));
    document.body.append(frame);
    const before = drawnIn(frame);
    ground.append(card);
    total.textContent = "5";
    travel(frame, before, { by: { seat: 1 } }, 600);
    const flying = total.dataset.before;
    await Promise.all(document.getAnimations().map((each) => each.finished));
    await new Promise((done) => setTimeout(done, 50));
    return [flying, total.dataset.before ?? null];
}"""


@pytest.mark.parametrize("way", ["Escape", " ", "click", "button"])
def test_it_is_skipped_by_a_key_and_a_click(visit: Opener, player: Player, way: str) -> None:
    """However slow it is set, my controls are there at once."""
    page = visit(**MOVING)
    table = against(page, player)
    slowly(page)
    decide(player, table)
    expect(page.locator("[data-skip]")).to_have_text("Show the result")
    if way == "click":
        page.locator(".board").click(position={"x": 5, "y": 5})
    elif way == "button":
        page.click("[data-skip]")
    else:
        page.keyboard.press(way)
    assert page.locator(".moves.mine").count() == 1
    assert page.locator(".playing").count() == 0


def test_nothing_moves_where_rest_is_asked_for(visit: Opener, player: Player) -> None:
    """With reduced motion, or with the setting: the table stands as it is, and what changed is outlined."""
    still, off = visit(), visit(**MOVING)
    for page, name in ((still, "Bea"), (off, "Cid")):
        page.evaluate(KEEP.format("off" if page is off else "slow"))
        page.reload()
        other = Player(player.address, name)
        table = against(page, other)
        watch(page)
        decide(other, table)
        expect(page.locator(".moves.mine")).to_be_visible()
        expect(page.locator(".board .since")).to_have_count(1)
        expect(page.locator("html:is([data-captions], [data-flights])")).to_have_count(0)


def test_what_changed_stays_marked_over_a_reload_until_i_move(visit: Opener, player: Player) -> None:
    """A reload plays nothing, and the mark is there; 'play it again' plays it; my move takes the mark away."""
    page = visit(**MOVING)
    table = against(page, player)
    decide(player, table)
    expect(page.locator(".board .since")).to_have_count(1)
    page.reload()
    page.locator(".moves.mine").wait_for()
    expect(page.locator(".board .since")).to_have_count(1)
    assert page.locator(".caption").count() == 0
    watch(page)
    page.locator("[data-key=replay]").click()
    seen(page, "captions", "Bea lays")
    expect(page.locator(".moves.mine")).to_be_visible()
    mine(page)
    expect(page.locator(".board .since")).to_have_count(0)


def test_the_log_names_people_and_draws_cards(visit: Opener, player: Player) -> None:
    """Groups of what one did, draws folded, the newest in sight unless one has scrolled back; no violation."""
    page = visit(**FOR_AXE | {"viewport": {"width": 1280, "height": 620}})
    table = against(page, player)
    decide(player, table)
    newest = page.locator(".event-group").first
    expect(newest.locator(".person").first).to_contain_text("Bea")
    laid = newest.locator(".event", has_text="on ground")
    expect(laid.locator(".chip")).to_have_count(1)
    expect(laid).not_to_contain_text("Seat")
    laid.locator(".chip").hover()
    expect(page.locator(".board .lit")).to_have_count(1)
    expect(page.locator(".event-fold summary").first).to_contain_text("draw")
    assert violations(page) == []
    log = page.locator(".event-list")
    assert log.evaluate("node => node.scrollTop") == 0
    top = log.evaluate("node => { node.scrollTop = 60; return node.scrollHeight - node.scrollTop; }")
    events = page.locator(".event").count()
    mine(page)
    expect(page.locator(".event")).not_to_have_count(events)
    # Heights are rounded.
    wait_until(lambda: abs(log.evaluate("node => node.scrollHeight - node.scrollTop") - top) <= 1)
