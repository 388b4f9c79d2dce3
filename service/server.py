"""The RSGI application that granian calls for each request.

The hot lane answers ordinary requests of players on the event loop, and Flask all others in a pool of threads. Streams
are written here and hold no thread.
"""

import asyncio
import contextlib
import io
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from flask import Flask
from redis.exceptions import RedisError

from events.log import LogUnreadable
from service.accounts.key_store import KeysUnavailable
from service.api.admission import REFUSED, Admission
from service.api.dumps import SENT_FILE
from service.api.headers import REQUEST_ID
from service.api.table_requests import Reply
from service.error_handlers import outside_the_app
from service.errors import Refused
from service.hot_lane import HotLane
from service.http import BEGAN, route_of
from service.limits.bodies import LARGEST_BODY, read_body
from service.streams.frames import SUBSCRIPTION, WAIT, Subscription, Wait, without_names
from service.streams.hub import Hub

BODILESS = ("GET", "HEAD")
BROKEN = (TimeoutError, ConnectionError, RuntimeError)  # the client is gone
# Bytes of a stream, which then breaks off and is resumed with Last-Event-ID: granian buffers without bound what a slow
# client has not read.
MOST_OF_A_STREAM = 16 << 20
UNREADABLE = "\xff"  # stands for a header that is not ASCII
RETIRING_S = 2.0  # in which most clients with an open connection send another request

log = logging.getLogger(__name__)


def _accept_no_more(descriptor: int) -> None:
    """Replaces the listening socket, and its duplicates, by one to which nobody connects.

    granian cannot stop accepting without closing connections, some of which would have requests that nobody answered.
    """
    listening, unused = os.fstat(descriptor).st_ino, socket.create_server(("127.0.0.1", 0))
    unused.setblocking(False)
    for found in map(int, os.listdir("/dev/fd")):
        with contextlib.suppress(OSError):  # the descriptor that read the directory
            if os.fstat(found).st_ino == listening:
                os.dup2(unused.fileno(), found)


