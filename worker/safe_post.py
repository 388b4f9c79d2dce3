"""Posts to URLs given by users: each address is checked when connecting, and redirects are not followed."""

import contextlib
import io
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult

from service.accounts.webhooks import check_url, port_of
from service.addresses import Networks, Reach, is_allowed, is_within
from service.errors import Refused

CONNECT_S = 3.0
LIMIT_S = 10.0  # for the whole request, however slow the answer
MOST_READ = 64 * 1024  # bytes of an answer; only its status counts
CONTEXT = ssl.create_default_context()


class LimitedReader(io.RawIOBase):
    """A stream of at most `MOST_READ` bytes of an answer; the rest is not read."""

    def __init__(self, sent: io.BufferedReader) -> None:
        self._sent, self._left = sent, MOST_READ

    def readable(self) -> bool:
        """Returns True, as `io` requires."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads the bytes that have arrived, within the limit; 0 is the end."""
        count = self._sent.readinto1(memoryview(buffer)[: self._left]) if self._left else 0
        self._left -= count
        return count

    def close(self) -> None:
        """Closes the connection."""
        self._sent.close()
        super().close()


class LimitedResponse(HTTPResponse):
    """An answer of limited size: `http.client` alone would skip any number of interim responses (1xx)."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fp = io.BufferedReader(LimitedReader(self.fp))


class Undelivered(Exception):
    """The request got no answer; the text says why."""


def post(url: str, body: bytes, headers: Mapping[str, str], reach: Reach, limit_s: float = LIMIT_S) -> int:
    """Posts a body and returns the status of the answer; raises `Undelivered`."""
    try:
        parts = check_url(url, reach)
    except Refused as refusal:
        raise Undelivered(refusal.detail) from None
    encrypted, host, port, overtime = parts.scheme == "https", str(parts.hostname), port_of(parts), threading.Event()
    connection = HTTPSConnection(host, port, context=CONTEXT) if encrypted else HTTPConnection(host, port)
    connection.response_class, connection.auto_open = LimitedResponse, 0  # by itself it would resolve the name again
    watch = threading.Timer(limit_s, _break, [connection, overtime])
    watch.daemon = True
    watch.start()
    try:
        connection.sock = _connect(host, port, reach.networks, encrypted=encrypted)
        if overtime.is_set():  # before there was a connection to close, as with a slow name server
            raise TimeoutError
        if encrypted:
            connection.sock.do_handshake()
        connection.request("POST", _target(parts), body, dict(headers))
        status = connection.getresponse().status
    except TimeoutError:
        raise Undelivered("it took too long") from None
    except (OSError, HTTPException, UnicodeError) as error:
        raise Undelivered(f"no answer: {type(error).__name__}") from None
    finally:
        watch.cancel()
        connection.close()
    if overtime.is_set():  # a truncated answer can look complete
        raise Undelivered("it took too long")
    return status


def _target(parts: SplitResult) -> str:
    """Returns the request target, adding the path if the URL has none before its query (RFC 9112, 3.2.1)."""
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def _break(connection: HTTPConnection, overtime: threading.Event) -> None:
    """Closes a connection that another thread is waiting on."""
    overtime.set()
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _resolve(host: str, port: int) -> list[Any]:
    """Returns the addresses of a name; none for unknown names, so that errors reveal no internal names."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror:
        return []


def _connect(host: str, port: int, networks: Networks, *, encrypted: bool) -> Any:
    """Connects to an allowed address, which is not resolved again: a public one or, without encryption, the operator's.

    An encrypted connection still has to shake hands; the certificate must match the name.
    """
    allowed = is_allowed if encrypted else is_within
    for family, kind, protocol, _, where in _resolve(host, port):
        if allowed(ipaddress.ip_address(str(where[0]).partition("%")[0]), networks):
            found = socket.socket(family, kind, protocol)
            found.settimeout(CONNECT_S)
            try:
                found.connect(where)
            except BaseException:
                found.close()
                raise
            if not encrypted:
                return found
            return CONTEXT.wrap_socket(found, server_hostname=host, do_handshake_on_connect=False)
    raise Undelivered("the name has no allowed address")
