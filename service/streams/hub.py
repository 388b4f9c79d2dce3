"""The open streams of a process: of tables, inboxes, analyses and the feed.

One thread reads the feed of the log and wakes the listeners. Streams wait on the event loop and hold no thread.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.feeds import FeedTail, FeedUpdate
from events.log import LogUnreadable, partition_of
from projections.history import TableHistory
from service.accounts.callers import Caller
from service.analyses import TableAnalyses
from service.command_handler import CommandHandler
from service.errors import Refused
from service.metrics import STREAMS
from service.streams import frames as sse
from service.tables.authorisation import may_see
from service.tables.table_documents import OF_PEOPLE, ends_wait
from service.tables.whole_game_questions import Answering, Question

WAIT_S = 1.0  # for news, before the reader checks whether it should stop
PAUSE_S = 1.0  # between two looks at an analysis, or two attempts to get a page while the pool is busy
LOOK_S = 15.0  # between two checks that the caller still has access; each also shows that the stream is alive
SHARE = 2  # one address may hold half of all streams, whatever the number of its accounts
AT_ONCE = 100  # events or tables in one piece: a slow reader makes the process hold no more
BATCHES = 100  # in a page of the feed

Topic = tuple[str, str]  # `table`, `player` or `feed`, and its id
FEED: Topic = ("feed", "")

log = logging.getLogger(__name__)


class Listener:
    """Waits for news of tables. Any thread may notify it."""

    def __init__(self) -> None:
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        self._tables: set[str] = set()

    def notify(self, table: str) -> None:
        """Adds a table with news, and wakes the listener."""
        self._loop.call_soon_threadsafe(self._note, table)

    def _note(self, table: str) -> None:
        self._tables.add(table)
        self._event.set()

    async def news(self, until: float) -> set[str]:
        """Returns the tables with news since the last call; empty if none come before `until` (`time.monotonic`)."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), until - time.monotonic())
        self._event.clear()
        found, self._tables = self._tables, set()
        return found


class Listeners:
    """The listeners of a process by topic. Thread-safe."""

    def __init__(self) -> None:
        self._listeners: dict[Topic, set[Listener]] = defaultdict(set)
        self._lock = threading.Lock()

    @contextmanager
    def listener(self, topic: Topic) -> Iterator[Listener]:
        """Registers a new listener for the duration of the block."""
        listener = Listener()
        with self._lock:
            self._listeners[topic].add(listener)
        try:
            yield listener
        finally:
            with self._lock:
                self._listeners[topic].discard(listener)
                if not self._listeners[topic]:
                    del self._listeners[topic]

    def names(self, kind: str) -> list[str]:
        """Returns the ids of this kind that have listeners."""
        with self._lock:
            return [name for of, name in self._listeners if of == kind]

    def of(self, topics: Iterable[Topic]) -> set[Listener]:
        """Returns the listeners of these topics."""
        with self._lock:
            return set().union(*(self._listeners.get(topic, ()) for topic in topics))


