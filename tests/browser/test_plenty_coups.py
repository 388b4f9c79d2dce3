"""The scene of Plenty Coups: every public fact of a view is drawn at its place, once, and told in words."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from tests import corpus
from tests.browser.clicks import moment, wait_until_so
from tests.browser.conftest import Opener

NAMES = [name for name in corpus.NAMES if name.startswith("plenty-coups")]
EACH = 3  # of the versions of a recorded game, one in so many is drawn

# Draws tables and reads what stands at each place of the board.
READ = """async (tables) => {
    const [{ board }, { made }] = await Promise.all([import("/page/js/views/board.js"), import("/page/js/dom.js")]);
    const { gameModule } = await import("/page/js/views/games/index.js");
    const game = await gameModule("plenty-coups");
    const told = (node) => (node.ariaLabel ?? node.querySelector("[aria-label]")?.ariaLabel ?? node.textContent).trim();
    const places = (table) => [...made(board(game, table)).querySelectorAll(".plains [data-path]")];
    return tables.map((table) => places(table).map((node) => [node.dataset.path, told(node)]));
}"""
SIDES = {
    "raid": "Its marker can bring prestige.",
    "prestige": "Its marker already shows prestige: this raid marks no coup.",
}


@pytest.mark.parametrize("name", NAMES)
def test_every_public_fact_is_drawn_once(visit: Opener, in_modules: str, name: str) -> None:
    """Over recorded games with two to six seats, as their seats and spectators see them."""
    tables = list(tables_of(name))

    drawn = visit(base=in_modules).evaluate(READ, tables)

    assert len(tables) > 30
    for table, places in zip(tables, drawn, strict=True):
        assert Counter(map(tuple, places)) == Counter(told(table["view"])), table["view"]


def tables_of(name: str) -> Iterator[dict[str, Any]]:
    """Moments of a recorded game with their camps on the table, by turns as each seat and a spectator see them."""
    history = corpus.history_of(name)
    players = history.table.opened.players
    seats = [{"seat": number, "name": f"Player {number}"} for number in range(1, players + 1)]
    for table in history.walk(1, history.table.version):
        if table.version % EACH == 0 and table.state is not None and table.state.camps:
            seat = (table.version % (players + 1)) or None
            view = msgspec.to_builtins(table.game.view(table.state, seat))
            scores = msgspec.to_builtins(table.game.scores(table.state))
            shown = {"game": "plenty-coups", "seats": seats, "seat": seat, "decisions": [], "scores": scores}
            yield shown | {"view": view}


def told(view: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each place of the board and its words."""
    for index, camp in enumerate(view["camps"]):
        yield from ((f"/view/camps/{index}/{field}", words) for field, words in of_camp(camp))
    for index, raid in enumerate(view["raids"]):
        yield f"/view/raids/{index}", raid_words(raid)
    for index, made in enumerate(view["proposals"]):
        words = f"{tribe(made['tribe'])} proposes an alliance to {tribe(made['to'])}: {card(made['card'])}"
        yield f"/view/proposals/{index}", words
    for index, shown in enumerate(view["display"]):
        yield f"/view/display/{index}", card(shown)
    yield "/view/plain", many(view["plain"], "horse", "on the plain")
    yield "/view/pile_count", f"Pile: {view['pile_count']}"
    yield "/view/discards", f"Discards: {len(view['discards'])}"
    yield from sometimes(view)


def sometimes(view: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is not always on the board."""
    if view["neutral_tribes"]:
        yield "/view/neutral_tribes", f"Tribes without a camp: {', '.join(map(tribe, view['neutral_tribes']))}"
    if view["turn"]:
        yield "/view/turn", "their turn"
    if view["acting_tribe"] != view["turn"]:
        yield "/view/acting_tribe", "must answer"
    if offer := view["offer"]:
        gives = "offers its ally {to} a card for a card" if offer["free"] else "offers {to} a card"
        yield "/view/offer", f"{tribe(offer['tribe'])} {gives.format(to=tribe(offer['to']))}"
    if view["turn"] and (repelled := view["repelled"]):  # what is left of it when the turn has ended says nothing
        words = f"The raid of {tribe(repelled['tribe'])} is repelled: a coup-stick can mark a coup on it now."
        yield "/view/repelled", words


def of_camp(camp: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The facts of a camp."""
    yield "horses", many(camp["horses"], "horse")
    yield "off_herd", many(camp["off_herd"], "point", "of prestige")
    if camp["seat"] is None:  # the bars of the seats tell the other hands
        yield "hand_count", many(camp["hand_count"], "card", "in hand")
    if camp["extra"]:
        yield "extra", many(camp["extra"], "extra point")
    if camp["ally"]:
        yield "ally", f"Allied with {tribe(camp['ally'])}; {card(camp['ally_card'])} seals it"
    if camp["disdained"]:
        yield "disdained", "disdained"


def raid_words(raid: dict[str, Any]) -> str:
    """A raid in words."""
    strength = f"{raid['printed']} + {raid['bonus']} = {raid['attack']}" if raid["bonus"] else raid["attack"]
    since = f"with strength {strength}, since round {raid['round']}."
    due = " It comes home this turn." if raid["due"] else ""
    return f"{tribe(raid['tribe'])} raids {tribe(raid['target'])} {since} {SIDES[raid['marker']]}{due}"


def tribe(name: str) -> str:
    """A tribe by its name."""
    return name.capitalize()


def card(face: str) -> str:
    """A card by its name."""
    kind, *rest = face.split("-")
    if kind == "warrior":
        return f"warrior {rest[1]}, {tribe(rest[0])}"
    return f"weapon {rest[0]}" if kind == "weapon" else face


def many(count: int, thing: str, where: str = "") -> str:
    """So many things."""
    return f"{count} {thing}{'' if count == 1 else 's'} {where}".strip()


def test_raids_are_arrows_that_end_at_their_strength(visit: Opener, finished: dict[str, str]) -> None:
    """From the raider's camp to the strength before the target's, at whatever size the scene has."""
    page = visit()
    moment(page, finished["plenty-coups"], str(first_raid(page, finished["plenty-coups"])))
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 850})
        expect(page.locator(".lanes .lane-raid")).to_have_count(page.locator(".raid").count())
        wait_until_so(page, ARROWS_MEET)


