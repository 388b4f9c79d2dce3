"""What is sent a step at a time, each when the client has taken the one before.

granian takes at once whatever it is given for a client, and holds what that has not taken: for its `send_bytes` nobody
ever waits. The system does tell how much of what it was given it cannot send to a client yet. Where that is hardly
anything, granian, which hands on as much as the system takes, holds nothing.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

from service.limits.client_addresses import site_of
from service.runtime.bodies import LEAST_RATE

STEP = 64 * 1024  # bytes: a smaller answer is sent whole
LITTLE = 4096  # bytes with the system that are as good as taken: it wants more long before
SOON_S = 0.002  # for granian, which sends in threads of its own
LONGEST_S = 0.64  # between two looks; each pause is twice as long as the one before
MOST_UNKNOWN_S = 2.0  # until a new connection is known; where the system tells nothing, all is sent at once
PATIENCE_S = 30.0  # for a client to take a step
MOST = 64 << 20  # bytes of answers, larger than a step, that a web process holds for those who take them

Untaken = Callable[[], int | None]


class Taking:
    """A client who takes what is sent on a `transport`; `untaken` is how much it has no room for yet, if known."""

    def __init__(self, transport: Any, untaken: Untaken) -> None:
        self._transport, self._untaken, self._sent, self._unknown_s = transport, untaken, 0, 0.0

    async def send(self, part: bytes) -> None:
        """Sends a part, when the step before it was taken; raises `TimeoutError` if that takes too long."""
        if self._sent >= STEP:
            async with asyncio.timeout(PATIENCE_S):
                await self._wait()
            self._sent = 0
        await self._transport.send_bytes(part)
        self._sent += len(part)

    async def send_all(self, body: bytes) -> None:
        """Sends an answer; raises `TimeoutError` if a step is not taken in time."""
        for begin in range(0, len(body), STEP):
            await self.send(body[begin : begin + STEP])

    async def _wait(self) -> None:
        pause_s = SOON_S
        while self._unknown_s < MOST_UNKNOWN_S:
            await asyncio.sleep(pause_s)
            left = self._untaken()
            if left is None:
                self._unknown_s += pause_s
            elif left <= LITTLE:
                return
            pause_s = min(2 * pause_s, LONGEST_S)


class Answers:
    """The large answers that a process holds until they are taken: of whoever holds most, the oldest is given up first.

    For one event loop.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: dict[asyncio.Timeout, tuple[str, int]] = {}  # address and bytes, the oldest first

    @contextlib.asynccontextmanager
    async def held(self, address: str, length: int) -> AsyncIterator[None]:
        """Holds an answer for an address; raises `TimeoutError` if it is not taken in time, or has to be given up."""
        async with asyncio.timeout(PATIENCE_S + length / LEAST_RATE) as limit:
            self._held[limit] = address, length
            while sum(length for _, length in self._held.values()) > self._most and len(self._held) > 1:
                self._give_up()
            try:
                yield
            finally:
                self._held.pop(limit, None)

    def _give_up(self) -> None:
        held: Counter[str] = Counter()
        for address, length in self._held.values():
            held[site_of(address)] += length
        ((greediest, _),) = held.most_common(1)
        oldest = next(limit for limit, (address, _) in self._held.items() if site_of(address) == greediest)
        del self._held[oldest]
        if not oldest.expired():
            oldest.reschedule(asyncio.get_running_loop().time())