class LastAnswer:
    """Adds `Connection: close` to the answer of a request."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol

    def __aiter__(self) -> Any:
        return aiter(self._protocol)

    def __call__(self) -> Any:
        return self._protocol()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._protocol, name)
        if not name.startswith("response_"):
            return found
        return lambda status, headers, *rest: found(status, [*headers, ("Connection", "close")], *rest)


class Server:
    """An RSGI application: a hot lane, a Flask app and its streams."""

    def __init__(self, app: Flask, hub: Hub | None, threads: int) -> None:
        self.app, self._hub = app, hub
        self._hot: HotLane | None = None
        self._retiring, self._ending = False, asyncio.Event()
        self.listens_at: int | None = None  # a descriptor
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._moving = ThreadPoolExecutor(max(2, threads // 2), thread_name_prefix="moves")  # no read delays a move

    def go_over_to(self, app: Flask, hub: Hub, hot: HotLane | None = None) -> None:
        """Replaces the app: the service itself takes over once its store answers."""
        self._hub = hub  # first: only the service's own app opens streams
        self.app, self._hot = app, hot

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Installs signal handlers: SIGTERM ends the process, SIGHUP hands over to its successor."""
        loop.add_signal_handler(signal.SIGTERM, self._end)
        loop.add_signal_handler(signal.SIGHUP, self._retire, loop)

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Finishes moves, and ends the process at once: granian's threads would abort an orderly exit."""
        if self._hot:
            loop.run_until_complete(self._hot.close())
        logging.shutdown()
        os._exit(0)

    def _retire(self, loop: asyncio.AbstractEventLoop) -> None:
        """Accepts no more connections, and closes each open one with its next answer."""
        if self.listens_at is not None:
            _accept_no_more(self.listens_at)
        self._retiring = True
        loop.call_later(RETIRING_S, self._end)

    def _end(self) -> None:
        """Ends streams, which clients resume elsewhere, and has granian finish open requests."""
        self._ending.set()
        os.kill(os.getpid(), signal.SIGINT)

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answers one request, by the hot lane or the app."""
        if scope.proto != "http":
            return
        if self._retiring:
            protocol = LastAnswer(protocol)
        hosts = len(scope.headers.get_all("host"))
        if hosts > 1 or (hosts == 0 and scope.http_version == "1.1"):  # RFC 9112, 3.2; a proxy may have read another
            protocol.response_empty(HTTPStatus.BAD_REQUEST, [])
            return
        app, hot = self.app, self._hot
        try:
            environ = environ_of(scope)
            body = await _body(app, scope, protocol, environ)
            if hot and REFUSED not in environ and (sent := await hot.answer(environ, body)):
                protocol.response_bytes(sent.status_code, sent.headers, sent.body)
            else:
                await self._in_a_thread(app, protocol, environ, body)
        except Exception as error:  # noqa: BLE001 - granian would neither answer nor log it
            asked = " ".join(route_of(self.app, scope.method, scope.path))
            told = outside_the_app(error, asked, scope.headers.get(REQUEST_ID.lower()))
            protocol.response_bytes(*told)  # no effect where an answer has begun

    async def _in_a_thread(self, app: Flask, protocol: Any, environ: dict[str, Any], body: bytes) -> None:
        """Sends the answer of the app, computed in a thread."""
        try:
            is_move = environ["REQUEST_METHOD"] == "POST" and environ["PATH_INFO"].endswith("/moves")
            threads = self._moving if is_move else self._threads
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(threads, _call, app, environ, body)
            if (wait := environ.get(WAIT)) is not None:
                await self._wait(protocol, environ, wait)
                found = await loop.run_in_executor(threads, _call, app, environ, body)
            if SUBSCRIPTION in environ and found.status == HTTPStatus.OK:
                await self._stream(protocol, found, environ[SUBSCRIPTION])
            elif SENT_FILE in environ and found.status < HTTPStatus.BAD_REQUEST:
                protocol.response_file_range(found.status, found.headers, *environ[SENT_FILE])
            else:
                protocol.response_bytes(found.status, found.headers, found.body)
        finally:
            if SUBSCRIPTION in environ:
                self._open_hub().open.dismiss(environ[SUBSCRIPTION])

    async def _wait(self, protocol: Any, environ: dict[str, Any], wait: Wait) -> None:
        """Waits for a decision, and holds no thread. The app then answers again, or sends the refusal."""
        found = await self._first_of(protocol, self._open_hub().decision(wait))
        if isinstance(found, Refused):
            environ[REFUSED] = found
        environ[WAIT], environ[BEGAN] = None, time.perf_counter()

    async def _first_of(self, protocol: Any, doing: Coroutine[Any, Any, None]) -> BaseException | None:
        """Runs until it is done, the client is gone, or the process ends; returns what it raised."""
        running = asyncio.ensure_future(doing)
        leaving = asyncio.ensure_future(protocol.client_disconnect())
        ending = asyncio.ensure_future(self._ending.wait())
        await asyncio.wait((running, leaving, ending), return_when=asyncio.FIRST_COMPLETED)
        for waited in (running, leaving, ending):
            waited.cancel()  # `leaving` ends only with the connection, so it is not awaited
        (found,) = await asyncio.gather(running, return_exceptions=True)
        return found

    async def _stream(self, protocol: Any, answer: Reply, subscription: Subscription) -> None:
        """Sends a stream until it ends, the client is gone, or the process ends."""
        kept = [(name, value) for name, value in answer.headers if name.lower() != "content-length"]
        transport = protocol.response_stream(answer.status, kept)
        found = await self._first_of(protocol, self._send(transport, subscription))
        if isinstance(found, Exception):
            log.error("a stream broke off", exc_info=found)

    def _open_hub(self) -> Hub:
        if self._hub is None:
            raise RuntimeError("a stream was opened before the service was")
        return self._hub

    async def _send(self, transport: Any, subscription: Subscription) -> None:
        sent = 0
        try:
            async with contextlib.aclosing(self._open_hub().frames(subscription)) as frames:
                async for frame in frames:
                    await transport.send_bytes(frame if subscription.names else without_names(frame))
                    sent += len(frame)
                    if sent > MOST_OF_A_STREAM:
                        return
        except (*BROKEN, RedisError, LogUnreadable, Refused, KeysUnavailable) as error:
            log.info("a %s broke off: %s", type(subscription).__name__, error)


def environ_of(scope: Any) -> dict[str, Any]:
    """Returns the WSGI environment of a request (PEP 3333) without its body."""
    host, _, port = scope.server.rpartition(":")
    return _headers(scope.headers) | {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),  # WSGI wants the bytes as Latin-1
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),  # it may contain unescaped characters
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),  # of IPv6
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _headers(headers: Any) -> dict[str, Any]:
    """Returns the headers under their WSGI names, without the length of the body, which is set later."""
    found = {}
    for name in set(headers.keys()):
        if "_" in name:  # it could pass for a header with a dash that a proxy has set
            continue
        key = name.upper().replace("-", "_")
        if key == "CONTENT_TYPE":
            found[key] = _value(headers, name)
        elif key != "CONTENT_LENGTH":
            found[f"HTTP_{key}"] = _value(headers, name)
    return found


def _value(headers: Any, name: str) -> str:
    """Returns the values of a header as one list; granian returns none for one that is not ASCII."""
    values = headers.get_all(name)
    return ",".join(values) if values else UNREADABLE


async def _body(app: Flask, scope: Any, protocol: Any, environ: dict[str, Any]) -> bytes:
    """Returns the body of a request; for a body that is refused, the app sends the refusal."""
    admission: Admission | None = app.extensions.get("admission")
    most = admission.largest_body(scope.path, environ.get("HTTP_AUTHORIZATION")) if admission else LARGEST_BODY
    try:
        body = await read_body(protocol, scope.headers, most)
    except Refused as refusal:
        environ[REFUSED] = refusal
        return b""
    return b"" if scope.method in BODILESS else body


def _call(app: Flask, environ: dict[str, Any], body: bytes) -> Reply:
    """Returns the app's answer, computed in this thread; the body is empty for files and streams."""
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
    answer: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
        answer["status"], answer["headers"] = int(status[:3]), headers

    chunks = app.wsgi_app(environ, start_response)
    body = b"" if SUBSCRIPTION in environ or SENT_FILE in environ else b"".join(chunks)
    if close := getattr(chunks, "close", None):
        close()
    return Reply(answer["status"], answer["headers"], body)
