"""Quotas: how much an account may have open at once, and how many streams a client."""

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from projections import lobby_queries, lobby_rows
from projections.store import current
from service.accounts.callers import NOBODY, Caller, Player
from service.api.common import redis_log
from service.errors import Refused
from service.streams.frames import InboxSubscription, TableSubscription
from service.streams.hub import OpenStreams
from tests.service.api.world import Somebody, World, accepted, refused
from tests.service.test_page import words as page_words
from wintercount.processes.services import create_app, services_from

FREE = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}
WITH_AI = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]}
ANN = Caller(Player("ann", "Ann", bot=False, at=""), ("play", "watch"))


@pytest.fixture
def small(store_url: str) -> Iterator[World]:
    """A service that grants 3 open tables and 2 AI seats."""
    with contextlib.closing(World(store_url, open_tables=3, ai_seats=2)) as found:
        yield found


@pytest.mark.parametrize("projected", [True, False])
def test_an_account_has_so_many_open_tables(small: World, projected: bool) -> None:
    """Whether the lobby shows them yet or not; another account has its own."""
    ann, ben = small.somebody("Ann"), small.somebody("Ben")
    keys = ["one", "two", "three"]
    first, *_ = [accepted(ann.post("/v1/tables", FREE, Idempotency_Key=key), 201) for key in keys]
    if projected:
        small.catch_up()
    assert accepted(ann.post("/v1/tables", FREE, Idempotency_Key="one"), 201)["id"] == first["id"]
    problem = refused(ann.post("/v1/tables", FREE), 409, "quota_reached")
    assert (problem["quota"], problem["most"]) == ("tables", 3)
    accepted(ben.post("/v1/tables", FREE), 201)


def test_an_account_has_so_many_ai_seats(small: World) -> None:
    """Taken when the table is opened, or given later."""
    ann = small.somebody("Ann")
    for _ in range(2):
        accepted(ann.post("/v1/tables", WITH_AI), 201)
    table = accepted(ann.post("/v1/tables", FREE), 201)["id"]
    problem = refused(ann.post(f"/v1/tables/{table}/seats/2", {"kind": "ai", "level": "greedy"}), 409, "quota_reached")
    assert (problem["quota"], problem["most"]) == ("ai_seats", 2)


def test_a_repeat_is_not_held_against_the_quota(small: World) -> None:
    """The AI seat that it counts is its own."""
    ann = small.somebody("Ann")
    accepted(ann.post("/v1/tables", WITH_AI), 201)
    table = accepted(ann.post("/v1/tables", FREE), 201)["id"]
    given, again = [], f"/v1/tables/{table}/seats/2"
    for _ in range(2):
        given.append(accepted(ann.post(again, {"kind": "ai", "level": "greedy"}, Idempotency_Key="one"))["version"])
        small.catch_up()
    assert given[0] == given[1]


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
            problem = refused(ann.post(f"{second[0]}/disputes", second[1]), 409, "quota_reached")
            assert (problem["quota"], problem["most"]) == ("disputes", 1)
        accepted(ann.post(f"{path}/disputes", body, Idempotency_Key="one"), 201)
        found.play(path.rpartition("/")[2], ann, bob, moves=1)
        vote = {"seat": 2, "overturn": False}
        accepted(bob.post(f"{path}/disputes/{opened['id']}/votes", vote))
        accepted(ann.post(f"{second[0]}/disputes", second[1]), 201)
        found.catch_up()
        with found.app.app_context():
            assert lobby_queries.disputed_by(current(redis_log(), lobby_rows.NAME), str(ann.player)) == [
                second[0].rpartition("/")[2]
            ]


def test_ai_seats_that_a_branch_takes_over_count(small: World) -> None:
    """Who names no seats gets AI in those of all others: as a spectator in three, which is one too many."""
    ann, ben, cat = (small.somebody(name) for name in ("Ann", "Ben", "Cat"))
    table = small.open(ann, ben, small.somebody("Dan"), game="big-manitou")
    problem = refused(cat.post(f"/v1/tables/{table}/forks", {"version": 7}), 409, "quota_reached")
    assert (problem["quota"], problem["most"]) == ("ai_seats", 2)
    accepted(ann.post(f"/v1/tables/{table}/forks", {"version": 7}), 201)


