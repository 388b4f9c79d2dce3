"""Spans as OpenTelemetry has them: its SDK keeps them and sends them to a collector.

A turn is worked on by processes that share nothing but the store, where no trace has a place. So the ids of its trace
are made of the name of its due entry: whoever makes it due begins the trace, and whoever takes it goes on with it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from multiprocessing.util import Finalize

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, SpanKind, StatusCode, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from events.tracing import Figure, Note

EXPORTERS: dict[str, type[SpanExporter]] = {"otlp": OTLPSpanExporter, "console": ConsoleSpanExporter}
KINDS = {"append": SpanKind.CLIENT, "enqueue": SpanKind.PRODUCER, "turn": SpanKind.CONSUMER}
NAMES = {"method": "http.request.method", "route": "http.route", "status": "http.response.status_code"}
BEGUN = "due"  # the span with which the trace of a due entry begins
NOT_WITHIN = Context()  # any other span

_chosen: ContextVar[tuple[int, int] | None] = ContextVar("chosen", default=None)


class Ids(RandomIdGenerator):
    """Random ids but for the spans whose ids are chosen."""

    def generate_trace_id(self) -> int:
        """The id of a new trace."""
        chosen = _chosen.get()
        return chosen[0] if chosen else super().generate_trace_id()

    def generate_span_id(self) -> int:
        """The id of a new span."""
        chosen = _chosen.get()
        return chosen[1] if chosen else super().generate_span_id()


def ids_of(entry: str) -> tuple[int, int]:
    """The ids of the trace of a due entry, and of the span with which it begins."""
    digest = hashlib.sha256(f"due {entry}".encode()).digest()
    return int.from_bytes(digest[:16]), int.from_bytes(digest[16:24])


def tracer_for(service: str, version: str, exporters: Sequence[str], *, follows: bool) -> "OtelTracer":
    """A tracer that sends its spans to these exporters, configured by their own variables, also when the process ends.

    The service and its version are named as given where OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES do not.
    """
    named = Resource({SERVICE_NAME: service, SERVICE_VERSION: version}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=named, id_generator=Ids(), shutdown_on_exit=False)
    for exporter in exporters:
        provider.add_span_processor(BatchSpanProcessor(EXPORTERS[exporter]()))
    Finalize(None, provider.shutdown, exitpriority=0)  # a process of multiprocessing does not come to what atexit has
    return OtelTracer(provider, follows=follows)


class OtelTracer:
    """The tracer of a process that has a provider whose `id_generator` is `Ids`.

    Whether a request `follows` the trace that it names is the operator's to say: anybody may name one.
    """

    def __init__(self, provider: TracerProvider, *, follows: bool) -> None:
        self._tracer, self._sampler, self._follows = provider.get_tracer("wintercount"), provider.sampler, follows

    @contextmanager
    def request(self, name: str, traceparent: str | None, /) -> Iterator[Note]:
        """The span of a request."""
        carried = {"traceparent": traceparent} if traceparent and self._follows else {}
        within = TraceContextTextMapPropagator().extract(carried, NOT_WITHIN)
        with self._begun(name, SpanKind.SERVER, within) as note:
            yield note

    @contextmanager
    def span(self, name: str, /, **figures: Figure) -> Iterator[Note]:
        """A span within the current one."""
        with self._begun(name, KINDS.get(name, SpanKind.INTERNAL), None) as note:
            note(**figures)
            yield note

    def due(self, entries: Iterable[str], /) -> None:
        """Begins the traces of due entries."""
        cause = Link(trace.get_current_span().get_span_context())
        for entry in entries:
            token = _chosen.set(ids_of(entry))
            try:
                self._tracer.start_span(BEGUN, NOT_WITHIN, links=[cause]).end()
            finally:
                _chosen.reset(token)

    @contextmanager
    def of_due(self, name: str, entry: str, /, **figures: Figure) -> Iterator[Note]:
        """A span in the trace of a due entry."""
        with self._begun(name, KINDS.get(name, SpanKind.INTERNAL), self._begin_of(entry)) as note:
            note(**figures)
            yield note

    def _begin_of(self, entry: str) -> Context:
        """The first span of the trace of an entry, sampled as the process that began it has decided."""
        trace_id, span_id = ids_of(entry)
        sampled = self._sampler.should_sample(NOT_WITHIN, trace_id, BEGUN).decision is Decision.RECORD_AND_SAMPLE
        flags = TraceFlags(TraceFlags.SAMPLED if sampled else TraceFlags.DEFAULT)
        return trace.set_span_in_context(NonRecordingSpan(SpanContext(trace_id, span_id, True, flags)), NOT_WITHIN)

    @contextmanager
    def _begun(self, name: str, kind: SpanKind, within: Context | None) -> Iterator[Note]:
        """A span for a block. Of an error only its kind is noted: its text may say what somebody holds."""
        with self._tracer.start_as_current_span(
            name, within, kind, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield partial(_note, span)
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                raise


def _note(span: Span, **figures: Figure) -> None:
    for name, figure in figures.items():
        span.set_attribute(NAMES.get(name, f"wintercount.{name}"), figure)
    if int(figures.get("status", 0)) >= 500:
        span.set_status(StatusCode.ERROR)
