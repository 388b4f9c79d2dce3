"""The feed as a stream: pages of it, asked for one after the other, whenever a feed has news."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import msgspec

from service.accounts.callers import Caller
from service.errors import Refused
from service.tables.expensive import Answering, Question

AT_ONCE = 1  # page that is asked for at a time: other questions have the rest of the pool
TELL_S = 15.0  # how often a stream says how far it has come
PAUSE_S = 1.0  # before a page is asked for again, when others are being answered
BATCHES = 100  # a page


class FollowFeed(NamedTuple):
    """A response that becomes a stream of the feed; `asked` says where it begins and which batches it has."""

    caller: Caller
    asked: Mapping[str, Any]
    address: str = ""

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return "the feed"


class FeedFrame(msgspec.Struct):
    """A batch of a page: the position after it, and the bytes that are sent."""

    cursor: str


class Page(msgspec.Struct):
    """A page of the feed."""

    batches: list[msgspec.Raw]
    next: str
    lag: int


class FeedListener(Protocol):
    """Something that waits for news of tables."""

    async def news(self, until: float) -> set[str]: ...


class Pages:
    """Asks for pages of the feed; for a page that several streams want at the same time, once."""

    def __init__(self, expensive: Answering) -> None:
        self._expensive, self._threads = expensive, ThreadPoolExecutor(AT_ONCE, "feed pages")
        self._wanted: dict[Any, asyncio.Future[Page]] = {}

    async def page(self, caller: Caller, asked: Mapping[str, Any]) -> Page:
        """The page, however busy others are meanwhile; raises `Refused` for a place that the feed does not hold."""
        key = (asyncio.get_running_loop(), *sorted(asked.items()))
        if key not in self._wanted:
            self._wanted[key] = asyncio.ensure_future(self._found(Question("feed", caller, "", dict(asked))))
            self._wanted[key].add_done_callback(lambda _: self._wanted.pop(key))
        return await asyncio.shield(self._wanted[key])

    async def _found(self, question: Question) -> Page:
        while True:
            try:
                found = await asyncio.get_running_loop().run_in_executor(self._threads, self._expensive, question)
                return msgspec.json.decode(found.body, type=Page)
            except Refused as refusal:
                if refusal.code != "too-busy":
                    raise
                await asyncio.sleep(PAUSE_S)

    async def frames(
        self, follow: FollowFeed, listener: FeedListener, check: Callable[[], Any]
    ) -> AsyncGenerator[bytes, None]:
        """The batches behind a place, and all that are recorded from then on.

        Every now and then a frame says how far the stream has come, as batches that it tells nothing of count too;
        then `check` raises `Refused` if the caller has no access any more.
        """
        asked, looked = {"limit": BATCHES} | dict(follow.asked), time.monotonic()
        while True:
            page = await self.page(follow.caller, asked)
            for row in page.batches:
                yield _frame("batch", msgspec.json.decode(row, type=FeedFrame).cursor, row)
            stays, asked = page.next == asked.get("cursor"), asked | {"cursor": page.next}
            if stays or not page.lag:
                await listener.news(looked + TELL_S)
            if time.monotonic() >= looked + TELL_S:
                await asyncio.get_running_loop().run_in_executor(None, check)
                yield _lag(page)
                looked = time.monotonic()


def _lag(page: Page) -> bytes:
    return _frame("lag", page.next, msgspec.json.encode({"lag": page.lag}))


def _frame(kind: str, cursor: str, data: bytes | msgspec.Raw) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (cursor.encode(), kind.encode(), bytes(data))
