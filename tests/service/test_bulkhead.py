"""Expensive requests wait apart from all others: so many at work, so many waiting, and of one caller fewer."""

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, request

from events.archiving.patience import Reads
from service.accounts.callers import NOBODY
from service.api import admission
from service.api.admission import REFUSED, Admission, contract_of
from service.config import Settings
from service.errors import Refused
from service.limits.budgets import Limits
from service.limits.client_addresses import client_of
from service.runtime import bulkhead, server
from service.runtime.app import create_app
from service.runtime.bodies import Bodies
from service.runtime.bulkhead import Bulkhead, is_expensive
from service.runtime.environ import CLIENT, environ_of
from service.runtime.problems import answer as refusal_told
from service.runtime.server import Server
from tests.fixtures import noting
from tests.service.rsgi import scope

HERE, THERE = "192.0.2.1", "192.0.2.2"
STAYS = SimpleNamespace(client_disconnect=asyncio.Event().wait)  # a client


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulkhead, "PAUSE_S", 0.0)
    monkeypatch.setattr(bulkhead, "PATIENCE_S", 0.01)


def test_one_caller_leaves_room_for_others() -> None:
    """Who has as many under way as one may have is refused; others are let in, and so is he when one has ended."""

    async def story() -> None:
        found = Bulkhead(at_once=5, most=9, most_of_one=2)
        async with found.place("ann", HERE):
            async with found.place("ann", HERE), found.place("bob", HERE):
                with pytest.raises(Refused, match="too-busy"):
                    await within(found.place("ann", HERE))
                await within(found.place("bob", HERE))
            await within(found.place("ann", HERE))

    asyncio.run(story())


def test_so_many_are_at_work_and_so_many_wait() -> None:
    """Who finds no place within a while is refused; so is, at once, whom there is no room to wait for."""

    async def story() -> None:
        found = Bulkhead(at_once=1, most=2, most_of_one=9)
        async with found.place("ann", HERE):
            with pytest.raises(Refused, match="others ask"):
                await within(found.place("bob", HERE))
        await within(found.place("bob", HERE))
        full = Bulkhead(at_once=1, most=1, most_of_one=9)
        async with full.place("ann", HERE):
            with pytest.raises(Refused, match="at most"):
                await within(full.place("bob", HERE))
        await within(full.place("bob", HERE))

    asyncio.run(story())


@pytest.mark.parametrize("theirs", [[HERE] * 8, [f"2001:db8:1:{number:x}::/64" for number in range(8)]])
def test_accounts_of_one_site_leave_room_for_another(monkeypatch: pytest.MonkeyPatch, theirs: list[str]) -> None:
    """Where the queue is full of theirs the last of them is given up, and who comes from elsewhere is next.

    They have one address of IPv4, or a network of IPv6 each.
    """
    monkeypatch.setattr(bulkhead, "PATIENCE_S", 3600.0)
    done: list[str] = []

    async def ask(found: Bulkhead, caller: str, address: str) -> None:
        async with found.place(caller, address):
            done.append(caller)

    async def story() -> None:
        found = Bulkhead(at_once=1, most=8, most_of_one=2)
        async with found.place("eve 0", theirs[0]):
            asking = [asyncio.ensure_future(ask(found, f"eve {number}", theirs[number])) for number in range(1, 8)]
            await asyncio.sleep(0)
            ann = asyncio.ensure_future(ask(found, "ann", THERE))
            await asyncio.sleep(0)
            with pytest.raises(Refused, match="too-busy"):
                await ask(found, "eve 8", theirs[0])
        await ann
        told = await asyncio.gather(*asking, return_exceptions=True)
        assert [isinstance(one, Refused) for one in told] == [False] * 6 + [True]
        assert done[:2] == ["ann", "eve 1"]

    asyncio.run(story())


def test_a_place_is_free_again_when_a_request_fails() -> None:
    """Or is given up while it waits."""

    async def story() -> None:
        found = Bulkhead(at_once=1, most=1, most_of_one=1)
        with pytest.raises(ZeroDivisionError):
            async with found.place("ann", HERE):
                raise ZeroDivisionError
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(found.place("ann", HERE))
            found._most = found._most_of_one = 2
            waiting = asyncio.ensure_future(within(found.place("ann", HERE)))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await within(found.place("ann", HERE))
        assert not found._inside

    asyncio.run(story())


