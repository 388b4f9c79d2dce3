"""The web server's side of the app: ordinary requests of players are answered on the event loop, the others by Flask in
a pool of threads; event streams need no thread.

granian speaks RSGI to this module: one call a request, in which the bridge reads the body and has one of both answer; a
response that is to become a stream is then written here.
"""

import asyncio
import contextlib
import io
import logging
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, NamedTuple

from flask import Flask
from redis.exceptions import RedisError

from events.log import LogUnreadable
from service.accounts.personal_texts import KeysUnavailable
from service.api.admission import REFUSED, Admission
from service.api.dumps import SENT_FILE
from service.api.headers import REQUEST_ID
from service.environ import environ_of
from service.errors import Refused
from service.hot_lane import HotLane
from service.http import route_of
from service.limits.bodies import LARGEST_BODY, read_body
from service.problems import outside_the_app
from service.streams.frames import SUBSCRIPTION, Subscription
from service.streams.hub import Hub

BODILESS = ("GET", "HEAD")
BROKEN = (TimeoutError, ConnectionError, RuntimeError)  # the client takes nothing any more
# Bytes of a stream, which then breaks off: its client goes on with Last-Event-ID. granian holds whatever a slow reader
# has not taken, and nobody waits for that.
MOST_OF_A_STREAM = 16 << 20
RETIRING_S = 2.0  # in which a client that keeps its connection is likely to ask once more

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """The app's answer; without a body where it is a file, or becomes a stream."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def _accept_no_more(descriptor: int) -> None:
    """Puts a socket to which nobody connects in the place of the one at this descriptor, and of its duplicates.

    granian has no call for that: it stops accepting when it closes connections, and those of which it has read nothing
    yet would be closed unanswered.
    """
    listening, nobody = os.fstat(descriptor).st_ino, socket.create_server(("127.0.0.1", 0))
    nobody.setblocking(False)
    for found in map(int, os.listdir("/dev/fd")):
        with contextlib.suppress(OSError):  # that with which the directory was read
            if os.fstat(found).st_ino == listening:
                os.dup2(nobody.fileno(), found)


class LastAnswer:
    """The protocol of a request whose connection closes with the answer."""

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
    """An RSGI application for a Flask app and its streams."""

    def __init__(self, app: Flask, hub: Hub | None, threads: int) -> None:
        self.app, self._hub = app, hub
        self._hot: HotLane | None = None
        self._retiring, self._ending = False, asyncio.Event()
        self.listens_at: int | None = None  # a descriptor
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._moving = ThreadPoolExecutor(
            max(2, threads // 2), thread_name_prefix="moves"
        )  # no read keeps a move waiting

    def go_over_to(self, app: Flask, hub: Hub, hot: HotLane | None = None) -> None:
        """Lets another app answer from the next request on: the service itself, once its store answers."""
        self._hub = hub  # first: only the service's own app opens streams
        self.app, self._hot = app, hot

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Listens to what its parent asks of it: SIGTERM ends it, SIGHUP does so once another has taken over."""
        loop.add_signal_handler(signal.SIGTERM, self._end)
        loop.add_signal_handler(signal.SIGHUP, self._retire, loop)

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Finishes what was begun on the loop, and ends the process: granian's threads abort an orderly exit."""
        if self._hot:
            loop.run_until_complete(self._hot.close())
        logging.shutdown()
        os._exit(0)

    def _retire(self, loop: asyncio.AbstractEventLoop) -> None:
        """Sends clients to its successor: this process accepts no connection, and answers once more on those it has."""
        if self.listens_at is not None:
            _accept_no_more(self.listens_at)
        self._retiring = True
        loop.call_later(RETIRING_S, self._end)

    def _end(self) -> None:
        """Ends streams, which clients resume elsewhere, and has granian finish what was asked and end."""
        self._ending.set()
        os.kill(os.getpid(), signal.SIGINT)

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answers one request."""
        if scope.proto != "http":
            return
        if self._retiring:
            protocol = LastAnswer(protocol)
        if len(scope.headers.get_all("host")) > 1:  # RFC 9112, 3.2; a proxy may have read another one than we would
            protocol.response_empty(HTTPStatus.BAD_REQUEST, [])
            return
        try:
            await self._respond(scope, protocol)
        except Exception as error:  # noqa: BLE001 - whatever it is: granian would tell neither the client nor the log
            asked = " ".join(route_of(self.app, scope.method, scope.path))
            told = outside_the_app(error, asked, scope.headers.get(REQUEST_ID.lower()))
            protocol.response_bytes(*told)  # nothing comes of it where an answer has begun

    async def _respond(self, scope: Any, protocol: Any) -> None:
        """Has the hot lane or the app answer, and sends the answer."""
        app, hot, environ = self.app, self._hot, environ_of(scope)
        body = await _body(app, scope, protocol, environ)
        if hot and REFUSED not in environ and (sent := await hot.answer(environ, body)):
            protocol.response_bytes(sent.status_code, sent.headers, sent.body)
        else:
            await self._in_a_thread(app, protocol, environ, body)

    async def _in_a_thread(self, app: Flask, protocol: Any, environ: dict[str, Any], body: bytes) -> None:
        """Has the app answer in a thread, and sends the answer."""
        try:
            is_move = environ["REQUEST_METHOD"] == "POST" and environ["PATH_INFO"].endswith("/moves")
            threads = self._moving if is_move else self._threads
            found = await asyncio.get_running_loop().run_in_executor(threads, _call, app, environ, body)
            if SUBSCRIPTION in environ and found.status == HTTPStatus.OK:
                await self._stream(protocol, found, environ[SUBSCRIPTION])
            elif SENT_FILE in environ and found.status < HTTPStatus.BAD_REQUEST:
                protocol.response_file_range(found.status, found.headers, *environ[SENT_FILE])
            else:
                protocol.response_bytes(found.status, found.headers, found.body)
        finally:
            if SUBSCRIPTION in environ:
                self._open_hub().open.dismiss(environ[SUBSCRIPTION])

    async def _stream(self, protocol: Any, answer: Answer, subscription: Subscription) -> None:
        """Writes frames until they end or the client is gone."""
        kept = [(name, value) for name, value in answer.headers if name.lower() != "content-length"]
        sending = asyncio.ensure_future(self._send(protocol.response_stream(answer.status, kept), subscription))
        leaving = asyncio.ensure_future(protocol.client_disconnect())
        ending = asyncio.ensure_future(self._ending.wait())
        await asyncio.wait((sending, leaving, ending), return_when=asyncio.FIRST_COMPLETED)
        for waited in (sending, leaving, ending):
            waited.cancel()  # `leaving` ends when the connection does, so it is not waited for
        (found,) = await asyncio.gather(sending, return_exceptions=True)
        if isinstance(found, Exception):  # nobody else would tell of it
            log.error("what was being sent broke off", exc_info=found)

    def _open_hub(self) -> Hub:
        if self._hub is None:
            raise RuntimeError("a stream was opened before the service was")
        return self._hub

    async def _send(self, transport: Any, subscription: Subscription) -> None:
        sent = 0
        try:
            async with contextlib.aclosing(self._open_hub().frames(subscription)) as frames:
                async for frame in frames:
                    await transport.send_bytes(frame)
                    sent += len(frame)
                    if sent > MOST_OF_A_STREAM:
                        return
        except (*BROKEN, RedisError, LogUnreadable, Refused, KeysUnavailable) as error:
            log.info("a %s broke off: %s", type(subscription).__name__, error)


async def _body(app: Flask, scope: Any, protocol: Any, environ: dict[str, Any]) -> bytes:
    """The body of a request that has one; where it is refused, the app says so, to whoever it lets in."""
    admission: Admission | None = app.extensions.get("admission")
    most = admission.largest_body(scope.path, environ.get("HTTP_AUTHORIZATION")) if admission else LARGEST_BODY
    try:
        body = await read_body(protocol, scope.headers, most)
    except Refused as refusal:
        environ[REFUSED] = refusal
        return b""
    return b"" if scope.method in BODILESS else body


def _call(app: Flask, environ: dict[str, Any], body: bytes) -> Answer:
    """The app's answer, computed in this thread."""
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
    answer: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
        answer["status"], answer["headers"] = int(status[:3]), headers

    chunks = app.wsgi_app(environ, start_response)
    body = b"" if SUBSCRIPTION in environ or SENT_FILE in environ else b"".join(chunks)
    if close := getattr(chunks, "close", None):
        close()
    return Answer(answer["status"], answer["headers"], body)
