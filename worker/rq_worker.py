"""The queue of AI turns. rq only wakes workers; the log's timers say which turns are due.

Tables with people have a queue of their own, which workers serve first. When people wait, a worker leaves an AI-only
table after its current turn. After nine turns for people it takes one AI-only table. Analyses come last, in slices,
and have timers of their own.
"""

import logging
import os
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any

import redis
from redis.exceptions import LockError, OutOfMemoryError, RedisError
from redis.lock import Lock
from rq import Queue, SimpleWorker, get_current_job
from rq.serializers import JSONSerializer

from events.failures import place_of
from events.log import LogUnreadable
from events.store import RedisLog, connect
from service.analyses import Analyses, Name
from service.command_handler import CommandHandler
from service.config import Settings, settings_from
from service.errors import Refused
from service.logs import NO_ID, about
from service.metrics import count_turn
from service.stores import log_at
from worker.ai_process import Thinker
from worker.analysis.slices import give_up, run_slice
from worker.move_delay import Releases
from worker.play_turn import WorkerContext, next_ai_decision, play_turns

QUEUE = "wintercount-ai"  # tables with people
QUEUE_ALONE = "wintercount-ai-alone"  # tables with AI seats only
QUEUE_ANALYSES = "wintercount-analyses"  # analyses of finished tables
JOB_TIMEOUT_S = 120  # after this long rq ends a job; its turns are due again
FOR_PEOPLE = 9  # turns that a worker plays for people before it takes one AI-only table
SLICE_S = 2.0  # longest time on one table before others get their turn
ENQUEUED_S = 3_600  # lifetime of the note that a table is enqueued
LOCK_S = 3  # lifetime of a worker's lock on a table, which it renews every second

log = logging.getLogger(__name__)


def queues(client: redis.Redis) -> list[Queue]:
    """Returns the queues: for tables with people, for AI-only tables, and for analyses.

    With several queues, rq loses a job whose worker is killed just after taking it. The timer is still due then.
    """
    return [Queue(name, connection=client, serializer=JSONSerializer) for name in (QUEUE, QUEUE_ALONE, QUEUE_ANALYSES)]


