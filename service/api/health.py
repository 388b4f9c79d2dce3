"""Health, readiness and metrics, for operators."""

from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from redis.exceptions import BusyLoadingError

from events.waiting_for_store import loading
from service.api.common import handler, redis_log, reply
from service.api.media_types import TEXT
from service.api.request_parsing import Blueprint
from service.api.schemas.games import HealthSchema, ReadySchema
from service.errors import Refused
from service.metrics import TurnsCollector, dispatcher_lag, update_log_metrics, web_metrics

blueprint = Blueprint("operations", __name__, description="Health and metrics")


@blueprint.get("/healthz", answer=HealthSchema)
@blueprint.contract(asks_store=False, counts=None)
def get_health() -> Response:
    """Check that the process lives. Does not ask the store."""
    return reply({"status": "alive"})


@blueprint.get("/readyz", answer=ReadySchema)
@blueprint.contract(counts=None)
def get_readiness() -> Response:
    """Check readiness. Returns whether the store takes writes and how durable they are; 503 while it loads its data.

    Also returns how far the dispatcher lags. A lag does not change the status, because moves are taken without it.
    """
    try:
        found = handler().log.ping()
    except BusyLoadingError:
        waits = loading(redis_log().client)
        raise Refused(waits.code, waits.detail, **waits.figures) from None
    return reply(
        {
            "status": "ready",
            "durability": redis_log().durability(),
            **found,
            **dispatcher_lag(handler().now_ms(), redis_log()),
        }
    )


@blueprint.get("/metrics", answer=TEXT, content_type="text/plain")
@blueprint.contract(needs="metrics", counts=None)
def get_metrics() -> Response:
    """Read metrics. Returns the Prometheus text format, for `WINTERCOUNT_METRICS_TOKEN` or an operator's token."""
    update_log_metrics(handler())
    workers = CollectorRegistry()
    workers.register(TurnsCollector(redis_log().client))
    return Response(web_metrics() + generate_latest(workers), content_type=CONTENT_TYPE_LATEST)
