"""Traces: what a process tells a collector of OpenTelemetry, that it tells no secrets, and nothing unless asked to."""

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, Sampler, TraceIdRatioBased

from events import tracing
from service import __version__
from service.runtime.otel import Ids, OtelTracer, ids_of
from service.runtime.telemetry import exporters, fault, set_up
from tests.servers import SECRET, data_beside, wait_until
from tests.service.api.world import World, embedded_store
from tests.service.collector import collecting
from tests.service.web import process_of, serving
from worker.dispatch import Dispatcher
from worker.turns import play_turns

pytestmark = pytest.mark.slow

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MOVES = "POST /v1/tables/<table>/moves"
NAMES = ("Wanderer Anselma", "Berengar Planted")
STARTED_S = 180.0  # for processes to start on a busy machine
FIGURES = {  # all that a span is ever told
    *("http.request.method", "http.route", "http.response.status_code", "error.type", "wintercount.request_id"),
    *("wintercount.events", "wintercount.repeated", "wintercount.batches", "wintercount.attempt", "wintercount.game"),
}


class Traces:
    """The spans of this process, and the tracer that keeps them."""

    def __init__(self, *, follows: bool = False, sampler: Sampler | None = None) -> None:
        self._kept = InMemorySpanExporter()
        provider = TracerProvider(sampler=sampler, id_generator=Ids(), shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._kept))
        self.tracer = OtelTracer(provider, follows=follows)

    def all(self) -> list[ReadableSpan]:
        """All spans that have ended."""
        return list(self._kept.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        """Those of a name."""
        return [span for span in self.all() if span.name == name]


@contextlib.contextmanager
def traced(**options: Any) -> Iterator[Traces]:
    """What this process does in the block."""
    traces = Traces(**options)
    tracing.use(traces.tracer)
    try:
        yield traces
    finally:
        tracing.use(tracing.NoTracer())


@contextlib.contextmanager
def world(url: str) -> Iterator[World]:
    """A service made with the tracer that is in use."""
    with contextlib.closing(World(url)) as found:
        yield found


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with embedded_store() as found:
        yield found


def ids(span: Any) -> tuple[int, int]:
    """Trace and span."""
    context = span if not hasattr(span, "get_span_context") else span.get_span_context()
    return context.trace_id, context.span_id


def parent(span: ReadableSpan) -> tuple[int, int] | None:
    """Trace and span of the span around it."""
    return (span.parent.trace_id, span.parent.span_id) if span.parent else None


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
        play_turns(found.services.handler, table)


def test_a_request_is_a_span_around_its_decision_and_its_append(url: str) -> None:
    """With method, route, status and the request's id; the append tells how many events it wrote."""
    with traced() as traces, world(url) as found:
        ann, table = with_ai(found)
        work_off(found)
        found.play(table["table"], ann, moves=1)
    (asked,) = traces.named(MOVES)
    told = figures(asked)
    assert len(told.pop("wintercount.request_id")) == 32
    assert told == {
        "http.request.method": "POST",
        "http.route": "/v1/tables/<table>/moves",
        "http.response.status_code": 200,
    }
    within = [span for span in traces.all() if parent(span) == ids(asked)]
    assert [span.name for span in within] == ["decide", "append"]
    assert figures(within[1])["wintercount.events"] > 0
    assert figures(within[1])["wintercount.repeated"] is False
    assert asked.parent is None


def test_a_turn_is_one_trace_from_the_append_that_made_it_due_to_its_own(url: str) -> None:
    """Linked to that append, whichever processes take it: its ids follow from the due entry alone."""
    with traced() as traces, world(url) as found:
        ann, table = with_ai(found)
        work_off(found)
        found.play(table["table"], ann, moves=1)
        (member,) = [one.member for one in found.services.handler.log.due(found_partition(found, table["table"]))]
        work_off(found)
    begun = next(span for span in traces.named("due") if ids(span) == ids_of(member))
    enqueued = next(span for span in traces.named("enqueue") if parent(span) == ids_of(member))
    turn = next(span for span in traces.named("turn") if parent(span) == ids_of(member))
    (cause,) = [span for span in traces.named("append") if ids(span) == ids(begun.links[0].context)]
    (asked,) = traces.named(MOVES)
    assert parent(cause) == ids(asked)
    assert [span.name for span in traces.all() if parent(span) == ids(turn)] == ["decide", "append"]
    assert figures(turn) == {"wintercount.game": "manitou"}
    assert figures(enqueued) == {"wintercount.attempt": 1}
    assert ids(turn)[0] != ids(asked)[0]


def found_partition(found: World, table: str) -> int:
    """Where a table's due entries are."""
    return found.services.handler.log.partition(table)  # type: ignore[attr-defined,no-any-return]


def test_projections_are_spans(url: str) -> None:
    """One for each page of a feed, with the number of its batches."""
    with traced() as traces, world(url) as found:
        with_ai(found)
        found.catch_up()
    assert sum(figures(span)["wintercount.batches"] for span in traces.named("project")) >= 1


def test_no_span_tells_what_only_some_may_read(url: str) -> None:
    """No name, no token, no table, no move and no card; nor does the text of an error, also of a refusal."""
    with traced() as traces, world(url) as found:
        ann, ben = found.somebody(NAMES[0]), found.somebody(NAMES[1])
        table = found.open(ann, ben, game="big-manitou")
        found.play(table, ann, ben, moves=20)
        refused = ann.post(f"/v1/tables/{table}/moves", found.moving(table, 1, {"type": "planted-move"}))
        _, other = with_ai(found)
        work_off(found)
        found.catch_up()
        secrets = [*NAMES, table, other["table"], "planted-move"]
        secrets += [str(word) for one in (ann, ben) for word in (one.token, one.player)]
        rules = {rule.rule for rule in found.app.url_map.iter_rules()}
    assert refused.status_code in (409, 422)
    assert {name for span in traces.all() for name in figures(span)} <= FIGURES
    told = [json.loads(span.to_json()) for span in traces.all()]
    assert [one["events"] for one in told if one["events"]] == []
    text = json.dumps(told)
    assert [secret for secret in secrets if secret in text] == []
    words = {value for span in traces.all() for value in figures(span).values() if isinstance(value, str)}
    assert {word for word in words - rules if not re.fullmatch("[0-9a-f]{32}", word)} == {"POST", "Refused", "manitou"}
    assert len(told) > 50


def test_an_error_is_told_by_its_kind_alone() -> None:
    """Its text may be of somebody's cards."""
    with traced() as traces, pytest.raises(ValueError, match="scout-3"), tracing.span("decide"):
        raise ValueError("seat 1 holds scout-3")
    (span,) = traces.all()
    assert figures(span) == {"error.type": "ValueError"}
    assert span.events == ()
    assert span.status.description is None


@pytest.mark.parametrize(("follows", "trace"), [(False, None), (True, PARENT.split("-")[1])])
def test_a_traceparent_counts_only_where_the_operator_says_so(url: str, *, follows: bool, trace: str | None) -> None:
    """Anybody can send one; what is none begins a trace of its own."""
    with traced(follows=follows) as traces, world(url) as found:
        for header in (PARENT, "00-planted-01"):
            found.nobody.get("/v1/games", traceparent=header)
    one, other = (format(ids(span)[0], "032x") for span in traces.named("GET /v1/games"))
    assert (one == PARENT.split("-")[1]) is (trace is not None)
    assert (traces.all()[0].parent is not None, traces.all()[1].parent) == (follows, None)
    assert other != one


@pytest.mark.parametrize(("share", "spans"), [(0.0, 0), (1.0, 2)])
def test_all_processes_sample_a_turn_alike(share: float, spans: int) -> None:
    """The id of its trace decides, which each can work out."""
    with traced(sampler=ParentBased(TraceIdRatioBased(share))) as traces:
        tracing.due(["t_one|ai|2|7|0"])
        with tracing.of_due("turn", "t_one|ai|2|7|0"):
            pass
    assert len(traces.all()) == spans


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({}, []),
        ({"OTEL_SERVICE_NAME": "x"}, []),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, ["otlp"]),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, ["otlp"]),
        ({"OTEL_TRACES_EXPORTER": "otlp, console"}, ["otlp", "console"]),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, []),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "otlp"}, []),
    ],
)
def test_the_variables_of_opentelemetry_decide(variables: dict[str, str], found: list[str]) -> None:
    """Without them nothing is sent, though the standard would send to this machine."""
    assert list(exporters(variables)) == found
    assert fault(variables) is None


