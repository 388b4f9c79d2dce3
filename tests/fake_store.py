"""A small server that speaks the store's protocol and answers what a test says: errors that no real one has on call."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

import hiredis

Command = tuple[bytes, ...]
OK, HANG_UP, SILENCE = b"+OK\r\n", b"", b"silence"


class FakeStore:
    """Answers each command as `answer` says, in bytes; `HANG_UP` closes the connection, `SILENCE` answers nothing."""

    def __init__(self, answer: Callable[[Command], bytes]) -> None:
        self.answer = answer
        self.commands: list[Command] = []
        self.connections = 0
        self.port = 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        requests = hiredis.Reader()
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            while data := await reader.read(1 << 16):
                requests.feed(data)
                while (command := requests.gets()) is not False:
                    self.commands.append(tuple(command))
                    answer = self.answer(self.commands[-1])
                    if answer == HANG_UP:
                        return
                    if answer != SILENCE:
                        writer.write(answer)

    @contextlib.asynccontextmanager
    async def listening(self, tls: ssl.SSLContext | None = None) -> AsyncIterator["FakeStore"]:
        """Listens as long as the block lasts."""
        server: Any = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
