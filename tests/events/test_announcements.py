"""Announcements of a cluster, where its servers are told by a connection that is made up."""

import fcntl
import resource
import socket
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import redis

from events import announcements
from events.announcements import Announcements

FEEDS = {"{p05}:feed", "{p06}:feed"}
MANY = 1024  # what `select` may wait for


class Primary(NamedTuple):
    """A node of the cluster."""

    name: str


class Cluster:
    """One primary."""

    def get_primaries(self) -> list[Primary]:
        return [Primary("one")]

    def get_redis_connection(self, primary: Primary) -> Primary:
        return primary


class Connection:
    """A connection on which keys were announced."""

    def __init__(self, sock: Any, *announced: list[bytes] | None) -> None:
        self._sock, self._announced = sock, list(announced)

    def can_read(self) -> bool:
        return bool(self._announced)

    def read_response(self) -> Any:
        return b"message", b"channel", self._announced.pop(0)

    def disconnect(self) -> None:
        """There is nobody."""


@pytest.fixture
def ready() -> Iterator[socket.socket]:
    """A socket that can be read from."""
    here, there = socket.socketpair()
    with here, there:
        there.send(b"x")
        yield here


def heard(connection: Connection) -> Any:
    """What is heard on a connection that was there before."""
    found = Announcements(Cluster(), FEEDS)  # type: ignore[arg-type]
    found._connections["one"] = connection
    return found.heard(30)


def test_what_is_announced_is_heard(ready: socket.socket) -> None:
    assert heard(Connection(ready, [b"{p05}:feed"])) == {"{p05}:feed"}
    assert heard(Connection(ready, [b"{p05}:feed"], [b"{p06}:feed"])) == FEEDS
    assert heard(Connection(ready, [b"{p05}:feed"], None)) == FEEDS


def test_a_key_that_goes_on_behind_the_name_of_a_feed_is_none(ready: socket.socket) -> None:
    """Servers announce by the beginning of a name: another release may keep more beside a feed."""
    assert heard(Connection(ready, [b"{p05}:feed:later", b"{p06}:feed"])) == {"{p06}:feed"}


def test_it_is_heard_in_a_process_with_many_descriptors(ready: socket.socket) -> None:
    """As a web process has where connections are many when the first stream begins, or a primary is another one."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most <= 2 * MANY:
        pytest.skip("the system grants fewer descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(allowed, 2 * MANY), most))
    try:
        with socket.socket(fileno=fcntl.fcntl(ready.fileno(), fcntl.F_DUPFD, MANY + 1)) as far:
            assert heard(Connection(far, [b"{p05}:feed"])) == {"{p05}:feed"}
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))


def test_a_server_that_announces_nothing_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a provider forbids it, everything may have been written, each time; nobody asks again."""
    asked = []

    def forbidden(node: Any, _: Any) -> None:
        asked.append(node)
        raise redis.ResponseError("unknown command 'CLIENT TRACKING'")

    monkeypatch.setattr(announcements, "_listening", forbidden)
    found = Announcements(Cluster(), FEEDS)  # type: ignore[arg-type]
    assert [found.heard(0.0), found.heard(0.0)] == [FEEDS, FEEDS]
    assert asked == [Primary("one")]
