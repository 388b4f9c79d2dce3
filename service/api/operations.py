"""What operators and client authors ask for: health, readiness, metrics, the documentation."""

from collections.abc import Callable
from typing import Any

from flask import Response, current_app, render_template
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from redis.exceptions import BusyLoadingError

from service.api.common import caller, handler, redis_log, reply, services
from service.api.document.openapi import as_yaml
from service.api.schemas.operations import HealthSchema, ReadySchema
from service.api.strict import Blueprint
from service.errors import PROBLEMS, Refused
from service.loading import loading
from service.metrics import STREAMS, TurnsCollector, observe_log
from service.page import HEADERS

TEXT = {"type": "string"}

blueprint = Blueprint("operations", __name__, description="Health, metrics and documentation")


@blueprint.get("/healthz")
@blueprint.response(200, HealthSchema)
@blueprint.contract(asks_store=False)
def get_healthz() -> Response:
    """That the process lives. Asks nothing of the store."""
    return reply({"status": "alive"})


@blueprint.get("/readyz")
@blueprint.response(200, ReadySchema)
@blueprint.contract()
def get_readyz() -> Response:
    """That the store takes writes, and what it does before it acknowledges; 503 while it loads its data."""
    try:
        found = handler().log.ping()
    except BusyLoadingError:
        waits = loading(redis_log().client)
        raise Refused(waits.code, waits.detail, **waits.figures) from None
    return reply({"status": "ready", "durability": redis_log().durability(), **found})


@blueprint.get("/metrics")
@blueprint.response(200, TEXT, content_type="text/plain")
@blueprint.contract(caller="needed", scopes=("metrics",))
def get_metrics() -> Response:
    """Metrics in the Prometheus text format. For operators (`WINTERCOUNT_METRICS_TOKEN`, or their own token)."""
    caller().needs("metrics")
    observe_log(handler())
    STREAMS.set(services().hub.open)
    workers = CollectorRegistry()
    workers.register(TurnsCollector(redis_log().client))
    return Response(generate_latest() + generate_latest(workers), content_type=CONTENT_TYPE_LATEST)


@blueprint.get("/openapi.yaml")
@blueprint.response(200, TEXT, content_type="application/yaml")
@blueprint.contract(asks_store=False)
def get_openapi() -> Response:
    """This document."""
    return Response(_made_once("openapi.yaml", as_yaml), mimetype="application/yaml")


@blueprint.get("/docs")
@blueprint.response(200, TEXT, content_type="text/html")
@blueprint.contract(asks_store=False)
def get_docs() -> Response:
    """The documentation for people."""
    return Response(_made_once("docs", _docs), mimetype="text/html", headers=HEADERS)


@blueprint.get("/docs/problems")
@blueprint.response(200, TEXT, content_type="text/html")
@blueprint.contract(asks_store=False)
def get_problems() -> Response:
    """All kinds of problem."""
    return Response(render_template("problems.html", problems=PROBLEMS), mimetype="text/html", headers=HEADERS)


def _made_once(name: str, make: Callable[[dict[str, Any]], str]) -> str:
    """What is made of the document, kept: to write it out takes a second of processor."""
    kept: dict[str, str] = current_app.extensions.setdefault("made_once", {})
    if name not in kept:
        kept[name] = make(current_app.extensions["openapi"])
    return kept[name]


def _docs(document: dict[str, Any]) -> str:
    return render_template("docs.html", document=document)
