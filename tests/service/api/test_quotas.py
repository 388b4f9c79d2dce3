"""Quotas: how much an account may have open at once, and how many streams a client."""

import contextlib
from collections.abc import Iterator

import pytest

from projections import lobby
from projections.store import current
from service.accounts.accounts import NOBODY, Caller, Player
from service.api.common import redis_log
from service.config import Settings
from service.errors import Refused
from service.limits import quotas
from service.limits.quotas import Holdings, Quotas
from service.streams import Bounds, Follow, Hub
from tests.service.api.world import World, accepted, refused

FREE = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}
WITH_AI = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]}
ANN = Caller(Player("ann", "Ann", bot=False, at=""), ("play", "watch"))


@pytest.fixture
def small(store_url: str) -> Iterator[World]:
    """A service that grants 3 open tables, 2 AI seats and 1 branch."""
    with contextlib.closing(World(store_url, open_tables=3, ai_seats=2, forks=1)) as found:
        yield found


@pytest.mark.parametrize("projected", [True, False])
def test_an_account_has_so_many_open_tables(small: World, projected: bool) -> None:
    """Whether the lobby shows them yet or not; another account has its own."""
    ann, ben = small.somebody("Ann"), small.somebody("Ben")
    keys = ["one", "two", "three"]
    first, *_ = [accepted(ann.post("/v1/tables", FREE, Idempotency_Key=key), 201) for key in keys]
    if projected:
        small.catch_up()
    assert accepted(ann.post("/v1/tables", FREE, Idempotency_Key="one"), 201)["table"] == first["table"]
    problem = refused(ann.post("/v1/tables", FREE), 409, "quota-reached")
    assert (problem["quota"], problem["most"]) == ("tables", 3)
    accepted(ben.post("/v1/tables", FREE), 201)


def test_an_account_has_so_many_ai_seats(small: World) -> None:
    """Taken when the table is opened, or given later."""
    ann = small.somebody("Ann")
    for _ in range(2):
        accepted(ann.post("/v1/tables", WITH_AI), 201)
    table = accepted(ann.post("/v1/tables", FREE), 201)["table"]
    problem = refused(ann.post(f"/v1/tables/{table}/seats/2", {"level": "greedy"}), 409, "quota-reached")
    assert (problem["quota"], problem["most"]) == ("ai_seats", 2)


def test_a_repeat_is_not_held_against_the_quota(small: World) -> None:
    """The AI seat that it counts is its own."""
    ann = small.somebody("Ann")
    accepted(ann.post("/v1/tables", WITH_AI), 201)
    table = accepted(ann.post("/v1/tables", FREE), 201)["table"]
    given, again = [], f"/v1/tables/{table}/seats/2"
    for _ in range(2):
        given.append(accepted(ann.post(again, {"level": "greedy"}, Idempotency_Key="one"))["version"])
        small.catch_up()
    assert given[0] == given[1]


