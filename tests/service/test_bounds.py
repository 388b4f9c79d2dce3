"""What a web process takes from strangers: a body only from whom may send it, and for a while; few connections each."""

import contextlib
import socket
from collections.abc import Iterator

import pytest

from tests.servers import wait_until
from tests.service.api.world import ADMIN, embedded_store
from tests.service.web import serving

MOST = 5  # connections of an address
STRANGER, OTHER = "127.0.0.2", "127.0.0.3"
ARCHIVE = "application/x-ndjson"
PATIENCE_S = 60.0  # for an answer, on a busy machine


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A web server whose bounds are near."""
    bounds = {"IDLE_S": "1", "BODY_S": "0.5", "BODIES_MB": "1"}
    with embedded_store() as store, serving(store, ADMIN_TOKEN=ADMIN, **bounds) as found:
        yield found


@contextlib.contextmanager
def connected(address: str, source: str) -> Iterator[socket.socket]:
    """A connection from one of this machine's own addresses."""
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), PATIENCE_S, (source, 0)) as found:
        yield found


def answer_to_head(address: str, path: str, *headers: str) -> tuple[int, str]:
    """What is answered to the head of a POST whose body never comes, until the server hangs up."""
    lines = [f"POST {path} HTTP/1.1", "Host: test", *headers, "", ""]
    with connected(address, STRANGER) as found:
        found.sendall("\r\n".join(lines).encode())
        received = b""
        while part := found.recv(1 << 16):
            received += part
    return int(received[9:12]), received.decode()


@pytest.mark.parametrize("length", ["Content-Length: 30000000", "Transfer-Encoding: chunked"])
def test_who_may_not_send_a_body_is_told_before_it_comes(address: str, length: str) -> None:
    """Without a token, with one that is none, and with one whose account may not do this."""
    assert answer_to_head(address, "/v1/archives", length)[0] == 401
    assert answer_to_head(address, "/v1/archives", length, "Authorization: Bearer wc_none")[0] == 401
    assert answer_to_head(address, "/v1/tables", length)[0] == 401


@pytest.mark.parametrize("path", ["/v1/tables", "/v1/players", "/v1/tables/t_aaaaaaaaaaaaaaaa/moves"])
def test_a_body_that_says_that_it_is_too_large_is_not_read(address: str, path: str) -> None:
    status, text = answer_to_head(address, path, "Content-Length: 65537", f"Authorization: Bearer {ADMIN}")
    assert status == 413
    assert '"code":"too-large"' in text


@pytest.mark.parametrize("length", ["Content-Length: 600000", "Transfer-Encoding: chunked"])
def test_what_is_held_of_bodies_is_bounded(address: str, length: str) -> None:
    """Half of what a process holds is for large bodies: 512 KiB here, and this one would be more."""
    status, text = answer_to_head(address, "/v1/archives", length, f"Authorization: Bearer {ADMIN}")
    assert status == 503
    assert '"code":"too-busy"' in text
    assert "retry-after: 1" in text


@pytest.mark.parametrize("length", ["Content-Length: 20", "Transfer-Encoding: chunked"])
def test_a_body_has_a_time(address: str, length: str) -> None:
    status, text = answer_to_head(address, "/v1/players", length)
    assert status == 408
    assert '"code":"too-slow"' in text


def test_a_connection_that_asks_nothing_is_ended(address: str) -> None:
    """Before its first request, in the middle of one's head, and after one."""
    for sent in (b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n"):
        with connected(address, STRANGER) as found:
            found.sendall(sent)
            while found.recv(1 << 16):
                pass


@pytest.fixture(scope="module")
def crowded() -> Iterator[str]:
    """A web server that grants an address few connections."""
    with embedded_store() as store, serving(store, CONNECTIONS_PER_ADDRESS=str(MOST)) as found:
        yield found


def test_an_address_has_so_many_connections(crowded: str) -> None:
    """The newest are ended; another address has its own."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(connected(crowded, OTHER)) for _ in range(MOST + 3)]
        wait_until(lambda: [one for one in found if is_ended(one)] == found[-3:])
        with connected(crowded, STRANGER) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n")
            assert other.recv(15) == b"HTTP/1.1 200 OK"


def is_ended(connection: socket.socket) -> bool:
    """Whether the server has hung up."""
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        return connection.recv(1, socket.MSG_PEEK) == b""
    return False
