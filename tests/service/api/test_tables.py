"""Tables and seats: opening, sitting down, getting up, the lobby and what is private."""

import itertools
from typing import Any
from urllib.parse import quote

import pytest

from games import GAMES
from service.tables import table_lists
from tests.service.api.world import World, accepted, refused

GAME = "manitou"
OPEN = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}]}


def opening(*seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": GAME, "seats": list(seats), **more}


def test_a_table_opens_and_begins_when_every_seat_is_taken(world: World) -> None:
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    answer = ann.post("/v1/tables", OPEN)
    table = accepted(answer, 201)
    path = f"/v1/tables/{table['id']}"
    assert answer.headers["Location"] == path
    assert (table["status"], table["version"], table["view"], table["seat"]) == ("open", 2, None, 1)
    begun = accepted(bob.post(f"{path}/seats/2"))
    assert (begun["status"], begun["seat"], begun["view"]["seat"]) == ("running", 2, 2)
    assert [seat["name"] for seat in begun["seats"]] == ["Ann", "Bob"]
    assert {decision["seat"] for decision in begun["decisions"]} == {1, 2}


def test_a_table_of_ai_seats_begins_at_once(world: World) -> None:
    seats = [{"kind": "ai", "level": "uniform"}, {"kind": "ai", "level": "greedy"}]
    table = accepted(world.somebody().post("/v1/tables", opening(*seats)), 201)
    assert (table["status"], table["seat"]) == ("running", None)
    assert [seat["level"] for seat in table["seats"]] == ["uniform", "greedy"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (opening({"kind": "me"}), "opening_refused"),
        (opening(*[{"kind": "me"}, {"kind": "me"}]), "opening_refused"),
        (opening({"kind": "me"}, {"kind": "player", "player": "p_nobody"}), "opening_refused"),
        (opening({"kind": "me"}, {"kind": "open"}, arbiter="p_nobody"), "opening_refused"),
        (opening({"kind": "me"}, {"kind": "open"}, visibility="private"), "opening_refused"),
        (opening({"kind": "open"}, {"kind": "open"}, contribution="luck"), "opening_refused"),
        (opening({"kind": "me"}, {"kind": "open"}, options={"hero_limit": "none"}), "invalid"),
        (opening({"kind": "me"}, {"kind": "open"}, options={"no_such": 1}), "option_refused"),
        (opening({"kind": "me"}, {"kind": "ai"}), "invalid"),
        (opening({"kind": "me"}, {"kind": "open", "level": "greedy"}), "invalid"),
        (opening({"kind": "me"}, {"kind": "ai", "level": "perfect"}), "invalid"),
        (opening({"kind": "me"}, {"kind": "open"}, clock={"kind": "decision", "decision_s": 4}), "invalid"),
        (opening({"kind": "me"}, {"kind": "open"}, clock={"kind": "decision", "decision_s": 5.0}), "invalid"),
        (opening({"kind": "me"}, {"kind": "open"}, colour="red"), "invalid"),
        (opening({"kind": "me"}, {"kind": "open"}, options={"tribes": None}), "invalid"),
        ({"game": GAME}, "invalid"),
    ],
)
def test_a_table_that_cannot_be_is_refused(world: World, body: dict[str, Any], code: str) -> None:
    refused(world.somebody().post("/v1/tables", body), 422, code)


def test_a_game_that_is_not_hosted_is_not_found(world: World) -> None:
    refused(world.somebody().post("/v1/tables", OPEN | {"game": "chess"}), 404, "no_such_game")


@pytest.mark.fault
def test_every_house_rule_holds_as_the_list_of_games_says(world: World) -> None:
    """A table opens with every value in every edition; the rest has the defaults of `GET /v1/games`, in one form."""
    ann = world.somebody()
    for game in accepted(world.nobody.get("/v1/games"))["games"]:
        seats = [{"kind": "me"}] + [{"kind": "ai", "level": "uniform"}] * (game["players"][0] - 1)
        editions = next((option["values"] for option in game["options"] if option["name"] == "edition"), [None])
        each = ((option["name"], value) for option in game["options"] for value in option["values"])
        for edition, (name, value) in itertools.product(editions, each):
            chosen = ({"edition": edition} if edition else {}) | {name: value}
            body = {"game": game["id"], "seats": seats, "options": chosen}
            table = accepted(ann.post("/v1/tables", body), 201)
            begun = accepted(ann.get(f"/v1/tables/{table['id']}/events"))["events"]
            recorded = next(event["payload"]["options"] for event in begun if event["type"] == "GameStarted")
            assert (
                table["options"] == recorded == {one["name"]: default(one, chosen) for one in game["options"]} | chosen
            )


