"""Branches over HTTP: opened, listed both ways, compared, and kept from those who may not see them."""

import pytest

from tests.service.api.world import Somebody, World, accepted, refused


@pytest.fixture(scope="module")
def ann(world: World) -> Somebody:
    return world.somebody("Ann")


@pytest.fixture(scope="module")
def bob(world: World) -> Somebody:
    return world.somebody("Bob")


@pytest.fixture(scope="module")
def running(world: World, ann: Somebody, bob: Somebody) -> str:
    """The path of a table in the middle of its game."""
    table = world.open(ann, bob, game="manitou")
    world.play(table, ann, bob, moves=20)
    return f"/v1/tables/{table}"


@pytest.fixture(scope="module")
def finished(world: World, ann: Somebody, bob: Somebody) -> str:
    """The path of a table whose game is over."""
    table = world.open(ann, bob, game="tomahawk")
    world.play(table, ann, bob, moves=1000)
    return f"/v1/tables/{table}"


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def version_of(somebody: Somebody, path: str) -> int:
    return int(accepted(somebody.get(path))["version"])


def test_a_branch_is_opened_and_found_both_ways(world: World, ann: Somebody, bob: Somebody, finished: str) -> None:
    """Given a finished game, when Ann forks it, then the branch names its parent, and the parent its branch."""
    version = version_of(ann, finished) // 2
    answer = ann.post(f"{finished}/forks", {"version": version, "options": {"dusk_dance_card": "taker_sees"}})
    branch = accepted(answer, 201)
    assert answer.headers["Location"] == f"/v1/tables/{branch['id']}"
    assert branch["status"] == "running"
    assert branch["forked_from"]["table"] == id_of(finished)
    assert branch["forked_from"]["version"] <= version
    assert (branch["forked_from"]["chance"], branch["forked_from"]["dealt_anew"]) == ("anew", False)
    assert branch["options"]["dusk_dance_card"] == "taker_sees"
    world.catch_up()

    listed = accepted(bob.get(f"{finished}/forks"))
    page = accepted(bob.get(f"{finished}/forks?limit=1"))
    assert page["forks"] == listed["forks"][:1]
    assert branch["id"] in [row["id"] for row in listed["forks"]]
    assert listed["forked_from"] is None
    own = accepted(bob.get(f"/v1/tables/{branch['id']}/forks"))
    assert (own["forked_from"], own["forks"]) == (branch["forked_from"], [])
    audit = accepted(bob.get(f"/v1/tables/{branch['id']}/audit"))
    assert (audit["holds"], audit["origin"]) == (True, {"checked": True, "faults": []})


def test_a_branch_is_compared_with_its_parent(ann: Somebody, bob: Somebody, finished: str) -> None:
    """The words of the first difference are in the language that was asked for."""
    version = version_of(ann, finished) // 2
    branch = accepted(ann.post(f"{finished}/forks", {"version": version}), 201)
    answer = bob.get(f"/v1/tables/{branch['id']}/comparison?with={id_of(finished)}", Accept_Language="fr")
    found = accepted(answer)
    assert answer.headers["Content-Language"] == "fr"
    assert found["common"] == {"table": id_of(finished), "version": branch["forked_from"]["version"]}
    assert [row["id"] for row in found["branches"]] == [branch["id"], id_of(finished)]
    assert found["first_difference"]["events"][1]["words"]


def test_pages_of_branches_tell_nothing_of_private_ones(world: World, ann: Somebody, bob: Somebody) -> None:
    """Not by a cursor that names one, nor by a page that follows and is empty, nor by one that is short."""
    table = world.open(ann, bob, game="tomahawk")
    world.play(table, ann, bob, moves=1000)
    path = f"/v1/tables/{table}/forks"
    made = [
        accepted(ann.post(path, {"version": 20, "visibility": visibility}), 201)["id"]
        for visibility in ("private", "public", "private", "private", "public", "private")
    ]
    world.catch_up()
    public, private = [made[4], made[1]], [made[0], made[2], made[3], made[5]]

    first = bob.get(f"{path}?limit=1")
    second = bob.get(accepted(first)["next"] and f"{path}?limit=1&cursor={first.json['next']}")
    whole = bob.get(f"{path}?limit=2")

    pages = [[row["id"] for row in accepted(page)["forks"]] for page in (first, second, whole)]
    assert pages == [public[:1], public[1:], public]
    assert (second.json["next"], whole.json["next"]) == (None, None)
    told = "".join(page.text + str(page.headers) for page in (first, second, whole))
    assert [one for one in private if one in told] == []
    assert [row["id"] for row in accepted(ann.get(f"{path}?limit=6"))["forks"]] == made[::-1]


