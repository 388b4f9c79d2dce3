"""A bulkhead (the pattern of that name): expensive requests wait in their own queue and take no thread meanwhile."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.errors import Refused

EXPENSIVE = re.compile(  # the app passes over further slashes before a path
    r"/+v1/(feed|transcripts|tables/[^/]+/"
    r"(diff|blame|find|audit|archive|notation|comparison|beliefs|readjudications|takebacks(/[^/]+/answer)?|moves/[^/]+/explanation))"
)
AT_ONCE = 2  # while one is answered elsewhere, the next is read
MOST = 64  # at work and waiting, in a web process
MOST_OF_ONE = 4  # caller
PATIENCE_S = 5.0  # to wait for a place
PAUSE_S = 1.0  # before a refusal is told: who repeats at once gains nothing


class Bulkhead:
    """Bounds how many requests run at once and how many wait. For one event loop."""

    def __init__(self, at_once: int = AT_ONCE, most: int = MOST, most_of_one: int = MOST_OF_ONE) -> None:
        self._places, self._most, self._most_of_one = asyncio.Semaphore(at_once), most, most_of_one
        self._inside: Counter[str] = Counter()

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[None]:
        """A place for a request of the caller; raises `Refused` (`too-busy`), after a pause, if there is none."""
        if self._inside.total() >= self._most or self._inside[caller] >= self._most_of_one:
            await asyncio.sleep(PAUSE_S)
            raise Refused("too-busy", f"ask at most {self._most_of_one} questions about whole games at once")
        self._inside[caller] += 1
        try:
            await self._enter()
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._leave(caller)

    async def _enter(self) -> None:
        try:
            await asyncio.wait_for(self._places.acquire(), PATIENCE_S)
        except TimeoutError:
            raise Refused("too-busy", "others ask about whole games; try again") from None

    def _leave(self, caller: str) -> None:
        self._inside[caller] -= 1
        if not self._inside[caller]:
            del self._inside[caller]


def is_expensive(path: str) -> bool:
    """Whether a request to this path may walk through a whole game."""
    return EXPENSIVE.fullmatch(path) is not None
