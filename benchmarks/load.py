"""A load generator that costs little: raw sockets, requests made beforehand, answers cut at their Content-Length.

A lane is a connection with one request under way. One process drives all lanes, so that what it takes from the
machine stays small beside what the service takes.
"""

import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

SILENCE_S = 30.0  # after this long without an answer something is wrong


class Window(NamedTuple):
    """What a stretch of load came to: answers a second, and how long each took."""

    rate: float
    latencies_s: list[float]


class Answer(NamedTuple):
    """A whole answer: its status and its body."""

    status: int
    body: bytes


class Lane:
    """A connection that sends the next of its requests as soon as the one before is answered."""

    def __init__(self, host: str, port: int, requests: Iterator[bytes]) -> None:
        self.socket = socket.create_connection((host, port), SILENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests, self._buffer, self._sent = requests, b"", 0.0

    def send(self) -> None:
        """Sends the next request."""
        request = next(self._requests)
        self._sent = time.perf_counter()
        self.socket.sendall(request)

    def receive(self) -> float | None:
        """Reads what has come; once the answer is whole, the seconds that it took.

        Raises if it is a refusal, and `ConnectionError` if the service closed the connection instead of answering.
        """
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("the service closed a connection instead of answering")
        self._buffer += part
        answer = whole(self._buffer)
        if answer is None:
            return None
        took, self._buffer = time.perf_counter() - self._sent, b""
        self.check(answer)
        return took

    def check(self, answer: Answer) -> None:
        """Raises if the answer is a refusal."""
        if answer.status >= 400:
            raise RuntimeError(f"{answer.status} {answer.body.decode()}")

    def close(self) -> None:
        """Closes the connection."""
        self.socket.close()


def whole(received: bytes) -> Answer | None:
    """The answer, if all of it has been received."""
    head, gap, body = received.partition(b"\r\n\r\n")
    if not gap:
        return None
    length = int(head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0])
    return Answer(int(head[9:12]), body) if len(body) >= length else None


def request(method: str, path: str, token: str | None = None, body: bytes = b"") -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: benchmark"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def drive(lanes: Sequence[Lane], seconds: float, beside: Sequence[Lane] = ()) -> Window:
    """Keeps every lane busy for that long; what is answered afterwards is not counted, nor are those `beside`.

    A machine on which nothing is answered within that time is given until the first answer.
    """
    latencies: list[float] = []
    counted = set(map(id, lanes))
    with selectors.DefaultSelector() as selector:
        for lane in (*lanes, *beside):
            selector.register(lane.socket, selectors.EVENT_READ, lane)
        begun = time.perf_counter()
        for lane in (*beside, *lanes):
            lane.send()
        busy, until = len(lanes) + len(beside), 0.0
        while busy:
            for lane, took in _answered(selector):
                if (lasted := time.perf_counter() - begun) < seconds or not latencies:
                    if id(lane) in counted:
                        latencies.append(took)
                        until = lasted
                    lane.send()
                else:
                    busy -= 1
    return Window(len(latencies) / max(seconds, until), latencies)


def _answered(selector: selectors.BaseSelector) -> Iterator[tuple[Lane, float]]:
    ready: list[tuple[Any, int]] = selector.select(SILENCE_S)
    if not ready:
        raise TimeoutError(f"no answer for {SILENCE_S:.0f} s")
    for key, _ in ready:
        took = key.data.receive()
        if took is not None:
            yield key.data, took