def default(option: dict[str, Any], chosen: dict[str, Any]) -> Any:
    others = (row["default"] for row in option["other_defaults"] if chosen.get(row["option"]) == row["value"])
    return next(others, option["default"])


def test_a_refused_house_rule_is_named(world: World) -> None:
    body = OPEN | {"options": {"hero_limit": "none"}}
    problem = refused(world.somebody().post("/v1/tables", body), 422, "invalid")
    assert (problem["option"], problem["detail"]) == ("hero_limit", '`hero_limit` is one of "all", "face_up"')
    assert [error["pointer"] for error in problem["errors"]] == ["/options/hero_limit"]


def test_a_game_says_for_how_many_it_is(world: World) -> None:
    for game, numbers in (("tomahawk", "2 players"), ("big-manitou", "2 to 5 players")):
        title = GAMES[game].title
        body = {"game": game, "seats": [{"kind": "me"}]}
        problem = refused(world.somebody().post("/v1/tables", body), 422, "opening_refused")
        assert problem["detail"] == f"{title} is for {numbers}, not for 1"


def test_a_repeated_opening_is_the_same_table(world: World) -> None:
    """The answer is the first one, whatever has happened at the table since."""
    ann, bob = world.somebody(), world.somebody()
    first = ann.post("/v1/tables", OPEN, Idempotency_Key="table-1")
    path = f"/v1/tables/{accepted(first, 201)['id']}"
    accepted(bob.post(f"{path}/seats/2"))
    again = ann.post("/v1/tables", OPEN, Idempotency_Key="table-1")
    assert (again.status_code, again.data, again.headers["ETag"]) == (201, first.data, first.headers["ETag"])
    refused(ann.post("/v1/tables", OPEN | {"game": "big-manitou"}, Idempotency_Key="table-1"), 422, "request_reused")


def test_who_sits_where(world: World) -> None:
    ann, bob, cleo = world.somebody("Ann"), world.somebody("Bob"), world.somebody("Cleo")
    seats: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "player", "player": bob.player}, {"kind": "open"}]
    path = f"/v1/tables/{accepted(ann.post('/v1/tables', opening(*seats)), 201)['id']}/seats"
    refused(cleo.post(f"{path}/2"), 403, "seat_kept")
    refused(cleo.post(f"{path}/1"), 409, "seat_taken")
    refused(cleo.post(f"{path}/4"), 404, "no_such_seat")
    refused(cleo.post(f"{path}/one"), 404, "not_found")
    refused(ann.post(f"{path}/3"), 409, "already_seated")
    refused(bob.post(f"{path}/3", {"kind": "ai", "level": "greedy"}), 403, "not_allowed")
    refused(ann.post(f"{path}/3", {"kind": "ai", "level": "greedy", "contribution": "x"}), 422, "invalid")
    accepted(ann.post(f"{path}/3", {"kind": "ai", "level": "greedy"}))
    assert accepted(bob.post(f"{path}/2", {"contribution": "bob's own luck"}))["status"] == "running"
    refused(cleo.post(f"{path}/3"), 409, "seat_taken")


def test_a_seat_can_be_given_up_before_the_game_begins(world: World) -> None:
    ann, bob, cleo = world.somebody(), world.somebody(), world.somebody()
    body = opening({"kind": "me"}, {"kind": "open"}, {"kind": "open"})
    path = f"/v1/tables/{accepted(ann.post('/v1/tables', body), 201)['id']}"
    accepted(bob.post(f"{path}/seats/2"))
    refused(ann.delete(f"{path}/seats/2"), 403, "not_your_seat")
    left = accepted(bob.delete(f"{path}/seats/2"))
    assert left["seats"][1]["player"] is None
    accepted(cleo.post(f"{path}/seats/2"))
    accepted(bob.post(f"{path}/seats/3"))
    refused(bob.delete(f"{path}/seats/3"), 409, "table_started")


def test_a_table_that_everybody_leaves_is_closed(world: World) -> None:
    ann = world.somebody()
    path = f"/v1/tables/{accepted(ann.post('/v1/tables', OPEN), 201)['id']}"
    assert accepted(ann.delete(f"{path}/seats/1"))["status"] == "finished"
    refused(world.somebody().post(f"{path}/seats/2"), 409, "table_finished")


def test_a_repeated_leaving_is_answered_again(world: World) -> None:
    ann = world.somebody()
    path = f"/v1/tables/{accepted(ann.post('/v1/tables', OPEN), 201)['id']}/seats/1"
    first = ann.delete(path, Idempotency_Key="bye")
    assert accepted(first) == accepted(ann.delete(path, Idempotency_Key="bye"))