def test_a_private_branch_does_not_exist_for_others(world: World, ann: Somebody, bob: Somebody, running: str) -> None:
    """Given a running game, when Ann forks it, then nobody but her finds the branch, in no list and under no path."""
    branch = accepted(ann.post(f"{running}/forks", {"version": version_of(ann, running)}), 201)
    assert (branch["visibility"], branch["forked_from"]["dealt_anew"]) == ("private", True)
    world.catch_up()
    path = f"/v1/tables/{branch['id']}"
    assert branch["id"] in [row["id"] for row in accepted(ann.get(f"{running}/forks"))["forks"]]
    for stranger in (bob, world.nobody):
        assert branch["id"] not in [row["id"] for row in accepted(stranger.get(f"{running}/forks"))["forks"]]
        for question in (path, f"{path}/forks", f"{running}/comparison?with={branch['id']}"):
            refused(stranger.get(question), 404, "no_such_table")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "invalid"),
        ({"version": "7"}, 422, "invalid"),
        ({"version": 0}, 422, "invalid"),
        ({"version": 9999}, 404, "no_such_version"),
        ({"version": 1}, 422, "fork_refused"),
        ({"version": 20, "chance": "mine"}, 422, "invalid"),
        ({"version": 20, "chance": "continued"}, 422, "fork_refused"),
        ({"version": 20, "visibility": "public"}, 422, "fork_refused"),
        ({"version": 20, "options": {"edition": "online"}}, 422, "option_refused"),
        ({"version": 20, "options": {"moon": "full"}}, 422, "option_refused"),
        ({"version": 20, "options": {"hero_limit": "some"}}, 422, "invalid"),
        ({"version": 20, "seats": [{"kind": "me"}]}, 422, "fork_refused"),
        ({"version": 20, "seats": [{"kind": "me"}, {"kind": "open"}]}, 422, "fork_refused"),
        ({"version": 20, "arbiter": "p_nobody"}, 422, "opening_refused"),
        ({"version": 20, "moon": "full"}, 422, "invalid"),
    ],
)
def test_what_cannot_be_forked(ann: Somebody, running: str, body: object, status: int, code: str) -> None:
    """With its code; and nothing was opened."""
    refused(ann.post(f"{running}/forks", body), status, code)


def test_who_may_not_fork(world: World, running: str) -> None:
    """Only who may play opens tables, and only of what there is."""
    refused(world.nobody.post(f"{running}/forks", {"version": 20}), 401, "unauthenticated")
    watcher = world.somebody("Wim", scopes=["watch"])
    refused(watcher.post(f"{running}/forks", {"version": 20}), 403, "scope_missing")
    refused(world.somebody().post("/v1/tables/t_aaaaaaaaaaaaaaaa/forks", {"version": 20}), 404, "no_such_table")


def test_a_repeated_request_gets_the_branch_it_made(world: World, running: str) -> None:
    """With an Idempotency-Key; the same key with another body is refused."""
    cleo = world.somebody("Cleo")
    body = {"version": 20}
    first = accepted(cleo.post(f"{running}/forks", body, Idempotency_Key="once"), 201)
    again = accepted(cleo.post(f"{running}/forks", body, Idempotency_Key="once"), 201)
    assert (again["id"], again["hash"]) == (first["id"], first["hash"])
    refused(cleo.post(f"{running}/forks", {"version": 21}, Idempotency_Key="once"), 422, "request_reused")


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [("", 422, "invalid"), ("?with=moon", 422, "invalid"), ("?with=t_aaaaaaaaaaaaaaaa", 404, "no_such_table")],
)
def test_what_cannot_be_compared(ann: Somebody, running: str, query: str, status: int, code: str) -> None:
    """With its code."""
    refused(ann.get(f"{running}/comparison{query}"), status, code)


def test_tables_of_different_games_are_not_compared(ann: Somebody, running: str, finished: str) -> None:
    """They have no past in common."""
    refused(ann.get(f"{running}/comparison?with={id_of(finished)}"), 409, "unrelated_tables")
