"""Notices a store that went back before anybody reads there, and saves what this process holds of what was lost."""

import logging
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from redis.exceptions import RedisError

from events.following import Follower
from events.log import LogDamaged, LogUnreadable, partition_of
from events.recorded import Head
from projections.history import Histories
from service.config import Settings
from service.metrics import SAVED
from service.runtime.recovery.saving import Saver

PAUSE_S = 1.0

log = logging.getLogger(__name__)


class LossWatch:
    """Looks once a second at the tables in memory whose feed went back, and at those that grew since it looked last.

    The feeds tell nothing of events that were written and lost between two looks: nobody had followed them yet.

    It drops nothing: whoever reads or moves there is told `log-damaged`, as without it.
    """

    def __init__(self, histories: Histories, saver: Saver) -> None:
        self._log, self._histories, self._saver = histories.log, histories, saver
        self._held: dict[str, Head] = {}  # what the store held at the last look
        self._waiting: set[str] = set()
        self._stop = threading.Event()

    def start(self) -> None:
        """Begins to look, in a thread that ends with the process."""
        threading.Thread(target=self._run, name="losses", daemon=True).start()

    def close(self) -> None:
        """Looks no more."""
        self._stop.set()

    def _run(self) -> None:
        feeds: Follower | None = None
        while not self._stop.wait(PAUSE_S):
            SAVED.set(self._saver.count())
            try:
                feeds = feeds or Follower(self._log)
                self.look(feeds)
            except RedisError as error:
                log.warning("the store does not answer: %s", error)

    def look(self, feeds: Follower) -> None:
        """Saves what the store no longer holds; a look that failed is made up for by the next."""
        known = self._histories.heads()
        self._waiting.update(self.known_in(feeds.news(0).gone_back))
        self._waiting.update(table for table, head in known.items() if self._held.get(table) != head)
        self.look_at({table: known[table] for table in self._waiting if table in known})
        self._waiting.clear()
        self._held = known

    def known_in(self, partitions: Iterable[int]) -> list[str]:
        """The tables in memory that belong to these partitions."""
        concerned = set(partitions)
        return [one for one in self._histories.tables() if partition_of(one, self._log.partitions) in concerned]

    def look_at(self, heads: Mapping[str, Head]) -> None:
        """Saves those of these tables of which the store does not hold what is known to their heads."""
        for table, found in self._log.after_each(heads).items():
            known = self._histories.known(table)
            if isinstance(found, LogDamaged) and known:
                self._saver.save(known)
            elif isinstance(found, LogUnreadable):  # a later release has written there, behind what is known
                log.info("%s", found)


def save_losses(histories: Histories, settings: Settings) -> LossWatch:
    """Saves from now on what this process holds of tables that the store has lost, before it is dropped."""
    saver = Saver(Path(settings.data), settings.saved_mb << 20)
    histories.lost = saver.save
    watch = LossWatch(histories, saver)
    watch.start()
    return watch
