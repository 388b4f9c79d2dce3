"""So many places for all: when they are taken, those that wait take turns by the time they had (`Shares`).

In one queue a request would wait for all that came before it, however many of these one address has sent. Who plays is
apart: a move for which a table waits shares the time with all other requests as one with one, and sites take turns in
each. Else a player who sends a move has no more of the time than each of hundreds of addresses that ask for anything.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from service.limits.client_addresses import site_of
from service.runtime.shares import Shares

AWAITED, OTHERS = "awaited", "others"  # kinds of requests: moves for which a table waits, and all others


class Place(NamedTuple):
    """Who has a place, for a request of which kind, and since when, in seconds of the clock."""

    kind: str
    site: str
    since: float


Queue = OrderedDict[asyncio.Future[Place], None]


class Turns:
    """The places, and who waits for one. For one event loop."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.free, self._clock = places, clock
        self._kinds = Shares(clock)
        self._sites = {kind: Shares(clock) for kind in (AWAITED, OTHERS)}
        self._queues: dict[tuple[str, str], Queue] = {}

    async def enter(self, address: str, kind: str = OTHERS) -> Place:
        """A place when the address has its turn, with all of its site; whoever has one must `leave` it."""
        site = site_of(address)
        if self.free:
            self.free -= 1
            return self._take(kind, site)
        turn: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._wait(kind, site, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._give_up(kind, site, turn)
            else:
                self.leave(turn.result())
            raise

    def leave(self, place: Place) -> None:
        """Gives a place to the next site that has not given up, and puts that site last."""
        self._kinds.leave(place.kind, place.since)
        self._sites[place.kind].leave(place.site, place.since)
        while self._kinds.waiting:
            if self._give():
                return
        for shares in (self._kinds, *self._sites.values()):
            shares.clear()
        self.free += 1

    def _take(self, kind: str, site: str) -> Place:
        place = Place(kind, site, self._clock())
        self._kinds.take(kind, place.since)
        self._sites[kind].take(site, place.since)
        return place

    def _wait(self, kind: str, site: str, turn: asyncio.Future[Place]) -> None:
        self._kinds.wait(kind)
        self._sites[kind].wait(site)
        self._queues.setdefault((kind, site), OrderedDict())[turn] = None

    def _give(self) -> bool:
        """Gives a place to the site whose turn it is; False if all that waited there has given up."""
        kind = self._kinds.next()
        sites = self._sites[kind]
        site = sites.next()
        queue = self._queues[kind, site]
        while queue and next(iter(queue)).done():
            queue.popitem(last=False)
        given = bool(queue)
        if given:
            self._kinds.turn(kind)
            sites.turn(site)
            turn, _ = queue.popitem(last=False)
            turn.set_result(self._take(kind, site))
        if not queue:
            self._end(kind, site)
        return given

    def _give_up(self, kind: str, site: str, turn: asyncio.Future[Place]) -> None:
        """A request waits no longer. It goes at once: whoever leaves a place would look through thousands that went."""
        queue = self._queues.get((kind, site), OrderedDict())
        if turn in queue:
            del queue[turn]
            if not queue:
                self._end(kind, site)

    def _end(self, kind: str, site: str) -> None:
        """Nothing waits at a site any more."""
        del self._queues[kind, site]
        self._sites[kind].give_up(site)
        if not self._sites[kind].waiting:
            self._kinds.give_up(kind)
