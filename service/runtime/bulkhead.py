"""A bulkhead (the pattern of that name): expensive requests wait in their own queue and take no thread meanwhile.

Addresses take turns there. Where the queue is full, whoever came last of the address that has most in it is given up:
else few accounts of one address would keep everybody else out.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import NamedTuple

from service.errors import Refused
from service.limits.giving_way import last_to_give_way
from service.runtime.turns import Place, Turns

EXPENSIVE = re.compile(  # the app passes over further slashes before a path
    r"/+v1/(feed|transcripts|tables/[^/]+/"
    r"(diff|blame|find|audit|archive|notation|comparison|beliefs|readjudications|takebacks(/[^/]+/answer)?|moves/[^/]+/explanation))"
)
AT_ONCE = 2  # while one is answered elsewhere, the next is read
# What takes a second or more, and is answered one after the other: each kind waits for its own alone.
LONG = {
    "computed": re.compile(r"/+v1/tables/[^/]+/(audit|moves/[^/]+/explanation)"),  # choices of AI players, again
    "imagined": re.compile(r"/+v1/tables/[^/]+/beliefs"),  # hundreds of worlds
}
LONG_AT_ONCE = 1
MOST = 64  # at work and waiting, in a web process
MOST_OF_ONE = 4  # caller
PATIENCE_S = 5.0  # to wait for a place
PAUSE_S = 1.0  # before a refusal is told: who repeats at once gains nothing


class Bulkhead:
    """Bounds how many requests run at once and how many wait. For one event loop."""

    def __init__(self, at_once: int = AT_ONCE, most: int = MOST, most_of_one: int = MOST_OF_ONE) -> None:
        self._turns, self._most, self._most_of_one = Turns(at_once), most, most_of_one
        self._inside: Counter[str] = Counter()
        self._waiting: dict[asyncio.Timeout, str] = {}  # the addresses of those who wait, the first who came first

    @asynccontextmanager
    async def place(self, caller: str, address: str) -> AsyncIterator[None]:
        """A place for a request of the caller at an address; raises `Refused` (`too-busy`), after a pause, if none."""
        if not self._has_room(caller, address):
            await asyncio.sleep(PAUSE_S)
            raise Refused("too-busy", f"ask at most {self._most_of_one} questions about whole games at once")
        self._inside[caller] += 1
        try:
            place = await self._enter(address)
            try:
                yield
            finally:
                self._turns.leave(place)
        finally:
            self._leave(caller)

    def _has_room(self, caller: str, address: str) -> bool:
        """Whether one more may come in, for whom another may have to go."""
        if self._inside[caller] >= self._most_of_one:
            return False
        return self._inside.total() < self._most or self._give_up_for(address)

    def _give_up_for(self, address: str) -> bool:
        """Gives up the last who waits of the address that has most waiting, unless that would be the one that asks."""
        last = last_to_give_way(self._waiting, address)
        if last is None:
            return False
        del self._waiting[last]
        if not last.expired():
            last.reschedule(asyncio.get_running_loop().time())
        return True

    async def _enter(self, address: str) -> Place:
        try:
            async with asyncio.timeout(PATIENCE_S) as limit:
                self._waiting[limit] = address
                try:
                    return await self._turns.enter(address)
                finally:
                    self._waiting.pop(limit, None)
        except TimeoutError:
            raise Refused("too-busy", "others ask about whole games; try again") from None

    def _leave(self, caller: str) -> None:
        self._inside[caller] -= 1
        if not self._inside[caller]:
            del self._inside[caller]


class Apart(NamedTuple):
    """Where requests wait for one another alone, and the threads that answer them."""

    places: Bulkhead
    threads: ThreadPoolExecutor


def apart(name: str, at_once: int) -> Apart:
    """Places for so many at once, and as many threads of that name."""
    return Apart(Bulkhead(at_once), ThreadPoolExecutor(at_once, thread_name_prefix=name))


def kind_of(path: str) -> str | None:
    """The kind of what takes long for a request to this path (in `LONG`), if it does."""
    return next((kind for kind, paths in LONG.items() if paths.fullmatch(path)), None)


def is_expensive(path: str) -> bool:
    """Whether a request to this path may walk through a whole game."""
    return EXPENSIVE.fullmatch(path) is not None
