"""OpenTelemetry spans of requests, changes of tables and AI turns, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set.

Otherwise nothing is imported and nothing wrapped. Spans hold routes and types of errors, never names, texts, tables or
moves: people who read traces may not see tables.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from inspect import iscoroutinefunction
from multiprocessing.util import Finalize
from typing import Any

from flask import request
from flask.globals import request_ctx
from werkzeug.datastructures import EnvironHeaders

from service import __version__

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
TRACED = {  # the functions that become spans, and the names of the spans
    ("flask", "Flask", "full_dispatch_request"): "request",
    ("service.hot_lane", "HotLane", "answer"): "request",
    ("service.command_handler", "CommandHandler", "change"): "change",
    ("service.hot_lane", "HotLane", "outcome"): "change",
    ("events.store", "RedisLog", "append"): "append",
    ("events.pipelined", "PipelinedLog", "append"): "append",
    ("worker.play_turn", None, "play_turn"): "turn",
}
SPAN = "wintercount.span"  # in the WSGI environment: the span of the request, in either lane


def set_up(process: str) -> None:
    """Makes this process, a `web`, `dispatcher` or `worker`, send spans if an endpoint is set."""
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_VERSION, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        words = "no traces: OpenTelemetry is not installed: pip install 'wintercount[telemetry]'"
        logging.getLogger(__name__).warning(words)
        return
    os.environ.setdefault("OTEL_SERVICE_NAME", f"wintercount-{process}")
    provider = TracerProvider(resource=Resource.create({SERVICE_VERSION: __version__}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    Finalize(None, provider.shutdown, exitpriority=0)  # `atexit` does not run in the processes that granian starts
    instrument()


def instrument() -> None:
    """Wraps the traced functions of this process in spans."""
    for (module, owner, name), span in TRACED.items():
        holder = getattr(import_module(module), owner) if owner else import_module(module)
        function = getattr(holder, name)
        is_async = iscoroutinefunction(function)
        if span == "request":
            wrapped = _on_the_loop(function) if is_async else _in_a_thread(function)
        else:
            wrapped = _spanned_async(span, function) if is_async else _spanned(span, function)
        setattr(holder, name, wrapped)


@contextmanager
def _within(span: Any, *, ends: bool) -> Iterator[Any]:
    """Makes a span the current one. Only the type of an error is noted, as its text may contain secrets."""
    from opentelemetry import trace

    with trace.use_span(span, end_on_exit=ends, record_exception=False, set_status_on_exception=False):
        try:
            yield span
        except BaseException as error:
            span.set_attribute("error.type", type(error).__name__)
            raise


def _started(name: str, *context: Any) -> Any:
    from opentelemetry import trace

    return trace.get_tracer("wintercount").start_span(name, *context)


def _spanned(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function within a span."""

    @wraps(function)
    def traced(*args: Any, **kwargs: Any) -> Any:
        with _within(_started(name), ends=True):
            return function(*args, **kwargs)

    return traced


def _spanned_async(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the coroutine within a span."""

    @wraps(function)
    async def traced(*args: Any, **kwargs: Any) -> Any:
        with _within(_started(name), ends=True):
            return await function(*args, **kwargs)

    return traced


def _span_of(environ: dict[str, Any]) -> Any:
    """Returns the span of a request, which the first lane starts."""
    from opentelemetry import propagate, trace

    if SPAN not in environ:
        # Any client can name a trace, so it counts only if the operator has said which header to trust.
        around = propagate.extract(EnvironHeaders(environ)) if os.environ.get("OTEL_PROPAGATORS") else None
        environ[SPAN] = _started("request", around, trace.SpanKind.SERVER)
    return environ[SPAN]


def _in_a_thread(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function that answers a request in a thread, within the span of the request."""
    from service.http import asked_for  # which imports the whole service

    @wraps(function)
    def traced(*args: Any, **kwargs: Any) -> Any:
        with _within(_span_of(request.environ), ends=True) as span:
            answer = function(*args, **kwargs)
            _describe(span, asked_for(request_ctx.request), answer.status_code, request.environ)
            return answer

    return traced


def _on_the_loop(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the coroutine that answers a request, in its own task: granian's coroutines may share a context."""
    from service.hot_lane import operation_of

    async def answer(lane: Any, environ: dict[str, Any], body: bytes) -> Any:
        with _within(span := _span_of(environ), ends=False):
            sent = await function(lane, environ, body)
            if sent and (operation := operation_of(environ)):
                _describe(span, operation[:2], sent.status_code, environ)
                span.end()
            return sent

    @wraps(function)
    async def traced(lane: Any, environ: dict[str, Any], body: bytes) -> Any:
        return await asyncio.get_running_loop().create_task(answer(lane, environ, body))

    return traced


def _describe(span: Any, operation: tuple[str, str], status: int, environ: dict[str, Any]) -> None:
    from service.http import request_id

    method, route = operation
    span.update_name(f"{method} {route}")
    figures = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    span.set_attributes(figures | {"wintercount.request_id": request_id(environ)})
