"""The review of a finished table: its analysis asked for, followed, looked through, and mistakes tried again."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import pytest
import requests
from playwright.sync_api import Page, Route, expect

from games import GAMES
from rulings.archive_format import read_history
from tests.browser import hosts
from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener
from tests.browser.hosts import Player, finished_tables
from tests.browser.test_french import english
from tests.browser.test_layout import fits
from worker.analysis.evaluating import Effort
from worker.analysis.finished import DEEP, analysis_of, decisions, evaluate_decision

PHONE = {"width": 400, "height": 850}
LAPTOP = {"width": 1280, "height": 800}
LITTLE, SEVERAL = Effort(2, 2), 7  # worlds and moves, and decisions: enough to be drawn
UNSAID = ".*(?:_|undefined|NaN).*"  # what was not put into words
LOST = {"blunder": 12.5, "mistake": 6.0, "inaccuracy": 1.5}  # points of margin


# Where a private branch comes from, asked by whoever opened it.
LINEAGE = """async (table) => {
    const { secret } = JSON.parse(localStorage.getItem("wintercount.account"));
    const answer = await fetch(`/v1/tables/${table}/forks`, { headers: { Authorization: `Bearer ${secret}` } });
    return (await answer.json()).forked_from;
}"""


class Reviewed(NamedTuple):
    """A finished table with an analysis of it, at whose first decisions something was lost."""

    table: str
    analysis: Any

    @property
    def blunder(self) -> Any:
        """The decision that lost most."""
        return next(row for row in self.analysis["evaluations"] if row["verdict"] == "blunder")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A service of its own: it makes analyses."""
    with hosts.service() as found:
        yield found


@pytest.fixture(scope="module")
def reviewed(address: str) -> dict[str, Reviewed]:
    """A table of each game, analysed here with little effort."""
    return {game: _reviewed(address, table) for game, table in finished_tables(address).items()}


def _reviewed(address: str, table: str) -> Reviewed:
    archive = requests.get(f"{address}v1/tables/{table}/archive", timeout=60)
    assert archive.ok, archive.text
    history = read_history(iter(archive.content.splitlines(keepends=True)))
    rows = [evaluate_decision(table, decision, LITTLE) for decision in islice(decisions(history), SEVERAL)]
    found = msgspec.json.decode(msgspec.json.encode(analysis_of(history.table, DEEP, LITTLE, rows)))
    own = [row for row in found["evaluations"] if row["seat"] == 1 and row["evaluation"]["others"]]
    for row, (verdict, loss) in zip(own, LOST.items(), strict=False):
        _lose(row, verdict, loss)
    for summary in found["seats"]:
        verdicts = [row["verdict"] for row in found["evaluations"] if row["seat"] == summary["seat"]]
        counted = {"inaccuracies": "inaccuracy", "mistakes": "mistake", "blunders": "blunder"}
        summary |= {name: verdicts.count(verdict) for name, verdict in counted.items()}
    return Reviewed(table, found)


def _lose(row: Any, verdict: str, loss: float) -> None:
    """A decision at which another move would have brought so much more."""
    row["verdict"] = verdict
    row["evaluation"]["loss"] = row["evaluation"]["others"][0]["behind"] = {"mean": loss, "error": 0.5}


def told(found: Reviewed, status: str = "done", done: int = 7) -> Any:
    """How the deep analysis of a table stands, as the API tells it."""
    head = {"table": found.table, "kind": "deep", "status": status, "asked_at": "2026-11-23T00:00:00.000Z"}
    whole = found.analysis if status == "done" else None
    return head | {"done": done, "of": 7, "detail": None, "analysis": whole}


def answered(page: Page, found: Reviewed) -> None:
    """From here on the page is told that the deep analysis is done, and that nobody has asked for the quick one."""

    def answer(route: Route) -> None:
        if "kind=deep" in route.request.url:
            route.fulfill(json=told(found))
        else:
            route.continue_()

    page.route(f"**/v1/tables/{found.table}/analysis?*", answer)


def opened(visit: Opener, found: Reviewed, query: str = "", **options: Any) -> Page:
    """The review of a table, by its address."""
    page = visit(**options)
    answered(page, found)
    page.evaluate(f"location.hash = '#/review/{found.table}{query}'")
    page.locator(".review-graph, .review-decision").first.wait_for()
    return page


