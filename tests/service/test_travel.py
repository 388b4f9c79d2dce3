"""Time travel: differences compose, blame and find agree with what is seen at every version, secrets stay closed."""

import random
from functools import cache
from typing import Any

import jsonpatch
import pytest
from jsonpointer import resolve_pointer

from events.canonical import canonical
from projections.history import TableHistory
from service.errors import Refused
from service.tables import time_travel
from service.tables.authorisation import Viewer
from service.tables.table_documents import present_table
from service.tables.time_travel import blame, difference, find
from tests import corpus
from tests.games.spec import as_json

NAMES = ("big-manitou-2-uniform", "manitou-2-taken-back", "tomahawk-2-disputed", "plenty-coups-3-corrected")
PAIRS = 2  # of versions, for each pair of eyes
by_name = pytest.mark.parametrize("name", NAMES)


@cache
def running(name: str) -> TableHistory:
    """The first two thirds of a recorded game, as if it went on."""
    history = corpus.history_of(name)
    return TableHistory(history.events[: (end := 2 * len(history.events) // 3)], history.at(end))


def eyes_at(history: TableHistory) -> list[Viewer]:
    """Those of every seat and of a spectator."""
    return [Viewer(seat, history.table.over) for seat in (None, *range(1, history.table.opened.players + 1))]


def seen(history: TableHistory, viewer: Viewer, version: int) -> dict[str, Any]:
    document: dict[str, Any] = as_json(present_table(history.at(version), viewer))
    return document


def changes(history: TableHistory, viewer: Viewer, first: int, last: int) -> list[dict[str, Any]]:
    """All rows of a difference, page after page."""
    rows, following = difference(history, viewer, first, last)
    return rows if following is None else rows + changes(history, viewer, following, last)


def patched(before: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The document after all patches."""
    for row in rows:
        before = jsonpatch.apply_patch(before, row["patch"])
    return before


def same(one: Any, other: Any) -> bool:
    """The same JSON, where lists and tuples are alike and 1 is not true."""
    return canonical(one) == canonical(other)


@by_name
def test_differences_lead_from_one_version_to_another(name: str) -> None:
    """Forwards and backwards, with every pair of eyes: the patches turn one document into the other."""
    rng = random.Random(name)
    for history in (running(name), corpus.history_of(name)):
        for viewer in eyes_at(history):
            for _ in range(PAIRS):
                first = rng.randrange(1, history.table.version)
                last = min(first + rng.randrange(1, 16), history.table.version)
                early, late = seen(history, viewer, first), seen(history, viewer, last)
                assert same(patched(early, changes(history, viewer, first, last)), late)
                assert same(patched(late, changes(history, viewer, last, first)), early)


def version_found(history: TableHistory, viewer: Viewer, path: str, value: Any, first: int = 1) -> int:
    """The version that is found in the end, question after question."""
    table, following = find(history, viewer, path, value, first)
    return table.version if table else version_found(history, viewer, path, value, following or 0)


def texts(value: Any) -> set[str]:
    """All texts that a JSON value holds."""
    if isinstance(value, dict):
        return {found for item in value.values() for found in texts(item)}
    if isinstance(value, (list, tuple)):
        return {found for item in value for found in texts(item)}
    return {value} if isinstance(value, str) else set()


@by_name
def test_a_difference_tells_no_more_than_the_documents(name: str) -> None:
    """Every word of a spectator's patches stands in the document after that event."""
    history, viewer = running(name), Viewer(None, over=False)
    for row in changes(history, viewer, 1, history.table.version)[::3]:
        values = [change["value"] for change in row["patch"] if "value" in change]
        assert texts(values) <= texts(seen(history, viewer, row["version"]))


def places(value: Any, path: str = "") -> list[str]:
    """The pointers to all places of a document."""
    found = [path]
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for step, item in steps:
        found += places(item, f"{path}/{str(step).replace('~', '~0').replace('/', '~1')}")
    return found


@by_name
def test_blame_names_the_last_change_and_find_the_first(name: str) -> None:
    """At places picked at random: both agree with a look at every version."""
    history, rng = running(name), random.Random(name)
    for viewer in eyes_at(history)[:2]:
        at = rng.randrange(history.table.version // 3, history.table.version // 2)
        documents = [seen(history, viewer, version) for version in range(1, at + 1)]
        for path in rng.sample(places(documents[-1]), 6):
            values = [canonical(resolve_pointer(one, path, "nothing there")) for one in documents]
            changed = max(n for n in range(1, at + 1) if n == 1 or values[n - 1] != values[n - 2])
            found = blame(history, viewer, path, at)
            assert (found["version"], canonical(found["value"])) == (changed, values[-1]), path
            assert found["event"]["version"] == changed
            first = values.index(values[-1]) + 1
            assert version_found(history, viewer, path, as_json(found["value"])) == first, path


def test_a_difference_comes_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten versions each, or of fewer that have many bytes; both ways, and together they are the whole."""
    history, viewer = running("manitou-2-taken-back"), Viewer(None, over=False)
    whole, back = difference(history, viewer, 3, 38), difference(history, viewer, 38, 3)
    assert (len(whole.changes), whole.next, len(back.changes), back.next) == (35, None, 35, None)
    monkeypatch.setattr(time_travel, "MOST_CHANGES", 10)
    page = difference(history, viewer, 3, 38)
    assert ([row["version"] for row in page.changes], page.next) == ([*range(4, 14)], 13)
    page = difference(history, viewer, 38, 3)
    assert ([row["version"] for row in page.changes], page.next) == ([*range(38, 28, -1)], 28)
    assert changes(history, viewer, 3, 38) == whole.changes
    assert changes(history, viewer, 38, 3) == back.changes
    monkeypatch.setattr(time_travel, "MOST_BYTES", 1)
    assert [difference(history, viewer, 3, 38).next, difference(history, viewer, 38, 3).next] == [4, 37]
    assert changes(history, viewer, 3, 38) == whole.changes


def test_a_search_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks through so many versions; asked on with `next` it finds what one long search finds."""
    history, viewer = running("manitou-2-taken-back"), Viewer(None, over=False)
    event = blame(history, viewer, "/seats/1/name", 60)
    monkeypatch.setattr(time_travel, "MOST_WALKED", 20)
    page = blame(history, viewer, "/seats/1/name", 60)
    assert (page["version"], page["event"], page["value"], page["next"]) == (None, None, event["value"], 40)
    assert blame(history, viewer, "/seats/1/name", 40)["next"] == 20
    assert blame(history, viewer, "/seats/1/name", 20) == event | {"at": 20}
    first = version_found(history, viewer, "/version", 50)
    assert (first, find(history, viewer, "/version", 50, 1)) == (50, (None, 21))
    assert find(history, viewer, "/version", 50, 21)[1] == 41
    with pytest.raises(Refused, match="never_so"):
        version_found(history, viewer, "/version", -1)
