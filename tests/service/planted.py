"""The web server with an app that has a large answer, a download and a stream, and tells how much of them it read."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from types import SimpleNamespace
from typing import Any

from flask import Flask, Response, request

from service.api.admission import REFUSED
from service.api.downloads import DOWNLOADED
from service.config import settings_from
from service.errors import Refused
from service.runtime.bodies import Bodies
from service.runtime.connections import Watch
from service.runtime.problems import answer
from service.runtime.server import Server
from service.runtime.serving import serve
from service.streams.follows import FOLLOW

PART = 256 * 1024  # bytes
PARTS = 100
LARGE = 6 << 20  # bytes of an answer
read: Counter[str] = Counter()  # parts, by what they are of


def parts(name: str) -> Iterator[bytes]:
    """A long file."""
    for _ in range(PARTS):
        read[name] += 1
        yield bytes(PART)


async def frames(_follow: Any) -> AsyncGenerator[bytes, None]:
    """A long stream."""
    for part in parts("stream"):
        yield part


def application() -> Server:
    """What granian calls for."""
    settings, app = settings_from(), Flask("planted")
    app.register_error_handler(Refused, answer)

    @app.before_request
    def refuse() -> None:
        if REFUSED in request.environ:
            raise request.environ[REFUSED]

    @app.get("/readyz")
    def ready() -> dict[str, int]:
        return dict(read)

    @app.get("/large")
    def large() -> bytes:
        return bytes(LARGE)

    @app.get("/download")
    def download() -> Response:
        request.environ[DOWNLOADED] = True
        return Response(parts("download"), headers={"Content-Length": str(PART * PARTS)})

    @app.get("/stream")
    def stream() -> Response:
        request.environ[FOLLOW] = SimpleNamespace(subject="nothing")
        return Response()

    hub: Any = SimpleNamespace(frames=frames, begun=lambda *_: None, dismiss=lambda _: None)
    watch = Watch(settings.port, settings.connections_per_address, settings.connections)
    server = Server(app, hub, settings.threads, Bodies(1 << 20, 1.0), watch.untaken)
    watch.start()
    return server


if __name__ == "__main__":
    serve(settings_from(), "tests.service.planted:application")
