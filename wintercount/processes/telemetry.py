"""OpenTelemetry spans of requests, changes of tables and AI turns, where `OTEL_EXPORTER_OTLP_ENDPOINT` is set.

Elsewhere nothing is imported and nothing wrapped. Spans hold routes and kinds of errors, never names, texts, tables or
moves: whoever collects traces may not look at tables.
"""

import logging
import os
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from multiprocessing.util import Finalize
from typing import Any

from flask import g, request
from flask.globals import request_ctx

from service import __version__

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
TRACED = {  # the functions that become spans
    "request": ("flask", "Flask", "full_dispatch_request"),
    "change": ("service.commands", "CommandHandler", "change"),
    "append": ("events.store", "RedisLog", "append"),
    "turn": ("worker.turns", None, "play_turn"),
}


def set_up(process: str) -> None:
    """Has this process, a `web`, a `dispatcher` or a `worker`, send spans, if an endpoint is set."""
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_VERSION, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        words = "no traces: OpenTelemetry is not installed here: pip install 'wintercount[telemetry]'"
        logging.getLogger(__name__).warning(words)
        return
    os.environ.setdefault("OTEL_SERVICE_NAME", f"wintercount-{process}")
    provider = TracerProvider(resource=Resource.create({SERVICE_VERSION: __version__}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    Finalize(None, provider.shutdown, exitpriority=0)  # `atexit` does not run in the processes that granian starts
    instrument()


def instrument() -> None:
    """Wraps in spans what is traced, in this process from now on."""
    for span, (module, owner, name) in TRACED.items():
        holder = getattr(import_module(module), owner) if owner else import_module(module)
        setattr(holder, name, _spanned(span, getattr(holder, name)))


def _spanned(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function within a span. Of an error only the kind is noted: its text may say what somebody holds."""
    from opentelemetry import propagate, trace

    from service.http import asked_for  # which imports all that serving takes

    @wraps(function)
    def traced(*args: Any, **kwargs: Any) -> Any:
        is_request = name == "request"
        # Anybody can name a trace, so it counts only where the operator has said which header to trust.
        around = propagate.extract(request.headers) if is_request and os.environ.get("OTEL_PROPAGATORS") else None
        kind = trace.SpanKind.SERVER if is_request else trace.SpanKind.INTERNAL
        start = trace.get_tracer("wintercount").start_as_current_span
        with start(name, around, kind, record_exception=False, set_status_on_exception=False) as span:
            try:
                answer = function(*args, **kwargs)
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                raise
            if is_request:
                method, route = asked_for(request_ctx.request)
                span.update_name(f"{method} {route}")
                figures = {"http.request.method": method, "http.route": route}
                status = {"http.response.status_code": answer.status_code, "wintercount.request_id": g.request_id}
                span.set_attributes(figures | status)
            return answer

    return traced
