"""Hostile connections, in a process of their own that imports nothing else: it starts at once and measures nothing."""

import asyncio
import contextlib
import multiprocessing
from collections.abc import Iterator
from typing import Any

ADDRESS = "127.0.0.1"
HOSTILE = "127.0.0.2"  # where the attack comes from: another address than the players'
BEGUN_S = 30.0  # for the attacking process to start
CONNECTED_S = 1.0  # within which an attempt is connected, or is given up
SILENCE_S = 0.05  # between two attempts of a connection


@contextlib.contextmanager
def attack(port: int, sent: bytes, connections: int) -> Iterator[None]:
    """So many connections that do this for as long as the context lasts, in a process that measures nothing."""
    spawning = multiprocessing.get_context("spawn")
    begun, stop = spawning.Event(), spawning.Event()
    swarm = spawning.Process(target=_swarm, args=(port, sent, connections, begun, stop), daemon=True)
    swarm.start()
    try:
        begun.wait(BEGUN_S)
        yield
    finally:
        stop.set()
        swarm.join()


def _swarm(port: int, sent: bytes, connections: int, begun: Any, stop: Any) -> None:
    asyncio.run(_hostile(port, sent, connections, begun, stop))


async def _hostile(port: int, sent: bytes, connections: int, begun: Any, stop: Any) -> None:
    """All connections in one thread: whoever waits for an answer takes nothing of the processors that are measured."""
    sending = [asyncio.create_task(_send(port, sent)) for _ in range(connections)]
    begun.set()
    await asyncio.to_thread(stop.wait)
    for task in sending:
        task.cancel()
    await asyncio.wait(sending)


async def _send(port: int, sent: bytes) -> None:
    while True:
        with contextlib.suppress(OSError):
            await _until_answered(port, sent)
        await asyncio.sleep(SILENCE_S)


async def _until_answered(port: int, sent: bytes) -> None:
    async with asyncio.timeout(CONNECTED_S) as limit:
        reader, writer = await asyncio.open_connection(ADDRESS, port, local_addr=(HOSTILE, 0))
        limit.reschedule(None)
        with contextlib.closing(writer):
            writer.write(sent)
            await writer.drain()
            await reader.read(1 << 16)
