"""The doorbell: rq carries the news that a table has AI turns to play; the memory of it is the log's due set."""

import logging
import os
from functools import cache
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.log import PARTITIONS
from events.store import RedisLog, connect
from service.config import settings_from
from service.house import House
from worker.turns import play_turns

QUEUE = "wintercount-ai"
TURN_S = 120  # after this long a job is ended; what it left is due again
RUNG_MS = 5_000  # a ring that nobody has answered after this long may be lost

log = logging.getLogger(__name__)


class Bell:
    """Rings rq for a table, once until a worker comes: it plays all that is owed there, whoever rang for what."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._queue = Queue(QUEUE, connection=client, serializer=JSONSerializer)

    def __call__(self, table: str, name: str) -> None:
        """Lets a worker look at the table; `name` (letters, digits, - and _) names the job."""
        if self._client.set(_rung(table), name, nx=True, px=RUNG_MS):
            self._queue.enqueue(ring, table, job_id=name, job_timeout=TURN_S, result_ttl=0, failure_ttl=300)


def _rung(table: str) -> str:
    return f"{QUEUE}:rung:{table}"


def ring(table: str) -> int:
    """The job: plays what AI seats owe at the table; how many turns."""
    house, client = _at_work(os.getpid())
    client.delete(_rung(table))  # before the table is read: what becomes due from here on is rung for again
    return play_turns(house, table)


@cache
def _at_work(_process: int) -> tuple[House, redis.Redis]:
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("a worker needs WINTERCOUNT_REDIS_URL")
    house = House(RedisLog(connect(settings.redis_url), PARTITIONS), settings.kept_tables)
    return house, connect(settings.queue_url or settings.redis_url)


def work(client: Any) -> None:
    """Answers the bell until the process is told to end. Jobs run in this process: what they do may be repeated."""
    worker = SimpleWorker(
        [Queue(QUEUE, connection=client, serializer=JSONSerializer)],
        connection=client,
        serializer=JSONSerializer,
        worker_ttl=30,
        maintenance_interval=30,
        default_result_ttl=0,
    )
    worker.work(with_scheduler=False, logging_level="WARNING")
