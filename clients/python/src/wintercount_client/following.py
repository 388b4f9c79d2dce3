"""What three streams tell, frame by frame, and where each goes on after it broke off."""

import json
from dataclasses import replace
from typing import Any, Generic, TypeVar

import httpx
from httpx_sse import ServerSentEvent

from wintercount_client import operations
from wintercount_client.calls import Call, as_nothing
from wintercount_client.models import Event, FeedBatch, Moves, Waiting
from wintercount_client.problems import StreamEnded
from wintercount_client.shorthand import Language

T = TypeVar("T")
NEVER_HEARD = 45.0  # seconds without a sign of life, of which a server sends one every 15
TIMEOUT = httpx.Timeout(30.0, read=NEVER_HEARD)
LAST_REASON = "table_closed"


class Following(Generic[T]):
    """A stream: what is asked for now, and what a frame tells."""

    tells: str | None = None
    """the only event of frames that is told; None: all of them"""

    def __init__(self, call: Call[object], last: str | None = None) -> None:
        self._call, self._last, self.is_over = replace(call, read=as_nothing), last, False

    def call(self) -> Call[object]:
        """The request for what comes behind the last frame."""
        return replace(self._call, headers={"Accept": "text/event-stream", "Last-Event-ID": self._last})

    def opens(self, answer: httpx.Response) -> bool:
        """Whether an answer is a stream; 204 says that nothing is left to tell."""
        self.is_over = answer.status_code == httpx.codes.NO_CONTENT
        return answer.is_success and not self.is_over

    def read(self, frame: ServerSentEvent) -> list[T]:
        """What a frame tells: one thing, or none; raises `StreamEnded` if the stream ends before its time."""
        self._last = frame.id or self._last
        if not frame.data:  # it sets how soon to come back, or the place in the stream
            return []
        told: Any = json.loads(frame.data)
        if frame.event == "end":
            self._end(told["reason"])
            return []
        return [told] if self.tells in (None, frame.event) else []

    def _end(self, reason: str) -> None:
        if reason != LAST_REASON:
            raise StreamEnded(reason)
        self.is_over = True


class Inbox(Following[Waiting]):
    """The decisions that wait for an account: each stream begins with all of them."""

    tells = "decision"

    def __init__(self) -> None:
        super().__init__(operations.get_inbox())


class Events(Following[Event]):
    """The events of a table behind a version."""

    def __init__(self, table: str, after: int, language: Language | None) -> None:
        super().__init__(operations.list_events(table, language=language), str(after))


class Batches(Following[FeedBatch]):
    """The batches of all public tables behind a cursor; frames between them move the place on as well."""

    tells = "batch"

    def __init__(self, page: Call[object], cursor: str | None) -> None:
        super().__init__(page, cursor)


class Turns:
    """Which lists of decisions are news: those with decisions, of a version that was not told yet."""

    def __init__(self) -> None:
        self._told = 0
        self.seen = 0

    def are_new(self, moves: Moves) -> bool:
        """Whether to tell this list; it counts as told then."""
        self.seen = moves["version"]
        if not moves["decisions"] or moves["version"] <= self._told:
            return False
        self._told = moves["version"]
        return True

    def may_follow(self, event: Event) -> bool:
        """Whether there may be decisions after this event: the last of those that were recorded together."""
        return event["version"] > self.seen and event["version"] == event["batch"][1]
