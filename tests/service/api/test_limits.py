"""Rate limits: each answers as documented when it is reached; legal moves and operators are never refused."""

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from freezegun import freeze_time

from events.store import connect
from service.accounts.callers import NOBODY, Caller, Player
from service.config import Settings
from service.errors import Refused
from service.limits.rates import ACCOUNTS, CHANGES, RATES, Rates
from tests.service.api.world import Answer, Somebody, World, accepted, refused
from wintercount.processes.services import create_app

NOON = "2026-11-21T12:00:00Z"
MANITOU = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}


@contextlib.contextmanager
def limited(url: str, **settings: int) -> Iterator[World]:
    """A service with these limits, at noon for as long as the block lasts."""
    with freeze_time(NOON), contextlib.closing(World(url, **settings)) as found:
        yield found


def too_many(answer: Answer, setting: str) -> dict[str, Any]:
    """The problem of a request beyond a rate, which says when to come again and which setting raises it."""
    problem = refused(answer, 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) == problem["retry_after"] > 0
    assert setting in problem["detail"]
    return problem


def test_an_address_opens_so_many_accounts(store_url: str) -> None:
    """Another address has its own; an hour later there are as many again."""
    with limited(store_url, accounts=2) as world:
        for name in ("Ann", "Bob"):
            accepted(world.nobody.post("/v1/players", {"name": name}), 201)
        problem = too_many(world.nobody.post("/v1/players", {"name": "Cat"}), "WINTERCOUNT_ACCOUNTS")
        assert problem["retry_after"] == 3600
        there = {"environ_overrides": {"REMOTE_ADDR": "203.0.113.7"}}
        accepted(world.nobody.send("POST", "/v1/players", json={"name": "Dan"}, **there), 201)
        with freeze_time("2026-11-21T13:00:01Z"):
            accepted(world.nobody.post("/v1/players", {"name": "Cat"}), 201)


def test_an_ipv6_network_counts_as_one_address(store_url: str) -> None:
    with limited(store_url, accounts=1) as world:
        for host, status in (("2001:db8::1", 201), ("2001:db8::2", 429), ("2001:db8:0:1::1", 201)):
            sent = {"json": {"name": "Ann"}, "environ_overrides": {"REMOTE_ADDR": host}}
            assert world.nobody.send("POST", "/v1/players", **sent).status_code == status


def test_an_address_tries_to_sign_in_so_often(store_url: str) -> None:
    with limited(store_url, sign_ins=2) as world:
        for _ in range(2):
            refused(world.nobody.post("/v1/sign-ins", {"code": "none"}), 403, "sign_in_refused")
        too_many(world.nobody.post("/v1/sign-ins", {"code": "none"}), "WINTERCOUNT_SIGN_INS")
        too_many(world.nobody.post("/v1/sign-ins/options"), "WINTERCOUNT_SIGN_INS")


def test_an_account_makes_so_many_changes(store_url: str) -> None:
    """Reads, checks of moves and moves do not count; another account at the same address has its own limit."""
    with limited(store_url, changes=3) as world:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou")
        for _ in range(2):
            accepted(ann.post("/v1/tables", MANITOU), 201)
        too_many(ann.post("/v1/tables", MANITOU), "WINTERCOUNT_CHANGES")
        accepted(bob.post("/v1/tables", MANITOU), 201)
        body = {"game": "manitou", "seat": 1, "move": {"type": "nothing"}}
        accepted(ann.post(f"/v1/tables/{table}/moves/check", body))
        world.play(table, ann, bob, moves=6)


def test_an_account_asks_so_many_questions(store_url: str) -> None:
    """Ten times as many come from one address."""
    with limited(store_url, questions=2) as world:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        path = f"/v1/tables/{world.open(ann, bob, game='manitou')}/audit"
        for _ in range(2):
            accepted(ann.get(path))
        problem = too_many(ann.get(path), "WINTERCOUNT_QUESTIONS")
        assert "one account" in problem["detail"]
        for _ in range(20 - 2 - 1):
            accepted(world.nobody.get(path))
        accepted(bob.get(path))
        assert "one address" in too_many(bob.get(path), "WINTERCOUNT_QUESTIONS")["detail"]


def test_an_address_reads_so_much_a_minute(store_url: str) -> None:
    """Missing pages and invalid tokens count, requests of operators do not. Moves are accepted all the same."""
    with limited(store_url, reads=10**6) as world:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou")
        strict = create_app(services_of(world, reads=3))
        nobody, ann, bob = (as_in(strict, who) for who in (world.nobody, ann, bob))
        accepted(nobody.get("/v1/games"))
        refused(nobody.get("/v1/nothing"), 404, "not_found")
        refused(nobody.get("/v1/inbox", Authorization="Bearer wc_none"), 401, "unauthenticated")
        for path in ("/v1/games", "/v1/nothing", "/", f"/v1/tables/{table}"):
            too_many(nobody.get(path), "WINTERCOUNT_READS")
        assert nobody.get("/healthz").status_code == 200
        seat, move = next_move(world, table)
        accepted((ann, bob)[seat - 1].post(f"/v1/tables/{table}/moves", world.moving(table, seat, move)))
        with freeze_time("2026-11-21T12:01:01Z"):
            accepted(nobody.get("/v1/games"))