def test_a_quick_analysis_is_asked_for_and_followed(visit: Opener, address: str) -> None:
    """From the end of a game to its review: what it is, the button, progress, and all of it after a reload too."""
    table = finished_tables(address, ["manitou"])["manitou"]
    page = visit(f"#/tables/{table}", **FOR_AXE)
    page.click("[data-key=decisions]")
    expect(page.locator(".review-asking")).to_contain_text("looks at every decision")
    assert violations(page) == []
    page.click("[data-key=ask]")
    expect(page.locator(".review-asking progress")).to_be_visible()
    page.locator(".review-list").wait_for()
    count = page.locator(".review-list li").count()
    expect(page.locator(".review-point")).to_have_count(count)
    expect(page.locator(".review > .notice")).to_contain_text(f"all {count} decisions")
    expect(page.locator(".review-accuracy td").first).to_have_text(re.compile(r"^\d+% \(\d+% to \d+%\) of \d+$"))
    expect(page.locator(".review-turns a").first).to_have_text(re.compile(r"moment \d+: [-+]\d+%$"))
    page.locator(".review-list a").first.click()
    expect(page.locator(".review-board .play").first).to_be_visible()
    page.reload()
    expect(page.locator(".review-moves tbody tr").first).to_be_visible()
    expect(page.locator(".review-list [aria-current]")).to_have_count(1)