READS = ["", "/events", "/rulings", "/rulings/1", "/archive", "/notation", "/audit", "/disputes", "/diff"]


def test_a_private_table_is_there_for_those_whom_it_names(world: World) -> None:
    """For others it does not exist, at whichever door they ask; nor is it in their lists."""
    ann, bob, cleo, dan = (world.somebody(name) for name in ("Ann", "Bob", "Cleo", "Dan"))
    body = opening({"kind": "me"}, {"kind": "player", "player": bob.player}, visibility="private", arbiter=cleo.player)
    table = accepted(ann.post("/v1/tables", body), 201)["id"]
    path = f"/v1/tables/{table}"
    for who in (bob, cleo, ann, world.operator):
        assert accepted(who.get(path))["id"] == table
    bob.post(f"{path}/seats/2")
    assert {bob.get(path + end).status_code for end in ("/archive", "/notation")} == {200}
    other = "/v1/tables/t_aaaaaaaaaaaaaaaa"
    for who in (dan, world.nobody):
        for end in READS:
            hidden, absent = who.get(path + end), who.get(other + end)
            refused(hidden, 404, "no_such_table")
            told, other_told = (answer.json | {"request_id": None} for answer in (hidden, absent))
            assert str(told).replace(table, "") == str(other_told).replace(other[-18:], "")
    move = {"game": GAME, "seat": 1, "move": {}}
    for end, body in (("/seats/2", {}), ("/moves", move), ("/moves/check", move)):
        refused(dan.post(path + end, body), 404, "no_such_table")
    world.catch_up()
    for status in ("open", "running", "finished"):
        assert table not in world.nobody.get(f"/v1/tables?status={status}&limit=200").text
    assert all(ids(who.get("/v1/tables?mine=true")) == [table] for who in (ann, bob, cleo))


def test_the_lobby_has_pages_with_cursors(world: World) -> None:
    """The newest first, each table once, whatever is opened meanwhile."""
    ann = world.somebody()
    tables = [accepted(ann.post("/v1/tables", OPEN), 201)["id"] for _ in range(5)]
    world.catch_up()
    found: list[str] = []
    cursor = ""
    while cursor is not None and not set(tables) <= set(found):
        page = accepted(world.nobody.get(f"/v1/tables?status=open&limit=2{cursor and f'&cursor={cursor}'}"))
        found += [row["id"] for row in page["tables"]]
        cursor = page["next"]
        newer = accepted(ann.post("/v1/tables", OPEN), 201)["id"]
        world.catch_up()
        assert newer not in found
    assert set(tables) <= set(found)
    assert len(found) == len(set(found))


NO_QUERIES = """
status=lost limit=0 limit=201 limit=-1 cursor=abc cursor=MTIzfHQ cursor=%C3%A9 mine=yes game=chess since=never
until=2026-13-01T00:00:00Z player= x=1
"""


@pytest.mark.parametrize("query", NO_QUERIES.split())
def test_a_query_of_the_lobby_is_read_strictly(world: World, query: str) -> None:
    refused(world.nobody.get(f"/v1/tables?{query}"), 422, "invalid")


def test_the_lobby_follows_a_table(world: World) -> None:
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = accepted(ann.post("/v1/tables", OPEN), 201)["id"]
    world.catch_up()
    row = next(r for r in accepted(ann.get("/v1/tables?mine=true"))["tables"])
    assert (row["id"], row["status"], row["to_act"]) == (table, "open", [])
    accepted(bob.post(f"/v1/tables/{table}/seats/2"))
    world.catch_up()
    row = next(r for r in accepted(bob.get("/v1/tables?mine=true"))["tables"])
    assert (row["status"], row["to_act"]) == ("running", [1, 2])
    assert [seat["name"] for seat in row["seats"]] == ["Ann", "Bob"]


def ids(answer: Any) -> list[str]:
    """The tables of a page of the lobby."""
    return [row["id"] for row in accepted(answer)["tables"]]


def test_the_lobby_has_filters(world: World) -> None:
    """Of two games, by game, by who sits there (an id, a part of a name), by when it was opened."""
    ann, eve = world.somebody("Annabel"), world.somebody("Evangeline")
    first = world.open(ann, eve, game=GAME)
    second = world.open(ann, world.somebody("Bob"), game="big-manitou")
    world.catch_up()
    opened = {row["id"]: row["opened_at"] for row in accepted(ann.get("/v1/tables?mine=true"))["tables"]}
    for query, found in {
        f"game={GAME}": [first],
        "player=VANGEL": [first],
        f"player={eve.player}": [first],
        "player=nobody-at-all": [],
        f"since={opened[second]}": [second],
        f"until={opened[second]}": [first],
        f"until={opened[first]}": [],
        "status=running": [second, first],
        "status=finished": [],
    }.items():
        assert ids(ann.get(f"/v1/tables?mine=true&{query}")) == found, query
        if "status" not in query:
            assert set(ids(world.nobody.get(f"/v1/tables?status=running&limit=200&{query}"))) & set(opened) == set(
                found
            )


