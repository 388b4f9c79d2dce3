"""Traces: what a process tells a collector of OpenTelemetry, that it tells no secrets, and nothing unless asked to."""

import contextlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from typing import Any, NamedTuple

import pytest
import requests
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.servers import SECRET, data_beside, wait_until
from tests.service.api.world import World, embedded_store
from tests.service.web import process_of, serving
from wintercount.processes import telemetry
from worker import play_turn
from worker.dispatcher import Dispatcher

pytestmark = pytest.mark.slow

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MOVES = "POST /v1/tables/<table>/moves"
NAMES = ("Wanderer Anselma", "Berengar Planted")
STARTED_S = 180.0  # for processes to start on a busy machine
FIGURES = {  # all that a span is ever told
    *("http.request.method", "http.route", "http.response.status_code", "error.type", "wintercount.request_id")
}


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


class Traces:
    """The spans of this process that have ended."""

    def __init__(self) -> None:
        self._kept = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self._kept))

    def all(self) -> list[ReadableSpan]:
        return list(self._kept.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.all() if span.name == name]

    def within(self, outer: ReadableSpan) -> list[str]:
        """The names of the spans directly within another one."""
        return [span.name for span in self.all() if span.parent == outer.get_span_context()]


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> Traces:
    """What this process does in the test."""
    found = Traces()
    monkeypatch.setattr(trace, "get_tracer", found.provider.get_tracer)
    for module, owner, name in telemetry.TRACED:
        holder = getattr(import_module(module), owner) if owner else import_module(module)
        monkeypatch.setattr(holder, name, getattr(holder, name))  # as it was, when the test is over
    telemetry.instrument()
    return found


