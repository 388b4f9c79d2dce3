"""Event streams: one reader of the feed serves all listeners of a process, and none of them needs a thread.

The REST edge only says which stream a response is to become (`environ[FOLLOW]`); the server, which is asynchronous,
writes it. Frames are Server-Sent Events: `id` is the version with the beginning of its hash, so that `Last-Event-ID`
resumes without loss, and never on other events than were told.

It is long because listeners, the reader that wakes them and the room that they take hold each other to account.
"""

import asyncio
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.following import Follower, News
from events.lifecycle import TEXTS
from events.log import LogUnreadable, partition_of
from events.recorded import START, Head, Recorded
from projections.history import History, head_of
from service.accounts.accounts import Accounts, Caller
from service.accounts.texts import NOBODYS, Teller
from service.commands import CommandHandler
from service.errors import Refused
from service.feed_streams import FollowFeed, Pages
from service.metrics import STREAMS
from service.tables.reading import Viewer, event_row, may_see, viewer_of, waiting

FOLLOW = "wintercount.follow"
KEEP_ALIVE_S = 15.0
WAIT_S = 1.0
ALL = "all"  # the name of the feed among what is listened to
KEPT_FRAMES = 4096
RETRY = b": wintercount\nretry: 1000\n\n"
STILL_HERE = b": still here\n\n"

log = logging.getLogger(__name__)


class Follow(NamedTuple):
    """A response that becomes a stream of the table's events after version `after`, where the table had `known`."""

    table: str
    caller: Caller
    after: int
    language: str | None
    address: str = ""
    known: Head = START

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return self.table


class FollowInbox(NamedTuple):
    """A response that becomes a stream of the decisions that wait for the caller."""

    caller: Caller
    address: str = ""

    @property
    def player(self) -> str:
        """The account whose decisions they are."""
        return self.caller.needs("watch").id

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return f"the inbox of {self.player}"


Followed = Follow | FollowInbox | FollowFeed


class Listener:
    """A listener that waits for news of tables; any thread may notify it."""

    def __init__(self) -> None:
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        self._tables: set[str] = set()

    def tell(self, table: str) -> None:
        """There is something new at a table."""
        self._loop.call_soon_threadsafe(self._note, table)

    def _note(self, table: str) -> None:
        self._tables.add(table)
        self._event.set()

    async def news(self) -> set[str]:
        """The tables with news since the last call; none if nothing happens for a while."""
        try:
            await asyncio.wait_for(self._event.wait(), KEEP_ALIVE_S)
        except TimeoutError:
            return set()
        self._event.clear()
        found, self._tables = self._tables, set()
        return found


class Bounds(NamedTuple):
    """How many streams may be open in a process, and how many of them may be of one client."""

    most: int
    of_client: int


