"""Moves for which a table waits: they share the threads with all other requests as one with one."""

import asyncio
import contextlib
import json
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.accounts import accounts
from service.limits.budgets import LITTLE, REFUSED_MOVES
from service.runtime import refusal_pace
from service.runtime.asked import kind_of_move
from service.runtime.bodies import Bodies
from service.runtime.fair_threads import FairPool
from service.runtime.server import Server
from service.runtime.turns import AWAITED, OTHERS
from tests.service.api.world import GENEROUS, Somebody, World, accepted, embedded_store, refused
from tests.service.rsgi import scope

MANY, HOME = 20, "127.0.0.1"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with embedded_store() as url:
        world = World(url)
        yield world
        world.close()


class Protocol:
    """Granian's side of a request with a body, whose client stays."""

    def __init__(self, body: bytes, answered: Callable[[int], None]) -> None:
        self._parts, self._answered, self.client_disconnect = iter([body]), answered, asyncio.Event().wait

    def __aiter__(self) -> "Protocol":
        return self

    async def __anext__(self) -> bytes:
        for part in self._parts:
            return part
        raise StopAsyncIteration

    def response_bytes(self, status: int, _headers: Any, _body: bytes) -> None:
        self._answered(status)

    def response_empty(self, status: int, _headers: Any) -> None:
        self._answered(status)


def drawn(world: World, table: str) -> tuple[int, dict[str, Any]]:
    """A seat that a table waits for, and a legal move of it."""
    chosen = world.move(table, random.Random(1))
    assert chosen
    return chosen


def kind_of(world: World, who: Somebody, table: str, method: str = "POST", below: str = "moves") -> str:
    """The kind of a request of a player's."""
    admission = world.app.extensions["admission"]
    operation = admission.operation(method, f"/v1/tables/{table}/{below}")
    return kind_of_move(world.app, operation, admission.last_known(f"Bearer {who.token}"), HOME)


def test_a_move_is_awaited_from_whom_the_table_waits_for(world: World) -> None:
    """Nothing else of the same player's is, and nobody else's move."""
    ann, bob, eve = (world.somebody(name) for name in ("Ann", "Bob", "Eve"))
    table = world.open(ann, bob)
    assert eve.get(f"/v1/tables/{table}").status_code == 200
    seat, move = drawn(world, table)
    other, due = (ann, bob) if seat == 1 else (bob, ann)
    assert other.post(f"/v1/tables/{table}/moves", world.moving(table, seat, move)).status_code == 200
    assert kind_of(world, due, table) == AWAITED
    assert kind_of(world, due, table, "GET") == OTHERS
    assert kind_of(world, due, table, below="moves/check") == OTHERS
    assert kind_of(world, other, table) == kind_of(world, eve, table) == OTHERS


def test_a_move_is_awaited_where_the_process_knows_the_player_and_not_the_table(world: World) -> None:
    """As after a start, or where another process has told of the table; whoever is not known waits with all others."""
    ann = world.somebody()
    assert kind_of(world, ann, "t_elsewhere") == OTHERS
    assert ann.get("/v1/players/me").status_code == 200
    assert kind_of(world, ann, "t_elsewhere") == AWAITED
    assert kind_of(world, world.nobody, "t_elsewhere") == OTHERS


