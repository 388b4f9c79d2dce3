"""The floor under what is measured over HTTP: the same server with two resources more, which do the least there is.

`POST /floor/{size}` reads the body strictly and adds one entry of that size to a stream: what any durable move would
have to do. `GET /floor` gives a constant answer. `python -m benchmarks.http_floor` serves them beside the whole
service.
"""

from flask import Flask, Response, request

from service.api.common import redis_log, reply
from service.api.request_parsing import strict_json
from service.config import settings_from
from service.server import Server
from wintercount.processes import web
from wintercount.processes.serving import serve

FACTORY = "benchmarks.http_floor:application"
STREAM = "benchmarks:floor"


def application() -> Server:
    """The service with its floor."""
    server = web.application()
    add_floor(server.app)
    return server


def add_floor(app: Flask) -> None:
    """Adds the two resources."""

    @app.get("/floor")
    def get_floor() -> Response:
        return reply({"status": "alive"})

    @app.post("/floor/<int:size>")
    def post_floor(size: int) -> Response:
        strict_json(request.get_data())
        redis_log().client.xadd(STREAM, {"e": b"x" * size})
        return reply({"size": size})


if __name__ == "__main__":
    serve(settings_from(), FACTORY)
