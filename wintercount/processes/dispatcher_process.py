"""The dispatcher process: a thread each for dispatching, projecting, archiving and repairs after a failover."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import redis
from redis.exceptions import RedisError

from events.archiving.objects import ArchiveUnavailable
from events.connections import ClusterClient, primary_run_ids
from events.failures import place_of
from events.feeds import FeedTail
from events.store import RedisLog
from events.waiting_for_store import wait_for
from games.msgspec_threads import learn_structs
from projections import leaderboard, lobby_queries, lobby_rows, standings
from projections.archived_tables import name_again
from projections.batches import read_ahead
from projections.folding import FAULTS
from projections.history import TableCache
from projections.runner import Runner
from projections.store import current
from service.accounts.sealing import sealer_for
from service.accounts.webhooks import Webhooks
from service.analyses import Analyses
from service.command_handler import CommandHandler
from service.config import Settings
from service.machine_clock import Clock
from service.stores import log_at
from service.transcripts import keeps_any
from wintercount.processes.background_threads import Part
from worker.archiver import Archiver
from worker.dispatcher import Dispatcher, enqueue_until
from worker.rq_worker import TurnQueue
from worker.unused_accounts import Sweeper
from worker.webhook_delivery import Deliverer

LOOK_S = 15.0  # between two checks of servers and projections

log = logging.getLogger(__name__)


class AfterFailovers:
    """Runs a repair at the start of a process, and whenever another server of a cluster answers than before."""

    def __init__(self, client: ClusterClient, what: str, repair: Callable[[], None]) -> None:
        self._client, self._what, self._repair = client, what, repair
        self._answering: list[str] = []

    def check_until(self, stop: threading.Event) -> None:
        """Checks until `stop` is set; tries again later when the store or the archive does not answer."""
        while not stop.is_set():
            try:
                self.check()
            except (RedisError, ArchiveUnavailable) as error:
                log.warning("%s are checked later: %s", self._what, error)
            stop.wait(LOOK_S)

    def check(self) -> None:
        """Runs the repair if a server may have lost something since the last check."""
        now = primary_run_ids(self._client)
        if now != self._answering:
            self._repair()
            self._answering = now


def renew_totals(store: RedisLog) -> None:
    """Computes totals of the leaderboard again that do not match what they are the sum of."""
    try:
        if wrong := leaderboard.renew_wrong(current(store, standings.NAME)):
            log.warning("%d totals of the leaderboard were wrong and were computed again", wrong)
    except FAULTS as error:
        log.critical("totals of the leaderboard stay wrong until they are rebuilt: %s", place_of(error))


def listen_again(store: RedisLog, webhooks: Webhooks) -> None:
    """Writes to every partition again which bots listen."""
    for webhook in webhooks.all():
        store.listen(webhook.player, webhook.id)


def name_segments(store: RedisLog) -> None:
    """Lists segments of the archive again whose names the store has lost."""
    if named := name_again(store):
        log.warning("%d segments of the archive were missing in the store, and their tables are listed again", named)


PAUSE_S = 1.0
DAY_MS = 86_400_000


def dispatch_until(stop: threading.Event, settings: Settings, url: str) -> None:
    """Dispatches and projects, each in a thread, until `stop` is set."""
    if not all(wait_for(one, lambda: not stop.is_set()) for one in (url, settings.queue_url or url)):
        return
    learn_structs()
    store = log_at(url, settings)
    handler = CommandHandler(store, settings.kept_tables)
    turn_queue = TurnQueue(redis.Redis.from_url(settings.queue_url or url))
    webhooks = Webhooks(store.client, sealer_for(store.client, settings), settings.reach)
    deliverer = Deliverer(handler, webhooks)
    dispatcher = Dispatcher(handler, turn_queue, deliverer)
    threads = [
        Part(stop, "dispatcher", dispatcher.run, stop),
        Part(
            stop,
            "analyses",
            enqueue_until,
            *(stop, Analyses(store.client, handler.now_ms), turn_queue.enqueue_analysis),
        ),
        *_sweeping(stop, settings, store),
        *_archiving(stop, settings, store),
        Part(stop, "projections", project_until, stop, store, handler.cache, settings.projections_ms / 1000),
        *_after_failovers(stop, store, webhooks),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    deliverer.close()


def _sweeping(stop: threading.Event, settings: Settings, store: RedisLog) -> list[Part]:
    """Returns the thread that deletes empty accounts, if the settings ask for it."""
    if not settings.empty_account_days:
        return []
    sweeper = sweeper_of(store, settings.empty_account_days)
    return [Part(stop, "accounts", sweeper.sweep_until, stop)]


def _archiving(stop: threading.Event, settings: Settings, store: RedisLog) -> list[Part]:
    """Returns the thread that archives closed tables, if there is an archive and the settings ask for it."""
    if settings.archive_after_days < 0 or not store.has_archive:
        return []
    return [Part(stop, "archiver", archiver_of(store, settings.archive_after_days).run, stop)]


def _after_failovers(stop: threading.Event, store: RedisLog, webhooks: Webhooks) -> list[Part]:
    """Returns threads that repair what a cluster may lose in part; a single server loses it with all that followed."""
    client = store.client
    if not isinstance(client, ClusterClient):
        return []
    repairs = {
        "totals of the leaderboard": partial(renew_totals, store),
        "webhooks": partial(listen_again, store, webhooks),
    }
    if store.has_archive:
        repairs["names of segments"] = partial(name_segments, store)
    checks = {what: AfterFailovers(client, what, repair) for what, repair in repairs.items()}
    return [Part(stop, what, check.check_until, stop) for what, check in checks.items()]


def archiver_of(store: RedisLog, after_days: float) -> Archiver:
    """Returns an archiver of tables that closed so many days ago."""
    return Archiver(store, Clock().now_ms, int(after_days * DAY_MS))


def sweeper_of(store: RedisLog, days: int) -> Sweeper:
    """Returns a sweeper of accounts that the lobby does not know; it deletes none while the lobby lags."""

    def concerned(player: str) -> bool | None:
        rows = current(store, lobby_rows.NAME)
        if lobby_queries.concerns(rows, player) or keeps_any(store.client, player):
            return True
        # Checked again, as a table may have been opened since.
        return lobby_queries.concerns(rows, player) if rows.is_complete() else None

    return Sweeper(store.client, days, concerned, store.unlisten)


def project_until(stop: threading.Event, store: RedisLog, histories: TableCache, rest_s: float = 0.1) -> None:
    """Keeps the projections up to date until `stop` is set; events within `rest_s` are applied together.

    A thread of its own makes rows that start from the first event, as it reads the archive, which may hang.
    """
    runner, beginner = Runner(store, histories), Runner(store, histories)
    feeds, everywhere = FeedTail(store), set(range(store.partitions))
    behind, begin, looked = everywhere, set[int](), time.monotonic()
    with ThreadPoolExecutor(1, thread_name_prefix="new rows") as aside:
        making: Future[None] | None = None
        while not stop.is_set():
            try:
                if time.monotonic() >= looked + LOOK_S:  # a failover may lose a checkpoint
                    runner.forget()
                    behind, looked = everywhere, time.monotonic()
                begin |= (begins := runner.restarting(behind))
                if begin and (making is None or making.done()):
                    making, begin = aside.submit(_begin_rows, beginner, begin), set()
                runner.catch_up(behind - begins)
                stop.wait(rest_s)
                news = feeds.next_update(PAUSE_S)
                read_ahead(histories, (pointer for _, pointer in news.pointers))
                behind = set(news.partitions)
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                stop.wait(PAUSE_S)
                behind = everywhere


def _begin_rows(runner: Runner, partitions: set[int]) -> None:
    """Makes the rows of these partitions; if it fails, the next check of all partitions tries again."""
    runner.forget()  # another runner has advanced since
    try:
        runner.catch_up(partitions)
    except RedisError as error:
        log.warning("making rows again waits: %s", error)
    except Exception:
        log.critical("rows could not be made again; they are tried later", exc_info=True)
