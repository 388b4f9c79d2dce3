"""Streams of server-sent events: what each asks for, reads, and where it goes on after a break."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

import httpx
from httpx_sse import ServerSentEvent

from wintercount_client.calls import Call, as_nothing
from wintercount_client.problems import StreamEnded

T = TypeVar("T")
SILENCE_S = 45.0  # the server sends a sign of life every 15 seconds
TIMEOUT = httpx.Timeout(30.0, read=SILENCE_S)
LAST_REASON = "table_closed"


class Stream(Generic[T]):
    """A stream of one kind of frame, or of all (`kind` None), after the frame with the id `last`."""

    def __init__(self, call: Call[object], kind: str | None = None, last: str | None = None) -> None:
        self._call, self._kind, self._last, self.is_over = replace(call, read=as_nothing), kind, last, False

    def call(self) -> Call[object]:
        """Returns the request for the frames after the last one."""
        headers: Mapping[str, str | None] = {"Accept": "text/event-stream", "Last-Event-ID": self._last}
        return replace(self._call, headers=headers)

    def opens(self, answer: httpx.Response) -> bool:
        """Whether an answer is a stream; 204 says that nothing more will come."""
        self.is_over = answer.status_code == httpx.codes.NO_CONTENT
        return answer.is_success and not self.is_over

    def read(self, frame: ServerSentEvent) -> list[T]:
        """Returns what a frame holds: one item or none; raises `StreamEnded` if the stream ends before its time."""
        self._last = frame.id or self._last
        if not frame.data:  # it sets the delay of reconnections, or the place in the stream
            return []
        item: Any = json.loads(frame.data)
        if frame.event != "end":
            return [item] if self._kind in (None, frame.event) else []
        if item["reason"] != LAST_REASON:
            raise StreamEnded(item["reason"])
        self.is_over = True
        return []
