"""The asynchronous client. `make clients` generates the synchronous one, `client.py`, from this module."""

import os
from asyncio import sleep
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import httpx
from httpx_sse import EventSource, ServerSentEvent

from wintercount_client import models, operations
from wintercount_client.calls import Call
from wintercount_client.retries import Retries
from wintercount_client.streams import TIMEOUT, Stream
from wintercount_client.turns import Move, OpenDecision, opening

T = TypeVar("T")
SERVER = "http://127.0.0.1:8000"
RETRY_S = 60.0
TIMEOUT_S = 30.0
WAIT_S = 20  # the server answers as soon as a decision is open
UNANSWERED_S = 1.0
PAGE = 1000


class AsyncClient:
    """A connection to a server, with the account of a token.

    They default to the environment: WINTERCOUNT_SERVER (else the server on this machine) and WINTERCOUNT_TOKEN. Without
    a token, the first table that is opened creates an account for a bot: keep `client.token` to use it again. Requests
    that may be repeated are, for at most `retry_s` seconds of waiting.
    """

    def __init__(
        self,
        server: str | None = None,
        token: str | None = None,
        *,
        retry_s: float = RETRY_S,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.server = (server or os.environ.get("WINTERCOUNT_SERVER", SERVER)).rstrip("/")
        self.token = token or os.environ.get("WINTERCOUNT_TOKEN")
        self.retry_s = retry_s
        self.tables = AsyncTables(self)
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_S)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Returns the answer to one of `operations`; raises `Problem` for a refusal and `NoAnswer` if none came."""
        request = self._http.build_request(**call.arguments(self.server, self.token))
        retries = Retries(call, self.retry_s)
        while True:
            try:
                answer = await self._http.send(request)
            except httpx.TransportError as lost:
                await sleep(retries.after_loss(lost))
                continue
            if answer.is_success:
                return call.read(answer)
            await sleep(retries.after_refusal(answer))

    async def register(self, name: str, *, bot: bool = True) -> models.CreatedPlayer:
        """Creates an account and uses it from now on; keep `token`."""
        created = await self.send(operations.create_player({"name": name, "bot": bot}))
        self.token = created["token"]["secret"]
        return created

    def decisions(self) -> AsyncIterator[models.Waiting]:
        """Yields the decisions that wait for the account at all its tables, and each new one; does not end."""
        return self.follow(Stream(operations.get_inbox(), "decision"))

    async def feed(
        self, cursor: str | None = None, *, follow: bool = False, **filters: Any
    ) -> AsyncIterator[models.FeedBatch]:
        """Yields the batches of all public tables after a cursor, each with its own; those to come with `follow`.

        `filters` are those of `operations.read_feed`: `game`, `type`, `player`, `language`.
        """
        if follow:
            news: Stream[models.FeedBatch] = Stream(operations.read_feed(**filters), "batch", cursor)
            async for batch in self.follow(news):
                yield batch
        while not follow:
            page = await self.send(operations.read_feed(cursor=cursor, **filters))
            for batch in page["batches"]:
                yield batch
            if not page["lag"]:
                return
            cursor = page["next"]

    async def follow(self, stream: Stream[T]) -> AsyncIterator[T]:
        """Yields the items of a stream to its end, connecting again after each break."""
        retries = Retries(stream.call(), self.retry_s)
        while not stream.is_over:
            answer, lost = None, None
            try:
                async with self._streaming(stream.call()) as answer:
                    async for frame in self._frames(stream, answer):
                        retries.reset()
                        for item in stream.read(frame):
                            yield item
            except httpx.TransportError as error:
                lost = error
            if not stream.is_over:
                await sleep(retries.after_break(answer, lost))

    @asynccontextmanager
    async def _streaming(self, call: Call[object]) -> AsyncIterator[httpx.Response]:
        request = self._http.build_request(**call.arguments(self.server, self.token), timeout=TIMEOUT)
        answer = await self._http.send(request, stream=True)
        try:
            yield answer
        finally:
            await answer.aclose()

    @staticmethod
    async def _frames(stream: Stream[T], answer: httpx.Response) -> AsyncIterator[ServerSentEvent]:
        if stream.opens(answer):
            async for item in EventSource(answer).aiter_sse():
                yield item
        else:
            await answer.aread()  # while the connection is open: a refusal says why


class AsyncTables:
    """The tables of a server: `client.tables`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def open(
        self,
        game: models.GameName,
        *,
        ai: str | None = None,
        players: int = 2,
        seats: Sequence[Any] | None = None,
        **options: Any,
    ) -> "AsyncTable":
        """Opens a table: a seat for me, and the others for an AI level or, without `ai`, for anybody.

        `seats` names each instead: `me`, `open`, an AI level, or an object as in the API. `options` are the other
        fields of the request, such as `visibility="private"`.
        """
        if self._client.token is None:
            await self._client.register("bot")
        return AsyncTable(self._client, await self._client.send(opening(game, ai, players, seats, options)))

    async def get(self, table: str) -> "AsyncTable":
        """Returns a table by its id."""
        return AsyncTable(self._client, await self._client.send(operations.get_table(table)))

    async def list(self, **filters: Any) -> AsyncIterator[models.LobbyRow]:
        """Yields the public tables; `filters` are those of `operations.list_tables`, such as `status="running"`."""
        cursor: str | None = None
        while True:
            page = await self._client.send(operations.list_tables(cursor=cursor, **filters))
            for item in page["tables"]:
                yield item
            if (cursor := page["next"]) is None:
                return