def test_no_move_is_awaited_from_whom_some_were_refused_of_late(world: World) -> None:
    """Else two hundred addresses send as many as there is time for; it comes back with the budget."""
    ann, eve = world.somebody("Ann"), world.somebody("Eve")
    table = world.open(eve, ann)
    assert kind_of(world, eve, table) == AWAITED
    limits, caller = world.services.limits, world.services.accounts.caller(eve.token or "")
    limits.note(caller, "192.0.2.9", REFUSED_MOVES, GENEROUS[REFUSED_MOVES] // LITTLE)
    assert kind_of(world, eve, table) == AWAITED
    limits.note(caller, "192.0.2.9", REFUSED_MOVES, 1)
    assert kind_of(world, eve, table) == kind_of(world, eve, "t_elsewhere") == OTHERS
    assert kind_of(world, ann, table) == AWAITED


def test_no_seat_of_an_ai_player_is_taken_for_nobodys(world: World) -> None:
    """A table that waits for an AI player waits for no account."""
    ann = world.somebody()
    seats = [{"kind": "ai", "level": "greedy"}, {"kind": "me"}]
    opened = ann.post("/v1/tables", {"game": "tomahawk", "seats": seats}).json
    table = world.services.handler.histories.known(opened["table"])
    assert table
    assert not table.table.is_due(None)


def test_no_move_is_awaited_with_a_token_that_was_revoked_elsewhere(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This process learns of it when the token is sent; it was to look it up each time before other requests."""
    monkeypatch.setattr(accounts, "REMEMBER_S", 0.0)
    ann = world.somebody()
    thief = world.again(ann, ["play", "watch"])
    assert thief.get("/v1/tables/t_none/moves").status_code == 404
    assert kind_of(world, thief, "t_elsewhere") == AWAITED
    with contextlib.closing(World(world.url)) as elsewhere:
        own = Somebody(elsewhere.app, ann.player, ann.token)
        revoked = own.get("/v1/players/me/tokens").json["tokens"][-1]["token"]
        accepted(own.delete(f"/v1/players/me/tokens/{revoked}"), 204)
    refused(thief.get("/v1/tables/t_none/moves"), 401, "unauthenticated")
    assert kind_of(world, thief, "t_elsewhere") == OTHERS


CHUNKED = {"transfer-encoding": "chunked"}


@pytest.mark.parametrize(
    ("headers", "query", "told"),
    [
        (CHUNKED, "", 400),
        ({"content-length": "70000"}, "", 413),
        ({}, "x" * 9000, 413),
        ({"accept": "a/b," * 700}, "", 413),
    ],
    ids=["in chunks", "too large", "a long query", "a long header"],
)
def test_what_is_refused_before_it_is_looked_at_counts_as_a_move_that_is_refused(
    world: World, headers: dict[str, str], query: str, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There was no end of it, and it came before other requests."""
    monkeypatch.setattr(refusal_pace, "PACE_S", 0.0)
    with contextlib.closing(World(world.url, refused_moves=2)) as small:
        answered, _ = _sent(small, small.somebody(), headers, query, times=3)
        assert answered == [told, told, 429]


def test_a_move_that_the_server_has_refused_is_not_awaited(world: World) -> None:
    """What is said of it waits for its turn with all others."""
    ann = world.somebody()
    assert ann.get("/v1/players/me").status_code == 200
    _, kinds = _sent(world, ann, CHUNKED, "", times=2)
    assert kinds == [OTHERS, OTHERS]
    _, kinds = _sent(world, ann, {}, "", times=1)
    assert kinds == [AWAITED]


def test_a_move_whose_client_goes_while_it_waits_counts_as_one_that_is_refused(world: World) -> None:
    """Else two hundred that hang up at once and come again are always among those whose turn it is."""
    with contextlib.closing(World(world.url, refused_moves=2 * LITTLE)) as small:
        ann = small.somebody()
        assert ann.get("/v1/players/me").status_code == 200
        kinds = [kind_of(small, ann, "t_elsewhere")]
        for _ in range(3):
            asyncio.run(_hung_up(small, ann))
            kinds.append(kind_of(small, ann, "t_elsewhere"))
        assert kinds == [AWAITED] * 3 + [OTHERS]


async def _hung_up(world: World, who: Somebody) -> None:
    """A move is sent while all threads are busy, and its client goes."""
    server = Server(world.app, world.services.hub, 1, Bodies(1 << 20, 5.0))
    begin = threading.Event()
    busy = asyncio.ensure_future(server._pool.run("192.0.2.1", begin.wait, 10))
    await asyncio.sleep(0)
    sent = {"authorization": f"Bearer {who.token}", "content-type": "application/json", "content-length": "2"}
    protocol, hung_up = Protocol(b"{}", lambda _: None), asyncio.Event()
    protocol.client_disconnect = hung_up.wait
    asked = asyncio.ensure_future(server.__rsgi__(scope("/v1/tables/t_elsewhere/moves", "POST", **sent), protocol))
    await asyncio.sleep(0)
    hung_up.set()
    await asked
    begin.set()
    await busy


def _sent(world: World, who: Somebody, headers: dict[str, str], query: str, times: int) -> tuple[list[int], list[str]]:
    """What a move to a table elsewhere, sent so often, is answered, and among which kinds it waited for a turn."""
    server, kinds, answered = Server(world.app, world.services.hub, 1, Bodies(1 << 20, 5.0)), list[str](), list[int]()
    enter = server._pool._turns.enter

    def entering(address: str, kind: str) -> Any:
        kinds.append(kind)
        return enter(address, kind)

    server._pool._turns.enter = entering  # type: ignore[method-assign,assignment]
    assert who.get("/v1/players/me").status_code == 200
    sent = {"authorization": f"Bearer {who.token}", "content-type": "application/json", "content-length": "2"}
    asked = scope("/v1/tables/t_elsewhere/moves", "POST", **sent | headers)
    asked.query_string = query
    for _ in range(times):
        asyncio.run(server.__rsgi__(asked, Protocol(b"{}", answered.append)))
    return answered, kinds


@pytest.mark.parametrize("remembered", [True, False], ids=["known", "known before"])
def test_an_awaited_move_passes_requests_of_many_addresses(
    world: World, remembered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the token has to be looked up again, as every few seconds: that waits for a turn of its own."""
    if not remembered:
        monkeypatch.setattr(accounts, "REMEMBER_S", 0.0)
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob)
    seat, move = drawn(world, table)
    due = (ann, bob)[seat - 1]
    answered = asyncio.run(_beside_many(world, f"/v1/tables/{table}/moves", due, world.moving(table, seat, move)))
    assert len(answered) == MANY + 1
    assert "move 200" in answered[:5]


async def _beside_many(world: World, path: str, player: Somebody, move: dict[str, Any]) -> list[str]:
    """What is answered, in order: a move that comes when a request of each of many addresses waits for a thread."""
    server = Server(world.app, world.services.hub, 1, Bodies(1 << 20, 5.0))
    server._pool = FairPool(1, clock=lambda: 0.0)  # all take as long, on whatever machine
    begin, answered = threading.Event(), list[str]()
    busy = asyncio.ensure_future(server._pool.run("192.0.2.1", begin.wait, 10))
    asked = [scope("/v1/games", host="localhost") for _ in range(MANY)]
    for number, one in enumerate(asked, 1):
        one.client = f"198.51.100.{number}:9"
    body = json.dumps(move).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body))}
    asked.append(scope(path, "POST", authorization=f"Bearer {player.token}", **headers))
    told = [(b"", "list"), *[(b"", "list")] * (MANY - 1), (body, "move")]
    waiting = []
    for one, (content, what) in zip(asked, told, strict=True):
        protocol = Protocol(content, lambda status, what=what: answered.append(f"{what} {status}"))  # type: ignore[misc]
        waiting.append(asyncio.ensure_future(server.__rsgi__(one, protocol)))
        await asyncio.sleep(0)
    begin.set()
    await asyncio.gather(busy, *waiting)
    return answered