class OpenStreams:
    """Counts the open streams, at most so many in a process and of one client. Thread-safe."""

    def __init__(self, most: int, of_client: int) -> None:
        self._most, self._of_client, self._lock = most, of_client, threading.Lock()
        self._by_client: Counter[str] = Counter()  # account, or address without one
        self._by_address: Counter[str] = Counter()

    def admit(self, subscription: sse.Subscription | sse.Wait) -> None:
        """Counts a new stream; raises `Refused` if too many are open."""
        most, of_client = self._most, self._of_client
        client, share = _client(subscription), max(of_client, most // SHARE)
        with self._lock:
            if self._by_client[client] >= of_client and "admin" not in subscription.caller.scopes:
                detail = f"you have {of_client} streams open: close one, or subscribe to all tables by GET /v1/inbox; "
                detail += "the operator may raise WINTERCOUNT_STREAMS_PER_CLIENT"
                raise Refused("quota_reached", detail, quota="streams", most=of_client)
            if self._by_client.total() >= most or self._by_address[subscription.address] >= share:
                detail = f"{most} streams are open in all, or {share} from one address; try again, or read pages"
                raise Refused("too_many_streams", f"{detail}; the operator may raise WINTERCOUNT_STREAMS")
            self._by_client[client] += 1
            self._by_address[subscription.address] += 1
        STREAMS.inc()

    def of(self, player: str) -> tuple[int, int]:
        """Returns how many streams an account has open in this process, and how many it may have."""
        with self._lock:
            return self._by_client[player], self._of_client

    def dismiss(self, subscription: sse.Subscription | sse.Wait) -> None:
        """Removes a stream from the count."""
        with self._lock:
            self._by_client[_client(subscription)] -= 1
            self._by_address[subscription.address] -= 1
            self._by_client += Counter()  # drops zeros
            self._by_address += Counter()
        STREAMS.dec()


def _client(subscription: sse.Subscription | sse.Wait) -> str:
    return subscription.caller.id or subscription.address


class FeedReader:
    """Reads the feed in a thread, and wakes the listeners of tables and of the players seated there."""

    def __init__(self, handler: CommandHandler, listeners: Listeners) -> None:
        self._handler, self._listeners = handler, listeners
        self._starting, self._thread = threading.Lock(), threading.Thread(target=self._read, name="feed", daemon=True)
        self._ready, self._stop = threading.Event(), threading.Event()

    def start(self) -> None:
        """Starts the thread if necessary, and waits until every later write wakes its listeners."""
        with self._starting:
            if self._thread.ident is None:
                self._thread.start()
        self._ready.wait(LOOK_S)

    def close(self) -> None:
        """Ends the thread."""
        self._stop.set()

    def _read(self) -> None:
        feeds: FeedTail | None = None
        waiting: list[str] = []
        while not self._stop.is_set():
            try:
                feeds = feeds or FeedTail(self._handler.log)
                self._ready.set()
                waiting = waiting or self._concerned(feeds.next_update(WAIT_S))
                while waiting:
                    self._wake(waiting[0])
                    del waiting[0]
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._stop.wait(WAIT_S)

    def _concerned(self, news: FeedUpdate) -> list[str]:
        """Wakes the listeners of the feed; returns the tables with news, or all in a partition that went back."""
        for listener in self._listeners.of([FEED] if news.partitions else []):
            listener.notify("")
        tables = dict.fromkeys(pointer.table for _, pointer in news.pointers)
        if news.gone_back:
            known = (*self._listeners.names("table"), *self._handler.cache.tables())
            partitions = self._handler.log.partitions
            tables |= dict.fromkeys(table for table in known if partition_of(table, partitions) in news.gone_back)
        return list(tables)

    def _wake(self, table: str) -> None:
        if not self._listeners.of([("table", table)]) and not self._listeners.names("player"):
            return
        concerned = _players(self._handler.cache.peek(table))
        try:
            concerned |= _players(self._handler.cache.load(table))
        except LogUnreadable as damage:  # listeners are woken nevertheless: their streams end
            log.critical("%s", damage)
        for listener in self._listeners.of([("table", table), *(("player", player) for player in concerned)]):
            listener.notify(table)


def _players(history: TableHistory | None) -> set[str]:
    return {seat.player for seat in history.table.seats if seat.player} if history else set()


class Pages:
    """Asks for pages of the feed; streams that want the same page share the answer."""

    def __init__(self, expensive: Answering) -> None:
        self._expensive = expensive
        self._threads = ThreadPoolExecutor(1, "feed pages")  # leaves the rest of the pool to other questions
        self._wanted: dict[Any, asyncio.Future[sse.Page]] = {}

    async def page(self, caller: Caller, asked: Mapping[str, Any]) -> sse.Page:
        """Returns the page, and waits while the pool is busy; raises `Refused` for a position that is gone."""
        key = (asyncio.get_running_loop(), *sorted(asked.items()))
        if key not in self._wanted:
            self._wanted[key] = asyncio.ensure_future(self._found(Question("feed", caller, "", dict(asked))))
            self._wanted[key].add_done_callback(lambda _: self._wanted.pop(key))
        return await asyncio.shield(self._wanted[key])

    async def _found(self, question: Question) -> sse.Page:
        while True:
            try:
                found = await asyncio.get_running_loop().run_in_executor(self._threads, self._expensive, question)
                return msgspec.json.decode(found.body, type=sse.Page)
            except Refused as refusal:
                if refusal.code != "too_busy":
                    raise
                await asyncio.sleep(PAUSE_S)


class Sources(NamedTuple):
    """What streams read besides the log: the unfinished tables of a player, pages of the feed, and analyses."""

    lobby: Callable[[str], set[str]]
    pages: Pages
    analyses: TableAnalyses


class Hub:
    """Yields the frames of each stream. `check_access` raises `Refused` if a token or an account is no longer valid."""

    def __init__(
        self, handler: CommandHandler, check_access: Callable[[Caller], object], streams: OpenStreams, sources: Sources
    ) -> None:
        self.handler, self._sources, self._check_access = handler, sources, check_access
        self.open, self._listeners, self._frames = streams, Listeners(), sse.Frames()
        self._reader = FeedReader(handler, self._listeners)

    def close(self) -> None:
        """Ends the reader."""
        self._reader.close()

    async def frames(self, subscription: sse.Subscription) -> AsyncGenerator[bytes, None]:
        """Yields the stream, until its subject ends or the caller loses access."""
        yield sse.RETRY
        try:
            async for found in FRAMES_OF[type(subscription)](self, subscription):
                yield found
        except Refused as refusal:
            yield sse.end("cursor_gone" if refusal.code == "cursor_gone" else "access_ended")
        except LogUnreadable as damage:
            log.critical("%s", damage)
            yield sse.LOST

    @contextlib.asynccontextmanager
    async def _listening(self, topic: Topic) -> AsyncGenerator[Listener, None]:
        """Registers a listener for the duration of the block, once every later write wakes it."""
        with self._listeners.listener(topic) as listener:
            await asyncio.to_thread(self._reader.start)
            yield listener

    # --- a table ---

    async def _table(self, subscription: sse.TableSubscription) -> AsyncGenerator[bytes, None]:
        table, after, seen = subscription.table, subscription.after, subscription.known
        async with self._listening(("table", table)) as listener:
            await asyncio.to_thread(self.handler.history, table)  # reads what was written before the reader was ready
            looked = time.monotonic()
            while True:
                history = self.handler.cache.peek(table) or await asyncio.to_thread(self.handler.cache.load, table)
                if history is None or not history.holds(seen):  # the next events would not follow those already sent
                    yield sse.LOST
                    return
                seen = history.table.head
                if not may_see(history.table, subscription.caller):
                    raise Refused("no_such_table", "you no longer have access to the table")
                if history.table.version > after:
                    upto = min(history.table.version, after + AT_ONCE)
                    yield await self._events(history, subscription, after, upto)
                    after = upto
                if history.table.version == after:
                    if history.table.closed:
                        yield sse.end("table_closed")
                        return
                    await listener.news(looked + LOOK_S)
                if time.monotonic() >= looked + LOOK_S:
                    await asyncio.to_thread(self._check_table, subscription)
                    looked = time.monotonic()
                    yield sse.STILL_HERE

    async def _events(self, history: TableHistory, subscription: sse.TableSubscription, after: int, upto: int) -> bytes:
        """Returns the frames of events; in a thread where names or texts may have to be looked up."""
        wanted = history, subscription, after, self.handler.presenter(subscription.language or "en"), upto
        if any(event.envelope.type in OF_PEOPLE for event in history.events[after:upto]):
            return await asyncio.to_thread(self._frames.after, *wanted)
        return self._frames.after(*wanted)

    def _check_table(self, subscription: sse.TableSubscription) -> None:
        """Raises `Refused` if the caller has lost access; also reads news that the reader may have missed."""
        self._check_access(subscription.caller)
        self.handler.history(subscription.table)

    async def decision(self, wait: sse.Wait) -> None:
        """Waits until a decision waits for the caller, or none will come; raises `Refused`."""
        self.open.admit(wait)
        try:
            async with self._listening(("table", wait.table)) as listener:
                history = await asyncio.to_thread(self.handler.cache.load, wait.table)
                while history and not ends_wait(history.table, wait.caller) and time.monotonic() < wait.until:
                    await listener.news(wait.until)
                    history = self.handler.cache.peek(wait.table)
            await asyncio.to_thread(self._check_access, wait.caller)
        finally:
            self.open.dismiss(wait)

    # --- an inbox ---

    async def _inbox(self, subscription: sse.InboxSubscription) -> AsyncGenerator[bytes, None]:
        """First all decisions that wait, then changes. The lobby, which lists the tables, may lag."""
        async with self._listening(("player", subscription.player)) as listener:
            inbox, tables = sse.Inbox(subscription.player), await asyncio.to_thread(self._tables_of, subscription)
            looked = time.monotonic()
            while True:
                names = sorted(tables)
                for begin in range(0, len(names), AT_ONCE):
                    if found := inbox.news(await asyncio.to_thread(self._histories, names[begin : begin + AT_ONCE])):
                        yield found
                tables = await listener.news(looked + LOOK_S)
                if time.monotonic() >= looked + LOOK_S:
                    tables |= inbox.unseen(await asyncio.to_thread(self._tables_of, subscription))
                    looked = time.monotonic()
                    yield sse.STILL_HERE

    def _tables_of(self, subscription: sse.InboxSubscription) -> set[str]:
        """Returns the player's unfinished tables; raises `Refused` if the caller has lost access."""
        self._check_access(subscription.caller)
        return self._sources.lobby(subscription.player)

    def _histories(self, tables: list[str]) -> dict[str, TableHistory | None]:
        """Returns the histories, None for a table that the store has lost; logs damaged tables and omits them."""
        known = {table: self.handler.cache.peek(table) for table in tables}
        read = self.handler.cache.load_each(table for table, history in known.items() if history is None)
        for one in read.values():
            if isinstance(one, LogUnreadable):
                log.critical("%s", one)
        return {table: one for table, one in (known | read).items() if not isinstance(one, LogUnreadable)}

    # --- an analysis ---

    async def _analysis(self, subscription: sse.AnalysisSubscription) -> AsyncGenerator[bytes, None]:
        """A frame for each progress, until the analysis is over or its table has changed."""
        sent, looked = None, time.monotonic()
        while True:
            found = await asyncio.to_thread(self._sources.analyses.analyses.find, subscription.name)
            if found is None or found.analysis.head != subscription.head:
                yield sse.end("analysis_gone")
                return
            now = sse.progress_of(subscription.name, found.analysis)
            if now != sent:
                yield sse.frame("progress", now)
                sent = now
            if found.analysis.over:
                yield sse.end("analysis_over")
                return
            if time.monotonic() >= looked + LOOK_S:
                if not await asyncio.to_thread(self._is_current, subscription):
                    yield sse.end("analysis_gone")
                    return
                yield sse.STILL_HERE
                looked = time.monotonic()
            await asyncio.sleep(PAUSE_S)

    def _is_current(self, subscription: sse.AnalysisSubscription) -> bool:
        """Whether the table is still as it was analysed; raises `Refused` if the caller has lost access."""
        self._check_access(subscription.caller)
        return self._sources.analyses.is_of(subscription.name.table, subscription.head, subscription.caller)

    # --- the feed ---

    async def _feed(self, subscription: sse.FeedSubscription) -> AsyncGenerator[bytes, None]:
        """The batches after a cursor, and later ones. Now and then a frame tells the position, filtered or not."""
        async with self._listening(FEED) as listener:
            asked, looked = {"limit": BATCHES} | dict(subscription.asked), time.monotonic()
            while True:
                page = await self._sources.pages.page(subscription.caller, asked)
                for row in page.batches:
                    yield sse.frame("batch", row, msgspec.json.decode(row, type=sse.FeedFrame).cursor)
                stays, asked = page.next == asked.get("cursor"), asked | {"cursor": page.next}
                if stays or not page.lag:
                    await listener.news(looked + LOOK_S)
                if time.monotonic() >= looked + LOOK_S:
                    await asyncio.to_thread(self._check_access, subscription.caller)
                    yield sse.frame("lag", {"lag": page.lag}, page.next)
                    looked = time.monotonic()


FRAMES_OF: dict[type, Callable[[Hub, Any], AsyncGenerator[bytes, None]]] = {
    sse.TableSubscription: Hub._table,
    sse.InboxSubscription: Hub._inbox,
    sse.FeedSubscription: Hub._feed,
    sse.AnalysisSubscription: Hub._analysis,
}