@pytest.mark.parametrize("game", GAMES)
def test_decisions_are_told_in_words(visit: Opener, reviewed: dict[str, Reviewed], game: str) -> None:
    """The board as the seat saw it, the move made and a better one in words and figures, lit up on the board."""
    found = reviewed[game]
    page = opened(visit, found, f"?at={found.blunder['version']}", viewport=LAPTOP, **FOR_AXE)
    rows = page.locator(".review-moves tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("made")
    expect(rows.nth(1)).to_contain_text("better")
    expect(rows.nth(1).locator("td").nth(2)).to_have_text(re.compile(r"^\+12.5 ± "))
    assert re.findall(UNSAID, page.locator(".review").inner_text()) == []
    rows.nth(1).locator("button").click()
    expect(rows.nth(1).locator("button")).to_have_attribute("aria-pressed", "true")
    if game != "plenty-coups":  # there a tribe is chosen, and no camp is there yet
        expect(page.locator(".review-board .lit").first).to_be_attached()
    expect(rows.nth(1).locator("button")).to_have_attribute("aria-pressed", "true")
    board, seats = (page.locator(f".review-board .{name}").first.bounding_box() for name in ("play", "seats"))
    assert board
    assert seats
    assert seats["width"] > board["width"] * 0.9  # below each other, as wide as the board
    assert violations(page) == []


def test_the_graph_is_walked_by_keys(visit: Opener, reviewed: dict[str, Reviewed]) -> None:
    """One stop for the Tab key, arrows from point to point, Enter to the decision; the figure is chosen above it."""
    found = reviewed["manitou"]
    page = opened(visit, found)
    decisions = found.analysis["evaluations"]
    page.click("[data-key=figure-margin]")
    page.keyboard.press("Tab")
    expect(page.locator(f"[data-key=point-{decisions[0]['version']}]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"[data-key=point-{decisions[1]['version']}]")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/#/review/{found.table}?kind=deep&at={decisions[1]['version']}")
    expect(page.locator(".review-decision > h2")).to_be_focused()
    page.click("[data-key=earlier]")
    page.wait_for_url(f"**/#/review/{found.table}?kind=deep&at={decisions[0]['version']}")
    page.go_back()
    expect(page.locator(f"[data-key=decision-{decisions[1]['version']}]")).to_have_attribute("aria-current", "true")


def test_mistakes_are_gone_through_and_tried_again(visit: Opener, reviewed: dict[str, Reviewed]) -> None:
    """The worst first, without the answer until it is asked for; a branch opens before it, with oneself at the seat."""
    found = reviewed["big-manitou"]
    seat, version = found.blunder["seat"], found.blunder["version"]
    page = opened(visit, found)
    page.click(f"[data-key=learn-{seat}]")
    expect(page.locator(".review-learning strong")).to_have_text(re.compile("^Mistake 1 of "))
    expect(page.locator(".review-decision")).to_contain_text("12.5 more points of lead. Which?")
    expect(page.locator(".review-moves")).to_have_count(0)
    page.click("[data-key=reveal]")
    expect(page.locator(".review-moves")).to_have_count(1)
    page.click("[data-key=try-again]")
    page.wait_for_url("**/#/tables/t_*")
    opened_here = page.evaluate(LINEAGE, page.url.rpartition("/")[2])
    assert {name: opened_here[name] for name in ("table", "version")} == {"table": found.table, "version": version - 1}
    expect(page.locator(".moves.mine")).to_be_visible()
    page.go_back()
    page.click("[data-key=end-learning]")
    page.wait_for_url(f"**/#/review/{found.table}?kind=deep&at={version}")


def test_what_hinders_is_said_with_what_to_do(visit: Opener, address: str) -> None:
    """A table that goes on, one that is not there, and an analysis that somebody else has called off meanwhile."""
    player = Player(address, "Ann")
    running = player.post("tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "novice"}]})
    page = visit(f"#/review/{running['id']}")
    expect(page.locator(".review [role=alert]")).to_contain_text("Come back then")
    page.evaluate("location.hash = '#/review/t_none'")
    expect(page.locator(".review [role=alert]")).to_be_visible()


def test_an_analysis_that_is_made_is_called_off(visit: Opener, reviewed: dict[str, Reviewed]) -> None:
    """A deep analysis takes long: the requester may cancel it and ask again; others may not."""
    found = reviewed["plenty-coups"]
    page, other = visit(), visit()
    for each in (page, other):
        each.evaluate(f"location.hash = '#/review/{found.table}?kind=deep'")
        each.locator("[data-key=ask]").wait_for()
    page.click("[data-key=ask]")
    page.locator("[data-key=cancel]").wait_for()
    other.click("[data-key=ask]")
    other.click("[data-key=cancel]")
    expect(other.locator(".review [role=alert]")).to_contain_text("Only the person who asked for it may cancel it.")
    page.click("[data-key=cancel]")
    expect(page.locator("[data-key=ask]")).to_be_visible()
    expect(other.locator("[data-key=ask]")).to_be_visible()


def test_without_a_stream_progress_is_asked_for(visit: Opener, reviewed: dict[str, Reviewed]) -> None:
    """Where too many streams are open; after a minute without news the page says why that may be, then goes on."""
    found = reviewed["tomahawk"]
    stands = [told(found, "running", 3)]

    def answer(route: Route) -> None:
        streamed = route.request.headers["accept"] == "text/event-stream"
        if "kind=quick" in route.request.url:
            route.continue_()
        elif streamed:
            route.fulfill(status=429, json={"code": "too_many_streams"})
        else:
            route.fulfill(json=stands[-1])

    page = visit()
    page.clock.install()
    page.route(f"**/v1/tables/{found.table}/analysis?*", answer)
    page.evaluate(f"location.hash = '#/review/{found.table}?kind=deep'")
    expect(page.locator(".review-asking [role=status]")).to_have_text("3 of 7 decisions looked at…")
    page.clock.run_for(61_000)
    expect(page.locator(".review-asking .notice")).to_contain_text("Nothing new for a minute")
    stands.append(told(found, "running", 4))
    page.clock.run_for(4_000)
    expect(page.locator(".review-asking [role=status]")).to_have_text("4 of 7 decisions looked at…")
    expect(page.locator(".review-asking .notice")).to_have_count(0)
    stands.append(told(found))
    page.clock.run_for(4_000)
    expect(page.locator(".review-point")).to_have_count(7)


def test_the_luck_of_a_game_is_asked_for_and_told(visit: Opener, address: str) -> None:
    """What made each lead, and where chance changed most for the seat that is chosen; on phones too."""
    table = finished_tables(address, ["tomahawk"])["tomahawk"]
    page = visit(f"#/review/{table}?kind=luck", **FOR_AXE)
    page.click("[data-key=ask]")
    page.locator(".luck-most").wait_for(timeout=120_000)
    expect(page.locator(".luck-sums tbody tr")).to_have_count(2)
    first = page.locator(".luck-most").inner_text()
    page.click("[data-key=luck-2]")
    expect(page.locator("[data-key=luck-2]")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".luck-most").inner_text() != first
    assert "eyes=2" in page.url
    assert page.locator(".review").evaluate("node => node.innerText.match(/_|undefined|NaN/)") is None
    assert violations(page) == []
    french = visit(f"#/review/{table}?kind=luck", viewport=PHONE, locale="fr-FR")
    french.locator(".luck-most").wait_for()
    assert fits(french)
    assert english(french) == []
    page.locator(".luck-most a").first.click()
    expect(page.locator(".board, main").first).to_be_visible()
    assert re.search(rf"#/tables/{table}/\d+$", page.url)
