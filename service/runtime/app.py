"""The Flask app: resources, errors as problem documents, metrics and the OpenAPI document."""

import logging
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import msgspec
from flask import Flask, Response, g, request
from flask_smorest import Api
from redis.exceptions import BusyLoadingError, OutOfMemoryError, RedisError
from werkzeug.exceptions import HTTPException

from events.acknowledging import NotReplicated
from events.log import LogDamaged, LogNewer
from events.store import RedisLog
from projections import lobby
from projections.lobby import NAME, all_seated
from projections.store import current
from projections.table import Table
from service import metrics
from service.accounts.accounts import Accounts, Caller
from service.accounts.inheritance import sealer_of
from service.accounts.keys import KeysUnavailable, keys_of
from service.accounts.texts import Texts
from service.accounts.webhooks import Webhooks
from service.api import (
    audits,
    disputes,
    documentation,
    events,
    feed,
    forks,
    games,
    inbox,
    lessons,
    moves,
    operations,
    players,
    rulings,
    tables,
    transcripts,
    travel,
)
from service.api.admission import TOLD, WORK
from service.api.common import Services, charge
from service.api.document.openapi import SPEC_OPTIONS, complete
from service.api.strict import MAX_BYTES, PathWhole
from service.commands import CommandHandler
from service.config import Settings
from service.cursors import cursors_of
from service.errors import PROBLEMS, Refused, problem
from service.limits.budgets import Limits
from service.limits.claims import ClaimStore
from service.limits.costs import FEED, cost_ms
from service.limits.holdings import OpenDisputes, OpenTables
from service.limits.quotas import Holdings, Quota, Quotas
from service.logs import log_answer
from service.page import blueprint as page
from service.page import nothing_here, wants_page
from service.runtime.apart import Apart, Here
from service.runtime.entry import let_in
from service.runtime.http import bound_lists, speak_http
from service.stores import log_at
from service.streams.feed import Pages
from service.streams.hub import Hub
from service.streams.room import Bounds
from service.transcripts.keeping import TranscriptStore
from service.transcripts.reading import Transcripts
from worker.explaining import Explainer
from worker.levels import efforts
from worker.thinking import Thinker

log = logging.getLogger(__name__)

RESOURCES = (
    games,
    players,
    tables,
    lessons,
    moves,
    events,
    feed,
    rulings,
    travel,
    audits,
    disputes,
    forks,
    transcripts,
    inbox,
    operations,
)
CODE_OF_STATUS = {
    400: "malformed",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid",
}


def services_from(settings: Settings, url: str, *, apart: bool = False) -> Services:
    """The services on the Redis at `url`; `apart` answers expensive reads in another process."""
    store = log_at(url, settings)
    client = store.client
    sealer = sealer_of(client, settings)
    texts = Texts(keys_of(client, settings, sealer))
    loaded = Transcripts(TranscriptStore(client, texts, settings.transcripts), charge)
    handler = CommandHandler(store, settings.kept_tables, texts, cursors_of(sealer), loaded)
    accounts = Accounts(client, sealer, settings.admin_token, settings.metrics_token, settings.tokens)
    expensive, limits = Apart(url) if apart else Here(handler), Limits(settings)
    hub = Hub(
        handler,
        accounts,
        Bounds(settings.streams, settings.streams_per_client),
        lambda player: all_seated(current(store, NAME), player),
        Pages(expensive, partial(_charge_page, limits)),
    )
    return Services(
        handler,
        accounts,
        hub,
        Explainer(Thinker(settings.turn_s)),
        Webhooks(client, sealer, settings.reach),
        expensive,
        limits,
        settings.proxies,
        _quotas(settings, handler, store),
    )


def _charge_page(limits: Limits, caller: Caller, address: str) -> None:
    limits.spend(caller, address, WORK, cost_ms("GET", FEED))


def _quotas(settings: Settings, handler: CommandHandler, store: RedisLog) -> Quotas:
    def find(table: str) -> Table | None:
        history = handler.histories.fresh(table)
        return history.table if history else None

    def quota(kind: str, holdings: Holdings, remember_s: float) -> Quota:
        return Quota(ClaimStore(store.client, kind), holdings, handler.now_ms, remember_s)

    return Quotas(
        settings,
        quota("tables", OpenTables(lambda player: lobby.unfinished_by(current(store, NAME), player), find), 1.0),
        quota("disputes", OpenDisputes(lambda player: lobby.disputed_by(current(store, NAME), player), find), 0.0),
    )


class App(Flask):
    """A Flask app all of whose views are plain functions."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The view unchanged: Flask would check on every request whether it is a coroutine."""
        return func


