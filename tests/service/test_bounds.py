"""What a web server takes: a body of so many bytes and within a while, and a connection that asks something."""

import contextlib
import gzip
import socket
from collections.abc import Iterator

import pytest
import requests

from tests.service.api.document import DOCUMENT
from tests.service.api.world import ADMIN, embedded_store
from tests.service.web import serving

NEAR = """
import sys
from service.limits import bodies
from wintercount.processes import serving
from wintercount.cli.main import main
bodies.BODY_S, serving.IDLE_MS = 0.5, 1000
main(["serve"])
"""
STRANGER = "127.0.0.2"
PATIENCE_S = 60.0  # for an answer, on a busy machine


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A web server whose bounds are near."""
    with embedded_store() as store, serving(store, "-c", NEAR, ADMIN_TOKEN=ADMIN) as found:
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


@pytest.mark.parametrize(
    "length", ["Content-Length: 30000000", pytest.param("Transfer-Encoding: chunked", marks=pytest.mark.slow)]
)
def test_who_may_not_send_a_body_is_told_so_though_it_does_not_come(address: str, length: str) -> None:
    """Without a token, with an invalid one, and with an account that may not do this."""
    assert answer_to_head(address, "/v1/archives", length)[0] == 401
    assert answer_to_head(address, "/v1/archives", length, "Authorization: Bearer wc_none")[0] == 401
    assert answer_to_head(address, "/v1/tables", length)[0] == 401


@pytest.mark.parametrize("path", ["/v1/tables", "/v1/players", "/v1/tables/t_aaaaaaaaaaaaaaaa/moves"])
def test_a_body_that_says_that_it_is_too_large_is_not_read(address: str, path: str) -> None:
    status, text = answer_to_head(address, path, "Content-Length: 65537", f"Authorization: Bearer {ADMIN}")
    assert status == 413
    assert '"code":"too_large"' in text


def test_a_body_has_a_time(address: str) -> None:
    status, text = answer_to_head(address, "/v1/players", "Content-Length: 20")
    assert status == 408
    assert '"code":"too_slow"' in text


def in_chunks(address: str, *parts: bytes, half_closed: bool = False) -> bytes:
    """The answer to a request for an account whose body is these bytes, chunked by the caller."""
    lines = ["POST /v1/players HTTP/1.1", "Host: test", "Content-Type: application/json", "Transfer-Encoding: chunked"]
    with connected(address, STRANGER) as found:
        found.sendall("\r\n".join([*lines, "", ""]).encode() + b"".join(parts))
        if half_closed:
            found.shutdown(socket.SHUT_WR)
        return found.recv(1 << 16)


@pytest.mark.parametrize(
    ("rest", "half_closed"), [(b"0\r\n\r\n", False), (b"zz\r\n", False), (b"", True), (b"5\r\nab", True)]
)
def test_a_body_in_chunks_is_refused(address: str, rest: bytes, half_closed: bool) -> None:
    """One that was cut off could pass for a whole one; and none is taken for an empty one."""
    answer = in_chunks(address, b'E\r\n{"name":"Ann"}\r\n', rest, half_closed=half_closed)
    assert (answer[9:12], b"Content-Length" in answer) == (b"400", True)


@pytest.mark.parametrize(
    ("header", "refusal"),
    [
        ("Transfer-Encoding: chunked", (400, "malformed")),
        ("Content-Length: 2", (408, "too_slow")),
        ("Content-Length: 30000000", (413, "too_large")),
    ],
)
def test_what_is_refused_of_a_body_is_documented_where_none_is_taken(
    address: str, header: str, refusal: tuple[int, str]
) -> None:
    """A body is read before it is known that the operation takes none: the document names what that may refuse."""
    status, text = answer_to_head(address, "/v1/sign-ins/options", header)
    assert (status, f'"code":"{refusal[1]}"' in text) == (refusal[0], True)
    assert refusal[1] in DOCUMENT["components"]["responses"]["Problem"]["x-problem-codes"]


def test_an_encoded_body_is_refused(address: str) -> None:
    """No body is decompressed: how large it would be is not known before."""
    answer = requests.post(
        f"{address}/v1/players", gzip.compress(b'{"name":"Ann"}'), headers={"Content-Encoding": "gzip"}, timeout=30
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.slow
def test_a_connection_that_asks_nothing_is_ended(address: str) -> None:
    """Before its first request, in the middle of one's head, and after one."""
    for sent in (b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n"):
        with connected(address, STRANGER) as found:
            found.sendall(sent)
            while found.recv(1 << 16):
                pass
