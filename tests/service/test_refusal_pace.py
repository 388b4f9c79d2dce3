"""How fast refusals are told to one address."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, Response, request

from service.accounts.callers import NOBODY
from service.api.admission import ASKING, TOLD, Asking, Operation
from service.errors import PROBLEMS, Refused
from service.limits.costs import ACCOUNTS, MOVES
from service.runtime import refusal_pace
from service.runtime.bodies import Bodies
from service.runtime.refusal_pace import PACED, Pace
from service.runtime.server import Server
from tests.fixtures import noting
from tests.service.rsgi import Headers, scope

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Hand:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_an_address_is_told_ten_refusals_a_second() -> None:
    """The first at once; another address has its own turns, and turns that nobody took are not saved up."""
    hand = Hand()
    found = Pace(hand)
    assert [round(found.delay_s(HERE), 3) for _ in range(4)] == [0.0, 0.1, 0.2, 0.3]
    assert found.delay_s(THERE) == 0.0
    hand.now_s += 60.0
    assert [round(found.delay_s(HERE), 3) for _ in range(2)] == [0.0, 0.1]


def test_nobody_waits_longer_than_a_while() -> None:
    found = Pace(Hand())
    delays = [found.delay_s(HERE) for _ in range(1000)]
    assert max(delays) == delays[-1] == refusal_pace.LONGEST_S


def test_few_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those whose turn is over are forgotten."""
    monkeypatch.setattr(refusal_pace, "MOST_REMEMBERED", 3)
    hand = Hand()
    found = Pace(hand)
    for number in range(100):
        found.delay_s(str(number))
        hand.now_s += 1.0
    assert len(found._turns) <= 3