def test_an_account_sends_so_many_moves_that_are_refused(store_url: str) -> None:
    """Then they are refused without a reason, whatever is wrong with them; legal moves are taken all the same."""
    with limited(store_url, refused_moves=3) as world:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou")
        path = f"/v1/tables/{table}/moves"
        illegal = {"game": "manitou", "seat": 1, "move": {"type": "nothing"}}
        first = ann.post(path, illegal)
        assert first.status_code == 422
        refused(ann.send("POST", path, data="{", content_type="application/json"), 400, "malformed")
        refused(ann.post(f"{path}?at=1", illegal), 422, "invalid")
        problem = too_many(ann.post(path, illegal), "WINTERCOUNT_REFUSED_MOVES")
        assert problem["retry_after"] <= 60
        assert first.json["detail"] not in str(problem)
        world.play(table, ann, bob, moves=4)


def test_a_move_that_is_repeated_counts_as_a_read(store_url: str) -> None:
    """Of repeats, which are answered as the first was, there is an end."""
    with limited(store_url) as world:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou")
        strict = create_app(services_of(world, reads=1))
        seat, move = next_move(world, table)
        player = as_in(strict, (ann, bob)[seat - 1])
        body = world.moving(table, seat, move)
        for status in (200, 200, 429):
            assert player.post(f"/v1/tables/{table}/moves", body, Idempotency_Key="one").status_code == status


def test_operators_are_never_refused(store_url: str) -> None:
    with limited(store_url, accounts=0, changes=0, questions=0, reads=0) as world:
        accepted(world.operator.post("/v1/players", {"name": "Ann"}), 201)
        accepted(world.operator.get("/v1/games"))
        accepted(world.operator.get("/v1/feed"))
        too_many(world.nobody.get("/v1/games"), "WINTERCOUNT_READS")


def test_a_refusal_tells_nothing_of_a_table(store_url: str) -> None:
    """A private table and one that is not there are refused alike, beyond a rate as within it."""
    with limited(store_url, questions=1) as world:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou", visibility="private")
        told = []
        for name in (table, "t_aaaaaaaaaaaaaaaa"):
            who = world.somebody("Eve")
            answers = [who.get(f"/v1/tables/{name}/audit", X_Request_Id="one") for _ in range(2)]
            told.append([(one.status_code, one.text.replace(name, "…")) for one in answers])
        assert told[0] == told[1]
        assert [status for status, _ in told[0]] == [404, 429]


def test_processes_count_together_what_they_share(store_url: str) -> None:
    """What each account changes, for example; a store that does not answer lets requests through."""
    shared = connect(store_url)
    one, other = (Rates(Settings(changes=2), shared) for _ in "ab")
    ann = Caller(Player("p_together", "Ann", bot=False, at=""))
    for rates in (one, other):
        rates.check(CHANGES, ann, "192.0.2.1")
    for rates in (one, other):
        with pytest.raises(Refused, match="too_many_requests"):
            rates.check(CHANGES, ann, "192.0.2.1")
    shared.close()
    gone = Rates(Settings(accounts=0), connect("redis://127.0.0.1:1"))
    gone.check(ACCOUNTS, NOBODY, "192.0.2.1")


def test_a_school_class_fits_the_defaults(store_url: str) -> None:
    """Given 30 pupils behind one address who reload twice, then all open three tables against `expert` in the hour."""
    defaults = {name: getattr(Settings(), name) for name in (*RATES, "open_tables", "ai_seats", "streams_per_client")}
    with limited(store_url, **defaults) as world:
        for number in range(30):
            for _ in range(3):  # a guest for whoever opens the page anew
                pupil = world.somebody(f"Pupil {number}")
            seats = [{"kind": "me"}, {"kind": "ai", "level": "expert"}]
            for _ in range(3):
                opened = accepted(pupil.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)
                for path in ("", "/moves", "/events"):
                    accepted(pupil.get(f"/v1/tables/{opened['id']}{path}"))
    assert Settings().reads >= 30 * 3 * 2 * 60  # each tab of each pupil twice a second
    assert Settings().streams >= 30 * 3 * 3


def as_in(app: Flask, who: Somebody) -> Somebody:
    """The same person as a client of another app."""
    return Somebody(app, who.player, who.token)


def next_move(world: World, table: str) -> tuple[int, dict[str, Any]]:
    """A seat that is to act and a legal move of it."""
    chosen = world.move(table, random.Random(1))
    assert chosen
    return chosen


def services_of(world: World, **settings: Any) -> Any:
    """The services of a world with other limits."""
    return world.services._replace(rates=Rates(Settings(web_processes=1, **settings)))
