"""Looks after the totals of the leaderboard: a failover may lose one, and not what it is the sum of, or only that."""

import logging
import threading

from redis.exceptions import RedisError

from events.failures import place_of
from events.same_servers import answering
from events.store import RedisLog
from projections import leaderboard, standings
from projections.checked_folding import FAULTS
from projections.store import current

LOOK_S = 15.0

log = logging.getLogger(__name__)


class Totals:
    """The totals of a store, looked at when a process starts and whenever another server answers than before."""

    def __init__(self, store: RedisLog) -> None:
        self._log = store
        self._answering: list[str] = []

    def look_until(self, stop: threading.Event) -> None:
        """Looks after them until `stop` is set; tries again later when the store does not answer."""
        while not stop.is_set():
            try:
                self.look()
            except RedisError as error:
                log.warning("totals of the leaderboard are looked at later: %s", error)
            stop.wait(LOOK_S)

    def look(self) -> None:
        """Has those that are wrong worked out anew, if a server may have lost something since the last look."""
        now = answering(self._log.client)
        if now == self._answering:
            return
        try:
            if wrong := leaderboard.renew_wrong(current(self._log, standings.NAME)):
                log.warning("%d totals of the leaderboard were not what was counted, and were worked out anew", wrong)
        except FAULTS as error:
            log.critical("totals of the leaderboard stay as they are until they are rebuilt: %s", place_of(error))
        self._answering = now