def test_an_account_has_so_many_branches(small: World) -> None:
    ann, ben, cat = (small.somebody(name) for name in ("Ann", "Ben", "Cat"))
    table = small.open(ann, ben, game="big-manitou")
    body = {"version": 6, "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}
    accepted(cat.post(f"/v1/tables/{table}/forks", body), 201)
    problem = refused(cat.post(f"/v1/tables/{table}/forks", body), 409, "quota-reached")
    assert (problem["quota"], problem["most"]) == ("forks", 1)


def test_what_is_finished_is_not_looked_at(small: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts no longer, shown or not, and makes counting no dearer: as many rows are read as tables are open."""
    ann = small.somebody("Ann")
    read: list[int] = []
    rows = lobby._rows
    monkeypatch.setattr(lobby, "_rows", lambda store, tables: read.append(len(tables)) or rows(store, tables))
    for _ in range(6):
        table = accepted(ann.post("/v1/tables", WITH_AI), 201)["table"]
        small.finish(table)
        small.catch_up()
    read.clear()
    accepted(ann.post("/v1/tables", FREE), 201)
    assert sum(read) == 1  # the last one, which was opened here and is asked after once
    small.catch_up()
    read.clear()
    accepted(ann.post("/v1/tables", FREE), 201)
    assert sum(read) == 2  # the open one: whether it is shown, and what it counts for


def test_an_account_has_so_many_open_disputes(store_url: str) -> None:
    """A repeat of the request that opened one is not refused, nor is a move; one that is resolved counts no longer."""
    with contextlib.closing(World(store_url, open_disputes=1)) as found:
        ann, bob = found.somebody("Ann"), found.somebody("Bob")
        first, second = (found.disputable(ann, bob) for _ in range(2))
        path, body = first
        opened = accepted(ann.post(f"{path}/disputes", body, Idempotency_Key="one"), 201)
        for projected in (False, True):
            if projected:
                found.catch_up()
                found.services.quotas._disputed.clear()
            problem = refused(ann.post(f"{second[0]}/disputes", second[1]), 409, "quota-reached")
            assert (problem["quota"], problem["most"]) == ("disputes", 1)
        accepted(ann.post(f"{path}/disputes", body, Idempotency_Key="one"), 201)
        found.play(path.rpartition("/")[2], ann, bob, moves=1)
        vote = {"seat": 2, "overturn": False}
        accepted(bob.post(f"{path}/disputes/{opened['disputes'][0]['dispute']}/votes", vote))
        accepted(ann.post(f"{second[0]}/disputes", second[1]), 201)
        found.catch_up()
        with found.app.app_context():
            assert lobby.disputed_by(current(redis_log(), lobby.NAME), str(ann.player)) == [
                second[0].rpartition("/")[2]
            ]


def test_ai_seats_that_a_branch_takes_over_count(small: World) -> None:
    """Who names no seats gets AI in those of all others: as a spectator in three, which is one too many."""
    ann, ben, cat = (small.somebody(name) for name in ("Ann", "Ben", "Cat"))
    table = small.open(ann, ben, small.somebody("Dan"), game="big-manitou")
    problem = refused(cat.post(f"/v1/tables/{table}/forks", {"version": 7}), 409, "quota-reached")
    assert (problem["quota"], problem["most"]) == ("ai_seats", 2)
    accepted(ann.post(f"/v1/tables/{table}/forks", {"version": 7}), 201)


def test_what_is_remembered_of_accounts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opened something longest ago is forgotten: the lobby shows it by now."""
    monkeypatch.setattr(quotas, "MOST_OPENERS", 2)
    found = Quotas(Settings(open_tables=2), Holdings(lambda _: [], lambda _: set(), lambda *_: {}))
    for player, table in (("ann", "a"), ("ben", "b"), ("ann", "c"), ("cat", "d")):
        found.note(player, table, {"tables": 1})
    assert list(found._recent) == ["ann", "cat"]
    with pytest.raises(Refused, match="quota-reached"):
        found.check(ANN, {"tables": 1})


def test_strangers_leave_half_of_the_streams_to_players(world: World) -> None:
    """And no client has more than its share; a stream that ends makes room."""
    hub = Hub(world.services.handler, world.services.accounts, Bounds(8, 3), lambda _: set(), world.services.dear)
    with contextlib.closing(hub):
        strangers = [Follow("t", NOBODY, 0, None, address) for address in ("here", "here", "here", "there")]
        for follow in strangers:
            hub.admit(follow)
        with pytest.raises(Refused, match="too-many-streams"):
            hub.admit(Follow("t", NOBODY, 0, None, "elsewhere"))
        for _ in range(3):
            hub.admit(Follow("t", ANN, 0, None, "here"))
        with pytest.raises(Refused, match="quota-reached"):
            hub.admit(Follow("t", ANN, 0, None, "here"))
        hub.dismiss(strangers[3])
        with pytest.raises(Refused, match="quota-reached"):
            hub.admit(strangers[0])
        hub.admit(strangers[3])
