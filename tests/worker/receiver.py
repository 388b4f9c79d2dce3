"""A bot's own web server: it keeps what it is sent, and answers as it is told."""

import contextlib
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

CERTIFICATE = Path(__file__).parent / "hooks.test.pem"


class Letter(NamedTuple):
    """What was sent."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """Answers with `status`, or not before `answer` is set; `redirect` is a place that it points to."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.status, self.redirect = 200, ""
        self.answer = threading.Event()
        self.answer.set()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/turn?bot=1"


@contextlib.contextmanager
def receiving(*, encrypted: bool = False) -> Iterator[Receiver]:
    """A receiver that listens on this machine."""
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.letters.append(Letter(self.path, dict(self.headers), body))
            found.answer.wait(30)
            with contextlib.suppress(OSError):
                self.send_response(found.status)
                if found.redirect:
                    self.send_header("Location", found.redirect)
                self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if encrypted:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.answer.set()
        server.shutdown()
        server.server_close()
        thread.join()
