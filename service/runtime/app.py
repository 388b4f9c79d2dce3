"""The Flask app: resources, metrics and the OpenAPI document."""

from functools import partial
from typing import Any

from flask import Flask
from flask_smorest import Api

from events.scripts import Client
from events.store import RedisLog, connect
from projections import lobby, lobby_lists
from projections.store import current
from projections.table import Table
from service.accounts.accounts import Accounts
from service.accounts.people import people_of
from service.accounts.person_keys import keys_of
from service.accounts.personal_texts import Texts
from service.accounts.sealing import sealer_for
from service.accounts.webhooks import Webhooks
from service.analyses.asking import TableAnalyses
from service.analyses.keeping import Analyses
from service.api.admission import Admission, let_in
from service.api.common import Services
from service.api.document.openapi import SPEC_OPTIONS, complete
from service.api.strict import PathWhole
from service.commands import CommandHandler
from service.config import Settings
from service.cursors import cursors_of
from service.dumps import Dumps, Signer
from service.limits.bodies import LARGEST_BODY
from service.limits.holdings import OpenDisputes, OpenTables
from service.limits.quota_claims import ClaimStore
from service.limits.quotas import Holdings, Quota, Quotas
from service.limits.rates import Rates
from service.moderation.access import Access
from service.moderation.desk import desk_of
from service.moderation.sanctions import Sanctions
from service.page import blueprint as page
from service.runtime.erasure import eraser_of
from service.runtime.http import HttpApp
from service.runtime.pool import Here, Pool
from service.runtime.problems import handle_errors
from service.runtime.resources import DOCUMENTATION, RESOURCES
from service.stores import dumps_in, log_at
from service.streams.feed import Pages
from service.streams.hub import Hub, Sources
from service.streams.open_streams import Bounds
from service.transcripts.reading import Transcripts
from service.transcripts.store import TranscriptStore
from worker.efforts import efforts

MADE: dict[str, Any] = {}  # by name, of the code alone: what is told of the API is the same in every app


def services_from(settings: Settings, url: str, *, apart: bool = False) -> Services:
    """The services on the Redis at `url`; `apart` answers expensive questions in other processes."""
    store = log_at(url, settings)
    client = store.client
    sealer = sealer_for(client, settings)
    sanctions = Sanctions(client)
    texts = Texts(keys := keys_of(client, settings, sealer), sanctions.hides_name)
    kept = TranscriptStore(client, texts, settings.transcripts)
    handler = CommandHandler(store, settings.kept_tables, texts, cursors_of(sealer), Transcripts(kept))
    accounts = Accounts(
        client,
        sealer,
        texts,
        admin_token=settings.admin_token,
        metrics_token=settings.metrics_token,
        most_tokens=settings.tokens,
    )
    expensive = Pool(url, max(1, settings.threads // 2)) if apart else Here(handler)
    analyses = TableAnalyses(handler, Analyses(client, handler.now_ms, settings.analyses))
    people = people_of(client, sealer, texts, accounts, settings)
    hub = Hub(
        handler,
        Access(accounts, sanctions),
        Bounds(settings.streams, settings.streams_per_client),
        Sources(
            lambda player: lobby_lists.all_seated(current(store, lobby.NAME), player),
            Pages(expensive),
            analyses,
        ),
    )
    return Services(
        handler,
        accounts,
        hub,
        Webhooks(client, sealer, settings.reach),
        expensive,
        Rates(settings, counters(settings, url)),
        settings.proxies,
        _quotas(settings, handler, store),
        eraser_of(store, handler, keys, kept),
        people,
        Dumps(dumps_in(settings), Signer(sealer)),
        desk_of(client, texts, sanctions, settings.reports),
        analyses,
    )


def counters(settings: Settings, url: str) -> Client | None:
    """The Redis in which several web processes count requests together: rq's, which is no cluster; None for one."""
    return connect(settings.queue_url or url) if settings.web_processes > 1 else None


def _quotas(settings: Settings, handler: CommandHandler, store: RedisLog) -> Quotas:
    def find(table: str) -> Table | None:
        history = handler.histories.fresh(table)
        return history.table if history else None

    def quota(kind: str, holdings: Holdings) -> Quota:
        return Quota(ClaimStore(store.client, kind), holdings, handler.now_ms)

    return Quotas(
        settings,
        quota(
            "tables",
            OpenTables(lambda player: lobby_lists.unfinished_by(current(store, lobby.NAME), player), find),
        ),
        quota(
            "disputes",
            OpenDisputes(lambda player: lobby_lists.disputed_by(current(store, lobby.NAME), player), find),
        ),
    )


def create_app(services: Services | None = None) -> Flask:
    """The app that serves these services; without them it answers only what needs no store."""
    app = _empty_app()
    app.extensions["wintercount"], app.extensions["efforts"] = services, efforts
    app.extensions["once"] = MADE
    app.extensions["openapi"] = partial(_document_in, MADE)
    for resource in (*RESOURCES, DOCUMENTATION):
        app.register_blueprint(resource.blueprint)
    app.register_blueprint(page)
    handle_errors(app)
    let_in(app, services and Admission(app, services.accounts, services.rates, services.proxies))
    return app


def _empty_app() -> Flask:
    app = HttpApp("service", template_folder="page/templates", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, **SPEC_OPTIONS)
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's default provider has it
    app.url_map.merge_slashes = False  # a path is right as it stands, or nothing is there
    app.url_map.converters["int"] = PathWhole
    return app


def _document_in(made: dict[str, Any]) -> dict[str, Any]:
    """The document among what was made, made when somebody first asks for it."""
    if "document" not in made:
        made["document"] = document()
    found: dict[str, Any] = made["document"]
    return found


def document() -> dict[str, Any]:
    """The OpenAPI document. An app makes it when it is first asked for: it takes longer than all of `create_app`."""
    api = Api(_empty_app())
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    return complete(api.spec.to_dict())
