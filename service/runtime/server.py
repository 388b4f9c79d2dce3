"""The web server's side of the app: Flask answers in a pool of threads, event streams need no thread.

granian speaks RSGI to this module: one call a request, in which the bridge runs the WSGI app in the pool; a response
that is to become a stream is then written here.
"""

import asyncio
import contextlib
import io
import logging
import sys
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from flask import Flask
from redis.exceptions import RedisError

from events.archiving.objects import MissingObject
from events.log import LogUnreadable
from service.accounts.key_stores import KeysUnavailable
from service.api.admission import ASKING, REFUSED, TOLD, Admission, Asking, Operation
from service.api.downloads import DOWNLOADED
from service.errors import Refused
from service.limits.costs import ACCOUNTS, MOVES
from service.runtime.bodies import Bodies, length_of, pass_over
from service.runtime.bulkhead import AT_ONCE, Bulkhead, is_expensive
from service.runtime.fair_threads import FairPool
from service.runtime.pace import PACED, Pace
from service.streams.follows import FOLLOW, Followed
from service.streams.hub import Hub

UNREADABLE = "\xff"
BODILESS = ("GET", "HEAD")
WAITED = "wintercount.waited"  # in the WSGI environment: that the request has waited for the turn of its address
PATIENCE_S = 30.0  # for a client to take a part of a download, which it can take up again later
TAKEN = "wintercount.taken"  # that its body is being read, or was
EXPENSIVE = "wintercount.expensive"  # and whether it may walk through a whole game

log = logging.getLogger(__name__)

Head = tuple[int, list[tuple[str, str]]]
Answer = tuple[int, list[tuple[str, str]], Iterable[bytes], Followed | None]


class Gone(Exception):
    """The client has hung up before its turn came: nothing is done for it."""