@pytest.fixture(params=["threads", "loop"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A service whose requests are answered in threads, or by the web server with its event loop."""
    on_the_loop = request.param == "loop"
    with embedded_store() as url, contextlib.closing(World(url, on_the_loop=on_the_loop)) as found:
        yield found


def figures(span: ReadableSpan) -> dict[str, Any]:
    """What it was told."""
    return dict(span.attributes or {})


def with_ai(found: World, name: str = NAMES[0]) -> Any:
    """Somebody at a table of Manitou with an AI seat: who, and what was answered."""
    ann = found.somebody(name)
    seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
    return ann, ann.post("/v1/tables", {"game": "manitou", "seats": seats}).json


def work_off(found: World) -> None:
    """Enqueues what is due, and plays it, as dispatcher and worker do."""
    due: list[str] = []
    Dispatcher(found.services.handler, lambda table, _name, _alone: due.append(table)).dispatch(range(64))
    for table in due:
        play_turn.play_turns(found.services.handler, table)


def test_a_request_is_a_span_around_its_change_and_its_append(traces: Traces, world: World) -> None:
    """With method, route, status and the request's id; a turn of an AI seat is a span of its own."""
    ann, table = with_ai(world)
    work_off(world)
    world.play(table["id"], ann, moves=1)
    work_off(world)
    (asked,) = traces.named(MOVES)
    told = figures(asked)
    assert len(told.pop("wintercount.request_id")) == 32
    assert told == {
        "http.request.method": "POST",
        "http.route": "/v1/tables/<table>/moves",
        "http.response.status_code": 200,
    }
    assert asked.parent is None
    (change,) = [span for span in traces.named("change") if span.parent == asked.get_span_context()]
    assert traces.within(change) == ["append"]
    turn = traces.named("turn")[-1]
    assert (turn.parent, traces.within(turn)) == (None, ["change"])


def test_no_span_tells_what_only_some_may_read(traces: Traces, world: World) -> None:
    """No name, no token, no table, no move and no card; nor does the text of an error, also of a refusal."""
    ann, ben = world.somebody(NAMES[0]), world.somebody(NAMES[1])
    table = world.open(ann, ben, game="big-manitou")
    world.play(table, ann, ben, moves=20)
    refused = ann.post(f"/v1/tables/{table}/moves", world.moving(table, 1, {"type": "planted-move"}))
    _, other = with_ai(world)
    work_off(world)
    secrets = [*NAMES, table, other["id"], "planted-move"]
    secrets += [str(word) for one in (ann, ben) for word in (one.token, one.player)]
    rules = {rule.rule for rule in world.app.url_map.iter_rules()}
    assert refused.status_code in (409, 422)
    assert {name for span in traces.all() for name in figures(span)} <= FIGURES
    told = [json.loads(span.to_json()) for span in traces.all()]
    assert [one["events"] for one in told if one["events"]] == []
    text = json.dumps(told)
    assert [secret for secret in secrets if secret in text] == []
    words = {value for span in traces.all() for value in figures(span).values() if isinstance(value, str)}
    assert {word for word in words - rules if not re.fullmatch("[0-9a-f]{32}", word)} <= {"POST", "Refused"}
    assert len(told) > 50


@pytest.mark.parametrize("follows", [False, True])
def test_a_traceparent_counts_only_where_the_operator_says_so(
    traces: Traces, world: World, monkeypatch: pytest.MonkeyPatch, *, follows: bool
) -> None:
    """Anybody can send one; one that is malformed begins a trace of its own."""
    if follows:
        monkeypatch.setenv("OTEL_PROPAGATORS", "tracecontext")
    for header in (PARENT, "00-planted-01"):
        world.nobody.get("/v1/games", traceparent=header)
    one, other = traces.named("GET /v1/games")
    assert (json.loads(one.to_json())["context"]["trace_id"] == f"0x{PARENT.split('-')[1]}") is follows
    assert (one.parent is not None, other.parent) == (follows, None)


def test_without_the_variables_nothing_of_it_is_imported(world: World) -> None:
    """Nor anything that it needs, in a web process with its service open; redis-py looks for its own metrics."""
    code = (
        "import sys; from service.config import Settings; from wintercount.processes import telemetry, web;"
        "url, secret, data = sys.argv[1:]; telemetry.set_up('web');"
        "web.create_app(web.services_from(Settings(redis_url=url, secret=secret, data=data), url));"
        "print([name for name in sys.modules if name.startswith(('opentelemetry.sdk.trace', 'opentelemetry.exporter',"
        "'google'))])"
    )
    url = world.url
    done = subprocess.run(
        [sys.executable, "-c", code, url, SECRET, str(data_beside(url))], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@contextlib.contextmanager
def everything(url: str) -> Iterator[str]:
    """Web server, dispatcher and worker, each a process of its own; the server's address."""
    with (
        serving(url) as address,
        process_of(url, "-m", "wintercount", "dispatch"),
        process_of(url, "-m", "wintercount", "worker"),
    ):
        yield address


def test_every_process_sends_its_spans_to_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Web server and worker, each under its name, by OTLP."""
    with collecting() as collector, embedded_store() as store:
        for name, value in (collector.environment | {"OTEL_RESOURCE_ATTRIBUTES": "deployment=test"}).items():
            monkeypatch.setenv(name, value)
        with everything(store) as address:
            secrets = played_at(address)
            wait_until(lambda: collector.named("turn"), STARTED_S)
    asked = collector.named("POST /v1/tables", "wintercount-web")[0]
    assert [span for span in collector.named("append", "wintercount-web") if span.trace == asked.trace]
    turn = collector.named("turn", "wintercount-worker")[0]
    assert [span.name for span in collector.spans if span.parent == turn.id] == ["change"]
    assert not any(secret.encode() in body for body in collector.bodies for secret in (*NAMES, *secrets))


def played_at(address: str) -> list[str]:
    """Opens a table at which the AI seat has to choose, and waits until it has played; what no span may tell."""
    made = requests.post(f"{address}/v1/players", json={"name": NAMES[0]}, timeout=60).json()
    headers = {"Authorization": f"Bearer {made['token']['secret']}"}
    seats = [{"kind": "ai", "level": "uniform"}, {"kind": "me"}]
    body = {"game": "manitou", "seats": seats}
    table = requests.post(f"{address}/v1/tables", json=body, headers=headers, timeout=60).json()
    path = f"{address}/v1/tables/{table['id']}"
    wait_until(lambda: requests.get(path, headers=headers, timeout=60).json()["version"] > table["version"], STARTED_S)
    return [made["id"], made["token"]["secret"], table["id"]]


def test_a_collector_that_is_away_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are answered, and the process ends when it is told to."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with embedded_store() as store, serving(store) as address:
        assert requests.get(f"{address}/v1/games", timeout=60).ok
