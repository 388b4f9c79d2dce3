"""So many places for all: when they are taken, the addresses that wait take turns (fair queueing by source).

In one queue a request would wait for all that came before it, however many of these one address has sent.
"""

import asyncio
from collections import OrderedDict, deque


class Turns:
    """The places, and who waits for one. For one event loop."""

    def __init__(self, places: int) -> None:
        self.free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def enter(self, address: str) -> None:
        """Takes a place when the address has its turn; whoever has one must `leave`."""
        if self.free:
            self.free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Gives a place to the next address that has not given up, and puts that address last."""
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            while turns and turns[0].done():
                turns.popleft()
            if turns:
                turns.popleft().set_result(None)
                if turns:
                    self._waiting[address] = turns
                return
        self.free += 1
