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
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Breaks every connection."""
        self._whole = False
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Lets new connections through again."""
        self._whole = True

    def close(self) -> None:
        """Listens no more."""
        self.cut()
        self._listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if not self._whole:
                    client.close()
                    continue
                server = socket.create_connection(self._server)
                self._open += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=_carry, args=pair, daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
