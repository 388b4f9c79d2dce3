"""The reader of the feed: one thread a process, which wakes the listeners of a table when the feed has news of it."""

import logging
import threading

from redis.exceptions import RedisError

from events.following import Follower, News
from events.log import LogUnreadable, partition_of
from projections.history import History
from service.commands import CommandHandler
from service.streams.listening import ALL, Topics

WAIT_S = 1.0

log = logging.getLogger(__name__)


class FeedReader:
    """Wakes the listeners of a table, and of the players who sit there; starts with the first stream."""

    def __init__(self, handler: CommandHandler, topics: Topics) -> None:
        self._handler, self._topics = handler, topics
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._listens, self._stop = threading.Event(), threading.Event()

    def start(self) -> None:
        """Begins to read, unless it reads already."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._read, name="feed", daemon=True)
                self._thread.start()

    def wait(self, patience_s: float) -> None:
        """Waits until it listens: what is written from then on wakes listeners."""
        self._listens.wait(patience_s)

    def close(self) -> None:
        """Reads no more."""
        self._stop.set()

    def _read(self) -> None:
        feeds: Follower | None = None
        waiting: list[str] = []
        while not self._stop.is_set():
            try:
                feeds = feeds or Follower(self._handler.log)
                self._listens.set()
                waiting = waiting or self._concerned(self._told_of(feeds.news(WAIT_S)))
                while waiting:
                    self._wake(waiting[0])
                    del waiting[0]
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._stop.wait(WAIT_S)

    def _told_of(self, news: News) -> News:
        """The news, after those who follow the whole feed were notified."""
        if news.partitions:
            for listener in self._topics.feed.to([ALL]):
                listener.tell(ALL)
        return news

    def _concerned(self, news: News) -> list[str]:
        """The tables with news; in a partition whose feed went back, all known tables."""
        told = dict.fromkeys(pointer.table for _, pointer in news.pointers)
        if news.gone_back:
            partitions, known = self._handler.log.partitions, self._handler.histories.tables()
            listened = (*self._topics.tables.names(), *known)
            told |= dict.fromkeys(table for table in listened if partition_of(table, partitions) in news.gone_back)
        return list(told)

    def _wake(self, table: str) -> None:
        listeners, inboxes = self._topics.tables.to([table]), self._topics.players.names()
        if not listeners and not inboxes:
            return
        concerned = _players(self._handler.histories.known(table))
        try:
            concerned |= _players(self._handler.histories.fresh(table))
        except LogUnreadable as damage:  # those who listen are woken all the same: their streams end
            log.critical("%s", damage)
        for listener in listeners | self._topics.players.to(concerned):
            listener.tell(table)


def _players(history: History | None) -> set[str]:
    return {seat.player for seat in history.table.seats if seat.player} if history else set()
