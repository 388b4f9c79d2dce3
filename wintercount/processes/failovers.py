"""What is looked after where another server answers: of two things that belong together a failover may lose one."""

import logging
import threading
from collections.abc import Callable

from redis.exceptions import RedisError

from events.all_keys import answering
from events.archiving.objects import ArchiveUnavailable
from events.clusters import ClusterClient
from events.failures import place_of
from events.store import RedisLog
from projections import leaderboard, standings
from projections.catalogue import name_again
from projections.folding import FAULTS
from projections.store import current
from service.accounts.webhooks import Webhooks

LOOK_S = 15.0

log = logging.getLogger(__name__)


class AfterFailovers:
    """Has something done when a process starts, and whenever another server of a cluster answers than before."""

    def __init__(self, client: ClusterClient, what: str, look_after: Callable[[], None]) -> None:
        self._client, self._what, self._look_after = client, what, look_after
        self._answering: list[str] = []

    def look_until(self, stop: threading.Event) -> None:
        """Looks until `stop` is set; tries again later when the store or the archive does not answer."""
        while not stop.is_set():
            try:
                self.look()
            except (RedisError, ArchiveUnavailable) as error:
                log.warning("%s are looked at later: %s", self._what, error)
            stop.wait(LOOK_S)

    def look(self) -> None:
        """Has it done, if a server may have lost something since the last look."""
        now = answering(self._client)
        if now != self._answering:
            self._look_after()
            self._answering = now


def renew_totals(store: RedisLog) -> None:
    """Works out totals of the leaderboard anew where one was lost and not what it is the sum of, or only that."""
    try:
        if wrong := leaderboard.renew_wrong(current(store, standings.NAME)):
            log.warning("%d totals of the leaderboard were not what was counted, and were worked out anew", wrong)
    except FAULTS as error:
        log.critical("totals of the leaderboard stay as they are until they are rebuilt: %s", place_of(error))


def listen_again(store: RedisLog, webhooks: Webhooks) -> None:
    """Tells every partition again which bots listen."""
    for webhook in webhooks.all():
        store.listen(webhook.player, webhook.id)


def name_segments(store: RedisLog) -> None:
    """Names segments of the archive again whose name was lost, and not where the heads of their tables point."""
    if named := name_again(store):
        log.warning("%d segments of the archive had lost their names, and their tables are listed again", named)
