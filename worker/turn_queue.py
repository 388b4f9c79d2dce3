"""The queue of AI turns: rq only wakes workers; what there is to play is known by the log's timers.

Tables with people have a queue of their own. A worker takes from it first, and leaves a table of AI seats alone after
any turn when people wait. After nine turns for people it takes one for a table of AI seats alone. Analyses come last,
in slices, and have timers of their own.
"""

import logging
import os
import secrets
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import redis
from redis.exceptions import OutOfMemoryError, RedisError
from rq import Queue, SimpleWorker, get_current_job
from rq.serializers import JSONSerializer

from events.failures import place_of
from events.log import LogUnreadable
from events.store import RedisLog, connect
from service.analyses import Analyses, Name
from service.commands import CommandHandler
from service.config import settings_from
from service.errors import Refused
from service.logs import NOTHING, about
from service.metrics import note_turn
from service.stores import log_at
from worker.analysis.slices import give_up, go_on
from worker.thinking import Thinker
from worker.turns import WorkerContext, owed, play_turns

QUEUE = "wintercount-ai"  # tables with people
QUEUE_ALONE = "wintercount-ai-alone"  # tables of AI seats alone
QUEUE_ANALYSES = "wintercount-analyses"  # analyses of finished tables
JOB_TIMEOUT_S = 120  # after this long a job is ended; what it left is due again
FOR_PEOPLE = 9  # turns a worker plays for people before it takes one for a table of AI seats alone
SLICE_S = 2.0  # a table's turns are played for so long before others have theirs
ENQUEUED_S = 3_600  # for which it is remembered that a table waits for a worker
LOCK_MS = 3_000  # for which a table belongs to a worker; it renews that every second

log = logging.getLogger(__name__)


def queues(client: redis.Redis) -> list[Queue]:
    """The queues: of tables with people, of tables of AI seats alone, and of analyses.

    With several of them rq loses a job whose worker is killed between taking it and noting so. The table is still due,
    and so is the analysis.
    """
    return [Queue(name, connection=client, serializer=JSONSerializer) for name in (QUEUE, QUEUE_ALONE, QUEUE_ANALYSES)]


class TurnQueue:
    """Enqueues a table, once until a worker takes it: that worker plays every turn due there. Analyses go behind."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._queues = queues(client)

    def __call__(self, table: str, name: str, alone: bool = False) -> None:
        """Lets a worker look at the table; `name` (letters, digits, - and _) names the job."""
        self._enqueue(self._queues[alone], table, name, play_owed, alone)

    def enqueue_analysis(self, name: Name) -> None:
        """Lets a worker do a slice of an analysis, behind all that waits already."""
        self._enqueue(self._queues[2], str(name), f"{name.table}-{name.kind}-{secrets.token_hex(8)}", analyse)

    def _enqueue(self, queue: Queue, waiting: str, job: str, function: Callable[..., Any], *asked: Any) -> None:
        """Enqueues a job for a table or an analysis, unless one is in a queue; one that was lost is not."""
        before: Any = self._client.get(_enqueued(waiting))
        if before is None or all(self._client.lpos(each.key, before) is None for each in self._queues):
            self._client.set(_enqueued(waiting), job, ex=ENQUEUED_S)
            limits = {"job_timeout": JOB_TIMEOUT_S, "result_ttl": 0, "failure_ttl": 300}
            queue.enqueue(function, waiting, *asked, job_id=job, **limits)

    def people_wait(self) -> bool:
        """Whether a table with people waits for a worker."""
        return bool(self._client.llen(self._queues[0].key))

    def tables_wait(self) -> bool:
        """Whether any table waits for a worker."""
        return any(self._client.llen(queue.key) for queue in self._queues[:2])


def _enqueued(waiting: str) -> str:
    return f"{QUEUE}:enqueued:{waiting}"


class TableLock:
    """A worker's lock on a table, so that no other thinks about the same choices. It expires if the worker dies.

    Nothing relies on it: were it lost, two workers would think, and one of them would play.
    """

    def __init__(self, client: redis.Redis, table: str) -> None:
        self._client, self.key, self._token = client, f"{QUEUE}:played:{table}", secrets.token_hex(8)

    def take(self) -> bool:
        """Whether the table is this worker's now."""
        return bool(self._client.set(self.key, self._token, nx=True, px=LOCK_MS))

    def renew(self) -> None:
        """Renews the lock."""
        self._client.set(self.key, self._token, xx=True, px=LOCK_MS)

    def drop(self) -> None:
        """Releases the lock."""
        if self._client.get(self.key) == self._token.encode():
            self._client.delete(self.key)