def first_raid(page: Page, table: str) -> int:
    """The version at which a raid stands for the first time."""
    asked = f"fetch('/v1/tables/{table}/events?limit=500').then((answer) => answer.json())"
    events = page.evaluate(asked)["events"]
    return next(int(event["version"]) for event in events if event["type"] == "RaidLaunched")


ARROWS_MEET = """() => {
    const plain = document.querySelector(".lanes").getBoundingClientRect();
    const ends = [...document.querySelectorAll(".lane-raid .way")].map(({ x2, y2 }) =>
        [plain.left + x2.baseVal.value, plain.top + y2.baseVal.value]);
    return [...document.querySelectorAll(".raid")].every((raid) => {
        const { left, top, width, height } = raid.getBoundingClientRect();
        return ends.some(([x, y]) => Math.hypot(left + width / 2 - x, top + height / 2 - y) < 2);
    });
}"""


@pytest.mark.parametrize("away", [1, 2, 3])
def test_raids_do_not_hide_each_other(visit: Opener, finished: dict[str, str], away: int) -> None:
    """Were each camp raided by the one so many places away, each strength could be read: no lane crosses it."""
    page = visit()
    page.route(MOMENT, lambda route: each_camp_raided(route, away))
    moment(page, finished["plenty-coups"], "150")
    expect(page.locator(".raid")).to_have_count(4)
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 850})
        wait_until_so(page, STRENGTHS_CLEAR)


def each_camp_raided(route: Route, away: int) -> None:
    """A moment of a table at which each camp raids another."""
    answer = route.fetch()
    table = answer.json()
    tribes = [camp["tribe"] for camp in table["view"]["camps"]]
    targets = tribes[away:] + tribes[:away]
    raid = {
        "printed": 2,
        "bonus": 0,
        "attack": 2,
        "round": 2,
        "marker": "raid",
        "due": False,
        "cards": ["warrior-red-2"],
    }
    table["view"]["raids"] = [raid | {"tribe": tribe, "target": to} for tribe, to in zip(tribes, targets, strict=True)]
    route.fulfill(response=answer, json=table)


MOMENT = re.compile(r"/v1/tables/\w+\?at=")
# Each lane that does not end at a strength stays outside its circle.
STRENGTHS_CLEAR = """() => {
    const plain = document.querySelector(".lanes").getBoundingClientRect();
    const ends = ({ x1, y1, x2, y2 }) => [x1, y1, x2, y2].map((end) => end.baseVal.value);
    const lanes = [...document.querySelectorAll(".lane-raid")];
    const ways = lanes.map((lane) => [...lane.querySelectorAll(".way")].map(ends));
    const apart = (x, y, [x1, y1, x2, y2]) => {
        const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
        const at = Math.min(1, Math.max(0, along));
        return Math.hypot(x1 + at * (x2 - x1) - x, y1 + at * (y2 - y1) - y);
    };
    return [...document.querySelectorAll(".raid")].every((raid) => {
        const { left, top, width, height } = raid.getBoundingClientRect();
        const [x, y] = [left + width / 2 - plain.left, top + height / 2 - plain.top];
        const others = ways.filter((way) => Math.hypot(way.at(-1)[2] - x, way.at(-1)[3] - y) > 2);
        return others.length === 3 && others.flat().every((part) => apart(x, y, part) > width / 2);
    });
}"""


def test_the_discards_can_be_looked_through(visit: Opener, finished: dict[str, str]) -> None:
    """Each face once, with how many there are of it; they have no order."""
    table = finished["plenty-coups"]
    page = visit()
    moment(page, table, "150")
    view = page.evaluate(f"fetch('/v1/tables/{table}?at=150').then((answer) => answer.json())")["view"]
    page.click(".heap-of-discards")
    faces = page.locator("dialog .looked-through > li")
    expect(faces).to_have_count(len(set(view["discards"])))
    several = [int(each) for each in faces.locator(".count").all_inner_texts()]
    assert sorted(several) == sorted(count for count in Counter(view["discards"]).values() if count > 1)
