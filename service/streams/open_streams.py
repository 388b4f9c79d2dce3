"""How many streams a process holds open, and how many of them a client may have."""

import threading
from collections import Counter
from typing import NamedTuple

from service.errors import Refused
from service.metrics import STREAMS
from service.streams.follows import Followed

SHARE = 2  # one address may hold half of all streams, however many accounts it has


class Bounds(NamedTuple):
    """How many streams may be open in a process, and how many of them may be of one client."""

    most: int
    of_client: int


class OpenStreams:
    """Counts the open streams. Any thread may ask."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds, self._lock = bounds, threading.Lock()
        self._held: Counter[str] = Counter()  # by account, or by address of those who have none
        self._at: Counter[str] = Counter()  # by address, of all

    def admit(self, follow: Followed) -> None:
        """Counts a new stream; raises `Refused` if there are too many."""
        most, of_client = self._bounds
        with self._lock:
            if self._held[_holder(follow)] >= of_client and "admin" not in follow.caller.scopes:
                told = (
                    f"you have {of_client} streams open: close one, or follow all tables by GET /v1/inbox; the operator"
                )
                raise Refused(
                    "quota-reached",
                    f"{told} may raise WINTERCOUNT_STREAMS_PER_CLIENT",
                    quota="streams",
                    most=of_client,
                )
            share = max(of_client, most // SHARE)
            if self._held.total() >= most or self._at[follow.address] >= share:
                told = f"{most} streams are open in all, or {share} from one address; try again, or read pages"
                raise Refused("too-many-streams", f"{told}; the operator may raise WINTERCOUNT_STREAMS")
            self._held[_holder(follow)] += 1
            self._at[follow.address] += 1
        STREAMS.inc()

    def of(self, player: str) -> tuple[int, int]:
        """How many streams an account has open in this process, and how many it may have."""
        with self._lock:
            return self._held[player], self._bounds.of_client

    def dismiss(self, follow: Followed) -> None:
        """Counts a stream no longer."""
        with self._lock:
            self._held[_holder(follow)] -= 1
            self._at[follow.address] -= 1
            self._held += Counter()  # drops those who have none
            self._at += Counter()
        STREAMS.dec()


def _holder(follow: Followed) -> str:
    return follow.caller.id or follow.address