class WorkerProcess:
    """What a worker works with: the command handler, the turn queue, and a process in which players think."""

    def __init__(self, log: RedisLog, client: redis.Redis, kept_tables: int, turn_s: float) -> None:
        self.handler, self.client, self.turn_queue = CommandHandler(log, kept_tables), client, TurnQueue(client)
        self.thinker, self.analyses = Thinker(turn_s), Analyses(log.client, self.handler.now_ms)
        self._note = partial(note_turn, log.client)

    def answer(self, table: str, alone: bool) -> int:
        """Plays the due turns of AI seats at the table, unless another worker holds it; returns how many.

        What is left then, or has become due meanwhile, is enqueued again; what is owed at a damaged table stays due.
        """
        self.client.delete(_enqueued(table))
        lock = TableLock(self.client, table)
        if not lock.take():
            return 0
        try:
            self.thinker.beat = lock.renew
            goes_on = self._slice(lock, lambda: alone and self.turn_queue.people_wait())
            result = play_turns(self.handler, table, context=WorkerContext(self.thinker, goes_on, self._note))
            owes = not result.waits and owed(self.handler.history(table).table)
        except LogUnreadable as damage:
            log.critical("%s", damage)
            return 0
        finally:
            lock.drop()
        if owes:
            self.turn_queue(table, f"{table}-{secrets.token_hex(8)}", alone)
        return result.played

    def analyse(self, name: Name) -> None:
        """Does a slice of an analysis, unless another worker is at it; what is left of it is enqueued again."""
        self.client.delete(_enqueued(str(name)))
        lock = TableLock(self.client, str(name))
        if not lock.take():
            return
        try:
            goes_on = go_on(
                self.analyses, name, self.handler.history(name.table), self._slice(lock, self.turn_queue.tables_wait)
            )
        except (LogUnreadable, Refused) as lost:
            log.critical("the %s analysis of %s ends: %s", name.kind, name.table, lost)
            goes_on = give_up(self.analyses, name, "the table cannot be read")
        except RedisError:  # it goes on when the lease ends
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it would fail again each time
            log.error("the %s analysis of %s failed: %s", name.kind, name.table, place_of(error))
            goes_on = give_up(self.analyses, name, "it failed: the worker's log says where")
        finally:
            lock.drop()
        if goes_on:
            self.turn_queue.enqueue_analysis(name)

    def _slice(self, lock: TableLock, others_wait: Callable[[], bool]) -> Callable[[], bool]:
        """Whether a slice goes on: for a while, and only while nobody waits who comes first."""
        end = time.monotonic() + SLICE_S

        def goes_on() -> bool:
            lock.renew()
            return time.monotonic() < end and not others_wait()

        return goes_on


def play_owed(table: str, alone: bool = False) -> int:
    """The job: plays the due turns of AI seats at the table; returns how many."""
    job = get_current_job()
    with about(job.id if job else NOTHING):
        played = worker_process(os.getpid()).answer(table, alone)
    Worker.for_people = 0 if alone else Worker.for_people + played
    return played


def analyse(name: str) -> None:
    """The job: does a slice of an analysis."""
    job = get_current_job()
    with about(job.id if job else NOTHING):
        worker_process(os.getpid()).analyse(Name.read(name))


@cache
def worker_process(_process: int) -> WorkerProcess:
    """What this process works with."""
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("a worker needs WINTERCOUNT_REDIS_URL")
    store = log_at(settings.redis_url, settings)
    return WorkerProcess(
        store, connect(settings.queue_url or settings.redis_url), settings.kept_tables, settings.turn_s
    )


class Worker(SimpleWorker):
    """Takes jobs for people first, but one turn in ten for a table of AI seats alone.

    Jobs run in this process, as repeating them does no harm.
    """

    for_people = 0  # turns that this process has played for people since its last for a table of AI seats alone

    def execute_job(self, job: Any, queue: Any) -> None:
        """Runs a job, then chooses the queue to take the next one from first."""
        super().execute_job(job, queue)
        people, alone, analyses = self.queues
        first = [alone, people] if self.for_people >= FOR_PEOPLE else [people, alone]
        self._ordered_queues = [*first, analyses]


def work(client: Any) -> None:
    """Takes jobs until the process is told to end.

    It ends, and says why, where the queue's Redis has no memory left: rq cannot go on then.
    """
    worker = Worker(
        queues(client),
        connection=client,
        serializer=JSONSerializer,
        worker_ttl=30,
        maintenance_interval=30,
        default_result_ttl=0,
    )
    worker.log.addFilter(_is_not_of_a_full_queue)  # rq's own word is a traceback with what it was about to write
    try:
        worker.work(with_scheduler=False, logging_level="WARNING")
    except OutOfMemoryError:
        log.error("the queue's Redis has no memory left; turns wait, and are played when it has: give it memory")
        sys.exit(1)


def _is_not_of_a_full_queue(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], OutOfMemoryError))
