"""Beliefs over HTTP: whose are told, when, and that they follow from what the seat knew alone."""

from typing import Any

import pytest

from tests.service.api.world import Somebody, World, accepted, refused


class Running:
    """A table with two seats and ten moves, open to those who look on."""

    def __init__(self, world: World, **more: Any) -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        self.table = world.open(self.ann, self.bob, game="manitou", **more)
        self.path = f"/v1/tables/{self.table}"
        world.play(self.table, self.ann, self.bob, moves=10)

    def asked(self, who: Somebody, query: str = "worlds=40", path: str | None = None) -> Any:
        return who.get(f"{path or self.path}/beliefs?{query}")

    def branch(self, who: Somebody) -> str:
        version = accepted(who.get(self.path))["version"]
        return str(accepted(who.post(f"{self.path}/forks", {"version": version}), 201)["id"])


@pytest.fixture(scope="module")
def aided(world: World) -> Running:
    return Running(world, aids=True)


@pytest.fixture(scope="module")
def plain(world: World) -> Running:
    return Running(world)


def test_the_own_seat_is_told_where_the_table_has_aids(aided: Running) -> None:
    """All of the other seat's hidden places, and nothing of the own."""
    found = accepted(aided.asked(aided.ann))
    assert (found["seat"], found["worlds"], len(found["seed"])) == (1, 40, 16)
    assert [place["path"] for place in found["places"]] == [
        f"/seats/1/{name}" for name in ("hand", "party", "pile", "reserve")
    ]
    hand = found["places"][0]["cards"]
    held = accepted(aided.ann.get(aided.path))["view"]["seats"][1]["hand_count"]
    assert sum(row["expected"] for row in hand) == pytest.approx(held, abs=0.01)
    assert accepted(aided.asked(aided.ann)) == found  # and again the same
    assert accepted(aided.asked(aided.bob))["seat"] == 2


def test_aids_are_told_to_all(aided: Running, plain: Running) -> None:
    """At the table and in the lobby, in both cases."""
    aided.world.catch_up()
    rows = {row["id"]: row for row in accepted(aided.world.nobody.get("/v1/tables?status=running"))["tables"]}
    for running, aids in ((aided, True), (plain, False)):
        assert accepted(aided.world.nobody.get(running.path))["aids"] is aids
        assert rows[running.table]["aids"] is aids


def test_nobody_else_is_told_while_the_game_runs(aided: Running, plain: Running) -> None:
    refused(plain.asked(plain.ann), 403, "no_aids")
    refused(aided.asked(aided.ann, "seat=2&worlds=40"), 403, "not_your_seat")
    refused(aided.asked(aided.world.somebody("Eve")), 403, "not_your_seat")
    refused(aided.asked(aided.world.nobody), 401, "unauthenticated")
    refused(aided.asked(aided.world.again(aided.ann, ["play"])), 403, "scope_missing")


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("at=999", 404, "no_such_version"),
        ("at=0", 404, "no_such_version"),
        ("seat=9", 422, "invalid"),
        ("seat=all", 422, "invalid"),
        ("worlds=41", 422, "invalid"),
        ("worlds=0", 422, "invalid"),
        ("worlds=1020", 422, "invalid"),
    ],
)
def test_what_cannot_be_answered_is_refused(aided: Running, query: str, status: int, code: str) -> None:
    refused(aided.asked(aided.ann, query), status, code)


def test_a_moment_before_the_game_begins_hides_nothing(aided: Running) -> None:
    assert accepted(aided.asked(aided.ann, "at=2&worlds=40"))["places"] == []


def test_a_branch_has_the_aids_of_its_parent(aided: Running, plain: Running) -> None:
    """It would tell at the branch what the running parent does not."""
    refused(plain.asked(plain.ann, path=f"/v1/tables/{plain.branch(plain.ann)}"), 403, "no_aids")
    accepted(aided.asked(aided.ann, path=f"/v1/tables/{aided.branch(aided.ann)}"))


def test_a_branch_that_is_over_tells_nothing_while_its_parent_runs(world: World) -> None:
    """What the parent's seat may believe at that moment stands in the branch's past."""
    running = Running(world)
    branch = running.branch(running.ann)
    world.finish(branch)
    path = f"/v1/tables/{branch}"
    assert accepted(running.ann.get(path))["status"] == "finished"
    refused(running.asked(running.ann, path=path), 403, "no_aids")
    world.finish(running.table)
    assert accepted(running.asked(running.ann, "seat=2&at=40&worlds=40", path))["seat"] == 2


def test_any_seat_is_told_when_the_game_is_over(world: World) -> None:
    """To everybody, aids or not, as the seat could believe then; at the end nothing is hidden."""
    running = Running(world)
    world.finish(running.table)
    for seat in (1, 2):
        found = accepted(running.asked(world.nobody, f"seat={seat}&at=40&worlds=40"))
        assert {place["path"].split("/")[2] for place in found["places"]} == {str(2 - seat)}
    assert accepted(running.asked(world.nobody, "seat=1&worlds=40"))["places"] == []
    refused(running.asked(world.nobody, "seat=8&worlds=40"), 404, "no_such_seat")