class Hub:
    """Wakes the listeners of a table, and of the players who sit there, when its feed has news."""

    def __init__(
        self,
        handler: CommandHandler,
        accounts: Accounts,
        bounds: Bounds,
        lobby: Callable[[str], set[str]],
        pages: Pages,
    ) -> None:
        self.handler, self._accounts, self._bounds, self._lobby = handler, accounts, bounds, lobby
        self._pages = pages
        self._held: Counter[str] = Counter()  # by account, or by address of those who have none
        self._strangers = 0
        self._at_table: dict[str, set[Listener]] = defaultdict(set)
        self._of_player: dict[str, set[Listener]] = defaultdict(set)
        self._of_feed: dict[str, set[Listener]] = defaultdict(set)
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._listening, self._stop = threading.Event(), threading.Event()
        self._frames = Frames()
        self.open = 0

    def admit(self, follow: Followed) -> None:
        """Registers a new stream; raises `Refused` if there are too many. Half of them are reserved for players."""
        stranger, holder = follow.caller.id is None, _holder(follow)
        most, of_client = self._bounds
        with self._lock:
            if self.open >= most or (stranger and self._strangers >= max(1, most // 2)):
                raise Refused("too-many-streams", f"{most} streams are open; try again, or read pages")
            if self._held[holder] >= of_client and "admin" not in follow.caller.scopes:
                detail = f"you have {of_client} streams open: close one, or follow all tables by GET /v1/inbox"
                raise Refused("quota-reached", detail, quota="streams", most=of_client)
            self.open += 1
            STREAMS.inc()
            self._strangers += stranger
            self._held[holder] += 1
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="feed", daemon=True)
                self._reader.start()

    def dismiss(self, follow: Followed) -> None:
        """Unregisters a stream."""
        holder = _holder(follow)
        with self._lock:
            self.open -= 1
            STREAMS.dec()
            self._strangers -= follow.caller.id is None
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]

    def close(self) -> None:
        """Ends the reader."""
        self._stop.set()

    def _read(self) -> None:
        feeds: Follower | None = None
        waiting: list[str] = []
        while not self._stop.is_set():
            try:
                feeds = feeds or Follower(self.handler.log)
                self._listening.set()
                waiting = waiting or self._concerned(self._told_of(feeds.news(WAIT_S)))
                while waiting:
                    self._wake(waiting[0])
                    del waiting[0]
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._stop.wait(WAIT_S)

    def _told_of(self, news: News) -> News:
        """The news, after those who follow the whole feed were notified."""
        with self._lock:
            listeners = set(self._of_feed.get(ALL, ())) if news.partitions else set()
        for listener in listeners:
            listener.tell(ALL)
        return news

    def _concerned(self, news: News) -> list[str]:
        """The tables with news; in a partition whose feed went back, all known tables."""
        told = dict.fromkeys(pointer.table for _, pointer in news.pointers)
        if news.gone_back:
            with self._lock:
                listened = list(self._at_table)
            known = (*listened, *self.handler.histories.tables())
            told |= dict.fromkeys(
                table for table in known if partition_of(table, self.handler.log.partitions) in news.gone_back
            )
        return list(told)

    def _wake(self, table: str) -> None:
        with self._lock:
            listeners = set(self._at_table.get(table, ()))
            inboxes = bool(self._of_player)
        if not listeners and not inboxes:
            return
        concerned = self._players(self.handler.histories.known(table))
        try:
            concerned |= self._players(self.handler.histories.fresh(table))
        except LogUnreadable as damage:  # those who listen are woken all the same: their streams end
            log.critical("%s", damage)
        with self._lock:
            listeners.update(*(self._of_player.get(player, ()) for player in concerned))
        for listener in listeners:
            listener.tell(table)

    @staticmethod
    def _players(history: History | None) -> set[str]:
        return {seat.player for seat in history.table.seats if seat.player} if history else set()

    @contextmanager
    def _listening_to(self, topics: dict[str, set[Listener]], name: str) -> Iterator[Listener]:
        listener = Listener()
        with self._lock:
            topics[name].add(listener)
        try:
            yield listener
        finally:
            with self._lock:
                topics[name].discard(listener)
                if not topics[name]:
                    del topics[name]

    async def frames(self, follow: Followed) -> AsyncGenerator[bytes, None]:
        """The stream, frame by frame, until the table is closed or the caller may not see it any more."""
        yield RETRY
        loop = asyncio.get_running_loop()
        try:
            if isinstance(follow, FollowFeed):
                with self._listening_to(self._of_feed, ALL) as listener:
                    await loop.run_in_executor(None, self._listening.wait, KEEP_ALIVE_S)
                    async for frame in self._pages.frames(
                        follow, listener, partial(self._accounts.check, follow.caller)
                    ):
                        yield frame
            elif isinstance(follow, FollowInbox):
                with self._listening_to(self._of_player, follow.player) as listener:
                    async for frame in self._waiting(follow, listener):
                        yield frame
            else:
                with self._listening_to(self._at_table, follow.table) as listener:
                    async for frame in self._following(follow, listener):
                        yield frame
        except Refused as refusal:
            yield _end("cursor_gone" if refusal.code == "cursor-gone" else "access_ended")
        except LogUnreadable as damage:
            log.critical("%s", damage)
            yield LOST

    def _catch_up(self, table: str) -> None:
        """Reads what was written before the reader of the feed began to listen."""
        self._listening.wait(KEEP_ALIVE_S)
        self.handler.history(table)

    async def _newest(self, table: str) -> History | None:
        """The history as far as this process has it, else from the store."""
        known = self.handler.histories.known(table)
        return known or await asyncio.get_running_loop().run_in_executor(None, self.handler.histories.fresh, table)

    async def _following(self, follow: Follow, listener: Listener) -> AsyncGenerator[bytes, None]:
        await asyncio.get_running_loop().run_in_executor(None, self._catch_up, follow.table)
        after, looked, seen = follow.after, time.monotonic(), follow.known
        while True:
            history = await self._newest(follow.table)
            if history is None or not history.holds(seen):  # what comes now follows on other events than were told
                yield LOST
                return
            seen = history.table.head
            if not may_see(history.table, follow.caller):
                raise Refused("no-such-table", "the table is not open to you any more")
            if history.table.version > after:
                yield await self._told(history, follow, after)
                after = history.table.version
            if history.table.closed:
                yield _end("table_closed")
                return
            if not await listener.news():
                yield STILL_HERE
            if time.monotonic() >= looked + KEEP_ALIVE_S:
                await asyncio.get_running_loop().run_in_executor(None, self._look_again, follow)
                looked = time.monotonic()

    async def _told(self, history: History, follow: Follow, after: int) -> bytes:
        """The frames of all events behind a version; where keys of texts may have to be looked up, in a thread."""
        tell = self.handler.texts.teller(follow.language or "en")
        if any(event.envelope.type in TEXTS for event in history.events[after:]):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(None, self._frames.behind, history, follow, after, tell)
        return self._frames.behind(history, follow, after, tell)

    async def _waiting(self, follow: FollowInbox, listener: Listener) -> AsyncGenerator[bytes, None]:
        """What waits for a player: first everything, then the changes. The lobby, which lists the tables, may lag."""
        loop, inbox = asyncio.get_running_loop(), Inbox(follow.player)
        await loop.run_in_executor(None, self._listening.wait, KEEP_ALIVE_S)
        tables = await loop.run_in_executor(None, self._tables_of, follow)
        looked = time.monotonic()
        while True:
            histories = await loop.run_in_executor(None, self._histories, tables)
            if frames := inbox.news(histories):
                yield frames
            tables = await listener.news()
            if not tables:
                yield STILL_HERE
            if time.monotonic() >= looked + KEEP_ALIVE_S:
                tables |= inbox.unseen(await loop.run_in_executor(None, self._tables_of, follow))
                looked = time.monotonic()

    def _tables_of(self, follow: FollowInbox) -> set[str]:
        """The tables of a player that are not finished; raises `Refused` if the token was revoked."""
        self._accounts.check(follow.caller)
        return self._lobby(follow.player)

    def _histories(self, tables: set[str]) -> list[History]:
        known = {table: self.handler.histories.known(table) for table in tables}
        found = [history for history in known.values() if history]
        return found + list(self.handler.intact(table for table, history in known.items() if history is None))

    def _look_again(self, follow: Follow) -> None:
        """Raises `Refused` if the stream's token was revoked; also looks for news that were missed."""
        self._accounts.check(follow.caller)
        self.handler.history(follow.table)


