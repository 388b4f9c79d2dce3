"""A stub of the service for tests of the proxy: it remembers what reached it."""

import contextlib
import itertools
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

LARGE = b"0123456789abcdef" * (15 << 16)  # 15 MiB: more than the sockets on its way hold


class Upstream(ThreadingHTTPServer):
    """`seen` holds what was sent to it: path and 0 when a request begins, path and size when a body has come."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.address = f"127.0.0.1:{self.server_port}"
        self.seen: list[tuple[str, int]] = []
        self.large_sent, self.ended = threading.Event(), threading.Event()
        self._frames: list[bytes] = []
        self._changed = threading.Condition()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of clients that are gone."""

    def send_frame(self, frame: bytes) -> None:
        """Sends a frame to every open stream."""
        with self._changed:
            self._frames.append(frame)
            self._changed.notify_all()

    def frames(self, after: int) -> Iterator[bytes]:
        """The frames after so many of them, each when it is sent, until the test is over."""
        for number in itertools.count(after):
            with self._changed:
                while len(self._frames) <= number and not self.ended.is_set():
                    self._changed.wait()
            if self.ended.is_set():
                return
            yield self._frames[number]

    def frames_sent(self) -> int:
        """How many frames there were."""
        return len(self._frames)

    def end(self) -> None:
        """Ends every stream."""
        self.ended.set()
        with self._changed:
            self._changed.notify_all()


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    server: Upstream
    STREAMED: ClassVar = {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no", "Connection": "close"}

    def do_GET(self) -> None:
        self.server.seen.append((self.path, 0))
        if self.path.endswith("/events"):
            after = self.server.frames_sent()
            self._head(200, self.STREAMED)
            for frame in self.server.frames(after):
                self._write(frame)
        elif self.path == "/large":
            self._head(200, {"Content-Length": str(len(LARGE))})
            self._write(LARGE)
            self.server.large_sent.set()
        elif self.path == "/refused":
            self._reply(429, b'{"code":"of-the-service"}', {"Retry-After": "77"})
        elif self.path == "/page/missing":
            self._reply(404, b"{}")
        elif self.path == "/headers":
            self._reply(200, json.dumps({name.lower(): value for name, value in self.headers.items()}).encode())
        else:
            self._reply(200, b"{}")

    def do_POST(self) -> None:
        self.server.seen.append((self.path, 0))
        length = int(self.headers["Content-Length"])
        self.server.seen.append((self.path, len(self.rfile.read(length))))
        self._reply(200, b"{}")

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def _reply(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._head(status, {"Content-Length": str(len(body)), "X-Request-Id": "of the stub"} | (headers or {}))
        self._write(body)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, content: bytes) -> None:
        self.wfile.write(content)
        self.wfile.flush()


@contextlib.contextmanager
def upstream() -> Iterator[Upstream]:
    """The stub, as long as the block."""
    with Upstream() as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        try:
            yield found
        finally:
            found.end()
            found.shutdown()
