"""Blocks: two people are not seated together any more, and only one of them is told why."""

from typing import Any

import pytest

from events.scripts import Client
from service.accounts.accounts_and_tokens import key_of
from tests.service.api.world import Somebody, World, accepted, refused

BLOCKS = "/v1/players/me/blocks"


def block(somebody: Somebody, other: Somebody) -> None:
    assert somebody.send("PUT", f"{BLOCKS}/{other.player}").status_code == 204


def open_to_all(somebody: Somebody, seats: int = 2) -> str:
    """The path of a table where one seat is the opener's and the others are free."""
    body = {"game": "manitou", "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}
    return f"/v1/tables/{accepted(somebody.post('/v1/tables', body), 201)['id']}"


def sit(somebody: Somebody, path: str, seat: int = 2) -> int:
    return somebody.post(f"{path}/seats/{seat}").status_code


def test_neither_sits_down_where_the_other_sits(world: World) -> None:
    """Both the blocker and the blocked are refused, and both read the same sentence."""
    ann, ben, cat = (world.somebody(name) for name in ("Ann", "Ben", "Cat"))
    block(ann, ben)
    told = [
        refused(one.post(f"{open_to_all(other)}/seats/2"), 403, "not_allowed")["detail"]
        for one, other in ((ann, ben), (ben, ann))
    ]
    assert told == ["you and somebody at this table are not seated together"] * 2
    path = open_to_all(cat, 3)
    assert [sit(ann, path, 2), sit(ben, path, 3)] == [200, 403]
    assert sit(cat, open_to_all(ben)) == 200


def test_a_block_holds_where_only_the_side_that_set_it_came_back(world: World) -> None:
    """The copies of two accounts may be from different moments: that of the blocked player may lack the block."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    block(ann, ben)
    client: Client = world.log.client
    client.delete(key_of("blockers", str(ben.player)))
    assert [sit(ben, open_to_all(ann)), sit(ann, open_to_all(ben))] == [403, 403]


def test_a_seat_kept_for_somebody_is_no_way_around_it(world: World) -> None:
    """It is kept for nobody whom its opener would not be seated with; nor does it help if the block came later."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    kept = {"kind": "player", "player": ben.player}
    opening = {"game": "manitou", "seats": [{"kind": "me"}, kept]}
    table = accepted(ann.post("/v1/tables", opening), 201)["id"]
    block(ben, ann)
    refused(ben.post(f"/v1/tables/{table}/seats/2"), 403, "not_allowed")
    refused(ann.post("/v1/tables", opening), 403, "not_allowed")
    refused(ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "open"}, kept]}), 403, "not_allowed")


def test_whom_one_is_not_seated_with_is_named_as_nothing_else(world: World) -> None:
    """Nor is somebody made the arbiter of a table by whom they have blocked: they would be asked to decide there."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    opening: dict[str, Any] = {"game": "manitou", "seats": seats, "disputes": {}, "arbiter": ben.player}
    accepted(ann.post("/v1/tables", opening), 201)
    block(ben, ann)
    refused(ann.post("/v1/tables", opening), 403, "not_allowed")
    refused(ben.post("/v1/tables", opening | {"arbiter": ann.player}), 403, "not_allowed")


def test_nor_is_a_branch(world: World) -> None:
    ann, ben, cat = (world.somebody(name) for name in ("Ann", "Ben", "Cat"))
    parent = world.open(ann, cat, game="tomahawk")
    world.finish(parent)
    block(ann, ben)
    version = accepted(ann.get(f"/v1/tables/{parent}"))["version"] // 2

    def branch(offer: dict[str, str]) -> Any:
        seats = [{"kind": "me"}, offer]
        return ann.post(f"/v1/tables/{parent}/forks", {"version": version, "seats": seats})

    refused(branch({"kind": "player", "player": str(ben.player)}), 403, "not_allowed")
    table = accepted(branch({"kind": "open"}), 201)["id"]
    assert sit(ben, f"/v1/tables/{table}") == 403


def test_a_repeat_is_told_of_the_table_that_was_opened_before_the_block(world: World) -> None:
    """The first answer may have been lost: else the table would be there and its opener would not know of it."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    parent = world.open(ann, ben, game="tomahawk")
    world.finish(parent)
    seats = [{"kind": "me"}, {"kind": "player", "player": ben.player}]
    asked = (
        ("/v1/tables", {"game": "tomahawk", "seats": seats}),
        (f"/v1/tables/{parent}/forks", {"version": 30, "seats": seats}),
    )
    first = [accepted(ann.post(path, body, Idempotency_Key=path), 201) for path, body in asked]
    block(ben, ann)
    assert [accepted(ann.post(path, body, Idempotency_Key=path), 201) for path, body in asked] == first
    for path, body in asked:
        refused(ann.post(path, body), 403, "not_allowed")
        refused(ann.post(path, body | {"arbiter": ben.player}, Idempotency_Key=path), 422, "request_reused")


def test_a_block_ends_and_both_may_be_repeated(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    block(ann, ben)
    block(ann, ben)
    [kept] = accepted(ann.get(BLOCKS))["blocks"]
    assert (kept["player"], kept["name"]) == (ben.player, "Ben")
    assert accepted(ben.get(BLOCKS)) == {"blocks": []}
    for _ in range(2):
        assert ann.delete(f"{BLOCKS}/{ben.player}").status_code == 204
    assert sit(ben, open_to_all(ann)) == 200


def test_nobody_blocks_themselves_nor_nobody(world: World) -> None:
    ann = world.somebody()
    refused(ann.send("PUT", f"{BLOCKS}/{ann.player}"), 422, "contradictory")
    refused(ann.send("PUT", f"{BLOCKS}/p_nobody"), 404, "no_such_player")
    refused(world.operator.send("PUT", f"{BLOCKS}/{ann.player}"), 403, "not_allowed")


@pytest.mark.parametrize("few", [{"blocks": 1}], indirect=True)
def test_an_account_may_block_so_many(few: World) -> None:
    ann, ben, cat = (few.somebody(name) for name in ("Ann", "Ben", "Cat"))
    block(ann, ben)
    assert refused(ann.send("PUT", f"{BLOCKS}/{cat.player}"), 409, "quota_reached")["quota"] == "blocks"
    block(ann, ben)


def test_the_erasure_of_either_removes_it_on_both_sides(world: World) -> None:
    client: Client = world.log.client
    ann, ben, cat = (world.somebody(name) for name in ("Ann", "Ben", "Cat"))
    block(ann, ben)
    block(cat, ann)
    exported = accepted(ann.get("/v1/players/me/export"))
    assert [one["player"] for one in exported["blocks"]] == [ben.player]
    assert ann.delete("/v1/players/me").status_code == 204
    assert accepted(cat.get(BLOCKS)) == {"blocks": []}
    names = [key_of(kind, str(who.player)) for kind in ("blocks", "blockers") for who in (ann, ben, cat)]
    assert [client.exists(name) for name in names] == [0] * 6
