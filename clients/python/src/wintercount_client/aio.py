"""The asynchronous client: the methods of the synchronous one, awaited."""

from asyncio import sleep
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, Unpack

import httpx
from httpx_sse import EventSource, ServerSentEvent

from wintercount_client import models, operations, shorthand
from wintercount_client.calls import Call
from wintercount_client.following import TIMEOUT, Batches, Events, Following, Inbox, Turns
from wintercount_client.models import Move, OpenDecision
from wintercount_client.patience import Patience
from wintercount_client.shorthand import FeedFilters, Language, Seat

T = TypeVar("T")
PATIENCE_S = 60.0
TIMEOUT_S = 30.0
PAGE = 1000


class AsyncClient:
    """A server, and the account of a token; what may be repeated is, for `patience_s` seconds of waiting at most."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience_s: float = PATIENCE_S,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.url, self.token, self.patience_s = url.rstrip("/"), token, patience_s
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_S)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """The answer to one of `operations`; raises `Problem` for a refusal and `NoAnswer` if none came."""
        request = self._http.build_request(**call.arguments(self.url, self.token))
        patience = Patience(call, self.patience_s)
        while True:
            try:
                answer = await self._http.send(request)
            except httpx.TransportError as lost:
                await sleep(patience.after_loss(lost))
                continue
            if answer.is_success:
                return call.read(answer)
            await sleep(patience.after_refusal(answer))

    async def register(self, name: str, *, bot: bool = False) -> models.NewPlayer:
        """Creates an account and acts for it from now on; `token` is what to keep."""
        made = await self.send(operations.create_player({"name": name, "bot": bot}))
        self.token = made["token"]["secret"]
        return made

    async def open(
        self,
        game: models.GameName,
        *,
        seats: Sequence[Seat],
        options: Mapping[str, Any] | None = None,
        visibility: models.Visibility | None = None,
        clock: models.Clock | None = None,
        arbiter: str | None = None,
        disputes: models.DisputeRules | None = None,
        contribution: str | None = None,
    ) -> "AsyncTable":
        """Opens a table; a seat is `me`, `open`, the level of an AI player, or as the API has it."""
        more = {"options": options, "visibility": visibility, "clock": clock, "arbiter": arbiter}
        more |= {"disputes": disputes, "contribution": contribution}
        return AsyncTable(self, await self.send(shorthand.opening(game, seats, more)))

    async def table(self, table: str) -> "AsyncTable":
        """A table by its id."""
        return AsyncTable(self, await self.send(operations.get_table(table)))

    async def transcribe(self, text: str, *, visibility: models.Visibility = "private") -> "AsyncTable":
        """Loads a text in notation, to be looked at as a table: it replays by the rules, and no record proves it."""
        loaded = await self.send(operations.load_transcript({"text": text, "visibility": visibility}))
        return await self.table(loaded["id"])

    async def tables(self, status: models.TableStatus = "running") -> AsyncIterator[models.LobbyRow]:
        """The public tables of a status."""
        cursor: str | None = None
        while True:
            page = await self.send(operations.list_tables(status=status, cursor=cursor))
            for row in page["tables"]:
                yield row
            if (cursor := page["next"]) is None:
                return

    def waiting(self) -> AsyncIterator[models.Waiting]:
        """The decisions that wait for me at all my tables, and each further one as soon as it does; for ever."""
        return self.follow(Inbox())

    async def feed_pages(self, cursor: str | None = None, **wanted: Unpack[FeedFilters]) -> AsyncIterator[models.Feed]:
        """The pages of the feed of all public tables behind a cursor, to its end; `next` is the place behind each.

        Keep `next` together with what you made of the page: whoever goes on from there misses and repeats nothing.
        """
        while True:
            page = await self.send(shorthand.feed_page(wanted, cursor, shorthand.FEED_PAGE))
            yield page
            if not page["lag"]:
                return
            cursor = page["next"]

    async def feed(self, cursor: str | None = None, **wanted: Unpack[FeedFilters]) -> AsyncIterator[models.FeedBatch]:
        """The batches of those pages; each has the `cursor` behind it."""
        async for page in self.feed_pages(cursor, **wanted):
            for batch in page["batches"]:
                yield batch

    def stream_feed(self, cursor: str | None = None, **wanted: Unpack[FeedFilters]) -> AsyncIterator[models.FeedBatch]:
        """The same, and all that are recorded from now on; for ever."""
        return self.follow(Batches(shorthand.feed_page(wanted), cursor))

    async def follow(self, following: Following[T]) -> AsyncIterator[T]:
        """What a stream tells, to its end, however often it breaks off."""
        patience = Patience(following.call(), self.patience_s)
        while not following.is_over:
            answer, lost = None, None
            try:
                async with self._streaming(following.call()) as answer:
                    async for frame in self._frames(following, answer):
                        patience.renew()
                        for told in following.read(frame):
                            yield told
            except httpx.TransportError as error:
                lost = error
            if not following.is_over:
                await sleep(patience.after_break(answer, lost))

    @asynccontextmanager
    async def _streaming(self, call: Call[object]) -> AsyncIterator[httpx.Response]:
        request = self._http.build_request(**call.arguments(self.url, self.token), timeout=TIMEOUT)
        answer = await self._http.send(request, stream=True)
        try:
            yield answer
        finally:
            await answer.aclose()

    @staticmethod
    async def _frames(following: Following[T], answer: httpx.Response) -> AsyncIterator[ServerSentEvent]:
        if following.opens(answer):
            async for frame in EventSource(answer).aiter_sse():
                yield frame
        else:
            await answer.aread()  # while the connection is open: a refusal says why


class AsyncTable:
    """A table, as its client's account may see it and play at it."""

    def __init__(self, client: AsyncClient, opened: models.Table) -> None:
        self.id, self.game, self._client = opened["id"], opened["game"], client

    async def now(self) -> models.Table:
        """The table as it is, seen from my seat if I have one."""
        return await self.at()

    async def at(self, version: int | None = None, *, seat: int | Literal["all"] | None = None) -> models.Table:
        """The table at a version, as a seat saw it; `all` shows every seat's cards when the game is over."""
        eyes = None if seat is None else str(seat)
        return await self._client.send(operations.get_table(self.id, at=version, seat=eyes))

    async def events(self, after: int = 0, *, language: Language | None = None) -> AsyncIterator[models.Event]:
        """The events behind a version, so far; with a language each has its sentence as `words`."""
        following: int | None = after
        while following is not None:
            page = await self._client.send(
                operations.list_events(self.id, after=following, limit=PAGE, language=language)
            )
            for event in page["events"]:
                yield event
            following = page["next"]

    def stream(self, after: int = 0, *, language: Language | None = None) -> AsyncIterator[models.Event]:
        """The events behind a version, and those to come, until the table is closed."""
        return self._client.follow(Events(self.id, after, language))

    async def moves(self) -> models.Moves:
        """The decisions that are open to me, with the legal moves of each."""
        return await self._client.send(operations.list_moves(self.id))

    async def turns(self) -> AsyncIterator[models.Moves]:
        """The same each time I have any, until the table is closed: answer, and go on with the loop."""
        turns = Turns()
        async for moves in self._news(turns):
            yield moves
        async for event in self.stream(turns.seen):
            if turns.may_follow(event):
                async for moves in self._news(turns):
                    yield moves

    async def _news(self, turns: Turns) -> AsyncIterator[models.Moves]:
        while turns.are_new(moves := await self.moves()):
            yield moves

    async def play(
        self, move: Move, decision: OpenDecision | None = None, *, seen: shorthand.Seen | None = None
    ) -> models.Played:
        """Plays a move as the answer to a decision, of which it may be the only one; raises `Problem` if it is refused.

        With `seen` (a table, an event, a receipt) the move counts only if nothing has happened since (412 otherwise).
        """
        answered = decision or shorthand.only_decision(await self.moves())
        return await self._client.send(shorthand.playing(self.id, self.game, move, answered, seen))

    async def check(self, move: Move, seat: int) -> models.Check:
        """Whether a seat may play a move now, and if not the rule that forbids it."""
        return await self._client.send(shorthand.checking(self.id, self.game, move, seat))

    async def sit(self, seat: int, *, arbiter: str | None = None) -> models.Table:
        """Takes a seat; a table with an arbiter asks for consent to that arbiter by name."""
        return await self._client.send(operations.take_seat(self.id, seat, {"arbiter": arbiter} if arbiter else {}))

    async def leave(self, seat: int) -> models.Table:
        """Leaves a seat, as long as the game has not begun."""
        return await self._client.send(operations.leave_seat(self.id, seat))
