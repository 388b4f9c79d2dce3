"""Hostile connections, in a process of their own that imports nothing else: it starts at once and measures nothing."""

import contextlib
import multiprocessing
import socket
import threading
from collections.abc import Iterator
from typing import Any

ADDRESS = "127.0.0.1"
HOSTILE = "127.0.0.2"  # where the attack comes from: another address than the players'
BEGUN_S = 30.0  # for the attacking process to start
SILENCE_S = 0.05  # between two attempts of a connection, and two looks at whether it is over


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
    threads = [threading.Thread(target=_send, args=(port, sent, stop), daemon=True) for _ in range(connections)]
    for thread in threads:
        thread.start()
    begun.set()
    for thread in threads:
        thread.join()


def _send(port: int, sent: bytes, stop: Any) -> None:
    while not stop.is_set():
        with contextlib.suppress(OSError), socket.create_connection((ADDRESS, port), 1, (HOSTILE, 0)) as found:
            found.sendall(sent)
            found.settimeout(SILENCE_S)
            _until_answered(found, stop)
        stop.wait(SILENCE_S)


def _until_answered(found: socket.socket, stop: Any) -> None:
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            found.recv(1 << 16)
            return
