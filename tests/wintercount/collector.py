"""A collector of OpenTelemetry in this process: it takes spans by OTLP over HTTP and keeps them."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Kept(NamedTuple):
    """A span as it came: of which service, and its ids."""

    service: str
    name: str
    trace: str
    id: str
    parent: str


class Collector:
    """What came so far, and where it is taken."""

    def __init__(self, port: int) -> None:
        self.environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_BSP_SCHEDULE_DELAY": "50"}
        self.spans: list[Kept] = []
        self.bodies: list[bytes] = []

    def take(self, body: bytes) -> None:
        """Keeps the spans of a request."""
        self.bodies.append(body)
        for told in ExportTraceServiceRequest.FromString(body).resource_spans:
            service = _attributes(told.resource)["service.name"]
            self.spans += [_kept(service, span) for scope in told.scope_spans for span in scope.spans]

    def named(self, name: str, service: str | None = None) -> list[Kept]:
        """The spans of a name."""
        return [span for span in self.spans if span.name == name and service in (None, span.service)]


def _kept(service: str, span: Any) -> Kept:
    return Kept(service, span.name, span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())


def _attributes(of: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in of.attributes}


@contextlib.contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that lives as long as the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.take(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the library names it
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Collector(server.server_port)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield found
        server.shutdown()