async def within(place: Any) -> None:
    async with place:
        pass


OTHERWISE_BUSY = {  # by an index that is being made, or by others who take the same away
    "/v1/games-played",
    "/v1/statistics",
    "/v1/ratings",
    "/v1/players/<player>",
    "/v1/players/<player>/ratings",
    "/v1/players/<player>/ratings/<game>/<int:seats>",
    "/v1/dumps/<name>",
}


def test_every_resource_that_walks_through_a_game_is_expensive() -> None:
    """All whose contract says that they may be too busy for that reason, and no other."""
    app = create_app()
    paths = {rule.rule: contract_of(app.view_functions[rule.endpoint]) for rule in app.url_map.iter_rules()}
    told = {path for path, contract in paths.items() if "too-busy" in contract.get("refuses", ())}
    expensive = {path for path in paths if is_expensive(re.sub(r"<[^>]+>", "5", path))}
    assert expensive == told - OTHERWISE_BUSY
    assert len(expensive) == 14


def test_who_is_refused_a_place_is_told_so_by_the_server() -> None:
    """A problem with the time after which to come again; the app is not asked. Others are answered meanwhile."""

    async def story() -> None:
        app = Flask("planted")
        app.add_url_rule("/v1/tables/<table>", view_func=lambda table: table)
        app.before_request(raise_what_was_refused)
        app.register_error_handler(Refused, refusal_told)
        found = Server(app, SimpleNamespace(), 1, Bodies(1, 1.0))  # type: ignore[arg-type]
        async with found._expensive.places.place("Bearer ann", HERE):
            found._expensive.places._most = 1
            expensive = scope("/v1/tables/t_a/diff")
            status, headers, chunks, _ = await found._answer(expensive, STAYS, environ_of(expensive))
            body = json.loads(b"".join(chunks))
            assert (status, body["code"], dict(headers)["Retry-After"]) == (503, "too-busy", "1")
            assert await answered(found._answer, "/v1/tables/t_a") == (200, b"t_a")

    asyncio.run(story())


def test_an_expensive_request_does_not_wait_long_for_the_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread is one of few; whoever asks for less waits as long as it takes."""
    monkeypatch.setattr(server, "ARCHIVE_S", 0.0)
    go_on, reads = threading.Event(), Reads()

    def read(table: str) -> str:
        try:
            return reads.read(table, lambda: b"read" if go_on.wait() else b"").decode()
        except TimeoutError:
            go_on.set()
            return "not yet"

    async def story() -> None:
        app = Flask("planted")
        app.add_url_rule("/v1/tables/<table>", view_func=read)
        app.add_url_rule("/v1/tables/<table>/diff", view_func=read)
        found = Server(app, SimpleNamespace(), 1, Bodies(1, 1.0))  # type: ignore[arg-type]
        assert await answered(found._answer, "/v1/tables/t_a/diff") == (200, b"not yet")
        assert await answered(found._answer, "/v1/tables/t_a") == (200, b"read")

    asyncio.run(story())


@pytest.mark.parametrize("path", ["audit", "moves/7/explanation", "beliefs"])
def test_what_takes_long_waits_for_its_own_kind_alone(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Moves that are computed again, and worlds that are imagined.

    One at a time, for which addresses take turns; whoever walks through a game meanwhile finds all places free.
    """
    monkeypatch.setattr(bulkhead, "PATIENCE_S", 3600.0)
    told: list[str] = []
    go_on = threading.Event()

    def compute(table: str, **_: Any) -> str:
        told.append(table)
        go_on.wait()
        return table

    async def story() -> None:
        app = Flask("planted")
        app.add_url_rule("/v1/tables/<table>/audit", view_func=compute)
        app.add_url_rule("/v1/tables/<table>/beliefs", endpoint="beliefs", view_func=compute)
        app.add_url_rule("/v1/tables/<table>/moves/<version>/explanation", endpoint="moves", view_func=compute)
        app.add_url_rule("/v1/tables/<table>/diff", endpoint="diff", view_func=lambda table: table)
        found = Server(app, SimpleNamespace(), 1, Bodies(1, 1.0))  # type: ignore[arg-type]

        def ask(table: str, address: str) -> Any:
            asked = scope(f"/v1/tables/{table}/{path}")
            environ = environ_of(asked) | {"REMOTE_ADDR": address}
            return asyncio.ensure_future(found._answer(asked, STAYS, environ))

        asking = [ask("first", HERE), ask("second", HERE), ask("third", HERE)]
        while not told:
            await asyncio.sleep(0)
        asking.append(ask("other", THERE))
        for _ in range(bulkhead.AT_ONCE + 1):
            assert await answered(found._answer, "/v1/tables/t_a/diff") == (200, b"t_a")
        assert told == ["first"]
        go_on.set()
        await asyncio.gather(*asking)

    asyncio.run(story())
    assert told == ["first", "other", "second", "third"]


