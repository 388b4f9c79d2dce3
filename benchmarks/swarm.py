"""Hostile connections, in a process of their own that imports nothing else: it starts at once and measures nothing."""

import asyncio
import contextlib
import multiprocessing
from collections.abc import Iterator, Sequence
from typing import Any

ADDRESS = "127.0.0.1"
HOSTILE = "127.0.1.{}"  # where an attack comes from: other addresses than the players'
MOST_ADDRESSES = 250
BEGUN_S = 30.0  # for the attacking process to start
CONNECTED_S = 1.0  # within which an attempt is connected, or is given up
SILENCE_S = 0.05  # between two attempts of a connection


def sources(connections: int, *, each_its_own: bool) -> list[str]:
    """The address of each connection of an attack: one for all, or as many as there are."""
    return [HOSTILE.format(1 + number % MOST_ADDRESSES if each_its_own else 1) for number in range(connections)]


@contextlib.contextmanager
def attack(port: int, sent: bytes, addresses: Sequence[str]) -> Iterator[None]:
    """Connections from these addresses do this as long as the context lasts, in a process that measures nothing."""
    spawning = multiprocessing.get_context("spawn")
    begun, stop = spawning.Event(), spawning.Event()
    swarm = spawning.Process(target=_swarm, args=(port, sent, addresses, begun, stop), daemon=True)
    swarm.start()
    try:
        begun.wait(BEGUN_S)
        yield
    finally:
        stop.set()
        swarm.join()


def _swarm(port: int, sent: bytes, addresses: Sequence[str], begun: Any, stop: Any) -> None:
    asyncio.run(_hostile(port, sent, addresses, begun, stop))


async def _hostile(port: int, sent: bytes, addresses: Sequence[str], begun: Any, stop: Any) -> None:
    """All connections in one thread: whoever waits for an answer takes nothing of the processors that are measured."""
    sending = [asyncio.create_task(_send(port, sent, address)) for address in addresses]
    begun.set()
    await asyncio.to_thread(stop.wait)
    for task in sending:
        task.cancel()
    await asyncio.wait(sending)


async def _send(port: int, sent: bytes, address: str) -> None:
    while True:
        with contextlib.suppress(OSError):
            await _until_answered(port, sent, address)
        await asyncio.sleep(SILENCE_S)


async def _until_answered(port: int, sent: bytes, address: str) -> None:
    async with asyncio.timeout(CONNECTED_S) as limit:
        reader, writer = await asyncio.open_connection(ADDRESS, port, local_addr=(address, 0))
        limit.reschedule(None)
        with contextlib.closing(writer):
            writer.write(sent)
            await writer.drain()
            await reader.read(1 << 16)
