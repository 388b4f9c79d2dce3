"""Disputed rulings and moves taken back, by clicks."""

import json
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
from tests.test_disputed_trial import PLAYS, party

PHONE = ViewportSize(width=400, height=850)
LAPTOP = ViewportSize(width=1280, height=800)
OVERFLOW = "(node) => node.scrollWidth - node.clientWidth"  # by how much it has to be scrolled sideways
MOST_TABLES = 30
OVERTURNED = "Not against a pair."


class Seated:
    """The API, asked with the token that a browser holds."""

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

    def step(self, table: str, seat: int) -> dict[str, Any] | None:
        """A move, played so that a weaker hero soon meets a pair; None if there is nothing to decide."""
        moves = self.choices(table)
        if not moves:
            return None
        if "choose" in moves[0]:
            move = party(moves[0])
        else:
            move = PLAYS[seat](moves, self.ask("GET", f"tables/{table}")["view"]) if len(moves) > 1 else moves[0]
        return self.make(table, seat, move)

    def make(self, table: str, seat: int, move: Any) -> dict[str, Any]:
        """The answer to a move."""
        made = {"game": "big-manitou", "seat": seat, "move": move}
        answer: dict[str, Any] = self.ask("POST", f"tables/{table}/moves", made)
        return answer

    def goes_on(self, table: str, seat: int) -> bool:
        """Makes the first move that there is; whether there was one."""
        moves = self.choices(table)
        if moves:
            self.make(table, seat, party(moves[0]) if "choose" in moves[0] else moves[0])
        return bool(moves)


def sign_in(page: Page, name: str) -> Seated:
    """Gives a name, and finds the id that others may use."""
    page.click("[data-key=account]")
    page.fill("dialog [name=name]", name)
    page.click("[data-account=make]")
    expect(page.locator(".player-id")).to_contain_text("p_")
    seated = Seated(page)
    expect(page.locator(".player-id")).to_have_text(seated.player)
    page.keyboard.press("Escape")
    return seated


def open_table(ann: Seated, ben: Seated, **rules: Any) -> str:
    """A table for two at which rulings may be disputed."""
    seats = [{"kind": "me"}, {"kind": "player", "player": ben.player}]
    table: str = ann.ask("POST", "tables", {"game": "big-manitou", "seats": seats} | rules)["id"]
    ben.ask("POST", f"tables/{table}/seats/2", {"arbiter": rules.get("arbiter")})
    return table


def disputable(table: str, ann: Seated, ben: Seated) -> int | None:
    """Plays until a weaker hero has met a pair (BM-R6): the version of that ruling, None if it never comes."""
    while answer := ann.step(table, 1) or ben.step(table, 2):
        for event in answer["events"]:
            if "BM-R6" in event["payload"].get("rules", ()):
                return int(event["version"])
    return None


def disputed_table(ann: Seated, ben: Seated, **rules: Any) -> tuple[str, int]:
    """A table at which such a ruling has just been made, and its version."""
    for _ in range(MOST_TABLES):
        table = open_table(ann, ben, **rules)
        if version := disputable(table, ann, ben):
            return table, version
    raise AssertionError("it never came")


def contest(page: Page, table: str, version: int, *, checked: bool = False) -> None:
    """From the card of the ruling to the open dispute; with `checked` axe-core looks at the dialog."""
    page.goto(f"{page.url.partition('#')[0]}#/tables/{table}/{version}")
    page.click("#tab-rulings")
    page.click("[data-key=contest]")
    readings = page.locator("dialog [name=reading] option").all_inner_texts()
    assert len(set(readings)) == len(readings) > 1
    page.select_option("dialog [name=reading]", label="A hero too weak for a pair: may not be laid")
    page.fill("dialog [name=claim]", "This was no legal move.")
    if checked:
        assert violations(page) == []
    page.click("[data-contest]")
    page.locator("dialog").wait_for(state="detached")


def words(page: Page, key: str, text: str) -> None:
    """Says something by a button that asks for words."""
    page.click(f"[data-court={key}]")
    page.fill("dialog [name=text]", text)
    page.click("[data-send]")
    page.locator("dialog").wait_for(state="detached")


