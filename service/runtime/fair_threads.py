"""Fair sharing of threads: when all are busy, the addresses whose requests wait take turns (fair queueing by source).

In one queue a request would wait for all that came before it, however many of these one address has sent.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class FairPool:
    """A pool of threads for one event loop."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._free = threads
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def run(self, address: str, do: Callable[..., T], *given: Any) -> T:
        """The result of `do`, called in a thread when the address has its turn."""
        await self._enter(address)
        work = asyncio.get_running_loop().run_in_executor(self._pool, do, *given)
        work.add_done_callback(lambda _: self._leave())
        return await asyncio.shield(work)

    async def _enter(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        """Gives the thread to the next address that has not given up, and puts that address last."""
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
