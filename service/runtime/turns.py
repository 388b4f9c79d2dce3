"""So many places for all: when they are taken, the addresses that wait take turns (fair queueing by source).

In one queue a request would wait for all that came before it, however many of these one address has sent. The address
that has had places for the shortest time is next: were turns counted and not seconds, whoever asks for what takes long
would have more of the time than others, whatever it was charged (start-time fair queueing; Goyal, Vin and Cheng 1996;
here the seconds are known afterwards). Nobody is told of these seconds but by how long they wait.

Who comes anew begins where those are who wait, and no further behind a fair share than `AHEAD_S`: where each request is
of another address, as many are in a crowd, they would else all come before whoever has been served once.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple

from service.limits.client_addresses import site_of

AHEAD_S = 0.05  # of places: what whoever comes anew may be behind the share of all who wait
MANY = 1000  # addresses that are remembered further before those are forgotten of which nothing has to be known


class Place(NamedTuple):
    """Who has a place, and since when, in seconds of the clock."""

    address: str
    since: float


class Turns:
    """The places, and who waits for one. For one event loop."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.free, self._clock = places, clock
        self._taken: dict[str, list[Place]] = {}
        self._waiting: OrderedDict[str, deque[asyncio.Future[Place]]] = OrderedDict()  # who had a turn last is last
        self._had: dict[str, float] = {}  # seconds of places that were left since somebody waits, by address
        self._least = 0.0  # what whoever had the last turn had had: who comes anew is held to have had as much
        self._share = 0.0  # what each has had who has waited all the time
        self._shared_at = clock()  # until when that is worked out
        self._most_remembered = MANY

    async def enter(self, address: str) -> Place:
        """A place when the address has its turn, with all of its site; whoever has one must `leave` it."""
        address = site_of(address)
        if self.free:
            self.free -= 1
            return self._take(address)
        turn: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._wait(address, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(turn.result())
            raise

    def leave(self, place: Place) -> None:
        """Gives a place to the next address that has not given up, and puts that address last."""
        self._share_out()
        taken = self._taken[place.address]
        taken.remove(place)
        if not taken:
            del self._taken[place.address]
        self._had[place.address] = self._had.get(place.address, self._least) + self._clock() - place.since
        while self._waiting:
            if self._give(min(self._waiting, key=self._seconds)):
                return
        self._had.clear()
        self._least, self._share, self._most_remembered = 0.0, 0.0, MANY
        self.free += 1

    def _take(self, address: str) -> Place:
        place = Place(address, self._clock())
        self._taken.setdefault(address, []).append(place)
        return place

    def _share_out(self) -> None:
        """Adds what a fair share of the places was since this was done last; nothing while nobody waited."""
        now = self._clock()
        if self._waiting:
            sites = len(self._waiting) + sum(address not in self._waiting for address in self._taken)
            places = sum(map(len, self._taken.values()))
            self._share += (now - self._shared_at) * places / sites
        self._shared_at = now

    def _start(self) -> float:
        """What whoever comes anew is held to have had."""
        return max(self._least, self._share - AHEAD_S)

    def _wait(self, address: str, turn: asyncio.Future[Place]) -> None:
        self._share_out()
        if address not in self._waiting:
            self._waiting[address] = deque()
            self._had[address] = self._had.get(address, 0.0) + max(0.0, self._start() - self._seconds(address))
        self._waiting[address].append(turn)

    def _give(self, address: str) -> bool:
        """Gives a place to an address that waits; False if it has given up."""
        turns = self._waiting.pop(address)
        while turns and turns[0].done():
            turns.popleft()
        if not turns:
            return False
        self._least = max(self._least, self._seconds(address))
        turns.popleft().set_result(self._take(address))
        if turns:
            self._waiting[address] = turns
        self._forget()
        return True

    def _seconds(self, address: str) -> float:
        """How long an address has had places, those that it has now included."""
        now = self._clock()
        return self._had.get(address, 0.0) + sum(now - place.since for place in self._taken.get(address, ()))

    def _forget(self) -> None:
        """Forgets addresses that would be held to have had as much if they came anew."""
        if len(self._had) > self._most_remembered:
            start = self._start()
            self._had = {one: had for one, had in self._had.items() if had > start or one in self._waiting}
            self._most_remembered = len(self._had) + MANY
