"""Fair sharing of threads: when all are busy, the addresses whose requests wait take turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from service.runtime.turns import Turns

T = TypeVar("T")


class FairPool:
    """A pool of threads for one event loop."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._turns = Turns(threads)

    async def run(self, address: str, do: Callable[..., T], *given: Any) -> T:
        """The result of `do`, called in a thread when the address has its turn."""
        place = await self._turns.enter(address)
        work = asyncio.get_running_loop().run_in_executor(self._pool, do, *given)
        work.add_done_callback(lambda _: self._turns.leave(place))
        return await asyncio.shield(work)
