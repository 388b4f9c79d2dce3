"""A load generator that costs little: raw sockets, requests made beforehand, answers cut at their Content-Length.

A lane is a connection with one request under way. One process drives all lanes, so that what it takes from the
machine stays small beside what the service takes.
"""

import selectors
import socket
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

SILENCE_S = 30.0  # after this long without an answer something is wrong
UNBOUNDED = 1e9  # requests a second
PAUSE_S = 0.001  # between two looks whether more may be sent


class Window(NamedTuple):
    """What a stretch of load came to: answers a second, how long each took, and answers with those that came late."""

    rate: float
    latencies_s: list[float]
    answers: int = 0


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


def drive(
    lanes: Sequence[Lane],
    seconds: float,
    beside: Sequence[Lane] = (),
    *,
    rate: float = UNBOUNDED,
    ears: Sequence[Lane] = (),
) -> Window:
    """Keeps every lane busy for that long; what is answered afterwards is not counted, nor are those `beside`.

    At most `rate` requests a second are sent in all; `ears` send nothing, and are read as soon as something comes.
    A machine on which nothing is answered within that time is given until the first answer.
    """
    latencies: list[float] = []
    counted, waiting = set(map(id, lanes)), deque((*beside, *lanes))
    sent = busy = answers = 0
    with selectors.DefaultSelector() as selector:
        for lane in (*waiting, *ears):
            selector.register(lane.socket, selectors.EVENT_READ, lane)
        begun, lasted, until = time.perf_counter(), 0.0, 0.0
        while busy or lasted < seconds or not latencies:
            while waiting and sent <= rate * lasted and (lasted < seconds or not latencies):
                waiting.popleft().send()
                sent, busy = sent + 1, busy + 1
            for lane, took in _answered(selector, SILENCE_S if rate == UNBOUNDED else PAUSE_S):
                busy, lasted = busy - 1, time.perf_counter() - begun
                answers += id(lane) in counted
                waiting.append(lane)
                if id(lane) in counted and (lasted < seconds or not latencies):
                    latencies.append(took)
                    until = lasted
            lasted = time.perf_counter() - begun
    return Window(len(latencies) / max(seconds, until), latencies, answers)


def _answered(selector: selectors.BaseSelector, patience_s: float) -> Iterator[tuple[Lane, float]]:
    ready: list[tuple[Any, int]] = selector.select(patience_s)
    if not ready and patience_s == SILENCE_S:
        raise TimeoutError(f"no answer for {SILENCE_S:.0f} s")
    for key, _ in ready:
        took = key.data.receive()
        if took is not None:
            yield key.data, took