class AsyncTable:
    """A table, as the account of its client may see it and play at it."""

    def __init__(self, client: AsyncClient, table: models.Table) -> None:
        self.id, self.game, self._client = table["id"], table["game"], client

    async def state(self, version: int | None = None, *, seat: int | Literal["all"] | None = None) -> models.Table:
        """Returns the table now or at a version, as a seat saw it; `all` shows every hand once the game is over."""
        viewer = None if seat is None else str(seat)
        return await self._client.send(operations.get_table(self.id, at=version, seat=viewer))

    async def events(
        self, after: int = 0, *, follow: bool = False, language: Literal["en", "fr"] | None = None
    ) -> AsyncIterator[models.Event]:
        """Yields the events after a version, and with `follow` those to come until the table is closed.

        With a language, each has its sentence as `words`.
        """
        if follow:
            news: Stream[models.Event] = Stream(operations.list_events(self.id, language=language), last=str(after))
            async for event in self._client.follow(news):
                yield event
        following: int | None = None if follow else after
        while following is not None:
            page = await self._client.send(
                operations.list_events(self.id, after=following, limit=PAGE, language=language)
            )
            for event in page["events"]:
                yield event
            following = page["next"]

    async def turns(self) -> AsyncIterator["AsyncTurn"]:
        """Yields each decision of the account as soon as it is open, once, until the game is over."""
        offered: set[str] = set()
        while True:
            moves = await self._client.send(operations.list_moves(self.id, wait=WAIT_S))
            new = [decision for decision in moves["decisions"] if decision["id"] not in offered]
            offered.update(decision["id"] for decision in new)
            for decision in new:
                yield AsyncTurn(self, decision)
            if moves["status"] == "finished":
                return
            if moves["decisions"] and not new:
                await sleep(UNANSWERED_S)  # the server answers at once as long as a decision is open

    async def sit(self, seat: int, *, arbiter: str | None = None) -> models.Table:
        """Takes a seat; at a table with an arbiter, consents to that arbiter by id."""
        return await self._client.send(operations.take_seat(self.id, seat, {"arbiter": arbiter} if arbiter else {}))

    async def leave(self, seat: int) -> models.Table:
        """Leaves a seat before the game has started."""
        return await self._client.send(operations.leave_seat(self.id, seat))


class AsyncTurn(OpenDecision):
    """A decision of the account, to be answered with one of its `moves`."""

    def __init__(self, table: AsyncTable, decision: models.OpenDecision) -> None:
        super().__init__(table.id, decision)
        self.table = table

    async def play(self, move: Move) -> models.Played:
        """Plays a move; raises `Problem` if it is refused. Repeating it changes nothing."""
        return await self.table._client.send(self.answer(move))
