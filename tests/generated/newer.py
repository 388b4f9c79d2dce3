"""A server of a later release: a proxy that adds to what the service answers.

Every object gets a field that openapi.yaml does not name, every list of events an event of an unknown type, and every
problem an unknown code. Clients generated from today's document have to read all of it.
"""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

ADDED = {"added_later": {"by": "a later release"}}
NAMED = (
    "id",
    "kind",
    "code",
    "version",
)  # keys of objects with a schema; maps and moves, which are sent back, have none
PER_CONNECTION = ("accept-encoding", "connection", "content-length", "keep-alive", "transfer-encoding")


def extend(value: Any) -> Any:
    """Returns a JSON value as a later release might send it."""
    if isinstance(value, list):
        return [extend(item) for item in value]
    if not isinstance(value, dict):
        return value
    extended = {name: extend(item) for name, item in value.items()}
    if "code" in extended and "title" in extended:
        extended["code"] = "invented_later"
    if extended.get("events"):
        extended["events"].append(extended["events"][-1] | {"type": "InventedLater"})
    return extended | (ADDED if any(name in extended for name in NAMED) else {})


class Handler(BaseHTTPRequestHandler):
    """Forwards a request and extends the answer."""

    upstream: str
    protocol_version = "HTTP/1.1"

    def forward(self) -> None:
        """Sends the request to the service and its answer, extended, to the client."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection(self.upstream, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in PER_CONNECTION}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if "json" in answer.headers.get("Content-Type", ""):
            content = json.dumps(extend(json.loads(content))).encode()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in PER_CONNECTION:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = forward  # noqa: N815 - as the library has it

    def log_message(self, *_: Any) -> None:
        """Prints nothing."""


@contextmanager
def newer_server(address: str) -> Iterator[str]:
    """Serves the service at an address as a later release; yields the address of that."""
    handler = type("Extending", (Handler,), {"upstream": urlsplit(address).netloc})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
