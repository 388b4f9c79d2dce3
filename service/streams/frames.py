"""The frames of streams: events of a table, decisions that wait for a player, an analysis, and pages of the feed."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import msgspec

from events.recorded import START, Head, Recorded
from projections.history import TableHistory, head_of
from projections.table import Table
from service.accounts.callers import Caller
from service.accounts.names import PLAIN, Presenter
from service.analyses import Analyses, AnalysisStatus, Name
from service.errors import Refused
from service.tables.event_rows import OF_PEOPLE, event_row
from service.tables.expensive import Answering, Question
from service.tables.viewing import Viewer, viewer_of, waiting

SUBSCRIPTION = "wintercount.subscription"  # the name in the environment


class TableSubscription(NamedTuple):
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


class InboxSubscription(NamedTuple):
    """A response that becomes a stream of what waits for the caller."""

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


class AnalysisSubscription(NamedTuple):
    """A response that becomes a stream of the progress of an analysis, which was made of a table with this `head`."""

    caller: Caller
    name: Name
    head: str
    address: str = ""

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return f"the {self.name.kind} analysis of {self.name.table}"


class FeedSubscription(NamedTuple):
    """A response that becomes a stream of the feed; `asked` says where it begins and which batches it has."""

    caller: Caller
    asked: Mapping[str, Any]
    address: str = ""

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return "the feed"


LogSubscription = TableSubscription | InboxSubscription | FeedSubscription
Subscription = LogSubscription | AnalysisSubscription


KEPT_FRAMES = 4096
RETRY = b": wintercount\nretry: 1000\n\n"  # how every stream begins
STILL_HERE = b": still here\n\n"


def end(reason: str) -> bytes:
    """The last frame: a stream that breaks off without it has not ended."""
    return b"event: end\ndata: %s\n\n" % msgspec.json.encode({"reason": reason})


LOST = end("log_damaged")  # the table does not have the events any more that were told


class Frames:
    """Frames are the same for all viewers of the same kind; they are made once and kept for a while.

    Frames with people's names or texts are not kept: these may change.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[bytes, Viewer, str | None], bytes] = {}

    def after(
        self,
        history: TableHistory,
        subscription: TableSubscription,
        after: int,
        presenter: Presenter = PLAIN,
        upto: int | None = None,
    ) -> bytes:
        """The frames of the events behind version `after`, up to another if one is named."""
        table = history.table
        viewer = viewer_of(table, subscription.caller)
        made = (
            _event_frame(event, table, viewer, subscription.language, presenter)
            if event.envelope.type in OF_PEOPLE
            else self._frame(event, table, viewer, subscription.language)
            for event in history.events[after:upto]
        )
        return b"".join(made)

    def _frame(self, event: Recorded, table: Table, viewer: Viewer, language: str | None) -> bytes:
        key = (event.hash, viewer, language)
        if (made := self._made.get(key)) is None:
            if len(self._made) >= KEPT_FRAMES:
                self._made.clear()
            made = self._made[key] = _event_frame(event, table, viewer, language)
        return made


def whole_stream(
    history: TableHistory, viewer: Viewer, after: int, language: str | None, presenter: Presenter
) -> bytes:
    """The stream of a table that never changes, with its end."""
    frames = (_event_frame(event, history.table, viewer, language, presenter) for event in history.events[after:])
    return b"".join([RETRY, *frames, end("table_closed")])


def _event_frame(
    event: Recorded, table: Table, viewer: Viewer, language: str | None, presenter: Presenter = PLAIN
) -> bytes:
    row = event_row(event, table, viewer, language, presenter)
    return _frame(event.envelope.type, head_of(event).place, row)


