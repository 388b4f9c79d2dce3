"""What is sent to those who take it slowly: a step at a time, so that hardly more is held than they have taken."""

import asyncio
import contextlib
import re
import socket
import sys
import time
from collections.abc import Iterator
from http.client import HTTPResponse, IncompleteRead

import pytest
import requests

from service.accounts.callers import NOBODY
from service.runtime.slow_readers import MOST, Answers
from service.streams import hub
from service.streams.follows import Follow
from tests.servers import wait_until
from tests.service.api.world import World
from tests.service.planted import LARGE, PART, PARTS
from tests.service.web import serving

WINDOW = 4096  # bytes that a slow client's system takes for it
CALM_S = 0.5  # in which more would be read if nobody waited for the client

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="others do not tell what lies with them")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A web server with much to send."""
    with serving("redis://nowhere", "-m", "tests.service.planted") as found:
        yield found


@contextlib.contextmanager
def asked(address: str, path: str) -> Iterator[socket.socket]:
    """A connection of somebody who has asked and takes nothing yet."""
    host, port = address.removeprefix("http://").split(":")
    with contextlib.closing(socket.socket()) as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
        found.connect((host, int(port)))
        found.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
        yield found


def taken(connection: socket.socket) -> tuple[int, bytes]:
    """The answer, all of which is taken now: its status and its body."""
    answer = HTTPResponse(connection)
    answer.begin()
    return answer.status, answer.read()


def rest(connection: socket.socket) -> bytes:
    """What is behind the first byte of an answer; raises `IncompleteRead` if it breaks off."""
    file = connection.makefile("rb")
    head = b"".join(iter(file.readline, b"\r\n")).lower()
    length = int(head.partition(b"content-length: ")[2].split()[0])
    if len(body := file.read(length)) < length:
        raise IncompleteRead(body, length)
    return body


def read(address: str, what: str) -> int:
    """How many parts of it the server has read."""
    return int(requests.get(f"{address}/readyz", timeout=20).json().get(what, 0))


def settled(address: str, what: str) -> int:
    """The same, when no more of it is read."""
    found = [read(address, what)]
    while len(found) < 2 or found[-1] != found[-2]:
        time.sleep(CALM_S)
        found.append(read(address, what))
    return found[-1]


@pytest.mark.slow
@pytest.mark.parametrize("what", ["download", "stream"])
def test_no_more_is_read_than_is_taken(address: str, what: str) -> None:
    """Nothing of it waits in memory for whoever takes nothing; whoever takes it gets all of it."""
    before = read(address, what)
    with asked(address, f"/{what}") as found:
        wait_until(lambda: read(address, what) > before)
        assert settled(address, what) - before < PARTS / 4
        assert taken(found) == (200, bytes(PART * PARTS))


@pytest.mark.slow
def test_a_large_answer_is_whole(address: str) -> None:
    """Also to whoever takes it slowly, and on a connection on which more is asked."""
    with asked(address, "/large") as found, contextlib.closing(requests.Session()) as session:
        assert [session.get(f"{address}/large", timeout=20).content for _ in range(3)] == 3 * [bytes(LARGE)]
        assert taken(found) == (200, bytes(LARGE))


@pytest.mark.slow
def test_an_answer_that_is_given_up_passes_for_no_whole_one(address: str) -> None:
    """It ends before its Content-Length; the next is answered as ever."""
    with contextlib.ExitStack() as stack:
        oldest = stack.enter_context(asked(address, "/large"))
        assert oldest.recv(1)
        for _ in range(MOST // LARGE):
            stack.enter_context(asked(address, "/large")).recv(1)
        with pytest.raises(IncompleteRead):
            rest(oldest)
    assert requests.get(f"{address}/large", timeout=20).content == bytes(LARGE)


@pytest.mark.parametrize("networks", [["192.0.2.1"] * 3, [f"2001:db8:1:{number}::/64" for number in range(3)]])
def test_the_oldest_of_whoever_holds_most_is_given_up(networks: list[str]) -> None:
    """As often as there is too much; nobody else loses an answer. The networks of one site count as one."""
    told: list[str] = []

    addresses = {"a1": networks[0], "a2": networks[1], "a3": networks[2], "b1": "192.0.2.2", "c1": "192.0.2.3"}

    async def holds(answers: Answers, name: str, length: int) -> None:
        try:
            async with answers.held(addresses[name], length):
                await asyncio.sleep(60)
        except TimeoutError:
            told.append(name)

    async def story() -> None:
        answers, running = Answers(100), []
        for name, length in (("a1", 30), ("b1", 40), ("a2", 20), ("a3", 30), ("c1", 30)):
            running.append(asyncio.create_task(holds(answers, name, length)))
            await asyncio.sleep(0.01)
        for task in running:
            task.cancel()

    asyncio.run(story())
    assert told == ["a1", "a2"]


@pytest.mark.usefixtures("valkey")
def test_a_stream_tells_so_many_events_at_once(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a long table, in order, and no more at a time than may be held for whoever takes them slowly."""
    monkeypatch.setattr(hub, "AT_ONCE", 7)
    with contextlib.closing(World(valkey_url)) as world:
        players = [world.somebody("Ann"), world.somebody("Bob")]
        table = world.open(*players)
        world.play(table, *players, moves=30)
        told = asyncio.run(from_the_beginning(world, table))
    assert max(map(len, told)) == 7
    assert [version for versions in told for version in versions] == list(range(1, sum(map(len, told)) + 1))


async def from_the_beginning(world: World, table: str) -> list[list[int]]:
    """The versions that each part of a stream tells, up to the newest."""
    newest = world.services.handler.history(table).table.version
    told: list[list[int]] = []
    async for frame in world.services.hub.frames(Follow(table, NOBODY, 0, None)):
        if versions := [int(version) for version in re.findall(rb"^id: (\d+)-", frame, re.MULTILINE)]:
            told.append(versions)
        if told and told[-1][-1] == newest:
            break
    return told
