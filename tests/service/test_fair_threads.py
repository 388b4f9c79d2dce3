"""Threads shared fairly: an address that sends much keeps others waiting for one request, not for all of its own."""

import asyncio
import threading

import pytest

from service.runtime.fair_threads import FairPool, Gone


def test_addresses_take_turns() -> None:
    """Two hundred of one and then two of another: these are second and fourth in line."""
    done: list[str] = []

    async def story() -> None:
        found, begin = FairPool(1, clock=lambda: 0.0), threading.Event()  # all take as long
        first = asyncio.ensure_future(found.run("here", begin.wait, 10))
        await asyncio.sleep(0)
        those = [asyncio.ensure_future(found.run("here", done.append, "here")) for _ in range(200)]
        await asyncio.sleep(0)
        those += [asyncio.ensure_future(found.run("there", done.append, "there")) for _ in range(2)]
        await asyncio.sleep(0)
        begin.set()
        await asyncio.gather(first, *those)

    asyncio.run(story())
    assert done[:5] == ["here", "there", "here", "there", "here"]
    assert len(done) == 202


def test_one_address_has_all_threads_while_nobody_else_asks() -> None:
    async def story() -> None:
        found, together = FairPool(3), threading.Barrier(3, timeout=10)
        await asyncio.gather(*(found.run("here", together.wait) for _ in range(3)))

    asyncio.run(story())


def test_a_thread_is_free_again_when_a_request_fails_or_is_given_up() -> None:
    """Given up while it waits, or while it is at work: then the thread is free when the work is done."""

    async def story() -> None:
        found, begin = FairPool(1), threading.Event()
        with pytest.raises(ZeroDivisionError):
            await found.run("here", lambda: 1 // 0)
        at_work = asyncio.ensure_future(found.run("here", begin.wait, 10))
        await asyncio.sleep(0)
        waiting = asyncio.ensure_future(found.run("there", int))
        await asyncio.sleep(0)
        for given_up in (at_work, waiting):
            given_up.cancel()
        await asyncio.gather(at_work, waiting, return_exceptions=True)
        assert found._turns.free == 0
        begin.set()
        assert await found.run("here", lambda: "done") == "done"
        await asyncio.sleep(0)
        assert found._turns.free == 1

    asyncio.run(story())


def test_a_place_is_free_again_where_no_thread_could_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the system has none left: the request fails, and the next one does not wait for ever."""

    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def story() -> None:
        found = FairPool(1)
        with monkeypatch.context() as patched:
            patched.setattr(found._pool, "submit", refuse)
            with pytest.raises(RuntimeError):
                await found.run("here", int)
        assert found._turns.free == 1
        assert await found.run("here", lambda: "done") == "done"

    asyncio.run(story())


async def at_once() -> None:
    """A client that hangs up as soon as it has asked."""


def test_nothing_is_done_for_who_has_gone_and_nothing_of_it_waits() -> None:
    """Requests of connections that are no more would be bounded by nothing; whoever stays has the next turn."""
    done: list[str] = []

    async def story() -> None:
        found, begin = FairPool(1), threading.Event()
        at_work = asyncio.ensure_future(found.run("here", begin.wait, 10, gone=at_once))
        await asyncio.sleep(0)
        gone = [asyncio.ensure_future(found.run("here", done.append, "gone", gone=at_once)) for _ in range(200)]
        stays = asyncio.ensure_future(found.run("here", done.append, "stays", gone=asyncio.Event().wait))
        told = await asyncio.gather(*gone, return_exceptions=True)
        assert {type(one) for one in told} == {Gone}
        begin.set()
        assert await at_work
        await stays

    asyncio.run(story())
    assert done == ["stays"]


def test_a_turn_that_comes_as_it_is_given_up_goes_to_the_next() -> None:
    async def story() -> None:
        found, begin = FairPool(1), threading.Event()
        at_work = asyncio.ensure_future(found.run("here", begin.wait, 10))
        await asyncio.sleep(0)
        waiting = asyncio.ensure_future(found.run("there", int, gone=asyncio.Event().wait))
        await asyncio.sleep(0)
        begin.set()
        await at_work
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await found.run("here", lambda: "done") == "done"

    asyncio.run(story())
