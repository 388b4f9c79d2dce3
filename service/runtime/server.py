"""The web server's side of the app: Flask answers in a pool of threads, event streams need no thread.

granian speaks RSGI to this module: one call a request, in which the bridge runs the WSGI app in the pool; a response
that is to become a stream is then written here.
"""

import asyncio
import contextlib
import io
import logging
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Flask
from redis.exceptions import RedisError

from events.archiving.objects import MissingObject
from events.archiving.patience import waiting_at_most
from events.log import LogUnreadable
from service.accounts.key_stores import KeysUnavailable
from service.api.admission import ASKING, REFUSED, TOLD, Admission, Operation
from service.api.downloads import DOWNLOADED
from service.api.headers import REQUEST_ID
from service.errors import Refused
from service.limits.costs import ACCOUNTS, MOVES
from service.runtime.asked import Waiting, address_of, caller_of, count_as_refused, who_seems_to_wait, who_waits
from service.runtime.bodies import Bodies, length_of, pass_over
from service.runtime.bulkhead import AT_ONCE, LONG, LONG_AT_ONCE, apart, is_expensive, kind_of
from service.runtime.environ import CLIENT, environ_of
from service.runtime.expensive_process import ARCHIVE_S
from service.runtime.fair_threads import FairPool, Gone
from service.runtime.http import route_of
from service.runtime.problems import outside_the_app
from service.runtime.refusal_pace import PACED, Pace
from service.runtime.slow_readers import STEP, Answers, Taking
from service.streams.follows import FOLLOW, Followed
from service.streams.hub import Hub

BODILESS = ("GET", "HEAD")
WAITED = "wintercount.waited"  # in the WSGI environment: that the request has waited for the turn of its address
TAKEN = "wintercount.taken"  # that its body is being read, or was
EXPENSIVE = "wintercount.expensive"  # and whether it may walk through a whole game
BROKEN = (TimeoutError, ConnectionError, RuntimeError)  # the client takes nothing any more

log = logging.getLogger(__name__)

T = TypeVar("T")
Head = tuple[int, list[tuple[str, str]]]
Answer = tuple[int, list[tuple[str, str]], Iterable[bytes], Followed | None]


def _nothing(_client: str) -> int:
    return 0