class Server:
    """An RSGI application for a Flask app and its streams."""

    def __init__(self, app: Flask, hub: Hub | None, threads: int, bodies: Bodies) -> None:
        self.app, self._hub, self._bodies = app, hub, bodies
        self._pool = FairPool(threads)
        self._pace = Pace()
        self._expensive, self._for_expensive = Bulkhead(), ThreadPoolExecutor(AT_ONCE, thread_name_prefix="expensive")

    def go_over_to(self, app: Flask, hub: Hub) -> None:
        """Lets another app answer from the next request on: the service itself, once its store answers."""
        self._hub = hub  # first: only the service's own app opens streams
        self.app = app

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answers one request."""
        if scope.proto != "http":
            return
        if len(scope.headers.get_all("host")) > 1:  # RFC 9112, 3.2; a proxy may have read another one than we would
            protocol.response_empty(HTTPStatus.BAD_REQUEST, [])
            return
        try:
            await self._respond(scope, protocol, environ_of(scope))
        except Gone:
            protocol.response_empty(HTTPStatus.REQUEST_TIMEOUT, [])  # which nobody reads

    async def _respond(self, scope: Any, protocol: Any, environ: dict[str, Any]) -> None:
        """Works the answer out and sends it; raises `Gone`."""
        status, headers, chunks, follow = await self._answer(scope, protocol, environ)
        if environ.get(TOLD) in PACED:
            await self._wait_turn(protocol, environ)
        if follow is not None:
            await self._stream(protocol, status, headers, follow)
        elif DOWNLOADED in environ:
            await self._download(protocol, (status, headers), chunks, _address(self.app, environ))
        else:
            if _is_being_sent(scope.headers) and TAKEN not in environ:
                await pass_over(protocol)
            protocol.response_bytes(status, headers, b"".join(chunks))

    async def _answer(self, scope: Any, protocol: Any, environ: dict[str, Any]) -> Answer:
        """The app's answer; the app also writes the problem document of a refusal."""
        app = self.app
        try:
            return await self._let_in(app, scope, protocol, environ)
        except (Refused, RedisError) as refusal:
            environ[REFUSED] = refusal
            if isinstance(refusal, Refused) and refusal.code in PACED:
                await self._wait_turn(protocol, environ)
            return await self._pool.run(_address(app, environ), self._call, app, environ, b"")

    async def _let_in(self, app: Flask, scope: Any, protocol: Any, environ: dict[str, Any]) -> Answer:
        """The answer to a request that may be sent. Without a body it is admitted here only if it is expensive."""
        bodiless, environ[EXPENSIVE] = scope.method in BODILESS, is_expensive(scope.path)
        admission: Admission | None = app.extensions.get("admission")
        if admission is None or (bodiless and not environ[EXPENSIVE]):
            return await self._found(app, environ, b"")
        operation = admission.operation(scope.method, scope.path)
        if operation is None:
            return await self._found(app, environ, b"")
        await self._admit(admission, operation, environ)
        if self._takes_turns(operation, environ[ASKING].address):
            await self._wait_turn(protocol, environ)
        if bodiless:
            return await self._found(app, environ, b"")
        return await self._with_body(app, scope, protocol, environ, operation.most)

    async def _with_body(self, app: Flask, scope: Any, protocol: Any, environ: dict[str, Any], most: int) -> Answer:
        """The answer to a request with a body of at most `most` bytes, which counts until the answer is complete."""
        length = length_of(scope.headers.get("content-length"), chunked="transfer-encoding" in scope.headers)
        with self._bodies.room(length, most):
            environ[TAKEN] = True
            body = await self._bodies.read(protocol, length)
            return await self._found(app, environ, body)

    def _takes_turns(self, operation: Operation, address: str) -> bool:
        """Whether a request waits for the turn of its address: a new account, and any change by whom was refused."""
        if operation.method in BODILESS or operation.rule == MOVES:
            return False
        return operation.rule == ACCOUNTS or self._pace.is_paced(address)

    async def _wait_turn(self, protocol: Any, environ: dict[str, Any]) -> None:
        """Waits until the address may get a refusal; a request waits once. Raises `Gone`."""
        if WAITED not in environ:
            environ[WAITED] = True
            if not await self._pace.keep(_address(self.app, environ), protocol.client_disconnect):
                raise Gone

    async def _admit(self, admission: Admission, operation: Operation, environ: dict[str, Any]) -> None:
        """Finds out who sends this; in the pool only if that needs the store."""
        if admission.is_known(environ.get("HTTP_AUTHORIZATION")):
            environ[ASKING] = admission.admit(operation, environ)
        else:
            environ[ASKING] = await self._pool.run(admission.address(environ), admission.admit, operation, environ)

    async def _found(self, app: Flask, environ: dict[str, Any], body: bytes) -> Answer:
        """The answer, computed in a thread; expensive requests have threads of their own and wait for them here."""
        if not environ[EXPENSIVE]:
            return await self._pool.run(_address(app, environ), self._call, app, environ, body)
        async with self._expensive.place(_caller(environ)):
            return await asyncio.get_running_loop().run_in_executor(self._for_expensive, self._call, app, environ, body)

    def _call(self, app: Flask, environ: dict[str, Any], body: bytes) -> Answer:
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
        answer: dict[str, Any] = {}

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
            answer["status"], answer["headers"] = int(status[:3]), headers

        chunks = app.wsgi_app(environ, start_response)
        follow = environ.get(FOLLOW)
        return answer["status"], answer["headers"], _content(chunks, environ), follow

    async def _stream(self, protocol: Any, status: int, headers: list[tuple[str, str]], follow: Followed) -> None:
        """Writes frames until they end or the client is gone."""
        kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
        try:
            transport = protocol.response_stream(status, kept)
            await _while_connected(protocol, self._send(transport, follow))
        finally:
            self._open_hub().dismiss(follow)

    async def _download(self, protocol: Any, head: Head, chunks: Iterable[bytes], address: str) -> None:
        """Sends a file, a part at a time: no thread waits for a client, and no more of it is held than is sent."""
        try:
            await _while_connected(protocol, self._send_parts(protocol.response_stream(*head), chunks, address))
        finally:
            close = getattr(chunks, "close", None)
            if close:
                close()

    async def _send_parts(self, transport: Any, chunks: Iterable[bytes], address: str) -> None:
        parts = iter(chunks)
        try:
            while part := await self._pool.run(address, next, parts, b""):
                await asyncio.wait_for(transport.send_bytes(part), PATIENCE_S)
        except (RedisError, MissingObject, TimeoutError, ConnectionError, RuntimeError) as error:
            log.info("a download broke off: %s", error)

    def _open_hub(self) -> Hub:
        if self._hub is None:
            raise RuntimeError("a stream was opened before the service was")
        return self._hub

    async def _send(self, transport: Any, follow: Followed) -> None:
        try:
            async with contextlib.aclosing(self._open_hub().frames(follow)) as frames:
                async for frame in frames:
                    await transport.send_bytes(frame)
        except (RedisError, LogUnreadable, Refused, KeysUnavailable, ConnectionError, RuntimeError) as error:
            log.info("a stream of %s broke off: %s", follow.subject, error)


