"""A wire between browser and service that can be cut."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Wire:
    """Carries bytes both ways until it is cut; while it is cut nobody is let through."""

    def __init__(self, address: str) -> None:
        self._server = ("127.0.0.1", urlsplit(address).port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        self._open: list[socket.socket] = []
        self._whole = True
        self._lock = threading.Lock()  # whoever is let through is known before the wire is cut
        self._threads = [threading.Thread(target=self._listen)]
        self._threads[0].start()

    def cut(self) -> None:
        """Breaks every connection."""
        with self._lock:
            self._whole = False
            for each in self._open:
                _end(each)

    @property
    def is_cut(self) -> bool:
        """Whether nobody is let through."""
        return not self._whole

    def mend(self) -> None:
        """Lets new connections through again."""
        self._whole = True

    def close(self) -> None:
        """Listens no more; ends when everything is closed."""
        self.cut()
        _end(self._listener)
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._open):
            each.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with self._lock:
                    self._let_through(client)

    def _let_through(self, client: socket.socket) -> None:
        if not self._whole:
            client.close()
            return
        server = socket.create_connection(self._server)
        self._open += [client, server]
        for pair in ((client, server), (server, client)):
            self._threads.append(threading.Thread(target=_carry, args=pair))
            self._threads[-1].start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    _end(target)


def _end(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
