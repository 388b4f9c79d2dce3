"""Fair sharing of threads: when all are busy, the addresses whose requests wait take turns, those who play apart.

A request whose client has gone waits no longer: else whoever hangs up at once and comes again would have more and more
of them waiting, as connections are bounded and requests without one are not.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from service.runtime.turns import OTHERS, Place, Turns

T = TypeVar("T")
Leaves = Callable[[], Awaitable[object]]  # ends when the client has gone


class Gone(Exception):
    """The client has hung up before its turn came: nothing is done for it."""


class FairPool:
    """A pool of threads for one event loop."""

    def __init__(self, threads: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self._turns = Turns(threads, clock)

    async def run(
        self, address: str, do: Callable[..., T], *given: Any, kind: str = OTHERS, gone: Leaves | None = None
    ) -> T:
        """The result of `do`, called in a thread when the address has its turn among requests of this kind.

        Raises `Gone` if the client goes.
        """
        place = await self._turn(address, kind, gone)
        try:
            work = asyncio.get_running_loop().run_in_executor(self._pool, do, *given)
        except BaseException:  # there is no thread to be had: the place is free all the same
            self._turns.leave(place)
            raise
        work.add_done_callback(lambda _: self._turns.leave(place))
        return await asyncio.shield(work)

    async def _turn(self, address: str, kind: str, gone: Leaves | None) -> Place:
        if gone is None or self._turns.free:
            return await self._turns.enter(address, kind)
        entering, leaving = asyncio.ensure_future(self._turns.enter(address, kind)), asyncio.ensure_future(gone())
        try:
            await asyncio.wait((entering, leaving), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            if not entering.cancel():
                self._turns.leave(entering.result())
            raise
        finally:
            leaving.cancel()
        if entering.cancel():
            raise Gone
        return entering.result()