async def _while_connected(protocol: Any, sends: Coroutine[Any, Any, None]) -> None:
    """Sends until all is sent or the client is gone."""
    sending = asyncio.ensure_future(sends)
    leaving = asyncio.ensure_future(protocol.client_disconnect())
    await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    sending.cancel()
    leaving.cancel()  # it ends when the connection does, so it is not waited for
    (found,) = await asyncio.gather(sending, return_exceptions=True)
    if isinstance(found, Exception):  # nobody else would tell of it
        log.error("what was being sent broke off", exc_info=found)


def _is_being_sent(headers: Any) -> bool:
    """Whether a request has a body that comes without being asked for (RFC 9110, 10.1.1)."""
    length = headers.get("content-length", "0")
    return (length != "0" or "transfer-encoding" in headers) and "expect" not in headers


def _content(chunks: Iterable[bytes], environ: dict[str, Any]) -> Iterable[bytes]:
    """The content of an answer: read at once, but for what is read as fast as it is taken, and for a stream."""
    if DOWNLOADED in environ:
        return chunks
    return list(chunks) if FOLLOW not in environ else []


def _address(app: Flask, environ: dict[str, Any]) -> str:
    """The client's address, or the connection's until the app knows."""
    admission: Admission | None = app.extensions.get("admission")
    return admission.address(environ) if admission else str(environ["REMOTE_ADDR"])


def _caller(environ: dict[str, Any]) -> str:
    """Who asks: the account, whichever of its tokens it sends, or without a token the address."""
    asking: Asking | None = environ.get(ASKING)
    return asking.caller.id or asking.address if asking else str(environ["REMOTE_ADDR"])


def environ_of(scope: Any) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333), all but its body."""
    host, _, port = scope.server.rpartition(":")
    return _headers(scope.headers) | {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),  # granian has decoded it; WSGI wants bytes as Latin-1
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),  # some clients escape nothing
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),  # those of IPv6 stand in brackets
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _headers(headers: Any) -> dict[str, Any]:
    """The headers of a request under their names in WSGI; the length of the body is that of what is read of it."""
    found = {}
    for name in set(headers.keys()):
        if "_" in name:  # it would pass for another, with a dash, that a proxy has set
            continue
        key = name.upper().replace("-", "_")
        if key == "CONTENT_TYPE":
            found[key] = _value(headers, name)
        elif key != "CONTENT_LENGTH":
            found[f"HTTP_{key}"] = _value(headers, name)
    return found


def _value(headers: Any, name: str) -> str:
    """A repeated header is one list; granian names a header that is not ASCII but gives no value."""
    values = headers.get_all(name)
    return ",".join(values) if values else UNREADABLE