def test_those_who_wait_take_a_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any further are told at once, and nobody waits whose client has gone, which is said."""
    monkeypatch.setattr(refusal_pace, "MOST_WAITING", 1)

    async def story() -> None:
        found = Pace(Hand())
        found.delay_s(HERE)
        left = asyncio.Event()
        waiting = asyncio.ensure_future(found.keep(HERE, left.wait))
        await asyncio.sleep(0)
        assert await found.keep(HERE, left.wait)
        assert not waiting.done()
        left.set()
        assert not await waiting
        assert found._waiting == 0

    asyncio.run(story())


@pytest.mark.parametrize(("code", "paced"), [("quota-reached", True), ("move-refused", False), (None, False)])
def test_the_server_paces_refusals_of_what_is_beyond_bounds(code: str | None, paced: bool) -> None:
    """And nothing else: neither a move that a rule forbids nor what is granted."""
    kept: list[str] = []

    async def keep(address: str, _gone: Any) -> bool:
        kept.append(address)
        return True

    async def story() -> None:
        app = Flask("planted")
        app.add_url_rule("/v1/tables/<table>", view_func=told)
        server = Server(app, SimpleNamespace(), 1, Bodies(1, 1.0))  # type: ignore[arg-type]
        app.extensions["admission"] = SimpleNamespace(operation=lambda *_: None, address=lambda _: HERE)
        server._pace = SimpleNamespace(keep=keep)  # type: ignore[assignment]
        protocol = SimpleNamespace(response_bytes=lambda *_: None, client_disconnect=None)
        await server.__rsgi__(scope("/v1/tables/t_a"), protocol)

    def told(table: str) -> Any:
        if code:
            request.environ[TOLD] = code
        return Response(table)

    asyncio.run(story())
    assert kept == ([HERE] if paced else [])


class Gate:
    """An admission that refuses or lets in, and notes what was asked of it and of the app, in order."""

    address = staticmethod(lambda _: HERE)
    is_known = staticmethod(lambda _: True)

    def __init__(self, rule: str, refusal: Refused | None, notes: list[str]) -> None:
        self._rule, self._refusal, self._notes = rule, refusal, notes

    def operation(self, method: str, _path: str) -> Operation:
        return Operation(method, self._rule, {}, {})

    def admit(self, operation: Operation, environ: Any) -> None:
        self._notes.append("admitted")
        if self._refusal:
            raise self._refusal
        environ[ASKING] = Asking(NOBODY, HERE, operation, [])


def order_of(method: str, rule: str, *, refused: bool = False, paced: bool = True, stays: bool = True) -> list[str]:
    """What happens to a request, in order, of an address that was (`paced`) refused again and again before."""
    notes: list[str] = []

    async def keep(_address: str, _gone: Any) -> bool:
        notes.append("waited")
        return stays

    async def body() -> bytes:
        notes.append("read")
        return b"{}"

    async def story() -> None:
        app = Flask("planted")
        app.add_url_rule("/v1/asked", view_func=noting(notes, "answered", str), methods=["GET", "POST"])
        server = Server(app, SimpleNamespace(), 1, Bodies(1 << 20, 1.0))  # type: ignore[arg-type]
        app.extensions["admission"] = Gate(rule, Refused("too-many-requests", "enough") if refused else None, notes)
        server._pace = SimpleNamespace(keep=keep, is_paced=lambda _: paced)  # type: ignore[assignment]
        asked = scope("/v1/asked")
        asked.method, asked.headers = method, Headers({"content-length": "2"})
        protocol = Asked(body)
        await server.__rsgi__(asked, protocol)

    asyncio.run(story())
    return notes


class Asked:
    """A connection that sends a body when it is read, and stays."""

    client_disconnect = None

    def __init__(self, body: Callable[[], Awaitable[bytes]]) -> None:
        self._body = body

    def __aiter__(self) -> "Asked":
        return self

    async def __anext__(self) -> bytes:
        if self._body is None:
            raise StopAsyncIteration
        body, self._body = self._body, None  # type: ignore[assignment]
        return await body()

    def response_bytes(self, *_answer: Any) -> None:
        """Takes the answer."""

    response_empty = response_bytes


def test_a_refusal_waits_for_its_turn_before_it_costs_anything() -> None:
    """It is worked out when it may be told, and waits once; its body is only taken out of the way."""
    assert order_of("POST", "/v1/players", refused=True) == ["admitted", "waited", "answered", "read"]


def test_what_a_refused_address_would_change_waits_for_its_turn() -> None:
    """Without its body, and before a thread is taken; a move is never kept, nor a question, nor anybody else."""
    assert order_of("POST", "/v1/tables") == ["admitted", "waited", "read", "answered"]
    assert order_of("POST", MOVES) == ["admitted", "read", "answered"]
    assert order_of("GET", "/v1/tables") == ["answered", "read"]
    assert order_of("POST", "/v1/tables", paced=False) == ["admitted", "read", "answered"]


def test_accounts_are_opened_at_the_same_pace() -> None:
    """Whoever opens many takes no more threads at once than whoever is refused."""
    assert order_of("POST", ACCOUNTS, paced=False) == ["admitted", "waited", "read", "answered"]


def test_nothing_is_done_for_who_hangs_up_before_his_turn() -> None:
    """No account is opened, nothing is changed and no refusal is worked out: hanging up would be a way to the front."""
    assert order_of("POST", ACCOUNTS, stays=False) == ["admitted", "waited"]
    assert order_of("POST", "/v1/tables", stays=False) == ["admitted", "waited"]
    assert order_of("POST", "/v1/players", refused=True, stays=False) == ["admitted", "waited"]


def test_who_was_refused_is_paced_until_the_turn_is_there() -> None:
    hand = Hand()
    found = Pace(hand)
    assert not found.is_paced(HERE)
    found.delay_s(HERE)
    assert found.is_paced(HERE)
    hand.now_s += refusal_pace.PACE_S
    assert not found.is_paced(HERE)


def test_what_is_paced_is_a_problem() -> None:
    assert set(PACED) <= set(PROBLEMS)


def test_a_request_whose_client_goes_while_all_threads_are_busy_is_not_answered() -> None:
    """Were it kept, whoever asks and hangs up would have more and more of them waiting."""
    asked_for: list[str] = []

    async def story() -> None:
        app, begin = Flask("planted"), threading.Event()
        app.add_url_rule("/v1/asked", view_func=noting(asked_for, "answered", str))
        server = Server(app, SimpleNamespace(), 1, Bodies(1, 1.0))  # type: ignore[arg-type]
        busy = asyncio.ensure_future(server._pool.run("another", begin.wait, 10))
        await asyncio.sleep(0)
        told: list[int] = []
        protocol = SimpleNamespace(response_empty=lambda status, _: told.append(status), client_disconnect=at_once)
        await server.__rsgi__(scope("/v1/asked"), protocol)
        assert told == [408]
        begin.set()
        await busy

    asyncio.run(story())
    assert asked_for == []


async def at_once() -> None:
    """A client that hangs up as soon as it has asked."""
