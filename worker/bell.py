"""The doorbell: rq carries the news that a table has AI turns to play; the memory of it is the log's due set.

Tables with people come first: they have a queue of their own, which workers empty before the other, and a table of AI
seats alone is left after any turn when somebody waits there.
"""

import logging
import os
import secrets
import time
from functools import cache, partial
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.log import PARTITIONS, LogDamaged
from events.store import RedisLog, connect
from service.config import settings_from
from service.house import House
from service.metrics import note_turn
from worker.thinking import Thinker
from worker.turns import Hands, owed, play_turns

QUEUE = "wintercount-ai"  # tables with people
ALONE = "wintercount-ai-alone"  # tables of AI seats alone
TURN_S = 120  # after this long a job is ended; what it left is due again
SLICE_S = 2.0  # a table's turns are played for so long before others have theirs
RUNG_S = 3_600  # for which a ring is remembered
CLAIM_MS = 3_000  # for which a table belongs to a worker; it renews that every second

log = logging.getLogger(__name__)


def queues(client: redis.Redis) -> list[Queue]:
    """The queues, in the order in which they are emptied.

    With two of them rq loses a job whose worker is killed between taking it and noting so. It is only a ring.
    """
    return [Queue(name, connection=client, serializer=JSONSerializer) for name in (QUEUE, ALONE)]


class Bell:
    """Rings rq for a table, once until a worker comes: it plays all that is owed there, whoever rang for what."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._queues = queues(client)

    def __call__(self, table: str, name: str, alone: bool = False) -> None:
        """Lets a worker look at the table; `name` (letters, digits, - and _) names the job."""
        if not self._waits(table):
            self._client.set(_rung(table), name, ex=RUNG_S)
            queue = self._queues[alone]
            queue.enqueue(ring, table, alone, job_id=name, job_timeout=TURN_S, result_ttl=0, failure_ttl=300)

    def _waits(self, table: str) -> bool:
        """Whether a ring for the table is on its way; one that was lost is not."""
        rung: Any = self._client.get(_rung(table))
        return rung is not None and any(self._client.lpos(queue.key, rung) is not None for queue in self._queues)

    def people_wait(self) -> bool:
        """Whether a table with people waits for a worker."""
        return bool(self._client.llen(self._queues[0].key))


def _rung(table: str) -> str:
    return f"{QUEUE}:rung:{table}"


class Claim:
    """That a worker plays a table, so that no other thinks about the same choices. It fades if the worker dies.

    Nothing relies on it: were it lost, two workers would think, and one of them would play.
    """

    def __init__(self, client: redis.Redis, table: str) -> None:
        self._client, self.key, self._token = client, f"{QUEUE}:played:{table}", secrets.token_hex(8)

    def take(self) -> bool:
        """Whether the table is this worker's now."""
        return bool(self._client.set(self.key, self._token, nx=True, px=CLAIM_MS))

    def renew(self) -> None:
        """It is still at it."""
        self._client.set(self.key, self._token, xx=True, px=CLAIM_MS)

    def drop(self) -> None:
        """Leaves the table to others."""
        if self._client.get(self.key) == self._token.encode():
            self._client.delete(self.key)


class AtWork:
    """What a worker works with: the house, the bell, and a process in which players think."""

    def __init__(self, log: RedisLog, client: redis.Redis, kept_tables: int, turn_s: float) -> None:
        self.house, self.client, self.bell = House(log, kept_tables), client, Bell(client)
        self.thinker = Thinker(turn_s)
        self._note = partial(note_turn, log.client)

    def answer(self, table: str, alone: bool) -> int:
        """Plays what AI seats owe at the table, unless another worker is at it; how many turns.

        What is left then, or has become due meanwhile, is rung for again; what is owed at a damaged table stays due.
        """
        try:
            return self._play(table, alone)
        except LogDamaged as damage:
            log.critical("%s", damage)
            return 0

    def _play(self, table: str, alone: bool) -> int:
        self.client.delete(_rung(table))
        claim = Claim(self.client, table)
        if not claim.take():
            return 0
        try:
            shift = play_turns(self.house, table, hands=self._hands(claim, alone))
        finally:
            claim.drop()
        if not shift.waits and owed(self.house.history(table).table):
            self.bell(table, f"{table}-{secrets.token_hex(8)}", alone)
        return shift.played

    def _hands(self, claim: Claim, alone: bool) -> Hands:
        end = time.monotonic() + SLICE_S

        def goes_on() -> bool:
            claim.renew()
            return time.monotonic() < end and not (alone and self.bell.people_wait())

        self.thinker.beat = claim.renew
        return Hands(self.thinker, goes_on, self._note)


def ring(table: str, alone: bool = False) -> int:
    """The job: plays what AI seats owe at the table; how many turns."""
    return at_work(os.getpid()).answer(table, alone)


@cache
def at_work(_process: int) -> AtWork:
    """What this process works with."""
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("a worker needs WINTERCOUNT_REDIS_URL")
    store = RedisLog(connect(settings.redis_url), PARTITIONS)
    return AtWork(store, connect(settings.queue_url or settings.redis_url), settings.kept_tables, settings.turn_s)


def work(client: Any) -> None:
    """Answers the bell until the process is told to end. Jobs run in this process: what they do may be repeated."""
    worker = SimpleWorker(
        queues(client),
        connection=client,
        serializer=JSONSerializer,
        worker_ttl=30,
        maintenance_interval=30,
        default_result_ttl=0,
    )
    worker.work(with_scheduler=False, logging_level="WARNING")
