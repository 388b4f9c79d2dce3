"""Time travel over HTTP: what is asked for in the query, and what is refused."""

from urllib.parse import quote

import pytest

from tests.service.api.world import Somebody, World, accepted, refused


@pytest.fixture(scope="module")
def asked(world: World) -> tuple[Somebody, str]:
    """Ann, and the path of a table of hers after ten moves."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    world.play(table, ann, bob, moves=10)
    return ann, f"/v1/tables/{table}"


def test_the_last_change_by_default(asked: tuple[Somebody, str]) -> None:
    """Without versions the difference is that of the newest event."""
    ann, path = asked
    newest = accepted(ann.get(path))["version"]
    found = accepted(ann.get(f"{path}/diff"))
    assert (found["from"], found["to"], len(found["changes"])) == (newest - 1, newest, 1)


@pytest.mark.parametrize(
    ("pointer", "value", "version"),
    [("/status", '"running"', 4), ("/seats/1/name", '"Bob"', 3), ("/seats/1/seat", "2", 1), ("/view", "null", 1)],
)
def test_a_value_is_json(asked: tuple[Somebody, str], pointer: str, value: str, version: int) -> None:
    """A text in quotation marks, a number, true or null."""
    ann, path = asked
    found = accepted(ann.get(f"{path}/find?path={quote(pointer)}&value={quote(value)}"))
    assert (found["version"], found["path"]) == (version, pointer)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("find?path=/status&value=running", 422, "not_json"),
        ("find?path=/status&value=NaN", 422, "not_json"),
        ("find?path=/status&value=true", 404, "never_so"),
        ("find?path=/status", 422, "invalid"),
        ("find?path=status&value=1", 422, "invalid"),
        ("find?path=/status&value=1&from=999", 404, "no_such_version"),
        ("blame?path=/moon", 404, "no_such_place"),
        ("blame?path=/seats/-", 404, "no_such_place"),
        *((f"blame?path=/seats/{step}", 404, "no_such_place") for step in ("9", "01", "x")),
        ("blame?path=/seats/~2", 422, "invalid"),
        ("blame?path=/game/0", 404, "no_such_place"),
        ("blame?path=/arbiter/x/y", 404, "no_such_place"),
        ("blame?path=/status&at=0", 404, "no_such_version"),
        ("blame?path=/status&at=999", 404, "no_such_version"),
        ("blame?path=/status&seat=2", 403, "not_your_seat"),
        ("blame?path=/status&seat=9", 404, "no_such_seat"),
        ("diff?from=1&to=999", 404, "no_such_version"),
        ("diff?from=0&to=3", 404, "no_such_version"),
        ("diff?from=3&to=0", 404, "no_such_version"),
        ("diff?from=-1", 422, "invalid"),
        ("diff?from=1&from=2", 422, "invalid"),
        ("audit?version=3", 422, "contradictory"),
    ],
)
def test_what_cannot_be_answered_is_refused(asked: tuple[Somebody, str], query: str, status: int, code: str) -> None:
    """With its code."""
    ann, path = asked
    refused(ann.get(f"{path}/{query}"), status, code)


def test_all_eyes_together_when_the_game_is_over(world: World) -> None:
    """Hands, piles and orders of any moment; until then nobody's, and a single seat's view stays what it was."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    path = f"/v1/tables/{world.open(ann, bob, game='manitou')}"
    world.play(path.rpartition("/")[2], ann, bob, moves=4)
    early = accepted(ann.get(path))["version"]
    refused(ann.get(f"{path}?seat=all"), 403, "not_your_seat")
    seen = accepted(ann.get(f"{path}?at={early}"))["view"]
    world.play(path.rpartition("/")[2], ann, bob, moves=1000)

    opened = ann.get(f"{path}?at={early}&seat=all")
    view = accepted(opened)["view"]
    assert opened.json["seat"] is None
    assert all("hand" in row and "pile" in row for row in view["seats"])
    assert sorted(view["small_pile"]["order"]) == sorted(view["small_pile"]["cards"])
    assert accepted(ann.get(f"{path}?at={early}"))["view"] == seen
    assert opened.headers["ETag"] != ann.get(f"{path}?at={early}").headers["ETag"]
    changes = accepted(ann.get(f"{path}/diff?from={early}&to={early + 1}&seat=all"))["changes"]
    assert [row["version"] for row in changes] == [early + 1]
    refused(ann.get(f"{path}?seat=everybody"), 422, "invalid")


def test_a_receipt_is_checked(asked: tuple[Somebody, str]) -> None:
    """With the audit: whether the log still holds that event."""
    ann, path = asked
    now = accepted(ann.get(path))
    query = f"audit?version={now['version']}&hash={now['hash']}"
    assert accepted(ann.get(f"{path}/{query}"))["receipt"] is True
    assert accepted(ann.get(f"{path}/audit?version=2&hash={now['hash']}"))["receipt"] is False
    assert accepted(ann.get(f"{path}/audit"))["receipt"] is None
