"""A proxy that spoils answers, of whatever protocol: some are lost, cut or late, and some requests arrive twice."""

import contextlib
import random
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

from tests.servers import Listener

BITE = 1 << 16
LATE_S = (0.05, 0.4)
LINGER_S = 2.0  # how long the answer to the copy of a request is read, so that the server can end what it began


class Spoiler(Listener):
    """A proxy that spoils a share of a server's answers in one of the `WAYS`; `spoilt` counts them.

    An answer is what the server sends behind what it was sent: the first piece of it is spoilt, or none. What was
    sent is carried out in each case: whoever asked cannot know that.
    """

    WAYS = ("lost", "cut", "late", "doubled")

    def __init__(self, server: str, share: float, seed: int) -> None:
        self.spoilt: Counter[str] = Counter()
        self._server, self._share, self._rng = urlsplit(server), share, random.Random(seed)
        self._lock = threading.Lock()
        super().__init__()

    def be_fair(self) -> None:
        """Spoils nothing any more."""
        self._share = 0.0

    def _carry(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError), connected(self._server) as server:
            asked = b""
            while True:
                ready, _, _ = select.select([client, server], [], [])
                if client in ready:
                    sent = client.recv(BITE)
                    server.sendall(sent)
                    asked += sent
                    if not sent:
                        return
                if server in ready:
                    answer = server.recv(BITE)
                    if not answer or not self._passed_on(client, answer, asked):
                        return
                    asked = b""

    def _passed_on(self, client: socket.socket, answer: bytes, asked: bytes) -> bool:
        """Passes a piece of an answer on, spoilt or not; whether the connection lives on."""
        way = self._way() if asked else None
        if way == "late":
            time.sleep(self._rng.uniform(*LATE_S))
        if way == "doubled":
            threading.Thread(target=self._sent_again, args=(asked,), daemon=True).start()
        if way == "cut":
            client.sendall(answer[: len(answer) // 2])
        if way in ("lost", "cut"):
            return False
        client.sendall(answer)
        return True

    def _way(self) -> str | None:
        with self._lock:
            if self._rng.random() >= self._share:
                return None
            way = self._rng.choice(self.WAYS)
            self.spoilt[way] += 1
            return way

    def _sent_again(self, asked: bytes) -> None:
        """Sends a request a second time, on a connection of its own, and lets nobody see the answer."""
        with contextlib.suppress(OSError), connected(self._server) as server:
            server.settimeout(LINGER_S)
            server.sendall(asked)
            server.recv(BITE)


@contextlib.contextmanager
def spoiling(server: str, share: float, seed: int) -> Iterator[Spoiler]:
    """A spoiler before the server at a URL, as long as the block lasts."""
    with contextlib.closing(Spoiler(server, share, seed)) as found:
        yield found


def connected(server: SplitResult) -> socket.socket:
    """A connection to the server that a URL names, by a path or a port."""
    if server.scheme == "unix":
        found = socket.socket(socket.AF_UNIX)
        found.connect(server.path)
        return found
    return socket.create_connection((server.hostname or "", server.port or 0))