def test_what_cannot_be_sent_is_a_warning_and_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It says what to do, and the process goes on without traces."""
    assert "zipkin: otlp, console and none" in str(fault({"OTEL_TRACES_EXPORTER": "zipkin"}))
    grpc = {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    assert "set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf" in str(fault(grpc))
    monkeypatch.setattr("service.runtime.telemetry.NEEDED", ("a_package.that_nobody_has",))
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    set_up("web")
    assert "pip install 'wintercount[telemetry]'" in caplog.text
    assert not tracing.in_use()


def test_without_the_variables_nothing_of_it_is_imported(url: str) -> None:
    """Nor anything that it needs, in a web process with its service open; redis-py looks for its own metrics."""
    code = (
        "import sys; from service.config import Settings; from service.runtime import telemetry, web;"
        "url, secret, data = sys.argv[1:]; telemetry.set_up('web');"
        "web.create_app(web.services_from(Settings(redis_url=url, secret=secret, data=data), url));"
        "print([name for name in sys.modules if name.startswith(('opentelemetry.sdk.trace', 'opentelemetry.exporter',"
        "'google', 'service.runtime.otel'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, url, SECRET, str(data_beside(url))], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@contextlib.contextmanager
def everything(url: str) -> Iterator[str]:
    """Web server, dispatcher and worker, each a process of its own; the server's address."""
    with (
        serving(url) as address,
        process_of(url, "-m", "service.runtime.cli", "dispatch"),
        process_of(url, "-m", "service.runtime.cli", "worker"),
    ):
        yield address


