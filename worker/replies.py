"""Takes the letters that are due to those who have invited, under a lease, and hands them on to be sent."""

import logging
import threading
import time
from collections.abc import Callable

from redis.exceptions import RedisError

from service.accounts.invitations import Letter
from service.accounts.replies import Replies
from worker.dispatch import HASTEN_S, LEASE_MS, MOST

PAUSE_S = 1.0

log = logging.getLogger(__name__)


def take(replies: Replies, now_ms: int, tell: Callable[[Letter, int], None]) -> None:
    """Hands on what is due now, to be told."""
    for letter, attempt in replies.lease(now_ms, LEASE_MS, MOST):
        tell(letter, attempt)


def take_until(
    stop: threading.Event, replies: Replies, now_ms: Callable[[], int], tell: Callable[[Letter, int], None]
) -> None:
    """Hands on what is due until `stop` is set; tries again while the store does not answer."""
    hastened = -HASTEN_S
    while not stop.wait(PAUSE_S):
        try:
            if time.monotonic() >= hastened + HASTEN_S:
                hastened = time.monotonic()
                replies.hasten(now_ms(), LEASE_MS)
            take(replies, now_ms(), tell)
        except RedisError as error:
            log.warning("replies wait: %s", error)
