"""The web server on an event loop of its own, asked as a WSGI app is: what tests send goes the way granian sends it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import uvloop
from flask import Flask

from events.pipelined import PipelinedLog
from events.store import RedisLog
from service import metrics
from service.api.common import Services
from service.hot_lane import HotLane
from service.server import Server
from tests.service.rsgi import Headers

TABLE = "/v1/tables/<table>"
ROUTES = (("GET", TABLE), ("GET", f"{TABLE}/moves"), ("GET", f"{TABLE}/events"), ("POST", f"{TABLE}/moves"))


class Protocol:
    """granian's side of a request: gives its body and takes the answer."""

    def __init__(self, body: bytes = b"") -> None:
        self._body = body
        self.status, self.headers, self.body = 0, [("", "")], b""

    async def __call__(self) -> bytes:
        return self._body

    async def client_disconnect(self) -> None:
        """The client of a test stays."""
        await asyncio.Event().wait()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._body:
            yield self._body

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Takes a whole answer."""
        self.status, self.headers, self.body = status, headers, body

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        """Takes an answer without a body."""
        self.response_bytes(status, headers, b"")


def scope_of(environ: dict[str, Any]) -> Any:
    """A WSGI request as granian tells of it."""
    headers = Headers(
        {key[5:].lower().replace("_", "-"): value for key, value in environ.items() if key.startswith("HTTP_")}
    )
    for key in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(key):
            headers[key.lower().replace("_", "-")] = environ[key]
    return SimpleNamespace(
        proto="http",
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
        query_string=environ["QUERY_STRING"],
        server="127.0.0.1:80",
        client=f"{environ.get('REMOTE_ADDR') or '127.0.0.1'}:9",
        http_version="1.1",
        scheme="http",
        headers=headers,
    )


class Loop:
    """An event loop in a thread, as granian has it, and the web server of an app on it."""

    def __init__(self, app: Flask, services: Services) -> None:
        assert isinstance(services.handler.log, RedisLog)
        self.loop = uvloop.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="event loop")
        self.thread.start()
        self.server = Server(app, services.hub, threads=8)
        self.hot = HotLane(app, services.handler, PipelinedLog(services.handler.log))
        self.server.go_over_to(app, services.hub, self.hot)
        self.threads = Server(app, services.hub, threads=8)  # the same without the lane
        self._flask = app.wsgi_app

    def wsgi(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers a test's request by the server, and the server's own by the app."""
        if threading.current_thread().name.startswith(("web", "moves")):
            return self._flask(environ, start_response)
        answer = self.answer(environ, self.server)
        start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", answer.headers)
        return [answer.body]

    def answer(self, environ: dict[str, Any], server: Server) -> Protocol:
        """What a server answers."""
        length = int(environ.get("CONTENT_LENGTH") or 0)
        protocol = Protocol(environ["wsgi.input"].read(length) if length else b"")
        self.run(server.__rsgi__(scope_of(environ), protocol))
        return protocol

    def run(self, coroutine: Any) -> Any:
        """What a coroutine comes to on this loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def ask_through(self, store: PipelinedLog) -> None:
        """Has the lane ask the store in another way from now on."""
        self.loop.call_soon_threadsafe(self.hot.store.close)
        self.hot.store = store
        self.run(asyncio.sleep(0))

    def close(self) -> None:
        """Ends it, as granian would."""
        self.run(self.hot.close())
        self.run(asyncio.sleep(0))  # what was closed is let go of
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def answered(lane: str, *, status: str | None = "200") -> int:
    """How many requests for the three resources a lane answered in this process: so, or in whatever way."""
    found = (sample for metric in metrics.REQUESTS.collect() for sample in metric.samples)
    return int(
        sum(
            sample.value
            for sample in found
            if sample.name.endswith("_total")
            and sample.labels["lane"] == lane
            and (sample.labels["method"], sample.labels["resource"]) in ROUTES
            and status in (None, sample.labels["status"])
        )
    )
