"""The reader of the feed: a thread that wakes those who wait for news of a table, of an inbox or of the feed."""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from redis.exceptions import RedisError

from events.feeds import Follower, News
from events.log import LogUnreadable, partition_of
from projections.history import History
from service.commands import CommandHandler
from service.errors import Refused
from service.metrics import STREAMS
from service.streams.frames import Followed


class Listener:
    """Waits for news of tables; any thread may notify it."""

    def __init__(self) -> None:
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        self._tables: set[str] = set()

    def tell(self, table: str) -> None:
        """There is something new at a table."""
        self._loop.call_soon_threadsafe(self._note, table)

    def _note(self, table: str) -> None:
        self._tables.add(table)
        self._event.set()

    async def news(self, until: float) -> set[str]:
        """The tables with news since the last call; none if nothing happens until then (by `time.monotonic`)."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), until - time.monotonic())
        self._event.clear()
        found, self._tables = self._tables, set()
        return found


class Topic:
    """The listeners of one kind, by what they listen to; any thread may ask."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._lock = threading.Lock()

    @contextmanager
    def listener(self, name: str) -> Iterator[Listener]:
        """A new listener to this name, for as long as the block lasts."""
        listener = Listener()
        with self._lock:
            self._listeners[name].add(listener)
        try:
            yield listener
        finally:
            with self._lock:
                self._listeners[name].discard(listener)
                if not self._listeners[name]:
                    del self._listeners[name]

    def names(self) -> list[str]:
        """What somebody listens to."""
        with self._lock:
            return list(self._listeners)

    def to(self, names: Iterable[str]) -> set[Listener]:
        """Those who listen to one of the names."""
        with self._lock:
            return set().union(*(self._listeners.get(name, ()) for name in names))


ALL = "all"  # the one name in the topic of the whole feed


class Topics:
    """All listeners of a process."""

    def __init__(self) -> None:
        self.tables, self.players, self.feed = Topic(), Topic(), Topic()


SHARE = 2  # one address may hold half of all streams, however many accounts it has


class Bounds(NamedTuple):
    """How many streams may be open in a process, and how many of them may be of one client."""

    most: int
    of_client: int


class OpenStreams:
    """Counts the open streams. Any thread may ask."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds, self._lock = bounds, threading.Lock()
        self._held: Counter[str] = Counter()  # by account, or by address of those who have none
        self._at: Counter[str] = Counter()  # by address, of all

    def admit(self, follow: Followed) -> None:
        """Counts a new stream; raises `Refused` if there are too many."""
        most, of_client = self._bounds
        with self._lock:
            if self._held[_holder(follow)] >= of_client and "admin" not in follow.caller.scopes:
                told = (
                    f"you have {of_client} streams open: close one, or follow all tables by GET /v1/inbox; the operator"
                )
                raise Refused(
                    "quota-reached",
                    f"{told} may raise WINTERCOUNT_STREAMS_PER_CLIENT",
                    quota="streams",
                    most=of_client,
                )
            share = max(of_client, most // SHARE)
            if self._held.total() >= most or self._at[follow.address] >= share:
                told = f"{most} streams are open in all, or {share} from one address; try again, or read pages"
                raise Refused("too-many-streams", f"{told}; the operator may raise WINTERCOUNT_STREAMS")
            self._held[_holder(follow)] += 1
            self._at[follow.address] += 1
        STREAMS.inc()

    def of(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        with self._lock:
            return self._held[player], self._bounds.of_client

    def dismiss(self, follow: Followed) -> None:
        """Counts a stream no longer."""
        with self._lock:
            self._held[_holder(follow)] -= 1
            self._at[follow.address] -= 1
            self._held += Counter()  # drops those who have none
            self._at += Counter()
        STREAMS.dec()


def _holder(follow: Followed) -> str:
    return follow.caller.id or follow.address


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