def test_a_filter_that_fits_few_tables_has_pages(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only some tables are looked at for a page, it may be short or empty, and its cursor leads on."""
    monkeypatch.setattr(table_lists, "MOST_LOOKED_AT", 2)
    ann = world.somebody()
    wanted = world.open(ann, world.somebody(), game="big-manitou")
    for _ in range(4):
        world.open(ann, world.somebody(), game=GAME)
    world.catch_up()
    path = "/v1/tables?mine=true&game=big-manitou&limit=5"
    first = accepted(ann.get(path))
    second = accepted(ann.get(f"{path}&cursor={first['next']}"))
    third = accepted(ann.get(f"{path}&cursor={second['next']}"))
    assert [[row["id"] for row in page["tables"]] for page in (first, second, third)] == [[], [], [wanted]]
    assert third["next"] is None


def test_the_lobby_counts_its_tables(world: World) -> None:
    """Of three tables, one a page: three in all, and two of them opened since the second."""
    ann = world.somebody()
    tables = [world.open(ann, world.somebody(), game=GAME) for _ in range(3)]
    world.catch_up()
    page = accepted(ann.get("/v1/tables?mine=true&limit=1"))
    assert (len(page["tables"]), page["total"]) == (1, 3)
    second = next(row for row in accepted(ann.get("/v1/tables?mine=true"))["tables"] if row["id"] == tables[1])
    assert accepted(ann.get(f"/v1/tables?mine=true&since={second['opened_at']}"))["total"] == 2
    assert accepted(ann.get(f"/v1/tables?mine=true&until={second['opened_at']}"))["total"] == 1
    everybodys = accepted(world.nobody.get("/v1/tables?status=running&limit=200"))
    listed, following = len(everybodys["tables"]), everybodys["next"]
    while following:
        page = accepted(world.nobody.get(f"/v1/tables?status=running&limit=200&cursor={following}"))
        listed, following = listed + len(page["tables"]), page["next"]
    assert everybodys["total"] == listed >= 3


def test_the_tables_where_it_is_my_turn(world: World) -> None:
    """Both decide at once at the first table; at an open one nobody does."""
    ann, bob = world.somebody(), world.somebody()
    running = world.open(ann, bob, game=GAME)
    accepted(ann.post("/v1/tables", OPEN), 201)
    world.catch_up()
    assert ids(ann.get("/v1/tables?mine=turn")) == ids(bob.get("/v1/tables?mine=turn")) == [running]
    assert ids(world.somebody().get("/v1/tables?mine=turn")) == []
    refused(world.nobody.get("/v1/tables?mine=turn"), 401, "unauthenticated")


def test_ones_own_tables_and_the_inbox_have_pages(world: World) -> None:
    """Of three tables, two a page, the newest first; the header names the next page as the body does."""
    ann, bob = world.somebody(), world.somebody()
    tables = [world.open(ann, bob, game=GAME) for _ in range(3)]
    world.catch_up()
    for path, rows, of in (
        ("/v1/tables?mine=true&limit=2", "tables", "id"),
        ("/v1/inbox?limit=2", "decisions", "table"),
    ):
        first = ann.get(path)
        assert {row[of] for row in accepted(first)[rows]} == set(tables[1:])
        assert f"limit=2&cursor={quote(first.json['next'])}" in first.headers["Link"]
        last = accepted(ann.get(f"{path}&cursor={first.json['next']}"))
        assert ([row[of] for row in last[rows]], last["next"]) == (tables[:1], None)
    refused(ann.get("/v1/inbox?limit=0"), 422, "invalid")


def test_the_inbox_lists_what_waits_for_me(world: World) -> None:
    ann, bob = world.somebody(), world.somebody()
    tables = [world.open(ann, bob, game=GAME), world.open(bob, ann, game="big-manitou")]
    world.catch_up()
    waiting = accepted(ann.get("/v1/inbox"))["decisions"]
    assert [(row["table"], row["seat"]) for row in waiting] == [(tables[0], 1), (tables[1], 2)]
    decision = accepted(ann.get(f"/v1/tables/{tables[0]}/moves"))["decisions"][0]["id"]
    assert waiting[0]["id"] == decision
