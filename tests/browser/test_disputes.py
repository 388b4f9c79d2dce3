"""Disputed rulings and moves taken back, by clicks."""

import json
import random
import re
from typing import Any

import msgspec
import pytest
import requests
from playwright.sync_api import Page, ViewportSize, expect

from games import GAMES
from tests.browser.axe import FOR_AXE, violations
from tests.browser.clicks import choose_party, settled
from tests.browser.conftest import Opener

SIZES = {"laptop": ViewportSize(width=1280, height=800), "phone": ViewportSize(width=400, height=850)}
STORIES = [  # of each game a dispute of each kind; at both sizes of one
    ("big-manitou", "correction", "arbiter", "laptop"),
    ("big-manitou", "reading", "vote", "phone"),
    ("manitou", "correction", "vote", "laptop"),
    ("manitou", "reading", "arbiter", "laptop"),
    ("tomahawk", "correction", "arbiter", "laptop"),
    ("tomahawk", "reading", "vote", "laptop"),
    ("plenty-coups", "correction", "vote", "laptop"),
    ("plenty-coups", "reading", "arbiter", "laptop"),
]
IN_SIGHT = """(node) => {
    const { top, right, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && right <= innerWidth;
}"""
MOST_TABLES, MOST_MOVES = 12, 150
CLAIM, REASON = "This is not what we agreed on.", "So I saw it."


