"""Event streams: one reader of the feed for all listeners of a process, and no thread for any of them.

The REST edge only says which stream a response is to become (`environ[FOLLOW]`); the server, which is asynchronous,
writes it. Frames are Server-Sent Events: `id` is the version, so that `Last-Event-ID` resumes without loss.
"""

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import AsyncGenerator
from typing import NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.recorded import Recorded
from projections.history import History
from service.accounts import Accounts, Caller
from service.errors import Refused
from service.house import House
from service.tables.reading import Eyes, event_row, eyes_of, may_see

FOLLOW = "wintercount.follow"
KEEP_ALIVE_S = 15.0
WAIT_S = 1.0
KEPT_FRAMES = 4096
RETRY = b": wintercount\nretry: 1000\n\n"
STILL_HERE = b": still here\n\n"

log = logging.getLogger(__name__)


class Follow(NamedTuple):
    """The stream that a response is to become: the events of a table behind version `after`."""

    table: str
    caller: Caller
    after: int
    language: str | None


class Hub:
    """Wakes the listeners of a table when its feed tells of something new."""

    def __init__(self, house: House, accounts: Accounts, most: int) -> None:
        self.house, self._accounts, self._most = house, accounts, most
        self._listeners: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._listening, self._stop = threading.Event(), threading.Event()
        self._frames = Frames()
        self.open = 0

    def admit(self) -> None:
        """Counts a new stream in; raises `Refused` if there are too many."""
        with self._lock:
            if self.open >= self._most:
                raise Refused("too-many-streams", f"{self._most} streams are open; try again, or read pages")
            self.open += 1
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="feed", daemon=True)
                self._reader.start()

    def dismiss(self) -> None:
        """Counts a stream out."""
        with self._lock:
            self.open -= 1

    def close(self) -> None:
        """Ends the reader."""
        self._stop.set()

    def _read(self) -> None:
        positions: dict[int, int] = {}
        while not self._stop.is_set():
            try:
                positions = positions or self.house.log.feed_ends()
                self._listening.set()
                for partition, pointer in self.house.log.follow(positions, WAIT_S):
                    positions[partition] = pointer.position
                    self._wake(pointer.table)
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._stop.wait(WAIT_S)

    def _wake(self, table: str) -> None:
        with self._lock:
            listeners = list(self._listeners.get(table, ()))
        if listeners:
            self.house.histories.fresh(table)
        for loop, event in listeners:
            loop.call_soon_threadsafe(event.set)

    async def frames(self, follow: Follow) -> AsyncGenerator[bytes, None]:
        """The stream, frame by frame, until the table is closed or the caller may not see it any more."""
        event = asyncio.Event()
        listener = (asyncio.get_running_loop(), event)
        with self._lock:
            self._listeners[follow.table].add(listener)
        try:
            yield RETRY
            await listener[0].run_in_executor(None, self._catch_up, follow.table)
            async for frame in self._following(follow, event):
                yield frame
        except Refused:
            yield _end("access_ended")
        finally:
            with self._lock:
                self._listeners[follow.table].discard(listener)
                if not self._listeners[follow.table]:
                    del self._listeners[follow.table]

    def _catch_up(self, table: str) -> None:
        """Reads what was written before the reader of the feed began to listen."""
        self._listening.wait(KEEP_ALIVE_S)
        self.house.history(table)

    async def _following(self, follow: Follow, event: asyncio.Event) -> AsyncGenerator[bytes, None]:
        after, looked = follow.after, time.monotonic()
        while True:
            history = self.house.histories.known(follow.table) or self.house.history(follow.table)
            if not may_see(history.table, follow.caller):
                raise Refused("no-such-table", "the table is not open to you any more")
            if history.table.version > after:
                yield self._frames.behind(history, follow, after)
                after = history.table.version
            if history.table.closed:
                yield _end("table_closed")
                return
            if not await _woken(event):
                yield STILL_HERE
            if time.monotonic() >= looked + KEEP_ALIVE_S:
                await asyncio.get_running_loop().run_in_executor(None, self._look_again, follow)
                looked = time.monotonic()

    def _look_again(self, follow: Follow) -> None:
        """Raises `Refused` if the token that opened the stream was revoked; and looks for what nobody told of."""
        self._accounts.check(follow.caller)
        self.house.history(follow.table)


def _end(reason: str) -> bytes:
    """The last frame: a stream that merely breaks off has not ended."""
    return b"event: end\ndata: %s\n\n" % msgspec.json.encode({"reason": reason})


async def _woken(event: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(event.wait(), KEEP_ALIVE_S)
    except TimeoutError:
        return False
    event.clear()
    return True


class Frames:
    """Frames are the same for all who see a table with the same eyes; they are made once, and a while kept."""

    def __init__(self) -> None:
        self._made: dict[tuple[bytes, Eyes, str | None], bytes] = {}

    def behind(self, history: History, follow: Follow, after: int) -> bytes:
        """The frames of all events behind version `after`."""
        eyes = eyes_of(history.table, follow.caller)
        game = history.table.opened.game
        return b"".join(self._frame(event, game, eyes, follow.language) for event in history.events[after:])

    def _frame(self, event: Recorded, game: str, eyes: Eyes, language: str | None) -> bytes:
        key = (event.hash, eyes, language)
        if key not in self._made:
            if len(self._made) >= KEPT_FRAMES:
                self._made.clear()
            row = msgspec.json.encode(event_row(event, game, eyes, language))
            self._made[key] = b"id: %d\nevent: %s\ndata: %s\n\n" % (event.version, event.envelope.type.encode(), row)
        return self._made[key]