def test_the_server_works_out_once_from_where_a_request_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For its turn, its budget, its place and its answer alike; and once whether it is expensive."""
    asked: list[str] = []
    find, judge = client_of, is_expensive
    monkeypatch.setattr(admission, "client_of", noting(asked, "address", find))
    monkeypatch.setattr(server, "is_expensive", noting(asked, "expensive", judge))

    async def story() -> None:
        app = Flask("planted")
        app.add_url_rule("/v1/tables/<table>/diff", view_func=lambda table: table)
        accounts = SimpleNamespace(remembers=lambda _: False, caller=lambda _: NOBODY)
        app.extensions["admission"] = Admission(app, accounts, Limits(Settings()), ())  # type: ignore[arg-type]
        found = Server(app, SimpleNamespace(), 1, Bodies(1, 1.0))  # type: ignore[arg-type]
        assert await answered(found._answer, "/v1/tables/t_a/diff") == (200, b"t_a")

    asyncio.run(story())
    assert sorted(asked) == ["address", "expensive"]


def test_a_stream_that_breaks_off_for_what_nobody_has_foreseen_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """The client sees its end and comes again; nobody but the log can tell the operator."""

    async def fails(_: Any) -> AsyncIterator[bytes]:
        yield b": begun"
        raise ZeroDivisionError("planted")

    async def story() -> None:
        sent: list[bytes] = []

        async def send(frame: bytes) -> None:
            sent.append(frame)

        hub = SimpleNamespace(frames=fails, begun=lambda *_: None, dismiss=lambda _: None)
        protocol = SimpleNamespace(
            response_stream=lambda *_: SimpleNamespace(send_bytes=send), client_disconnect=lambda: asyncio.sleep(60)
        )
        found = Server(Flask("planted"), hub, 1, Bodies(1, 1.0))  # type: ignore[arg-type]
        await found._stream(protocol, (200, []), SimpleNamespace(subject="a table"), {CLIENT: ""})  # type: ignore[arg-type]
        assert sent == [b": begun"]

    asyncio.run(story())
    assert "ZeroDivisionError: planted" in caplog.text


def test_a_stream_that_has_to_make_room_ends(caplog: pytest.LogCaptureFixture) -> None:
    """In the middle of waiting for news, whoever says so: its client comes again, and there is nothing to tell."""

    async def waits(_: Any) -> AsyncIterator[bytes]:
        yield b": begun"
        await asyncio.Event().wait()

    async def story() -> None:
        dismissed: list[Any] = []

        def begun(_: Any, end: Callable[[], Any]) -> None:
            threading.Timer(0.01, end).start()

        async def send(_: bytes) -> None:
            pass

        hub = SimpleNamespace(frames=waits, begun=begun, dismiss=dismissed.append)
        protocol = SimpleNamespace(
            response_stream=lambda *_: SimpleNamespace(send_bytes=send), client_disconnect=asyncio.Event().wait
        )
        found, follow = Server(Flask("planted"), hub, 1, Bodies(1, 1.0)), SimpleNamespace(subject="a table")  # type: ignore[arg-type]
        await found._stream(protocol, (200, []), follow, {CLIENT: ""})  # type: ignore[arg-type]
        assert dismissed == [follow]

    asyncio.run(story())
    assert not caplog.records


def raise_what_was_refused() -> None:
    """As the service's own app does before it answers."""
    if REFUSED in request.environ:
        raise request.environ[REFUSED]


async def answered(answer: Callable[..., Awaitable[Any]], path: str) -> tuple[int, bytes]:
    asked = scope(path)
    status, _, chunks, _ = await answer(asked, STAYS, environ_of(asked))
    return status, b"".join(chunks)