def test_a_turn_is_followed_through_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the request over the store, the dispatcher and rq to the worker's append, by OTLP to a collector."""
    with collecting() as collector, embedded_store() as store:
        for name, value in (collector.environment | {"OTEL_RESOURCE_ATTRIBUTES": "deployment=test"}).items():
            monkeypatch.setenv(name, value)
        with everything(store) as address:
            secrets = played_at(address)
            wait_until(lambda: collector.named("project") and collector.named("turn"), STARTED_S)
    asked = collector.named("POST /v1/tables", "wintercount-web")[0]
    append = next(span for span in collector.named("append", "wintercount-web") if span.parent == asked.id)
    begun = next(span for span in collector.named("due", "wintercount-web") if (append.trace, append.id) in span.links)
    (enqueued, *_) = [span for span in collector.named("enqueue", "wintercount-dispatcher") if span.parent == begun.id]
    turn = next(span for span in collector.named("turn", "wintercount-worker") if span.parent == begun.id)
    assert {begun.trace, enqueued.trace, turn.trace} == {begun.trace}
    assert [span.name for span in collector.spans if span.parent == turn.id] == ["decide", "append"]
    assert collector.named("project")[0].service == "wintercount-dispatcher"
    assert not any(secret.encode() in body for body in collector.bodies for secret in (*NAMES, *secrets))


def played_at(address: str) -> list[str]:
    """Opens a table at which the AI seat has to choose, and waits until it has played; what no span may tell."""
    made = requests.post(f"{address}/v1/players", json={"name": NAMES[0]}, timeout=60).json()
    headers = {"Authorization": f"Bearer {made['token']['secret']}"}
    seats = [{"kind": "ai", "level": "uniform"}, {"kind": "me"}]
    body = {"game": "manitou", "seats": seats}
    table = requests.post(f"{address}/v1/tables", json=body, headers=headers, timeout=60).json()
    path = f"{address}/v1/tables/{table['table']}"
    wait_until(lambda: requests.get(path, headers=headers, timeout=60).json()["version"] > table["version"], STARTED_S)
    return [made["player"], made["token"]["secret"], table["table"]]


def test_what_a_process_did_last_is_sent_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although its next time to send is far off; the version of the service is told with it."""
    with collecting() as collector, embedded_store() as store:
        for name, value in (collector.environment | {"OTEL_BSP_SCHEDULE_DELAY": "3600000"}).items():
            monkeypatch.setenv(name, value)
        with serving(store) as address:
            requests.get(f"{address}/v1/games", timeout=60)
        assert collector.named("GET /v1/games")
    assert any(__version__.encode() in body for body in collector.bodies)


def test_a_collector_that_is_away_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are answered, and the process ends when it is told to."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with embedded_store() as store, serving(store) as address:
        assert requests.get(f"{address}/v1/games", timeout=60).ok
