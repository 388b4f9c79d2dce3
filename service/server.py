"""The web server's side of the app: Flask answers in a pool of threads, event streams are written without any.

granian speaks RSGI to this module: one call a request, in which the bridge runs the WSGI app in the pool; a response
that is to become a stream is then written here.
"""

import asyncio
import contextlib
import io
import logging
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from flask import Flask
from redis.exceptions import RedisError

from events.log import LogDamaged
from service.admission import ASKING, REFUSED, Admission, Operation
from service.bodies import Bodies, length_of
from service.errors import Refused
from service.streams import FOLLOW, Followed, Hub

UNREADABLE = "\xff"
BODILESS = ("GET", "HEAD")

T = TypeVar("T")

log = logging.getLogger(__name__)

Answer = tuple[int, list[tuple[str, str]], Iterable[bytes], Followed | None]


class Server:
    """An RSGI application for a Flask app and its streams."""

    def __init__(self, app: Flask, hub: Hub, threads: int, bodies: Bodies) -> None:
        self.app, self._hub, self._bodies = app, hub, bodies
        self._admission: Admission = app.extensions["admission"]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answers one request."""
        if scope.proto != "http":
            return
        status, headers, chunks, follow = await self._answer(scope, protocol, environ_of(scope))
        if follow is None:
            protocol.response_bytes(status, headers, b"".join(chunks))
        else:
            await self._stream(protocol, status, headers, follow)

    async def _answer(self, scope: Any, protocol: Any, environ: dict[str, Any]) -> Answer:
        """What the app answers. A body is read only for whom may send it, and is held until the answer is there."""
        operation = None if scope.method in BODILESS else self._admission.operation(scope.method, scope.path)
        if operation is None:
            return await self._in_pool(self._call, environ, b"")
        try:
            await self._admit(operation, environ)
            length = length_of(scope.headers.get("content-length"), chunked="transfer-encoding" in scope.headers)
            with self._bodies.room(length, operation.most):
                body = await self._bodies.read(protocol, length, operation.most)
                return await self._in_pool(self._call, environ, body)
        except (Refused, RedisError) as refusal:
            environ[REFUSED] = refusal
            return await self._in_pool(self._call, environ, b"")

    async def _admit(self, operation: Operation, environ: dict[str, Any]) -> None:
        """Asks who sends this; in the pool only if the store has to be asked."""
        if self._admission.is_known(environ.get("HTTP_AUTHORIZATION")):
            environ[ASKING] = self._admission.admit(operation, environ)
        else:
            environ[ASKING] = await self._in_pool(self._admission.admit, operation, environ)

    async def _in_pool(self, do: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, do, *given)

    def _call(self, environ: dict[str, Any], body: bytes) -> Answer:
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
        answer: dict[str, Any] = {}

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
            answer["status"], answer["headers"] = int(status[:3]), headers

        chunks = self.app.wsgi_app(environ, start_response)
        follow = environ.get(FOLLOW)
        content = list(chunks) if follow is None else []
        return answer["status"], answer["headers"], content, follow

    async def _stream(self, protocol: Any, status: int, headers: list[tuple[str, str]], follow: Followed) -> None:
        """Writes frames until they end or the client has gone, whichever is first."""
        kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
        try:
            transport = protocol.response_stream(status, kept)
            sending = asyncio.ensure_future(self._send(transport, follow))
            leaving = asyncio.ensure_future(protocol.client_disconnect())
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()
            leaving.cancel()  # it ends when the connection does, so it is not waited for
            await asyncio.gather(sending, return_exceptions=True)
        finally:
            self._hub.dismiss(follow)

    async def _send(self, transport: Any, follow: Followed) -> None:
        try:
            async with contextlib.aclosing(self._hub.frames(follow)) as frames:
                async for frame in frames:
                    await transport.send_bytes(frame)
        except (RedisError, LogDamaged, Refused, ConnectionError, RuntimeError) as error:
            log.info("a stream of %s broke off: %s", follow.subject, error)


def environ_of(scope: Any) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333), all but its body."""
    host, _, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),  # granian has decoded it; WSGI wants bytes as Latin-1
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name in set(scope.headers.keys()):
        key = name.upper().replace("-", "_")
        if key == "CONTENT_TYPE":
            environ["CONTENT_TYPE"] = _value(scope.headers, name)
        elif key != "CONTENT_LENGTH":
            environ[f"HTTP_{key}"] = _value(scope.headers, name)
    return environ


def _value(headers: Any, name: str) -> str:
    """A header that is repeated is one list; granian gives no value for one that is not ASCII, yet it is there."""
    values = headers.get_all(name)
    return ",".join(values) if values else UNREADABLE
