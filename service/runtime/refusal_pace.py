"""How fast one address gets refusals: after many refusals the next answer is delayed.

A refusal costs nearly what an accepted request does, and the next follows at once. So an address is told a number
of them a second. Those above it wait for their turn, without a thread and without what they sent, before anything is
worked out for them; and so does what such an address asks to be changed meanwhile, except for moves. A refusal now and
then is told at once. Accounts, which anybody may open, are opened at the same pace for one address. Nothing is worked
out for a client that has gone while it waited: else whoever hangs up would wait for nothing.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

PACED = ("too-many-requests", "quota-reached", "unauthenticated", "scope-missing", "too-large", "too-slow")
PACE_S = 0.1  # between two refusals that one address is told
LONGEST_S = 20.0  # that one waits
MOST_WAITING = 1000  # in a web process; any further are told at once
MOST_REMEMBERED = 10_000  # addresses


class Pace:
    """The turns of addresses. For one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._turns: dict[str, float] = {}
        self._waiting = 0

    def delay_s(self, address: str) -> float:
        """How long the address's next refusal has to wait."""
        now = self._clock()
        if len(self._turns) >= MOST_REMEMBERED:
            self._turns = {other: turn for other, turn in self._turns.items() if turn > now}
        turn = min(max(now, self._turns.get(address, now)), now + LONGEST_S)
        self._turns[address] = turn + PACE_S
        return turn - now

    def is_paced(self, address: str) -> bool:
        """Whether the address has been refused so often that it has to wait."""
        return self._turns.get(address, 0.0) > self._clock()

    async def keep(self, address: str, gone: Callable[[], Awaitable[Any]]) -> bool:
        """Waits for the turn of the address; False as soon as its client has `gone`."""
        delay_s = self.delay_s(address)
        if not delay_s or self._waiting >= MOST_WAITING:
            return True
        self._waiting += 1
        try:
            leaving = asyncio.ensure_future(gone())
            has_gone, _ = await asyncio.wait((leaving,), timeout=delay_s)
            leaving.cancel()
            return not has_gone
        finally:
            self._waiting -= 1
