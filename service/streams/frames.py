"""What clients can subscribe to, and the Server-Sent Events that they get."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from events.envelopes import START, Head, Recorded
from projections.history import TableHistory, head_of
from projections.table import Table
from service.accounts.callers import Caller
from service.accounts.shown_names import PLAIN, Presenter
from service.analyses import AnalysisStatus, Name
from service.tables.authorisation import Viewer, viewer_of
from service.tables.table_documents import OF_PEOPLE, event_row, waiting

SUBSCRIPTION, WAIT = "wintercount.subscription", "wintercount.wait"  # names in the WSGI environment
KEPT_FRAMES = 4096
RETRY = b": wintercount\nretry: 1000\n\n"  # the first bytes of every stream
STILL_HERE = b": still here\n\n"
NAME = re.compile(rb"^event: (.*)\ndata: \{", re.MULTILINE)


class TableSubscription(NamedTuple):
    """The events of a table after version `after`; `known` is the head that the client saw there."""

    table: str
    caller: Caller
    after: int
    language: str | None
    address: str = ""
    known: Head = START
    names: bool = True  # of frames: see `without_names`


class InboxSubscription(NamedTuple):
    """The decisions that wait for the caller."""

    caller: Caller
    address: str = ""
    names: bool = True

    @property
    def player(self) -> str:
        """The id of the caller's account; raises `Refused` without one."""
        return self.caller.needs("watch").id


class AnalysisSubscription(NamedTuple):
    """The progress of an analysis of a table that had this `head`."""

    caller: Caller
    name: Name
    head: str
    address: str = ""
    names: bool = True


class FeedSubscription(NamedTuple):
    """The feed, from the cursor and with the filters in `asked`."""

    caller: Caller
    asked: Mapping[str, Any]
    address: str = ""
    names: bool = True


class Wait(NamedTuple):
    """A request that waits for a decision of the caller at a table, until a time (`time.monotonic`)."""

    caller: Caller
    table: str
    until: float
    address: str = ""


Subscription = TableSubscription | InboxSubscription | FeedSubscription | AnalysisSubscription


def frame(event: str, data: Any, name: str | None = None) -> bytes:
    """A Server-Sent Event; `name` is its id, from which a client resumes."""
    head = b"" if name is None else b"id: %s\n" % name.encode()
    return head + b"event: %s\ndata: %s\n\n" % (event.encode(), msgspec.json.encode(data))


def without_names(frames: bytes) -> bytes:
    """Returns the frames without `event` lines: the data says instead in `frame` what each is.

    A browser's `EventSource` gives such frames to `onmessage`, whatever their kind.
    """
    return NAME.sub(rb'data: {"frame":"\1",', frames)


def end(reason: str) -> bytes:
    """Returns the last frame; a stream that breaks off without it has not ended."""
    return frame("end", {"reason": reason})


LOST = end("log_damaged")  # the store no longer has the events that were sent


class Frames:
    """Encodes events, and caches the frames: they are the same for all viewers of one kind.

    Frames with people's names or texts are not cached, because these may change.
    """

    def __init__(self) -> None:
        self._cache: dict[tuple[bytes, Viewer, str | None], bytes] = {}

    def after(
        self,
        history: TableHistory,
        subscription: TableSubscription,
        after: int,
        presenter: Presenter = PLAIN,
        upto: int | None = None,
    ) -> bytes:
        """Returns the frames of the events after version `after`, up to version `upto`."""
        table, language = history.table, subscription.language
        viewer = viewer_of(table, subscription.caller)
        return b"".join(
            _event_frame(event, table, viewer, language, presenter)
            if event.envelope.type in OF_PEOPLE
            else self._cached(event, table, viewer, language)
            for event in history.events[after:upto]
        )

    def _cached(self, event: Recorded, table: Table, viewer: Viewer, language: str | None) -> bytes:
        key = (event.hash, viewer, language)
        if (found := self._cache.get(key)) is None:
            if len(self._cache) >= KEPT_FRAMES:
                self._cache.clear()
            found = self._cache[key] = _event_frame(event, table, viewer, language)
        return found


def whole_stream(
    history: TableHistory, viewer: Viewer, after: int, language: str | None, presenter: Presenter
) -> bytes:
    """Returns the whole stream of a table that never changes."""
    frames = (_event_frame(event, history.table, viewer, language, presenter) for event in history.events[after:])
    return b"".join([RETRY, *frames, end("table_closed")])


def _event_frame(
    event: Recorded, table: Table, viewer: Viewer, language: str | None, presenter: Presenter = PLAIN
) -> bytes:
    return frame(event.envelope.type, event_row(event, table, viewer, language, presenter), head_of(event).place)


_IGNORED = {"version": None}  # a new version alone does not change a decision


class Inbox:
    """The decisions already sent to a player, so that only changes are sent."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._sent: dict[str, dict[str, dict[str, Any]]] = {}  # by table and decision

    def unseen(self, tables: set[str]) -> set[str]:
        """Returns the tables not looked at yet, and those with a decision that waits for the player."""
        return {table for table in tables if not self._sent.get(table)} | {t for t, rows in self._sent.items() if rows}

    def news(self, histories: Mapping[str, TableHistory | None]) -> bytes:
        """Returns frames for settled decisions and new ones, oldest first; None stands for a table that is lost."""
        begun, settled = [], []
        for table, history in histories.items():
            rows = {row["id"]: row for row in waiting(history.table, self._player)} if history else {}
            sent = self._sent.get(table, {})
            begun += [row for name, row in rows.items() if row | _IGNORED != sent.get(name, {}) | _IGNORED]
            settled += [{"table": table, "id": name} for name in sent if name not in rows]
            self._sent[table] = rows
            if history is None or history.table.closed:
                del self._sent[table]
        begun.sort(key=lambda row: str(row["since"]))
        frames = [_decision_frame("settled", row) for row in settled]
        return b"".join(frames + [_decision_frame("decision", row) for row in begun])


def _decision_frame(event: str, row: dict[str, Any]) -> bytes:
    return frame(event, row, f"{row['table']}/{row['id']}")


def progress_of(name: Name, analysis: AnalysisStatus) -> dict[str, Any]:
    """Returns the progress of an analysis."""
    of = None if analysis.versions is None else len(analysis.versions)
    return {"table": name.table, "kind": name.kind, "status": analysis.status, "done": analysis.done, "of": of}


class FeedFrame(msgspec.Struct):
    """The cursor after a batch of the feed."""

    cursor: str


class Page(msgspec.Struct):
    """A page of the feed; batches stay encoded."""

    batches: list[msgspec.Raw]
    next: str
    lag: int
