"""Nothing that is answered waits on the event loop's thread for a socket, a file, another thread or the clock."""

import builtins
import contextlib
import random
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service.api.world import Somebody, World, accepted, embedded_store
from tests.service.lanes.loop import answered


class Waits:
    """What waited on the loop's thread, by where it was called from."""

    def __init__(self, patch: pytest.MonkeyPatch, thread: threading.Thread) -> None:
        self._patch, self._thread, self.found = patch, thread, list[str]()
        for name in ("connect", "recv", "recv_into", "send", "sendall", "sendmsg"):
            self._watch(socket.socket, name, lambda one, *_: one.gettimeout() != 0)
        self._watch(builtins, "open", lambda *_: True)
        self._watch(time, "sleep", lambda *_: True)
        self._watch(threading.Condition, "wait", lambda *_: True)
        self._watch(socket, "getaddrinfo", lambda *_: True)

    def _watch(self, holder: Any, name: str, waits: Callable[..., bool]) -> None:
        function = getattr(holder, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            if threading.current_thread() is self._thread and waits(*args):
                stack = "".join(traceback.format_stack(limit=12))
                if "_adjust_thread_count" not in stack:  # a thread of a pool starts, once
                    self.found.append(f"{name}\n{stack}")
            return function(*args, **kwargs)

        self._patch.setattr(holder, name, watched)


@pytest.fixture
def world() -> Iterator[World]:
    with embedded_store() as url, contextlib.closing(World(url, on_the_loop=True)) as found:
        yield found


def test_nothing_waits_on_the_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ordinary requests and unusual ones: also where names, tokens and tables are not in memory, or it is refused."""
    assert world.loop
    waits = Waits(monkeypatch, world.loop.thread)
    players = [world.somebody("Ann"), world.somebody("Bob")]
    table = world.open(*players)
    path, handler, before = f"/v1/tables/{table}", world.services.handler, answered("loop")
    rng = random.Random(1)
    for number in range(12):
        if number % 3 == 1:
            handler.names.drop()
        if number % 3 == 2:
            known = handler.cache.peek(table)
            assert known is not None
            handler.cache.drop(table, known.table.head)
        chosen = world.move(table, rng)
        assert chosen is not None
        seat, move = chosen
        accepted(players[seat - 1].post(f"{path}/moves", world.moving(table, seat, move)))
        for who in players:
            accepted(who.get(path))
            accepted(who.get(f"{path}/moves"))
            accepted(who.get(f"{path}/events?after={3 + number}"))
    assert answered("loop") > before + 50
    assert Somebody(world.app, "p", "wc_nobody").get(path).status_code == 401
    assert players[0].post(f"{path}/moves", {"game": "big-manitou", "seat": 1, "move": {}}).status_code >= 400
    assert players[0].post(f"{path}/moves", {"game": "big-manitou", "seat": 1, "move": "x" * 9000}).status_code >= 400
    for player in players:
        world.services.accounts.forget(str(player.player))
        accepted(player.get(path))
    assert waits.found == []


def test_the_watch_sees_what_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking the store as threads do is found."""
    assert world.loop
    waits = Waits(monkeypatch, world.loop.thread)

    async def ask() -> None:
        world.log.head("t_none")

    world.loop.run(ask())
    assert waits.found
