"""Enqueues the analyses that go on: those that were asked for, and those whose worker was lost."""

import logging
import threading
import time
from collections.abc import Callable

from redis.exceptions import RedisError

from service.analyses import Analyses, Name
from worker.dispatch import HASTEN_S

PAUSE_S = 1.0

log = logging.getLogger(__name__)


def enqueue_until(stop: threading.Event, analyses: Analyses, enqueue: Callable[[Name], None]) -> None:
    """Enqueues what goes on until `stop` is set; tries again while the store does not answer."""
    hastened = -HASTEN_S
    while not stop.wait(PAUSE_S):
        try:
            if time.monotonic() >= hastened + HASTEN_S:
                hastened = time.monotonic()
                analyses.hasten()
            for name in analyses.lease():
                enqueue(name)
        except RedisError as error:
            log.warning("analyses wait: %s", error)
