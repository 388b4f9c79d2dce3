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

log = logging.getLogger(__name__)


class Bell:
    """Rings rq for a table."""

    def __init__(self, client: redis.Redis) -> None:
        self._queue = Queue(QUEUE, connection=client, serializer=JSONSerializer)

    def __call__(self, table: str, name: str) -> None:
        """Lets a worker look at the table; `name` (letters, digits, - and _) names the job."""
        self._queue.enqueue(ring, table, job_id=name, job_timeout=TURN_S, result_ttl=0, failure_ttl=300)


def ring(table: str) -> int:
    """The job: plays what AI seats owe at the table; how many turns."""
    return play_turns(_house(os.getpid()), table)


@cache
def _house(_process: int) -> House:
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("a worker needs WINTERCOUNT_REDIS_URL")
    return House(RedisLog(connect(settings.redis_url), PARTITIONS), settings.kept_tables)


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
