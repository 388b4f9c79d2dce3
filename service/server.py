"""The web server's side of the app: Flask answers in a pool of threads, event streams are written without any.

granian speaks RSGI to this module: one call a request, in which the bridge runs the WSGI app in the pool; a response
that is to become a stream is then written here.
"""

import asyncio
import contextlib
import io
import logging
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask
from redis.exceptions import RedisError

from events.log import LogDamaged
from service import metrics
from service.api.strict import MAX_ARCHIVE_BYTES, MAX_BYTES
from service.app import answer
from service.bulkhead import AT_ONCE, Bulkhead, is_dear
from service.errors import PROBLEMS, Refused
from service.streams import FOLLOW, Followed, Hub

UNREADABLE = "\xff"

ARCHIVES = "/v1/archives"  # the one resource that takes large bodies

log = logging.getLogger(__name__)

Answer = tuple[int, list[tuple[str, str]], Iterable[bytes], Followed | None]


class Server:
    """An RSGI application for a Flask app and its streams."""

    def __init__(self, app: Flask, hub: Hub | None, threads: int) -> None:
        self.app, self._hub = app, hub
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._dear, self._of_dear = Bulkhead(), ThreadPoolExecutor(AT_ONCE, thread_name_prefix="dear")

    def go_over_to(self, app: Flask, hub: Hub) -> None:
        """Lets another app answer from the next request on: the service itself, when its store has come."""
        self._hub = hub  # first: only the service's own app opens streams
        self.app = app

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answers one request."""
        if scope.proto != "http":
            return
        body = await _body(scope, protocol)
        status, headers, chunks, follow = await self._answer(scope, body)
        if follow is None:
            protocol.response_bytes(status, headers, b"".join(chunks))
        else:
            await self._stream(protocol, status, headers, follow)

    async def _answer(self, scope: Any, body: bytes) -> Answer:
        """The answer of the app, found in a thread: dear requests have theirs apart, and wait for them here."""
        loop = asyncio.get_running_loop()
        if not is_dear(scope.path):
            return await loop.run_in_executor(self._pool, self._call, scope, body)
        try:
            async with self._dear.place(_caller(scope)):
                return await loop.run_in_executor(self._of_dear, self._call, scope, body)
        except Refused as refusal:
            metrics.answered("any", "dear", PROBLEMS[refusal.code].status).inc()
            response = answer(refusal)
            return response.status_code, list(response.headers), [response.get_data()], None

    def _call(self, scope: Any, body: bytes) -> Answer:
        environ = environ_of(scope, body)
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
            self._open_hub().dismiss()

    def _open_hub(self) -> Hub:
        if self._hub is None:
            raise RuntimeError("a stream was opened before the service was")
        return self._hub

    async def _send(self, transport: Any, follow: Followed) -> None:
        try:
            async with contextlib.aclosing(self._open_hub().frames(follow)) as frames:
                async for frame in frames:
                    await transport.send_bytes(frame)
        except (RedisError, LogDamaged, Refused, ConnectionError, RuntimeError) as error:
            log.info("a stream of %s broke off: %s", follow.subject, error)


def _caller(scope: Any) -> str:
    """Who asks, before anybody has looked whether that is so: the token, or the address."""
    return str(scope.headers.get("authorization") or scope.client.rpartition(":")[0])


async def _body(scope: Any, protocol: Any) -> bytes:
    """The body, or one byte more than is allowed of a body that is too large: the app refuses it."""
    if scope.method in ("GET", "HEAD"):
        return b""
    most = MAX_ARCHIVE_BYTES if scope.path == ARCHIVES else MAX_BYTES
    parts, size = [], 0
    async for part in protocol:
        parts.append(bytes(part))
        size += len(part)
        if size > most:
            break
    return b"".join(parts)[: most + 1]


def environ_of(scope: Any, body: bytes) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333)."""
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
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
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
