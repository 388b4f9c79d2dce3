"""How many streams a process holds open, and how many of them a client may have.

Where there is no room for a further one, the last of the address that has most is ended: few accounts of one address
would else keep everybody from following a table.
"""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from service.errors import Refused
from service.limits.giving_way import last_to_give_way
from service.metrics import STREAMS
from service.streams.follows import Followed


class Bounds(NamedTuple):
    """How many streams may be open in a process, and how many of them may be of one client."""

    most: int
    of_client: int


class OpenStreams:
    """The open streams; half of the room is reserved for clients with an account. Any thread may ask."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds, self._lock = bounds, threading.Lock()
        self._open: dict[int, Followed] = {}  # by identity, as two may say the same; the first who came first
        self._ends: dict[int, Callable[[], object]] = {}
        self._held: Counter[str] = Counter()  # by account, or by address of those who have none
        self._strangers = 0

    def admit(self, follow: Followed) -> None:
        """Registers a new stream; raises `Refused` if there are too many."""
        with self._lock:
            self._check_own(follow)
            self._make_room(follow)
            self._open[id(follow)] = follow
            self._count(follow, 1)

    def begun(self, follow: Followed, end: Callable[[], object]) -> None:
        """Says what ends a stream, should it have to make room; it ends now if it had to before it began."""
        with self._lock:
            if id(follow) in self._open:
                self._ends[id(follow)] = end
                return
        end()

    def of(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        with self._lock:
            return self._held[player], self._bounds.of_client

    def dismiss(self, follow: Followed) -> None:
        """Unregisters a stream, unless it had to make room."""
        with self._lock:
            self._drop(follow)

    def _check_own(self, follow: Followed) -> None:
        of_client = self._bounds.of_client
        if self._held[_holder(follow)] >= of_client and "admin" not in follow.caller.scopes:
            detail = f"you have {of_client} streams open: close one, or follow all tables by GET /v1/inbox"
            raise Refused("quota-reached", detail, quota="streams", most=of_client)

    def _make_room(self, follow: Followed) -> None:
        """Ends a stream if there is no room for a further one; raises `Refused` if that would be the asker's."""
        most = self._bounds.most
        if _is_stranger(follow) and self._strangers >= max(1, most // 2):
            self._end_one_of({name: one for name, one in self._open.items() if _is_stranger(one)}, follow)
        elif len(self._open) >= most:
            self._end_one_of(self._open, follow)

    def _end_one_of(self, streams: Mapping[int, Followed], asking: Followed) -> None:
        last = last_to_give_way({name: one.address for name, one in streams.items()}, asking.address)
        if last is None:
            raise Refused("too-many-streams", f"{self._bounds.most} streams are open; try again, or read pages")
        end = self._ends.get(last)
        self._drop(streams[last])
        if end:
            end()

    def _drop(self, follow: Followed) -> None:
        self._ends.pop(id(follow), None)
        if self._open.pop(id(follow), None) is not None:
            self._count(follow, -1)

    def _count(self, follow: Followed, step: int) -> None:
        holder = _holder(follow)
        STREAMS.inc(step)
        self._strangers += step * _is_stranger(follow)
        self._held[holder] += step
        if not self._held[holder]:
            del self._held[holder]


def _holder(follow: Followed) -> str:
    return follow.caller.id or follow.address


def _is_stranger(follow: Followed) -> bool:
    return follow.caller.id is None
