"""The streams of a process: of a table, of an inbox, of the whole feed, of an analysis."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple, Protocol

from events.log import LogUnreadable
from projections.history import History
from service.accounts.callers import Caller
from service.analyses import TableAnalyses
from service.commands import CommandHandler
from service.errors import Refused
from service.streams.feed import FollowFeed, Pages
from service.streams.frames import (
    LOST,
    RETRY,
    STILL_HERE,
    Follow,
    FollowAnalysis,
    Followed,
    FollowInbox,
    Frames,
    Inbox,
    OfTheLog,
    end,
    progress_frames,
)
from service.streams.reader import ALL, Bounds, FeedReader, Listener, OpenStreams, Topics
from service.tables.event_rows import OF_PEOPLE
from service.tables.viewing import may_see

AT_ONCE = 100  # events that are told at once, or tables: whoever takes them slowly holds no more
LOOK_S = 15.0  # how often a stream checks that its token is still good, looks for missed news, and shows that it lives

log = logging.getLogger(__name__)


class StreamAccess(Protocol):
    """Who may have streams."""

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the token was revoked meanwhile, or the account suspended."""


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
        access: StreamAccess,
        bounds: Bounds,
        sources: Sources,
    ) -> None:
        self.handler, self._access, self._sources = handler, access, sources
        self._open, self._topics, self._frames = OpenStreams(bounds), Topics(), Frames()
        self._reader = FeedReader(handler, self._topics)

    def admit(self, follow: Followed) -> None:
        """Registers a new stream; raises `Refused` if there are too many."""
        self._open.admit(follow)
        self._reader.start()

    def dismiss(self, follow: Followed) -> None:
        """Unregisters a stream."""
        self._open.dismiss(follow)

    def held(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        return self._open.of(player)

    def close(self) -> None:
        """Ends the reader."""
        self._reader.close()

    async def frames(self, follow: Followed) -> AsyncGenerator[bytes, None]:
        """The stream, frame by frame, until the table is closed or the caller may not see it any more."""
        yield RETRY
        try:
            async for frame in self._of(follow):
                yield frame
        except Refused as refusal:
            yield end("cursor_gone" if refusal.code == "cursor-gone" else "access_ended")
        except LogUnreadable as damage:
            log.critical("%s", damage)
            yield LOST

    async def _of(self, follow: Followed) -> AsyncGenerator[bytes, None]:
        if isinstance(follow, FollowAnalysis):  # the log has no news of it
            analyses, stands = self._sources.analyses.analyses, partial(self._stands, follow)
            async for frame in progress_frames(analyses, follow, stands):
                yield frame
            return
        with self._listening_to(follow) as listener:
            await asyncio.to_thread(self._reader.wait, LOOK_S)
            async for frame in self._frames_from(follow, listener):
                yield frame

    def _stands(self, follow: FollowAnalysis) -> bool:
        """Whether the table is still as it was analysed; raises `Refused` if the caller has no access any more."""
        self._access.check(follow.caller)
        return self._sources.analyses.is_of(follow.name.table, follow.head, follow.caller)

    def _listening_to(self, follow: OfTheLog) -> AbstractContextManager[Listener]:
        match follow:
            case Follow():
                return self._topics.tables.listener(follow.table)
            case FollowInbox():
                return self._topics.players.listener(follow.player)
            case FollowFeed():
                return self._topics.feed.listener(ALL)

    def _frames_from(self, follow: OfTheLog, listener: Listener) -> AsyncGenerator[bytes, None]:
        """The frames from where the stream begins."""
        match follow:
            case Follow():
                return self._following(follow, listener)
            case FollowInbox():
                return self._waiting(follow, listener)
            case FollowFeed():
                return self._sources.pages.frames(follow, listener, partial(self._access.check, follow.caller))

    # --- a table ---

    async def _following(self, follow: Follow, listener: Listener) -> AsyncGenerator[bytes, None]:
        await asyncio.to_thread(
            self.handler.history, follow.table
        )  # what was written before the reader began to listen
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
                upto = min(history.table.version, after + AT_ONCE)
                yield await self._told(history, follow, after, upto)
                after = upto
            if history.table.version == after:
                if history.table.closed:
                    yield end("table_closed")
                    return
                await listener.news(looked + LOOK_S)
            if time.monotonic() >= looked + LOOK_S:
                await asyncio.to_thread(self._look_again, follow)
                looked = time.monotonic()
                yield STILL_HERE

    async def _newest(self, table: str) -> History | None:
        """The history as far as this process has it, else from the store."""
        return self.handler.histories.known(table) or await asyncio.to_thread(self.handler.histories.fresh, table)

    async def _told(self, history: History, follow: Follow, after: int, upto: int) -> bytes:
        """The frames of the events behind a version; where names or keys may have to be looked up, in a thread."""
        presenter = self.handler.presenter(follow.language or "en")
        if any(event.envelope.type in OF_PEOPLE for event in history.events[after:upto]):
            return await asyncio.to_thread(self._frames.after, history, follow, after, presenter, upto)
        return self._frames.after(history, follow, after, presenter, upto)

    def _look_again(self, follow: Follow) -> None:
        """Raises `Refused` if the caller has no access any more; also looks for news that were missed."""
        self._access.check(follow.caller)
        self.handler.history(follow.table)

    # --- an inbox ---

    async def _waiting(self, follow: FollowInbox, listener: Listener) -> AsyncGenerator[bytes, None]:
        """What waits for a player: first everything, then the changes. The lobby, which lists the tables, may lag."""
        inbox, tables = Inbox(follow.player), await asyncio.to_thread(self._tables_of, follow)
        looked = time.monotonic()
        while True:
            async for frames in self._inbox_news(inbox, tables):
                if frames:
                    yield frames
            tables = await listener.news(looked + LOOK_S)
            if time.monotonic() >= looked + LOOK_S:
                tables |= inbox.unseen(await asyncio.to_thread(self._tables_of, follow))
                looked = time.monotonic()
                yield STILL_HERE  # whatever others do at the player's tables: news may tell the player nothing

    async def _inbox_news(self, inbox: Inbox, told: set[str]) -> AsyncGenerator[bytes, None]:
        """The frames of these tables."""
        for tables in _parts(told):
            yield inbox.news(await asyncio.to_thread(self._histories, tables))

    def _tables_of(self, follow: FollowInbox) -> set[str]:
        """The tables of a player that are not finished; raises `Refused` if the caller has no access any more."""
        self._access.check(follow.caller)
        return self._sources.lobby(follow.player)

    def _histories(self, tables: list[str]) -> dict[str, History | None]:
        """The histories of tables, None of one that the store has lost; damaged ones are logged and left out."""
        known = {table: self.handler.histories.known(table) for table in tables}
        read = self.handler.histories.fresh_each(table for table, history in known.items() if history is None)
        for one in read.values():
            if isinstance(one, LogUnreadable):
                log.critical("%s", one)
        return {table: one for table, one in (known | read).items() if not isinstance(one, LogUnreadable)}


def _parts(tables: set[str]) -> Iterator[list[str]]:
    """Tables in parts, each of which is read and told at once."""
    names = sorted(tables)
    return (names[begin : begin + AT_ONCE] for begin in range(0, len(names), AT_ONCE))
