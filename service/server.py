"""The web server's side of the app: ordinary requests of players are answered on the event loop, the others by Flask in
a pool of threads; event streams need no thread.

granian speaks RSGI to this module: one call a request, in which the bridge reads the body and has one of both answer; a
response that is to become a stream is then written here.
"""

import asyncio
import contextlib
import io
import logging
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, NamedTuple

from flask import Flask
from redis.exceptions import RedisError

from events.log import LogUnreadable
from service.accounts.personal_texts import KeysUnavailable
from service.api.admission import REFUSED, Admission
from service.api.downloads import FILE
from service.api.headers import REQUEST_ID
from service.environ import environ_of
from service.errors import Refused
from service.hot_lane import HotLane
from service.http import route_of
from service.limits.bodies import LARGEST_BODY, read_body
from service.problems import outside_the_app
from service.streams.frames import FOLLOW, Followed
from service.streams.hub import Hub

BODILESS = ("GET", "HEAD")
BROKEN = (TimeoutError, ConnectionError, RuntimeError)  # the client takes nothing any more
# Bytes of a stream, which then breaks off: its client goes on with Last-Event-ID. granian holds whatever a slow reader
# has not taken, and nobody waits for that.
MOST_OF_A_STREAM = 16 << 20

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """The app's answer; without a body where it is a file, or becomes a stream."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


class Server:
    """An RSGI application for a Flask app and its streams."""

    def __init__(self, app: Flask, hub: Hub | None, threads: int) -> None:
        self.app, self._hub = app, hub
        self._hot: HotLane | None = None
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._moving = ThreadPoolExecutor(
            max(2, threads // 2), thread_name_prefix="moves"
        )  # no read keeps a move waiting

    def go_over_to(self, app: Flask, hub: Hub, hot: HotLane | None = None) -> None:
        """Lets another app answer from the next request on: the service itself, once its store answers."""
        self._hub = hub  # first: only the service's own app opens streams
        self.app, self._hot = app, hot

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Called by granian when it ends: what was begun on the loop is finished."""
        if self._hot:
            loop.run_until_complete(self._hot.close())

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answers one request."""
        if scope.proto != "http":
            return
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
            if FOLLOW in environ and found.status == HTTPStatus.OK:
                await self._stream(protocol, found, environ[FOLLOW])
            elif FILE in environ and found.status < HTTPStatus.BAD_REQUEST:
                protocol.response_file_range(found.status, found.headers, *environ[FILE])
            else:
                protocol.response_bytes(found.status, found.headers, found.body)
        finally:
            if FOLLOW in environ:
                self._open_hub().dismiss(environ[FOLLOW])

    async def _stream(self, protocol: Any, answer: Answer, follow: Followed) -> None:
        """Writes frames until they end or the client is gone."""
        kept = [(name, value) for name, value in answer.headers if name.lower() != "content-length"]
        sending = asyncio.ensure_future(self._send(protocol.response_stream(answer.status, kept), follow))
        leaving = asyncio.ensure_future(protocol.client_disconnect())
        await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        sending.cancel()
        leaving.cancel()  # it ends when the connection does, so it is not waited for
        (found,) = await asyncio.gather(sending, return_exceptions=True)
        if isinstance(found, Exception):  # nobody else would tell of it
            log.error("what was being sent broke off", exc_info=found)

    def _open_hub(self) -> Hub:
        if self._hub is None:
            raise RuntimeError("a stream was opened before the service was")
        return self._hub

    async def _send(self, transport: Any, follow: Followed) -> None:
        sent = 0
        try:
            async with contextlib.aclosing(self._open_hub().frames(follow)) as frames:
                async for frame in frames:
                    await transport.send_bytes(frame)
                    sent += len(frame)
                    if sent > MOST_OF_A_STREAM:
                        return
        except (*BROKEN, RedisError, LogUnreadable, Refused, KeysUnavailable) as error:
            log.info("a stream of %s broke off: %s", follow.subject, error)


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
    body = b"" if FOLLOW in environ or FILE in environ else b"".join(chunks)
    if close := getattr(chunks, "close", None):
        close()
    return Answer(answer["status"], answer["headers"], body)