class Seated:
    """The API, asked with the token that a browser holds."""

    game = "big-manitou"

    def __init__(self, page: Page) -> None:
        self.page = page
        kept = json.loads(page.evaluate("localStorage.getItem('wintercount.account')"))
        self.player, self.base = kept["player"], page.url.partition("#")[0] + "v1/"
        self.headers = {"Authorization": f"Bearer {kept['secret']}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer that is no refusal."""
        answer = requests.request(method, self.base + path, json=body, headers=self.headers, timeout=60)
        assert answer.ok, answer.text
        return answer.json()

    def choices(self, table: str) -> list[dict[str, Any]]:
        """The moves that are open to this person now."""
        decisions = self.ask("GET", f"tables/{table}/moves")["decisions"]
        return list(decisions[0]["moves"]) if decisions else []

    def make(self, table: str, seat: int, move: Any) -> dict[str, Any]:
        """The answer to a move."""
        made = {"game": self.game, "seat": seat, "move": move}
        answer: dict[str, Any] = self.ask("POST", f"tables/{table}/moves", made)
        return answer

    def moves_on(self, table: str, seat: int, rng: random.Random) -> list[Any]:
        """The events of a move drawn at random; none if there is nothing to decide."""
        moves = self.choices(table)
        if not moves:
            return []
        move = rng.choice(moves)
        if "choose" in move:
            cards = rng.sample(move["from"], move["choose"])
            if "piles" in move:
                cards = [{"pile": pile, "card": card} for pile, card in zip(move["piles"], cards, strict=True)]
            move = {"type": move["type"], "cards": cards}
        return list(self.make(table, seat, move)["events"])


def sign_in(page: Page, name: str) -> Seated:
    """Gives a name, and finds the id that others may use."""
    page.click("[data-key=account]")
    page.fill("dialog [name=name]", name)
    page.click("[data-name=take]")
    expect(page.locator(".player-id")).to_contain_text("p_")
    seated = Seated(page)
    expect(page.locator(".player-id")).to_have_text(seated.player)
    page.keyboard.press("Escape")
    return seated


def open_table(ann: Seated, ben: Seated, **rules: Any) -> str:
    """A table for two at which rulings may be disputed."""
    seats = [{"kind": "me"}, {"kind": "player", "player": ben.player}]
    table: str = ann.ask("POST", "tables", {"game": ann.game, "seats": seats} | rules)["id"]
    ben.ask("POST", f"tables/{table}/seats/2", {"arbiter": rules.get("arbiter")})
    return table


def disputed_table(people: list[Seated], kind: str = "correction", **rules: Any) -> tuple[str, int]:
    """A table at which a ruling has just been made for which there is a remedy of that kind; and its version."""
    ann, ben = people
    for attempt in range(MOST_TABLES):
        table, rng = open_table(ann, ben, **rules), random.Random(attempt)
        for _ in range(MOST_MOVES):
            events = [event for seat, one in enumerate((ann, ben), 1) for event in one.moves_on(table, seat, rng)]
            for event in (event for event in events if "rules" in event["payload"]):
                if ann.ask("GET", f"tables/{table}")["status"] != "running":
                    break
                told = ann.ask("POST", f"tables/{table}/disputes/preview", {"version": event["version"]})
                if any(kind in each["remedy"] and each["differs"] for each in told["remedies"]):
                    return table, event["version"]
            if not events:
                break
    raise AssertionError("it never came")


def compare(page: Page, table: str, version: int, kind: str) -> None:
    """From the card of a ruling to its outcomes; a remedy of that kind is chosen by keys."""
    page.goto(f"{page.url.partition('#')[0]}#/tables/{table}/{version}")
    settled(page)
    if not page.locator("#tab-rulings").is_visible():
        page.click("[data-key=drawer]")
    page.click("#tab-rulings")
    page.click("[data-key=contest]")
    page.locator(".outcome-pair").wait_for()
    remedies = page.locator(".remedy")
    labels = remedies.all_inner_texts()
    assert len(set(labels)) == len(labels)
    wanted = [n for n, label in enumerate(labels) if label.startswith("House rule") is (kind == "reading")]
    if labels and wanted[0]:
        page.locator(".remedy input").first.focus()
        for _ in range(wanted[0]):
            page.keyboard.press("ArrowDown")
        expect(remedies.nth(wanted[0]).locator("input")).to_be_checked()


def contest(page: Page, table: str, version: int, kind: str = "correction") -> None:
    """From the card of the ruling to the open dispute, and back to now."""
    compare(page, table, version, kind)
    page.fill("dialog [name=claim]", CLAIM)
    page.click("[data-contest]")
    page.click("[data-back]")
    page.locator("dialog").wait_for(state="detached")


def look(page: Page) -> None:
    """From the notice above the table to the outcomes of the open dispute."""
    page.click(".notice-row button")
    page.click("[data-decide]")
    page.locator(".outcome-pair").wait_for()


@pytest.mark.fault
@pytest.mark.parametrize(("game", "kind", "by", "size"), STORIES)
def test_what_should_have_happened(visit: Opener, game: str, kind: str, by: str, size: str) -> None:
    """Ben compares the outcomes and disputes; those who decide see the same; all read in a sentence what changed."""
    ann, ben, ida = (visit(viewport=SIZES[size], **FOR_AXE) for _ in range(3))
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"), (ida, "Ida"))]
    people[0].game = people[1].game = game
    arbiter = people[2].player if by == "arbiter" else None
    table, version = disputed_table(people[:2], kind, arbiter=arbiter, disputes={"by": by})
    for page in (ann, ida):
        page.goto(f"{page.url.partition('#')[0]}#/tables/{table}")

    compare(ben, table, version, kind)
    told = [ben.locator(f".outcome-{side} figcaption p").inner_text() for side in ("as_decided", "instead")]
    assert all(told)
    assert told[0] != told[1]
    assert ben.locator("[data-contest]").evaluate(IN_SIGHT)
    assert violations(ben) == []
    ben.keyboard.press("Escape")
    contest(ben, table, version, kind)
    expect(ben).to_have_url(re.compile(f"/{table}$"))
    expect(ann.locator(".notice-row")).to_contain_text("Play is paused: Ben disputes what was decided.")
    expect(ann.locator(".notice-row q")).to_have_text(CLAIM)

    for page in (ann, ben) if by == "vote" else (ida,):
        look(page)
        assert [
            page.locator(f".outcome-{side} figcaption p").inner_text() for side in ("as_decided", "instead")
        ] == told
        if by == "vote" and page is ann:
            expect(page.locator("dialog .comments")).to_contain_text("Ben: has not voted yet")
        if by == "arbiter":
            page.fill("dialog [name=text]", REASON)
        change = page.locator("dialog .actions .primary")
        assert change.evaluate(IN_SIGHT)
        assert violations(page) == []
        change.click()
        page.locator("dialog").wait_for(state="detached")

    for page in (ann, ben, ida):
        expect(page.locator(".notice-row .outcome")).to_contain_text("Play goes on from there.")
        assert not re.search(r"[A-Z]{2}-\w|[Ee]vent \d|[Ss]eat \d", page.locator(".notice-row").inner_text())
    assert violations(ann) == []
    assert any(one.moves_on(table, seat, random.Random(1)) for seat, one in enumerate(people[:2], 1))


def test_an_arbiter_looks_through_a_seat(visit: Opener) -> None:
    """And all read that; where she lets the ruling stand, nothing changes."""
    ann, ben, ida = (visit() for _ in range(3))
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"), (ida, "Ida"))]
    table, version = disputed_table(people[:2], arbiter=people[2].player, disputes={"by": "arbiter"})
    for page in (ann, ida):
        page.goto(f"{page.url.partition('#')[0]}#/tables/{table}")
    contest(ben, table, version)
    ida.select_option(".eyes select", "2")
    expect(ida.locator(".own-cards .heap").first).to_be_visible()
    expect(ida).to_have_url(re.compile(f"/{version}\\?seat=2$"))
    ann.click(".notice-row button")
    expect(ann.locator(".dispute")).to_contain_text("looked at the table as Ben")
    expect(ann.locator("[data-decide]")).to_have_text("Compare")
    ann.click("[data-court=comment]")
    ann.fill("dialog [name=text]", "He could have kept the card.")
    ann.click("[data-send]")
    ida.click("[data-key=live]")
    look(ida)
    ida.fill("dialog [name=text]", REASON)
    ida.click("[data-court=uphold]")
    expect(ann.locator(".notice-row")).to_have_count(0)
    expect(ann.locator(".dispute")).to_contain_text("He could have kept the card.")
    expect(ann.locator(".dispute .outcome")).to_have_text("Nothing changes. Play goes on.")


def test_a_move_is_taken_back_by_consent(visit: Opener) -> None:
    """A card that all have seen: Ann asks, Ben is asked and agrees, and Ann decides anew."""
    ann, ben = visit(), visit()
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"))]
    table = open_table(*people)
    for page in (ann, ben):
        page.goto(f"{page.url.partition('#')[0]}#/tables/{table}")
        choose_party(page)
    ben.locator(".heap-hand button.can").first.click()
    ben.locator(".target.can").first.click()
    ann.locator(".moves.mine").wait_for()
    ben.click("[data-key=takeback]")
    expect(ben.locator(".notice-row")).to_contain_text("Still to agree: Ann.")
    expect(ann.locator(".notice-row")).to_contain_text("Ben asks to take the last move back.")
    ann.click("[data-offer=true]")
    expect(ann.locator(".notice-row")).to_have_count(0)
    expect(ben.locator(".moves.mine")).to_be_visible()
    expect(ben.locator(".heap-hand .card")).to_have_count(3)
    expect(ben.locator(".event.undone").first).to_be_visible()


@pytest.mark.fault
def test_a_game_is_left_from_the_menu(visit: Opener) -> None:
    """Each way asks first: Ann refuses a draw, Ben resigns, and both see who has won."""
    ann, ben = visit(), visit()
    table = open_table(*(sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"))))
    for page in (ann, ben):
        page.goto(f"{page.url.partition('#')[0]}#/tables/{table}")
        choose_party(page)
    _leave(ben, "draw")
    expect(ann.locator(".notice-row")).to_contain_text("Ben offers a draw.")
    expect(ben.locator(".notice-row")).to_contain_text("Still to agree: Ann.")
    ann.click("[data-offer=false]")
    expect(ben.locator(".notice-row")).to_have_count(0)
    _leave(ben, "resign")
    expect(ann.locator(".game-end h2")).to_have_text("You have won")
    expect(ben.locator(".game-end h2")).to_have_text("Won by Ann")
    expect(ben.locator("[data-key=leaving-resign]")).to_have_count(0)


def _leave(page: Page, way: str) -> None:
    page.once("dialog", lambda asked: asked.accept())
    page.locator("[data-key=menu]").evaluate("(menu) => (menu.open = true)")
    page.click(f"[data-key=leaving-{way}]")


@pytest.mark.fault
def test_the_form_opens_every_house_rule_of_every_edition(visit: Opener) -> None:
    """What is chosen is asked for; what nobody touched follows the edition."""
    page = visit()
    asked: list[Any] = []
    page.on(
        "request", lambda request: asked.append(request.post_data_json) if request.url.endswith("/tables") else None
    )
    page.route("**/v1/tables", lambda route: route.abort())
    page.click("[data-game=manitou]")
    page.click(".more-choices > summary")
    page.locator("summary", has_text="House rules").click()
    names = [option.name for option in GAMES["manitou"].options if option.values]
    for edition in ("goldsieber", "online"):
        page.select_option("[name=edition]", f'"{edition}"')
        usual = GAMES["manitou"].read_options({"edition": edition}, 3)
        assert [page.input_value(f"[name={name}]") for name in names] == [
            json.dumps(getattr(usual, name)) for name in names
        ]
        for option in (option for option in GAMES["manitou"].options[1:] if option.values):
            for value in option.values:
                page.select_option(f"[name={option.name}]", json.dumps(value))
                page.click("[data-start=open]")
                page.locator(".refusal").wait_for()  # nothing is opened: the answer was cut off
                page.keyboard.press("Escape")
                found = GAMES["manitou"].read_options(asked[-1]["options"], 3)
                assert found == msgspec.structs.replace(usual, **{option.name: value})
            page.select_option(f"[name={option.name}]", json.dumps(getattr(usual, option.name)))


def test_a_table_is_opened_with_an_arbiter_and_house_rules(visit: Opener) -> None:
    """In the dialog: who decides disputes, and how rulings are to be read."""
    ida, ann = visit(), visit()
    arbiter = sign_in(ida, "Ida").player
    ann.click("[data-game=big-manitou]")
    ann.click(".more-choices > summary")
    ann.locator("summary", has_text="House rules").click()
    ann.select_option("[name=pair_attack_weaker]", label="may not be laid")
    ann.locator("summary", has_text="Disputes").click()
    ann.select_option("[name=disputes]", "arbiter")
    ann.fill("[name=arbiter]", arbiter)
    ann.click("[data-start=open]")
    ann.locator(".waiting").wait_for()
    table = ann.url.rsplit("/", 1)[1]
    opened = Seated(ann).ask("GET", f"tables/{table}")
    assert (opened["arbiter"], opened["disputes"]["by"]) == (arbiter, "arbiter")
    assert opened["options"]["pair_attack_weaker"] == "illegal"