def test_from_a_ruling_to_its_correction(visit: Opener) -> None:
    """Ben disputes, play pauses and says why, Ida overturns; what was undone stays readable and play goes on."""
    ann, ben, ida = (visit(**FOR_AXE) for _ in range(3))
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"), (ida, "Ida"))]
    arbiter = people[2].player
    table, version = disputed_table(*people[:2], arbiter=arbiter, disputes={"by": "arbiter"})
    for page in (ann, ida):
        page.goto(f"{page.url.partition('#')[0]}#/tables/{table}")
    contest(ben, table, version, checked=True)
    assert violations(ben) == []

    for page in (ann, ida):
        expect(page.locator(".notice-row")).to_contain_text(f"Play is paused: Ben disputes BM-R6 at event {version}.")
        expect(page.locator(".notice-row q")).to_have_text("This was no legal move.")
        expect(page.locator(".moves")).to_contain_text("Play is paused")
    ann.click(".notice-row button")
    assert violations(ann) == []
    ann.click("[data-court=comment]")
    assert violations(ann) == []
    ann.keyboard.press("Escape")
    words(ann, "comment", "He could have kept the card.")
    expect(ann.locator("[data-court=overturn]")).to_have_count(0)

    ida.select_option(".eyes select", "2")
    expect(ida.locator(".heap-hand .card").first).to_be_visible()
    expect(ida).to_have_url(re.compile(f"/{version}\\?seat=2$"))
    expect(ann.locator(".dispute")).to_contain_text(f"looked through Ben up to event {version}")
    ida.click("[data-key=live]")
    expect(ida.locator(".eyes select")).to_have_value("")
    ida.click(".notice-row button")
    expect(ida.locator(".dispute")).to_contain_text("He could have kept the card.")
    words(ida, "overturn", OVERTURNED)

    for page in (ann, ida):
        expect(page.locator(".notice-row")).to_have_count(0)
        expect(page.locator(".dispute .badge")).to_have_text("overturned")
        expect(page.locator(".dispute")).to_contain_text(OVERTURNED)
        expect(page.locator("#announcer")).to_contain_text("overturned")
    settled(ben)
    expect(ben.locator(".moment .undone")).to_be_visible()
    expect(ben.locator(".undone-mark")).to_have_count(1)
    expect(ben.locator(".ruling-card .dispute")).to_contain_text(OVERTURNED)
    assert violations(ben) == []
    ben.click("[data-key=live]")
    expect(ben.locator(".moves.mine")).to_be_visible()
    ben.locator(".heap-hand button.can").first.click()
    ben.locator("button.lay.can").first.click()
    expect(ann.locator(".moves.mine")).to_be_visible()


def test_those_seated_decide_by_vote(visit: Opener) -> None:
    """More than half have to be of one mind: with two players, both."""
    ann, ben = visit(), visit()
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"))]
    table, version = disputed_table(*people, disputes={"by": "vote"})
    contest(ben, table, version)
    ann.goto(f"{ann.url.partition('#')[0]}#/tables/{table}")
    ann.click(".notice-row button")
    ann.click("[data-vote=vote_overturn]")
    expect(ann.locator(".comments")).to_contain_text("Ann: votes to overturn")
    expect(ben.locator(".ruling-card .comments")).to_contain_text("Ann: votes to overturn")
    ben.click("[data-vote=vote_overturn]")
    for page in (ann, ben):
        expect(page.locator(".dispute .badge")).to_have_text("overturned")
        expect(page.locator(".dispute")).to_contain_text("By vote: overturned")


def test_a_move_is_taken_back_by_consent(visit: Opener) -> None:
    """A card that all have seen: Ann asks, Ben is asked and agrees, and Ann decides anew."""
    ann, ben = visit(), visit()
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"))]
    table = open_table(*people)
    for page in (ann, ben):
        page.goto(f"{page.url.partition('#')[0]}#/tables/{table}")
        choose_party(page)
    ben.locator(".heap-hand button.can").first.click()
    ben.locator("button.lay.can").first.click()
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
    expect(ann.locator(".finale h2")).to_have_text("You have won")
    expect(ben.locator(".finale h2")).to_have_text("Won by Ann")
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
    ann.locator("summary", has_text="Disputed rulings").click()
    ann.select_option("[name=disputes]", "arbiter")
    ann.fill("[name=arbiter]", arbiter)
    ann.click("[data-start=open]")
    ann.locator(".waiting").wait_for()
    table = ann.url.rsplit("/", 1)[1]
    opened = Seated(ann).ask("GET", f"tables/{table}")
    assert (opened["arbiter"], opened["disputes"]["by"]) == (arbiter, "arbiter")
    assert opened["options"]["pair_attack_weaker"] == "illegal"
