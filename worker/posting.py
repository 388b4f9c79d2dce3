"""Requests to addresses that strangers have named: each is checked on connecting, and no redirect is followed."""

import contextlib
import http.client
import io
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult

from service.accounts.webhooks import check_url, port_of
from service.addresses import Networks, Reach, is_allowed, is_within
from service.errors import Refused

CONNECT_S = 3.0
LIMIT_S = 10.0  # for all of it, however slowly an answer comes
MOST_READ = 64 * 1024  # bytes of an answer, of which its status alone counts


class Beginning(io.RawIOBase):
    """The first `MOST_READ` bytes that a receiver sends; what it goes on sending is not read."""

    def __init__(self, sent: io.BufferedReader) -> None:
        self._sent, self._left = sent, MOST_READ

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads what has come, at most what is left; 0 is the end."""
        count = self._sent.readinto1(memoryview(buffer)[: self._left]) if self._left else 0
        self._left -= count
        return count

    def close(self) -> None:
        """Gives the connection up."""
        self._sent.close()
        super().close()


class Answer(http.client.HTTPResponse):
    """An answer that ends. `http.client` reads over heads of answers to come (1xx), however many there are."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fp = io.BufferedReader(Beginning(self.fp))


class Undelivered(Exception):
    """There was no answer, and why."""


def post(url: str, body: bytes, headers: Mapping[str, str], reach: Reach, limit_s: float = LIMIT_S) -> int:
    """The status of the answer, whose body is not read; raises `Undelivered`."""
    try:
        parts = check_url(url, reach)
    except Refused as refusal:
        raise Undelivered(refusal.detail) from None
    kind = Encrypted if parts.scheme == "https" else Plain
    connection = kind(str(parts.hostname), port_of(parts), timeout=CONNECT_S)
    connection.networks, connection.response_class = reach.networks, Answer
    overtime = connection.overtime = threading.Event()
    watch = threading.Timer(limit_s, _break, [connection, overtime])
    watch.daemon = True
    watch.start()
    try:
        connection.request("POST", _target(parts), body, dict(headers))
        status = connection.getresponse().status
    except TimeoutError:
        raise Undelivered("it took too long") from None
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise Undelivered(f"no answer: {type(error).__name__}") from None
    finally:
        watch.cancel()
        connection.close()
    if overtime.is_set():  # what was cut short can look like an answer
        raise Undelivered("it took too long")
    return status


def _target(parts: SplitResult) -> str:
    """What the request asks for: a path, also where the address has none before its query (RFC 9112, 3.2.1)."""
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def _break(connection: http.client.HTTPConnection, overtime: threading.Event) -> None:
    """Closes a connection on which another thread waits."""
    overtime.set()
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


class Plain(http.client.HTTPConnection):
    """A connection to an address in a network that the operator allows; plain http goes nowhere else."""

    networks: Networks = ()
    overtime = threading.Event()

    def connect(self) -> None:
        """Connects to the checked address, not to the name, which might lead elsewhere by now."""
        self.sock = _connected(self.host, self.port, self.networks, encrypted=False)
        _check_time(self.overtime)


class Encrypted(http.client.HTTPSConnection):
    """A connection to a public address, or to one that the operator allows."""

    networks: Networks = ()
    overtime = threading.Event()
    context = ssl.create_default_context()

    def connect(self) -> None:
        """Connects to the checked address; the certificate must match the name."""
        plain = _connected(self.host, self.port, self.networks, encrypted=True)
        self.sock = self.context.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        _check_time(self.overtime)
        self.sock.do_handshake()


def _check_time(overtime: threading.Event) -> None:
    """Raises `TimeoutError` if the time was over before there was a connection to break, as with a name found late."""
    if overtime.is_set():
        raise TimeoutError


def _found(host: str, port: int) -> list[Any]:
    """Where a name leads; nowhere if it is unknown, so that nobody learns which names there are inside."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror:
        return []


def _connected(host: str, port: int, networks: Networks, *, encrypted: bool) -> Any:
    allowed = is_allowed if encrypted else is_within
    for family, kind, protocol, _, where in _found(host, port):
        if allowed(ipaddress.ip_address(str(where[0]).partition("%")[0]), networks):
            found = socket.socket(family, kind, protocol)
            found.settimeout(CONNECT_S)
            try:
                found.connect(where)
            except BaseException:
                found.close()
                raise
            return found
    raise Undelivered("the name leads to no address that may be sent to")
