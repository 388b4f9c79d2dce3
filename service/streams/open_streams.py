"""How many streams a process holds open, and how many of them a client may have."""

import threading
from collections import Counter
from typing import NamedTuple

from service.errors import Refused
from service.metrics import STREAMS
from service.streams.follows import Followed


class Bounds(NamedTuple):
    """How many streams may be open in a process, and how many of them may be of one client."""

    most: int
    of_client: int


class OpenStreams:
    """Counts the open streams; half of the room is reserved for clients with an account."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds, self._lock = bounds, threading.Lock()
        self._held: Counter[str] = Counter()  # by account, or by address of those who have none
        self._open = self._strangers = 0

    def admit(self, follow: Followed) -> None:
        """Registers a new stream; raises `Refused` if there are too many."""
        stranger, holder = follow.caller.id is None, _holder(follow)
        with self._lock:
            self._check(follow, holder)
            self._open += 1
            STREAMS.inc()
            self._strangers += stranger
            self._held[holder] += 1

    def _check(self, follow: Followed, holder: str) -> None:
        most, of_client = self._bounds
        if self._open >= most or (follow.caller.id is None and self._strangers >= max(1, most // 2)):
            raise Refused("too-many-streams", f"{most} streams are open; try again, or read pages")
        if self._held[holder] >= of_client and "admin" not in follow.caller.scopes:
            detail = f"you have {of_client} streams open: close one, or follow all tables by GET /v1/inbox"
            raise Refused("quota-reached", detail, quota="streams", most=of_client)

    def of(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        with self._lock:
            return self._held[player], self._bounds.of_client

    def dismiss(self, follow: Followed) -> None:
        """Unregisters a stream."""
        holder = _holder(follow)
        with self._lock:
            self._open -= 1
            STREAMS.dec()
            self._strangers -= follow.caller.id is None
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]


def _holder(follow: Followed) -> str:
    return follow.caller.id or follow.address