class Server:
    """An RSGI application for a Flask app and its streams.

    `untaken` tells how many bytes the system cannot send to a client yet, None if that is not known.
    """

    def __init__(
        self, app: Flask, hub: Hub | None, threads: int, bodies: Bodies, untaken: Callable[[str], int | None] = _nothing
    ) -> None:
        self.app, self._hub, self._bodies = app, hub, bodies
        self._untaken, self._answers = untaken, Answers()
        self._pool = FairPool(threads)
        self._pace = Pace()
        self._expensive = apart("expensive", AT_ONCE)
        self._long = {kind: apart(kind, LONG_AT_ONCE) for kind in LONG}

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
        except Exception as error:  # noqa: BLE001 - whatever it is: granian would tell neither the client nor the log
            asked = " ".join(route_of(self.app, scope.method, scope.path))
            told = outside_the_app(error, asked, scope.headers.get(REQUEST_ID.lower()))
            protocol.response_bytes(*told)  # nothing comes of it where an answer has begun

    async def _respond(self, scope: Any, protocol: Any, environ: dict[str, Any]) -> None:
        """Works the answer out and sends it; raises `Gone`."""
        status, headers, chunks, follow = await self._answer(scope, protocol, environ)
        if environ.get(TOLD) in PACED:
            await self._wait_turn(protocol, environ)
        if follow is not None:
            await self._stream(protocol, (status, headers), follow, environ)
        elif DOWNLOADED in environ:
            await self._download(protocol, (status, headers), chunks, environ)
        else:
            if _is_being_sent(scope.headers) and TAKEN not in environ:
                await pass_over(protocol)
            await self._send_whole(protocol, (status, headers), b"".join(chunks), environ)

    async def _answer(self, scope: Any, protocol: Any, environ: dict[str, Any]) -> Answer:
        """The app's answer; the app also writes the problem document of a refusal, and of whatever else fails here."""
        app = self.app
        try:
            return await self._let_in(app, scope, protocol, environ)
        except Gone:
            raise
        except Exception as refusal:  # noqa: BLE001 - the app tells the operator of what nobody has foreseen
            self._begin_again(environ)
            environ[REFUSED] = refusal
            if isinstance(refusal, Refused) and refusal.code in PACED:
                await self._wait_turn(protocol, environ)
            return await self._call_in_turn(app, protocol, environ, b"")

    def _begin_again(self, environ: dict[str, Any]) -> None:
        """Forgets what was to be sent for a request that another answer is made for."""
        environ.pop(DOWNLOADED, None)
        if follow := environ.pop(FOLLOW, None):
            self._open_hub().dismiss(follow)

    async def _let_in(self, app: Flask, scope: Any, protocol: Any, environ: dict[str, Any]) -> Answer:
        """The answer to a request that may be sent. Without a body it is admitted here only if it is expensive."""
        bodiless, environ[EXPENSIVE] = scope.method in BODILESS, is_expensive(scope.path)
        admission: Admission | None = app.extensions.get("admission")
        if admission is None or (bodiless and not environ[EXPENSIVE]):
            return await self._found(app, protocol, environ, b"")
        operation = admission.operation(scope.method, scope.path)
        if operation is None:
            return await self._found(app, protocol, environ, b"")
        await self._admit(admission, operation, protocol, environ)
        if self._takes_turns(operation, environ[ASKING].address):
            await self._wait_turn(protocol, environ)
        if bodiless:
            return await self._found(app, protocol, environ, b"")
        return await self._with_body(app, scope, protocol, environ, operation.most)

    async def _with_body(self, app: Flask, scope: Any, protocol: Any, environ: dict[str, Any], most: int) -> Answer:
        """The answer to a request with a body of at most `most` bytes, which counts until the answer is complete."""
        length = length_of(scope.headers.get("content-length"), chunked="transfer-encoding" in scope.headers)
        with self._bodies.room(environ[ASKING].address, length, most) as room:
            environ[TAKEN] = True
            body = await self._bodies.read(protocol, room)
            return await self._found(app, protocol, environ, body)

    def _takes_turns(self, operation: Operation, address: str) -> bool:
        """Whether a request waits for the turn of its address: a new account, and any change by whom was refused."""
        if operation.method in BODILESS or operation.rule == MOVES:
            return False
        return operation.rule == ACCOUNTS or self._pace.is_paced(address)

    async def _wait_turn(self, protocol: Any, environ: dict[str, Any]) -> None:
        """Waits until the address may get a refusal; a request waits once. Raises `Gone`."""
        if WAITED not in environ:
            environ[WAITED] = True
            if not await self._pace.keep(address_of(self.app, environ), protocol.client_disconnect):
                raise Gone

    async def _admit(self, admission: Admission, operation: Operation, protocol: Any, environ: dict[str, Any]) -> None:
        """Finds out who sends this; in the pool only if that needs the store."""
        if admission.is_known(environ.get("HTTP_AUTHORIZATION")):
            admission.admit(operation, environ)
        else:
            who = who_seems_to_wait(self.app, admission, operation, environ)
            await self._in_turn(who, protocol, partial(admission.admit, operation, environ))

    async def _found(self, app: Flask, protocol: Any, environ: dict[str, Any], body: bytes) -> Answer:
        """The answer, computed in a thread; expensive requests have threads of their own and wait for them here."""
        if not environ[EXPENSIVE]:
            return await self._call_in_turn(app, protocol, environ, body)
        kind = kind_of(environ["PATH_INFO"])
        places, threads = self._long[kind] if kind else self._expensive
        async with places.place(caller_of(environ), address_of(app, environ)):
            return await asyncio.get_running_loop().run_in_executor(threads, self._call_hurried, app, environ, body)

    async def _call_in_turn(self, app: Flask, protocol: Any, environ: dict[str, Any], body: bytes) -> Answer:
        """The answer, computed in a thread when it is the turn of its address; raises `Gone`."""
        return await self._in_turn(who_waits(app, environ), protocol, partial(self._call, app, environ, body))

    async def _in_turn(self, who: Waiting, protocol: Any, do: Callable[[], T]) -> T:
        """The result of `do`, called in a thread when it is the turn of who waits; raises `Gone`."""
        try:
            return await self._pool.run(who.address, do, kind=who.kind, gone=protocol.client_disconnect)
        except Gone:
            count_as_refused(self.app, who)
            raise

    def _call_hurried(self, app: Flask, environ: dict[str, Any], body: bytes) -> Answer:
        """The answer to an expensive request: its thread is one of few, and does not wait for an archive that hangs."""
        with waiting_at_most(ARCHIVE_S):
            return self._call(app, environ, body)

    def _call(self, app: Flask, environ: dict[str, Any], body: bytes) -> Answer:
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
        answer: dict[str, Any] = {}

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
            answer["status"], answer["headers"] = int(status[:3]), headers

        chunks = app.wsgi_app(environ, start_response)
        follow = environ.get(FOLLOW)
        return answer["status"], answer["headers"], _content(chunks, environ), follow

    def _taking(self, protocol: Any, head: Head, environ: dict[str, Any]) -> Taking:
        """The client, who is told the head."""
        return Taking(protocol.response_stream(*head), partial(self._untaken, environ[CLIENT]))

    async def _send_whole(self, protocol: Any, head: Head, body: bytes, environ: dict[str, Any]) -> None:
        """Sends an answer that is there: a large one as it is taken."""
        if len(body) <= STEP:
            protocol.response_bytes(*head, body)
        else:
            address, taking = address_of(self.app, environ), self._taking(protocol, head, environ)
            await _while_connected(protocol, self._send_large(taking, body, address))

    async def _send_large(self, taking: Taking, body: bytes, address: str) -> None:
        try:
            async with self._answers.held(address, len(body)):
                await taking.send_all(body)
        except BROKEN as error:
            log.info("an answer broke off: %s", error)

    async def _stream(self, protocol: Any, head: Head, follow: Followed, environ: dict[str, Any]) -> None:
        """Writes frames until they end or the client is gone."""
        status, headers = head
        kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
        try:
            sending = asyncio.ensure_future(self._send(self._taking(protocol, (status, kept), environ), follow))
            self._open_hub().begun(follow, partial(asyncio.get_running_loop().call_soon_threadsafe, sending.cancel))
            await _while_connected(protocol, sending)
        finally:
            self._open_hub().dismiss(follow)

    async def _download(self, protocol: Any, head: Head, chunks: Iterable[bytes], environ: dict[str, Any]) -> None:
        """Sends a file, a part at a time: no thread waits for a client, and hardly more is held than is taken."""
        try:
            taking, address = self._taking(protocol, head, environ), address_of(self.app, environ)
            await _while_connected(protocol, self._send_parts(taking, chunks, address))
        finally:
            close = getattr(chunks, "close", None)
            if close:
                close()

    async def _send_parts(self, taking: Taking, chunks: Iterable[bytes], address: str) -> None:
        parts = iter(chunks)
        try:
            while part := await self._pool.run(address, next, parts, b""):
                await taking.send(part)
        except (*BROKEN, RedisError, MissingObject) as error:
            log.info("a download broke off: %s", error)

    def _open_hub(self) -> Hub:
        if self._hub is None:
            raise RuntimeError("a stream was opened before the service was")
        return self._hub

    async def _send(self, taking: Taking, follow: Followed) -> None:
        try:
            async with contextlib.aclosing(self._open_hub().frames(follow)) as frames:
                async for frame in frames:
                    await taking.send(frame)
        except (*BROKEN, RedisError, LogUnreadable, Refused, KeysUnavailable) as error:
            log.info("a stream of %s broke off: %s", follow.subject, error)


async def _while_connected(protocol: Any, sends: Coroutine[Any, Any, None] | asyncio.Future[None]) -> None:
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
