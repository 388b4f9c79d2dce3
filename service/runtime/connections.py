"""Connections that clients hold open: how many an address may have, and how long it may leave an answer unread.

granian bounds how many there are in all, and how long one may be idle; it knows no addresses and waits for ever for a
client that takes nothing. So a thread looks at the sockets of its own process, which the system counts for us. It keeps
some of the room free: else nobody would come in while few addresses hold all of it, each as much as it may.
"""

import contextlib
import fcntl
import logging
import os
import resource
import socket
import stat
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from events.following import Rest
from service.limits.client_addresses import is_proxy, network_of, site_of
from service.outgoing_addresses import Networks

LOOK_S = 0.5
UNTAKEN_MS = 30_000  # after which a connection ends whose client takes nothing of what is sent
DESCRIPTORS = Path("/dev/fd")
UNSENT = 0x894B  # SIOCOUTQNSD of Linux: the bytes of a connection that its client has no room for yet
FREE_PART = 16  # of all connections that there may be, such a part is kept free for those who come
SPARE = 256  # files that a process has open besides the connections of its clients

log = logging.getLogger(__name__)


def open_many(connections: int) -> None:
    """Raises the process's limit of open connections, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Watch:
    """Closes an address's connections beyond `most`, the newest first; those of proxies do not count.

    And where there are nearly as many as there may be `in_all`, the newest of the site that has most.
    """

    def __init__(self, port: int, most: int, in_all: int, proxies: Networks = ()) -> None:
        self._port, self._most, self._proxies = port, most, proxies
        self._room = in_all - in_all // FREE_PART
        self._known: dict[tuple[int, int], str] = {}  # by descriptor and inode, in the order in which they came
        self._clients: dict[tuple[str, int], tuple[int, int]] = {}  # the same, by address and port of the other end
        self._asked = threading.Event()

    def start(self) -> None:
        """Checks twice a second, and when it is asked of somebody new, in a thread that ends with the process.

        It rests nine times as long as it has worked: with few connections somebody new is known in milliseconds.
        """
        _kept_back()
        threading.Thread(target=self._run, name="connections", daemon=True).start()

    def _run(self) -> None:
        rest = Rest(LOOK_S)
        while True:
            pause_s = rest.due_s()
            time.sleep(pause_s)
            self._asked.wait(LOOK_S - pause_s)
            self._asked.clear()
            try:
                self.look()
            except OSError as error:
                log.error("connections were not counted, and are at the next look: %s", error)

    def look(self) -> int:
        """Checks once; returns how many connections it closed."""
        there = dict.fromkeys(_sockets())
        self._known = {key: address for key, address in self._known.items() if key in there}
        self._clients = {client: key for client, key in self._clients.items() if key in self._known}
        held = Counter(self._known.values())
        ended = sum([self._meet(key, held) for key in there if key not in self._known])
        if ended:
            log.warning("%s connections were ended: an address may have %s", ended, self._most)
        gave_way = sum(map(self._end, self._surplus()))
        if gave_way:
            log.warning("%s connections were ended: nearly all that there may be were taken", gave_way)
        return ended + gave_way

    def _surplus(self) -> list[tuple[int, int]]:
        """The connections that make way for others: each the newest of whichever site then has most."""
        found: list[tuple[int, int]] = []
        by_site: dict[str, list[tuple[int, int]]] = {}
        for key, address in self._known.items():
            if address:  # a proxy's are many clients'
                by_site.setdefault(site_of(address), []).append(key)
        while len(self._known) - len(found) > self._room:
            greediest = max(by_site.values(), key=len, default=[])
            if len(greediest) <= 1:
                break
            found.append(greediest.pop())
        return found

    def _end(self, key: tuple[int, int]) -> bool:
        """Closes a connection, if it is there still."""
        with _duplicate(key) as found:
            if found is None:
                return False
            with contextlib.suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)
            return True

    def untaken(self, client: str) -> int | None:
        """How many bytes the system cannot send to a client (`address:port`) yet; None if that is unknown, or new.

        Any thread may ask.
        """
        address, _, port = client.rpartition(":")
        found = self._clients.get(_client(address.strip("[]"), int(port)))
        if found is None:
            self._asked.set()
            return None
        descriptor, inode = found
        with contextlib.suppress(OSError, ValueError):
            unsent = fcntl.ioctl(descriptor, UNSENT, bytes(4))
            if os.fstat(descriptor).st_ino == inode:  # else another connection has the descriptor by now
                return int.from_bytes(unsent, sys.byteorder)
        return None

    def _meet(self, key: tuple[int, int], held: Counter[str]) -> bool:
        """Counts a new connection, or closes it."""
        with _duplicate(key) as found:
            address = self._address(found) if found else None
            if found is None or address is None:
                return False
            if address and held[address] >= self._most:
                with contextlib.suppress(OSError):
                    found.shutdown(socket.SHUT_RDWR)
                return True
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNTAKEN_MS)
            self._known[key] = address
            with contextlib.suppress(OSError):  # it has gone since
                self._clients[_client(*found.getpeername()[:2])] = key
            held[address] += 1
            return False

    def _address(self, found: socket.socket) -> str | None:
        """The client's address: None if the connection is not a client's, empty if it is a proxy's."""
        try:
            own, peer = found.getsockname(), found.getpeername()
        except OSError:
            return None
        if found.family not in (socket.AF_INET, socket.AF_INET6) or own[1] != self._port:
            return None
        return "" if is_proxy(peer[0], self._proxies) else network_of(peer[0])


def _client(address: str, port: int) -> tuple[str, int]:
    """The other end of a connection, without the scope of its address, which some write as a name."""
    return address.partition("%")[0], port


def _sockets() -> Iterator[tuple[int, int]]:
    for descriptor in _descriptors():
        with contextlib.suppress(OSError):
            found = os.fstat(descriptor)
            if stat.S_ISSOCK(found.st_mode):
                yield descriptor, found.st_ino


def _descriptors() -> Iterable[int]:
    """The descriptors that are open; all that there may be when none is left to list them with."""
    try:
        return map(int, os.listdir(DESCRIPTORS))
    except OSError:
        return range(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


@cache
def _kept_back() -> tuple[int, int]:
    """Two descriptors for the one thread that looks: clients may have taken all others."""
    return os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_RDONLY)


@contextlib.contextmanager
def _duplicate(key: tuple[int, int]) -> Iterator[socket.socket | None]:
    """The socket, if the descriptor is still its own: its owner may close it at any time."""
    (descriptor, inode), (kept, empty) = key, _kept_back()
    try:
        os.dup2(descriptor, kept, inheritable=False)
        found = socket.socket(fileno=kept)
    except OSError:
        os.dup2(empty, kept, inheritable=False)
        yield None
        return
    try:
        yield found if os.fstat(kept).st_ino == inode else None
    finally:
        found.detach()
        os.dup2(empty, kept, inheritable=False)
