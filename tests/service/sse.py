"""A client of event streams that knows no more than the standard does."""

import json
import re
import socket
from collections.abc import Iterator
from typing import Any, NamedTuple

PATIENCE_S = 20.0
EVENT = re.compile("([0-9]+)-[0-9a-f]{8}")


class Frame(NamedTuple):
    """A frame of a stream: an event with its id and data, or a comment."""

    event: str | None
    id: int | str | None
    data: Any
    comment: str | None = None
    place: str | None = None  # the id as it was sent; of an event `id` is its version


FEED = "feed"


class Stream:
    """A stream of a table's events, of an inbox if no table is named, or of the feed; HTTP/1.1 over its own socket."""

    def __init__(
        self, address: str, table: str | None, token: str | None = None, query: str = "", **headers: str
    ) -> None:
        host, port = address.removeprefix("http://").split(":")
        self._socket = socket.create_connection((host, int(port)), PATIENCE_S)
        path = f"/v1/tables/{table}/events" if table else "/v1/inbox"
        path = "/v1/feed" if table == FEED else path
        lines = [f"GET {path}?{query} HTTP/1.1", f"Host: {host}", "Accept: text/event-stream"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        lines += [f"Authorization: Bearer {token}"] if token else []
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers = dict(self._headers())
        self.frames = self._frames()

    def _headers(self) -> Iterator[tuple[str, str]]:
        while (line := self._file.readline().strip()) != b"":
            name, _, value = line.decode().partition(":")
            yield name.lower(), value.strip()

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._file.readline() or b"0", 16):
            yield self._file.read(size)
            self._file.readline()

    def _frames(self) -> Iterator[Frame]:
        """All frames until the server ends the stream."""
        text = b""
        for chunk in self._chunks():
            text += chunk
            while b"\n\n" in text:
                frame, _, text = text.partition(b"\n\n")
                yield _parsed(frame.decode())

    def events(self, last: int | None = None) -> list[Frame]:
        """The events, without comments, up to the one with id `last` or to the end."""
        found = []
        for frame in self.frames:
            if frame.event is not None:
                found.append(frame)
            if last is not None and frame.id == last:
                break
        return found

    def close(self) -> None:
        """Drops the connection without a word."""
        self._file.close()
        self._socket.close()


def _parsed(text: str) -> Frame:
    fields = {name: value for name, _, value in (line.partition(": ") for line in text.splitlines())}
    data = json.loads(fields["data"]) if "data" in fields else None
    name = fields.get("id")
    version = EVENT.fullmatch(name or "")
    return Frame(fields.get("event"), int(version[1]) if version else name, data, fields.get(""), name)