def at_once(found: World, who: Somebody, requests: Sequence[tuple[str, Any]]) -> list[int]:
    """The status of each request, sent side by side to two web processes."""
    other = create_app(services_from(found.settings, found.url))
    apps = [found.app, other] * len(requests)
    try:
        with ThreadPoolExecutor(len(requests)) as pool:
            people = (Somebody(app, who.player, who.token) for app in apps)
            answers = pool.map(lambda one, asked: one.post(*asked).status_code, people, requests)
            return sorted(answers)
    finally:
        other.extensions["wintercount"].close()


def test_tables_that_are_opened_at_once_are_no_more(small: World) -> None:
    """Of twelve requests side by side three open a table, the lobby shows them or not; another's are not counted."""
    ann, ben = small.somebody("Ann"), small.somebody("Ben")
    for _ in range(2):
        accepted(ben.post("/v1/tables", FREE), 201)
    assert at_once(small, ann, [("/v1/tables", FREE)] * 12) == [201] * 3 + [409] * 9
    small.catch_up()
    assert at_once(small, ann, [("/v1/tables", FREE)] * 4) == [409] * 4
    with small.app.app_context():
        assert len(lobby_queries.unfinished_by(current(redis_log(), lobby_rows.NAME), str(ann.player))) == 3


def quotas_of(who: Somebody) -> dict[str, tuple[int, int]]:
    """What somebody is told of each quota."""
    rows = accepted(who.get("/v1/players/me/quotas"))["quotas"]
    return {row["name"]: (row["used"], row["most"]) for row in rows}


def test_all_that_an_account_may_have_is_told(small: World) -> None:
    """Tables, lists of its own, analyses, and what is open just now: streams, and a webhook."""
    ann, hub = small.somebody("Ann"), small.services.hub
    account = accepted(small.nobody.post("/v1/players", {"name": "Rob", "bot": True}), 201)
    rob = Somebody(small.app, account["id"], account["token"]["secret"])
    subscription = InboxSubscription(small.services.accounts.caller(str(ann.token)))
    most = small.settings.streams_per_client
    assert (quotas_of(ann)["streams"], quotas_of(ann)["webhooks"]) == ((0, most), (0, 0))
    assert quotas_of(rob)["webhooks"] == (0, 1)
    hub.open.admit(subscription)
    accepted(rob.send("PUT", "/v1/players/me/webhook", json={"url": "https://example.org/"}))
    told = quotas_of(ann)
    assert (told["streams"], quotas_of(rob)["webhooks"]) == ((1, most), (1, 1))
    hub.open.dismiss(subscription)
    assert quotas_of(ann)["streams"] == (0, most)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_has_words_for_each_quota(small: World, language: str) -> None:
    known = page_words(language)
    assert {name for name in quotas_of(small.somebody("Ann")) if f"people.quota.{name}" not in known} == set()


def test_streams_are_bounded_for_a_client_and_in_all() -> None:
    """Neither an account nor an address without one has more than its share; a stream that ends makes room."""
    found = OpenStreams(4, 2)
    theirs = [of(NOBODY, "one"), of(NOBODY, "one")]
    for one in theirs:
        found.admit(one)
    with pytest.raises(Refused, match=r"quota_reached: .* WINTERCOUNT_STREAMS_PER_CLIENT"):
        found.admit(of(NOBODY, "one"))
    with pytest.raises(Refused, match=r"too_many_streams: .* one address"):
        found.admit(of(ANN, "one"))
    found.admit(of(ANN, "two"))
    found.admit(of(ANN, "three"))
    with pytest.raises(Refused, match=r"too_many_streams: .* WINTERCOUNT_STREAMS"):
        found.admit(of(NOBODY, "two"))
    found.dismiss(theirs[0])
    found.admit(of(NOBODY, "two"))
    assert found.of("ann") == (2, 2)


def of(caller: Caller, address: str) -> TableSubscription:
    """A stream of somebody at an address."""
    return TableSubscription("t", caller, 0, None, address)
