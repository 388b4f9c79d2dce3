"""The streams of a process: of a table, of an inbox, of the whole feed, of an analysis.

One reader of the feed, a thread, wakes those who wait for news of a table, of an inbox or of the feed; none of them
needs a thread.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import NamedTuple

from redis.exceptions import RedisError

from events.feeds import FeedTail, FeedUpdate
from events.log import LogUnreadable, partition_of
from projections.history import TableHistory
from service.accounts.callers import Caller
from service.analyses import TableAnalyses
from service.commands import CommandHandler
from service.errors import Refused
from service.metrics import STREAMS
from service.streams.frames import (
    LOST,
    RETRY,
    STILL_HERE,
    AnalysisSubscription,
    FeedSubscription,
    Frames,
    Inbox,
    InboxSubscription,
    LogSubscription,
    Pages,
    Subscription,
    TableSubscription,
    end,
    progress_frames,
)
from service.tables.event_rows import OF_PEOPLE
from service.tables.viewing import may_see

WAIT_S = 1.0  # for news, before it is looked whether to go on
ALL = "all"  # the one name in the topic of the whole feed
SHARE = 2  # one address may hold half of all streams, however many accounts it has
AT_ONCE = 100  # events that are told at once, or tables: whoever takes them slowly holds no more
LOOK_S = 15.0  # how often a stream checks that its token is still good, looks for missed news, and shows that it lives

log = logging.getLogger(__name__)


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


class Topics:
    """All listeners of a process."""

    def __init__(self) -> None:
        self.tables, self.players, self.feed = Topic(), Topic(), Topic()


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

    def admit(self, subscription: Subscription) -> None:
        """Counts a new stream; raises `Refused` if there are too many."""
        most, of_client = self._bounds
        with self._lock:
            if self._held[_holder(subscription)] >= of_client and "admin" not in subscription.caller.scopes:
                told = (
                    f"you have {of_client} streams open: close one, or follow all tables by GET /v1/inbox; the operator"
                )
                raise Refused(
                    "quota_reached",
                    f"{told} may raise WINTERCOUNT_STREAMS_PER_CLIENT",
                    quota="streams",
                    most=of_client,
                )
            share = max(of_client, most // SHARE)
            if self._held.total() >= most or self._at[subscription.address] >= share:
                told = f"{most} streams are open in all, or {share} from one address; try again, or read pages"
                raise Refused("too_many_streams", f"{told}; the operator may raise WINTERCOUNT_STREAMS")
            self._held[_holder(subscription)] += 1
            self._at[subscription.address] += 1
        STREAMS.inc()

    def of(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        with self._lock:
            return self._held[player], self._bounds.of_client

    def dismiss(self, subscription: Subscription) -> None:
        """Counts a stream no longer."""
        with self._lock:
            self._held[_holder(subscription)] -= 1
            self._at[subscription.address] -= 1
            self._held += Counter()  # drops those who have none
            self._at += Counter()
        STREAMS.dec()


def _holder(subscription: Subscription) -> str:
    return subscription.caller.id or subscription.address


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
        feeds: FeedTail | None = None
        waiting: list[str] = []
        while not self._stop.is_set():
            try:
                feeds = feeds or FeedTail(self._handler.log)
                self._listens.set()
                waiting = waiting or self._concerned(self._told_of(feeds.next_update(WAIT_S)))
                while waiting:
                    self._wake(waiting[0])
                    del waiting[0]
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._stop.wait(WAIT_S)

    def _told_of(self, news: FeedUpdate) -> FeedUpdate:
        """The news, after those who follow the whole feed were notified."""
        if news.partitions:
            for listener in self._topics.feed.to([ALL]):
                listener.tell(ALL)
        return news

    def _concerned(self, news: FeedUpdate) -> list[str]:
        """The tables with news; in a partition whose feed went back, all known tables."""
        told = dict.fromkeys(pointer.table for _, pointer in news.pointers)
        if news.gone_back:
            partitions, known = self._handler.log.partitions, self._handler.cache.tables()
            listened = (*self._topics.tables.names(), *known)
            told |= dict.fromkeys(table for table in listened if partition_of(table, partitions) in news.gone_back)
        return list(told)

    def _wake(self, table: str) -> None:
        listeners, inboxes = self._topics.tables.to([table]), self._topics.players.names()
        if not listeners and not inboxes:
            return
        concerned = _players(self._handler.cache.peek(table))
        try:
            concerned |= _players(self._handler.cache.load(table))
        except LogUnreadable as damage:  # those who listen are woken all the same: their streams end
            log.critical("%s", damage)
        for listener in listeners | self._topics.players.to(concerned):
            listener.tell(table)


def _players(history: TableHistory | None) -> set[str]:
    return {seat.player for seat in history.table.seats if seat.player} if history else set()


class Sources(NamedTuple):
    """What streams are made of besides the log: the unfinished tables of a player, pages of the feed, and others."""

    lobby: Callable[[str], set[str]]
    pages: Pages
    analyses: TableAnalyses


class Hub:
    """Admits streams, and gives the frames of each until it ends."""

    def __init__(
        self,
        handler: CommandHandler,
        check_access: Callable[[Caller], object],
        bounds: Bounds,
        sources: Sources,
    ) -> None:
        self.handler, self._sources = handler, sources
        self._check_access = (
            check_access  # raises `Refused` if the token was revoked meanwhile, or the account suspended
        )
        self._open, self._topics, self._frames = OpenStreams(bounds), Topics(), Frames()
        self._reader = FeedReader(handler, self._topics)

    def admit(self, subscription: Subscription) -> None:
        """Registers a new stream; raises `Refused` if there are too many."""
        self._open.admit(subscription)
        self._reader.start()

    def dismiss(self, subscription: Subscription) -> None:
        """Unregisters a stream."""
        self._open.dismiss(subscription)

    def held(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        return self._open.of(player)

    def close(self) -> None:
        """Ends the reader."""
        self._reader.close()

    async def frames(self, subscription: Subscription) -> AsyncGenerator[bytes, None]:
        """The stream, frame by frame, until the table is closed or the caller may not see it any more."""
        yield RETRY
        try:
            async for frame in self._of(subscription):
                yield frame
        except Refused as refusal:
            yield end("cursor_gone" if refusal.code == "cursor_gone" else "access_ended")
        except LogUnreadable as damage:
            log.critical("%s", damage)
            yield LOST

    async def _of(self, subscription: Subscription) -> AsyncGenerator[bytes, None]:
        if isinstance(subscription, AnalysisSubscription):  # the log has no news of it
            analyses, stands = self._sources.analyses.analyses, partial(self._stands, subscription)
            async for frame in progress_frames(analyses, subscription, stands):
                yield frame
            return
        with self._listening_to(subscription) as listener:
            await asyncio.to_thread(self._reader.wait, LOOK_S)
            async for frame in self._frames_from(subscription, listener):
                yield frame

    def _stands(self, subscription: AnalysisSubscription) -> bool:
        """Whether the table is still as it was analysed; raises `Refused` if the caller has no access any more."""
        self._check_access(subscription.caller)
        return self._sources.analyses.is_of(subscription.name.table, subscription.head, subscription.caller)

    def _listening_to(self, subscription: LogSubscription) -> AbstractContextManager[Listener]:
        match subscription:
            case TableSubscription():
                return self._topics.tables.listener(subscription.table)
            case InboxSubscription():
                return self._topics.players.listener(subscription.player)
            case FeedSubscription():
                return self._topics.feed.listener(ALL)

    def _frames_from(self, subscription: LogSubscription, listener: Listener) -> AsyncGenerator[bytes, None]:
        """The frames from where the stream begins."""
        match subscription:
            case TableSubscription():
                return self._following(subscription, listener)
            case InboxSubscription():
                return self._waiting(subscription, listener)
            case FeedSubscription():
                return self._sources.pages.frames(
                    subscription, listener.news, partial(self._check_access, subscription.caller)
                )

    # --- a table ---

    async def _following(self, subscription: TableSubscription, listener: Listener) -> AsyncGenerator[bytes, None]:
        await asyncio.to_thread(
            self.handler.history, subscription.table
        )  # what was written before the reader began to listen
        after, looked, seen = subscription.after, time.monotonic(), subscription.known
        while True:
            history = await self._newest(subscription.table)
            if history is None or not history.holds(seen):  # what comes now follows on other events than were told
                yield LOST
                return
            seen = history.table.head
            if not may_see(history.table, subscription.caller):
                raise Refused("no_such_table", "the table is not open to you any more")
            if history.table.version > after:
                upto = min(history.table.version, after + AT_ONCE)
                yield await self._told(history, subscription, after, upto)
                after = upto
            if history.table.version == after:
                if history.table.closed:
                    yield end("table_closed")
                    return
                await listener.news(looked + LOOK_S)
            if time.monotonic() >= looked + LOOK_S:
                await asyncio.to_thread(self._look_again, subscription)
                looked = time.monotonic()
                yield STILL_HERE

    async def _newest(self, table: str) -> TableHistory | None:
        """The history as far as this process has it, else from the store."""
        return self.handler.cache.peek(table) or await asyncio.to_thread(self.handler.cache.load, table)

    async def _told(self, history: TableHistory, subscription: TableSubscription, after: int, upto: int) -> bytes:
        """The frames of the events behind a version; where names or keys may have to be looked up, in a thread."""
        presenter = self.handler.presenter(subscription.language or "en")
        if any(event.envelope.type in OF_PEOPLE for event in history.events[after:upto]):
            return await asyncio.to_thread(self._frames.after, history, subscription, after, presenter, upto)
        return self._frames.after(history, subscription, after, presenter, upto)

    def _look_again(self, subscription: TableSubscription) -> None:
        """Raises `Refused` if the caller has no access any more; also looks for news that were missed."""
        self._check_access(subscription.caller)
        self.handler.history(subscription.table)

    # --- an inbox ---

    async def _waiting(self, subscription: InboxSubscription, listener: Listener) -> AsyncGenerator[bytes, None]:
        """What waits for a player: first everything, then the changes. The lobby, which lists the tables, may lag."""
        inbox, tables = Inbox(subscription.player), await asyncio.to_thread(self._tables_of, subscription)
        looked = time.monotonic()
        while True:
            async for frames in self._inbox_news(inbox, tables):
                if frames:
                    yield frames
            tables = await listener.news(looked + LOOK_S)
            if time.monotonic() >= looked + LOOK_S:
                tables |= inbox.unseen(await asyncio.to_thread(self._tables_of, subscription))
                looked = time.monotonic()
                yield STILL_HERE  # whatever others do at the player's tables: news may tell the player nothing

    async def _inbox_news(self, inbox: Inbox, told: set[str]) -> AsyncGenerator[bytes, None]:
        """The frames of these tables."""
        for tables in _parts(told):
            yield inbox.news(await asyncio.to_thread(self._histories, tables))

    def _tables_of(self, subscription: InboxSubscription) -> set[str]:
        """The tables of a player that are not finished; raises `Refused` if the caller has no access any more."""
        self._check_access(subscription.caller)
        return self._sources.lobby(subscription.player)

    def _histories(self, tables: list[str]) -> dict[str, TableHistory | None]:
        """The histories of tables, None of one that the store has lost; damaged ones are logged and left out."""
        known = {table: self.handler.cache.peek(table) for table in tables}
        read = self.handler.cache.load_each(table for table, history in known.items() if history is None)
        for one in read.values():
            if isinstance(one, LogUnreadable):
                log.critical("%s", one)
        return {table: one for table, one in (known | read).items() if not isinstance(one, LogUnreadable)}


def _parts(tables: set[str]) -> Iterator[list[str]]:
    """Tables in parts, each of which is read and told at once."""
    names = sorted(tables)
    return (names[begin : begin + AT_ONCE] for begin in range(0, len(names), AT_ONCE))