class TurnQueue:
    """Enqueues tables and analyses, each at most once until a worker takes it."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._queues = queues(client)

    def __call__(self, table: str, name: str, alone: bool = False) -> None:
        """Enqueues a table, whose due turns a worker then plays; `name` (letters, digits, - and _) names the job."""
        self._enqueue(self._queues[alone], table, name, play_due_turns, alone)

    def enqueue_analysis(self, name: Name) -> None:
        """Enqueues a slice of an analysis."""
        self._enqueue(self._queues[2], str(name), f"{name.table}-{name.kind}-{secrets.token_hex(8)}", analyse)

    def _enqueue(self, queue: Queue, waiting: str, job: str, function: Callable[..., Any], *asked: Any) -> None:
        """Enqueues a job for a table or an analysis, unless its last job is still in a queue."""
        before: Any = self._client.get(_enqueued(waiting))
        if before is None or all(self._client.lpos(each.key, before) is None for each in self._queues):
            self._client.set(_enqueued(waiting), job, ex=ENQUEUED_S)
            limits = {"job_timeout": JOB_TIMEOUT_S, "result_ttl": 0, "failure_ttl": 300}
            queue.enqueue(function, waiting, *asked, job_id=job, **limits)

    def people_wait(self) -> bool:
        """Returns whether a table with people waits for a worker."""
        return bool(self._client.llen(self._queues[0].key))

    def tables_wait(self) -> bool:
        """Returns whether any table waits for a worker."""
        return any(self._client.llen(queue.key) for queue in self._queues[:2])


def _enqueued(waiting: str) -> str:
    return f"{QUEUE}:enqueued:{waiting}"


class TableLock(Lock):
    """A worker's lock on a table, which expires if the worker dies.

    It only avoids duplicate work: without it two workers would think, and one of them would play.
    """

    def __init__(self, client: redis.Redis, table: str) -> None:
        super().__init__(client, f"{QUEUE}:played:{table}", timeout=LOCK_S, blocking=False, thread_local=False)

    def renew(self) -> None:
        """Renews the lock, unless it has expired."""
        with suppress(LockError):
            self.reacquire()

    def drop(self) -> None:
        """Releases the lock, unless it has expired."""
        with suppress(LockError):
            self.release()


class WorkerProcess:
    """The parts of a worker: the command handler, the turn queue, and the process for players."""

    def __init__(self, log: RedisLog, client: redis.Redis, settings: Settings) -> None:
        self.handler = CommandHandler(log, settings.kept_tables)
        self.client, self.turn_queue = client, TurnQueue(client)
        self.thinker, self.analyses = Thinker(settings.turn_s), Analyses(log.client, self.handler.now_ms)
        step_ms = settings.ai_release_ms
        self.releases = Releases(client, self.handler.now_ms, step_ms) if step_ms else None
        self._count = partial(count_turn, log.client)

    def answer(self, table: str, alone: bool) -> int:
        """Plays the due turns of AI seats at the table, unless another worker holds it; returns the number.

        Enqueues the table again if turns are left. Turns at a damaged table stay due.
        """
        self.client.delete(_enqueued(table))
        lock = TableLock(self.client, table)
        if not lock.acquire():
            return 0
        try:
            self.thinker.beat = lock.renew
            goes_on = self._slice(lock, lambda: alone and self.turn_queue.people_wait())
            context = WorkerContext(self.thinker, goes_on, self._count, self.releases)
            result = play_turns(self.handler, table, context=context)
            owes = not result.waits and next_ai_decision(self.handler.history(table).table, context)
        except LogUnreadable as damage:
            log.critical("%s", damage)
            return 0
        finally:
            lock.drop()
        if owes:
            self.turn_queue(table, f"{table}-{secrets.token_hex(8)}", alone)
        return result.played

    def analyse(self, name: Name) -> None:
        """Does a slice of an analysis, unless another worker holds it; enqueues it again if work is left."""
        self.client.delete(_enqueued(str(name)))
        lock = TableLock(self.client, str(name))
        if not lock.acquire():
            return
        try:
            goes_on = run_slice(
                self.analyses, name, self.handler.history(name.table), self._slice(lock, self.turn_queue.tables_wait)
            )
        except (LogUnreadable, Refused) as lost:
            log.critical("the %s analysis of %s ends: %s", name.kind, name.table, lost)
            goes_on = give_up(self.analyses, name, "the table cannot be read")
        except RedisError:  # it continues when the lease ends
            raise
        except Exception as error:  # noqa: BLE001 - any other error would occur again each time
            log.error("the %s analysis of %s failed: %s", name.kind, name.table, place_of(error))
            goes_on = give_up(self.analyses, name, "it failed; see the worker's log")
        finally:
            lock.drop()
        if goes_on:
            self.turn_queue.enqueue_analysis(name)

    def _slice(self, lock: TableLock, others_wait: Callable[[], bool]) -> Callable[[], bool]:
        """Returns a function that says whether a slice may continue, for a while and until others wait."""
        end = time.monotonic() + SLICE_S

        def goes_on() -> bool:
            lock.renew()
            return time.monotonic() < end and not others_wait()

        return goes_on


def play_due_turns(table: str, alone: bool = False) -> int:
    """The job for a table: plays the due turns of its AI seats; returns the number."""
    job = get_current_job()
    with about(job.id if job else NO_ID):
        played = worker_process(os.getpid()).answer(table, alone)
    Worker.for_people = 0 if alone else Worker.for_people + played
    return played


def analyse(name: str) -> None:
    """The job for an analysis: does a slice of it."""
    job = get_current_job()
    with about(job.id if job else NO_ID):
        worker_process(os.getpid()).analyse(Name.read(name))


@cache
def worker_process(_process: int) -> WorkerProcess:
    """Creates the parts of this process's worker, once per process."""
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("a worker needs WINTERCOUNT_REDIS_URL")
    store = log_at(settings.redis_url, settings)
    return WorkerProcess(store, connect(settings.queue_url or settings.redis_url), settings)


class Worker(SimpleWorker):
    """Takes jobs for people first, but every tenth turn for an AI-only table.

    Jobs run in this process, because repeating them does no harm.
    """

    for_people = 0  # turns that this process has played for people since its last AI-only table

    def execute_job(self, job: Any, queue: Any) -> None:
        """Runs a job, then chooses the queue to look at first for the next one."""
        super().execute_job(job, queue)
        people, alone, analyses = self.queues
        first = [alone, people] if self.for_people >= FOR_PEOPLE else [people, alone]
        self._ordered_queues = [*first, analyses]


def work(client: Any) -> None:
    """Takes jobs until the process ends. Exits if the queue's Redis is out of memory: rq cannot continue then."""
    worker = Worker(
        queues(client),
        connection=client,
        serializer=JSONSerializer,
        worker_ttl=30,
        maintenance_interval=30,
        default_result_ttl=0,
    )
    worker.log.addFilter(_is_not_of_a_full_queue)  # rq would log a traceback with the data of the job
    try:
        worker.work(with_scheduler=False, logging_level="WARNING")
    except OutOfMemoryError:
        log.error("the queue's Redis is out of memory; turns wait until it has more")
        sys.exit(1)


def _is_not_of_a_full_queue(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], OutOfMemoryError))
