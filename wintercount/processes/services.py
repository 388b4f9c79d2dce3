"""Builds the app and its services from the settings."""

from collections.abc import Callable
from functools import partial

from flask import Flask

from events.scripts import Client
from events.store import connect
from projections import lobby_queries, lobby_rows
from projections.store import ProjectionStore, current
from service.accounts.accounts_and_tokens import Accounts
from service.accounts.callers import Caller
from service.accounts.key_store import keys_of
from service.accounts.people_stores import People
from service.accounts.personal_texts import Texts
from service.accounts.sealing import sealer_for
from service.accounts.shown_names import DisplayNames
from service.accounts.webhooks import Webhooks
from service.analyses import Analyses, TableAnalyses
from service.api.common import Services
from service.app import flask_app
from service.command_handler import CommandHandler
from service.config import Settings
from service.dumps import Dumps, Signer
from service.erasure import eraser_of
from service.feed_cursors import cursors_of
from service.limits.quotas import Quotas, Usage, disputes_at, tables_in
from service.limits.rates import Rates
from service.moderation.actions import Actions
from service.moderation.reports import Reports
from service.stores import dumps_in, log_at
from service.streams.hub import Hub, OpenStreams, Pages, Sources
from service.transcripts import Transcripts, TranscriptStore
from wintercount.processes.pool import InlineExecutor, Pool
from worker.ai_process import efforts


def services_from(settings: Settings, url: str, *, apart: bool = False) -> Services:
    """Returns the services on the Redis at `url`; `apart` answers expensive questions in other processes."""
    store = log_at(url, settings)
    client = store.client
    sealer = sealer_for(client, settings)
    texts = Texts(keys := keys_of(client, settings, sealer))
    actions = Actions(client, texts)
    kept = TranscriptStore(client, texts, settings.transcripts)
    names = DisplayNames(client, texts, actions.hidden)
    handler = CommandHandler(store, settings.kept_tables, names, cursors_of(sealer), Transcripts(kept))
    handler.idle_days = settings.idle_days
    accounts = Accounts(
        client,
        sealer,
        texts,
        admin_token=settings.admin_token,
        metrics_token=settings.metrics_token,
        most_tokens=settings.tokens,
    )
    expensive = Pool(url, max(1, settings.threads // 2)) if apart else InlineExecutor(handler)
    analyses = TableAnalyses(handler, Analyses(client, handler.now_ms, settings.analyses))
    people = People(client, sealer, texts, accounts, settings)
    rows = partial(current, store, lobby_rows.NAME)
    sources = Sources(lambda player: lobby_queries.all_seated(rows(), player), Pages(expensive), analyses)
    streams = OpenStreams(settings.streams, settings.streams_per_client)

    def check_access(caller: Caller) -> None:
        accounts.check(caller)
        actions.check(caller.id)

    return Services(
        handler,
        accounts,
        Hub(handler, check_access, streams, sources),
        Webhooks(client, sealer, settings.reach),
        expensive,
        Rates(settings, counters(settings, url)),
        settings.proxies,
        _quotas(settings, handler, store.client, rows),
        eraser_of(store, handler, keys, kept),
        people,
        Dumps(dumps_in(settings), Signer(sealer)),
        Reports(client, texts, actions, settings.reports),
        analyses,
    )


def counters(settings: Settings, url: str) -> Client | None:
    """Returns the Redis (rq's, not a cluster) in which several web processes count requests; None for one process."""
    return connect(settings.queue_url or url) if settings.web_processes > 1 else None


def _quotas(settings: Settings, handler: CommandHandler, client: Client, rows: Callable[[], ProjectionStore]) -> Quotas:
    def tables(player: str) -> Usage:
        return tables_in(lobby_queries.unfinished_by(rows(), player))

    def disputes(player: str) -> Usage:
        readable = handler.intact(lobby_queries.disputed_by(rows(), player))
        return disputes_at(player, (history.table for history in readable))

    return Quotas(client, settings, {"tables": tables, "disputes": disputes}, handler.now_ms)


def create_app(services: Services | None = None) -> Flask:
    """Returns the app of these services; without them it answers only requests that need no store."""
    return flask_app(services, efforts)