_UNTOLD = {"version": None}  # what is told along, but is no news by itself


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

    def news(self, histories: Mapping[str, TableHistory | None]) -> bytes:
        """Frames for new decisions, the oldest first, and for settled ones; None is a table that is lost."""
        begun, settled = [], []
        for table, history in histories.items():
            rows = self._waiting(history)
            told = self._told.get(table, {})
            begun += [row for name, row in rows.items() if row | _UNTOLD != told.get(name, {}) | _UNTOLD]
            settled += [{"table": table, "id": name} for name in told if name not in rows]
            self._told[table] = rows
            if history is None or history.table.closed:
                del self._told[table]
        frames = [_decision_frame("settled", row) for row in settled]
        begun.sort(key=lambda row: str(row["since"]))
        return b"".join(frames + [_decision_frame("decision", row) for row in begun])

    def _waiting(self, history: TableHistory | None) -> dict[str, dict[str, Any]]:
        """The decisions of a table that wait for the player, by their names."""
        return {row["id"]: row for row in waiting(history.table, self._player)} if history else {}


def _decision_frame(kind: str, row: dict[str, Any]) -> bytes:
    return _frame(kind, f"{row['table']}/{row['id']}", row)


def _frame(kind: str, name: str, data: Any) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (name.encode(), kind.encode(), msgspec.json.encode(data))


PAUSE_S = 1.0  # before it is looked again how far an analysis is, or asked for a page while others are answered
LOOK_S = 15.0  # how often a stream looks whether it may go on, and says that it is there


def progress_of(name: Name, analysis: AnalysisStatus) -> dict[str, Any]:
    """How far an analysis is, as the API tells it."""
    of = None if analysis.versions is None else len(analysis.versions)
    return {"table": name.table, "kind": name.kind, "status": analysis.status, "done": analysis.done, "of": of}


async def progress_frames(
    analyses: Analyses, subscription: AnalysisSubscription, stands: Callable[[], bool]
) -> AsyncGenerator[bytes, None]:
    """A frame whenever it has come further, until it is over, or its table does not stand as it was.

    Raises `Refused` when the caller has no access.
    """
    told, looked = None, time.monotonic()
    while True:
        found = await asyncio.to_thread(analyses.find, subscription.name)
        if found is None or found.analysis.head != subscription.head:
            yield end("analysis_gone")
            return
        now = progress_of(subscription.name, found.analysis)
        if now != told:
            yield b"event: progress\ndata: %s\n\n" % msgspec.json.encode(now)
            told = now
        if found.analysis.over:
            yield end("analysis_over")
            return
        if time.monotonic() >= looked + LOOK_S:
            if not await asyncio.to_thread(stands):
                yield end("analysis_gone")
                return
            yield STILL_HERE
            looked = time.monotonic()
        await asyncio.sleep(PAUSE_S)


AT_ONCE = 1  # page that is asked for at a time: other questions have the rest of the pool
TELL_S = 15.0  # how often a stream says how far it has come
BATCHES = 100  # a page


class FeedFrame(msgspec.Struct):
    """A batch of a page: the position after it, and the bytes that are sent."""

    cursor: str


class Page(msgspec.Struct):
    """A page of the feed."""

    batches: list[msgspec.Raw]
    next: str
    lag: int


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
                if refusal.code != "too_busy":
                    raise
                await asyncio.sleep(PAUSE_S)

    async def frames(
        self, subscription: FeedSubscription, news: Callable[[float], Awaitable[object]], check: Callable[[], Any]
    ) -> AsyncGenerator[bytes, None]:
        """The batches behind a place, and all that are recorded from then on.

        Every now and then a frame says how far the stream has come, as batches that it tells nothing of count too;
        then `check` raises `Refused` if the caller has no access any more.
        """
        asked, looked = {"limit": BATCHES} | dict(subscription.asked), time.monotonic()
        while True:
            page = await self.page(subscription.caller, asked)
            for row in page.batches:
                yield _frame("batch", msgspec.json.decode(row, type=FeedFrame).cursor, row)
            stays, asked = page.next == asked.get("cursor"), asked | {"cursor": page.next}
            if stays or not page.lag:
                await news(looked + TELL_S)
            if time.monotonic() >= looked + TELL_S:
                await asyncio.get_running_loop().run_in_executor(None, check)
                yield _frame("lag", page.next, {"lag": page.lag})
                looked = time.monotonic()