def create_app(services: Services | None = None) -> Flask:
    """The app that serves these services; without them it answers only what needs no store."""
    app = _empty_app()
    app.extensions["wintercount"], app.extensions["efforts"] = services, efforts
    app.extensions["openapi"] = cache(document)
    for resource in (*RESOURCES, documentation):
        app.register_blueprint(resource.blueprint)
    app.register_blueprint(page)
    speak_http(app)
    _handle_errors(app)
    _measure(app)
    bound_lists(app)
    let_in(app, services)
    return app


def _empty_app() -> Flask:
    app = App("service", template_folder="page/templates", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=MAX_BYTES, **SPEC_OPTIONS)
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's default provider has it
    app.url_map.merge_slashes = False  # a path is right as it stands, or nothing is there
    app.url_map.converters["int"] = PathWhole
    return app


def document() -> dict[str, Any]:
    """The OpenAPI document. An app makes it when it is first asked for: it takes longer than all of `create_app`."""
    api = Api(_empty_app())
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    return complete(api.spec.to_dict())


def _handle_errors(app: Flask) -> None:
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(RedisError, _store_error)
    app.register_error_handler(NotReplicated, _not_replicated)
    app.register_error_handler(KeysUnavailable, _keys_unavailable)
    app.register_error_handler(LogDamaged, _damaged)
    app.register_error_handler(LogNewer, _newer)
    app.register_error_handler(Exception, _unexpected)


def answer(refusal: Refused) -> Response:
    """A refusal as a problem document."""
    body = problem(refusal) | ({"request_id": g.request_id} if "request_id" in g else {})
    response = Response(msgspec.json.encode(body), body["status"], mimetype="application/problem+json")
    if "retry_after" in refusal.members:
        response.headers["Retry-After"] = str(refusal.members["retry_after"])
    if refusal.code in ("too-many-streams", "too-busy", "store-unavailable", "store-loading", "not-replicated"):
        response.headers["Retry-After"] = "1"
    if refusal.code == "unauthenticated":
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _refused(refusal: Refused) -> Response:
    request.environ[TOLD] = refusal.code
    return answer(refusal)


def _http_error(error: HTTPException) -> Response:
    code = CODE_OF_STATUS.get(error.code or 500, "internal")
    if code == "not-found" and wants_page():
        return nothing_here()
    response = answer(Refused(code, error.description or PROBLEMS[code].title))
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers["Allow"] = value
    return response


def _store_error(error: RedisError) -> Response:
    if isinstance(error, BusyLoadingError):
        return answer(Refused("store-loading", "the store loads its data; `/readyz` tells how far it has come"))
    if isinstance(error, OutOfMemoryError):
        log.error("the store is full: %s", error)
        return answer(
            Refused("store-full", "nothing was written: the store has no memory left; what is there is read on")
        )
    log.error("the store does not answer: %s", error)
    return answer(
        Refused("store-unavailable", "the store does not answer; a request with an Idempotency-Key is safe to repeat")
    )


def _not_replicated(error: NotReplicated) -> Response:
    log.error("%s", error)
    return answer(
        Refused(
            "not-replicated",
            "it may be recorded, but no replica has it on disk yet; "
            "a request with an Idempotency-Key is safe to repeat: the repeat waits again",
        )
    )


def _keys_unavailable(error: KeysUnavailable) -> Response:
    log.error("the key store does not answer: %s", error)
    return answer(
        Refused("store-unavailable", "names cannot be read now; a request with an Idempotency-Key is safe to repeat")
    )


def _damaged(error: LogDamaged) -> Response:
    log.critical("%s: %s", request.path, error)
    return answer(Refused("log-damaged", "nothing was written; the operator has been told"))


def _newer(error: LogNewer) -> Response:
    log.error("%s: %s", request.path, error)
    return answer(
        Refused("log-newer", "a newer release recorded this table; it is read again when this one is upgraded")
    )


def _unexpected(error: Exception) -> Response:
    log.exception("%s %s", request.method, request.path, exc_info=error)
    return answer(Refused("internal", "the operator has been told; a request with an Idempotency-Key may be repeated"))


def _measure(app: Flask) -> None:
    @app.before_request
    def _begin() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def _end(response: Response) -> Response:
        asked = (request.method, request.url_rule.rule) if request.url_rule else ("any", "none")
        metrics.answered(*asked, response.status_code).inc()
        metrics.seconds(*asked).observe(took_s := time.perf_counter() - g.began)
        log_answer(*asked, response.status_code, took_s)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        return response