def _holder(follow: Followed) -> str:
    return follow.caller.id or follow.address


def _end(reason: str) -> bytes:
    """The last frame: a stream that breaks off without it has not ended."""
    return b"event: end\ndata: %s\n\n" % msgspec.json.encode({"reason": reason})


LOST = _end("log_damaged")  # the table does not have the events any more that were told


class Inbox:
    """The decisions already sent to a player, so that only changes are sent."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._told: dict[str, dict[str, dict[str, Any]]] = {}  # by table and decision

    def unseen(self, tables: set[str]) -> set[str]:
        """The tables not looked at yet, and those that wait for the player."""
        return {table for table in tables if not self._told.get(table, {})} | {
            t for t, rows in self._told.items() if rows
        }

    def news(self, histories: list[History]) -> bytes:
        """Frames for new decisions, the oldest first, and for settled ones."""
        begun, settled = [], []
        for history in histories:
            table, rows = history.table.id, {row["decision"]: row for row in waiting(history.table, self._player)}
            told = self._told.get(table, {})
            begun += [row for name, row in rows.items() if row | _UNTOLD != told.get(name, {}) | _UNTOLD]
            settled += [{"table": table, "decision": name} for name in told if name not in rows]
            self._told[table] = rows
            if history.table.closed:
                del self._told[table]
        frames = [_frame("settled", row) for row in settled]
        return b"".join(frames + [_frame("decision", row) for row in sorted(begun, key=lambda row: str(row["since"]))])


_UNTOLD = {"version": None}  # what is told along, but is no news by itself


def _frame(kind: str, row: dict[str, Any]) -> bytes:
    name = f"{row['table']}/{row['decision']}"
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (name.encode(), kind.encode(), msgspec.json.encode(row))


class Frames:
    """Frames are the same for all viewers of the same kind; they are made once and kept for a while.

    Frames with people's names or texts are not kept: the key may be erased.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[bytes, Viewer, str | None], bytes] = {}

    def behind(self, history: History, follow: Follow, after: int, tell: Teller = NOBODYS) -> bytes:
        """The frames of all events behind version `after`."""
        viewer, game = viewer_of(history.table, follow.caller), history.table.opened.game
        made = (
            _event_frame(event, game, viewer, follow.language, tell)
            if event.envelope.type in TEXTS
            else self._frame(event, game, viewer, follow.language)
            for event in history.events[after:]
        )
        return b"".join(made)

    def _frame(self, event: Recorded, game: str, viewer: Viewer, language: str | None) -> bytes:
        key = (event.hash, viewer, language)
        if (made := self._made.get(key)) is None:
            if len(self._made) >= KEPT_FRAMES:
                self._made.clear()
            made = self._made[key] = _event_frame(event, game, viewer, language)
        return made


def whole_stream(history: History, viewer: Viewer, after: int, language: str | None, tell: Teller) -> bytes:
    """The stream of a table that never changes, with its end."""
    game = history.table.opened.game
    frames = (_event_frame(event, game, viewer, language, tell) for event in history.events[after:])
    return b"".join([RETRY, *frames, _end("table_closed")])


def _event_frame(event: Recorded, game: str, viewer: Viewer, language: str | None, tell: Teller = NOBODYS) -> bytes:
    row, place = msgspec.json.encode(event_row(event, game, viewer, language, tell)), head_of(event).place
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (place.encode(), event.envelope.type.encode(), row)
