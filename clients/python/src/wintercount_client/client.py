"""The synchronous client."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import sleep
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


class Client:
    """A server, and the account of a token; what may be repeated is, for `patience_s` seconds of waiting at most."""

    def __init__(
        self, url: str, token: str | None = None, *, patience_s: float = PATIENCE_S, http: httpx.Client | None = None
    ) -> None:
        self.url, self.token, self.patience_s = url.rstrip("/"), token, patience_s
        self._http = http or httpx.Client(timeout=TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """The answer to one of `operations`; raises `Problem` for a refusal and `NoAnswer` if none came."""
        request = self._http.build_request(**call.arguments(self.url, self.token))
        patience = Patience(call, self.patience_s)
        while True:
            try:
                answer = self._http.send(request)
            except httpx.TransportError as lost:
                sleep(patience.after_loss(lost))
                continue
            if answer.is_success:
                return call.read(answer)
            sleep(patience.after_refusal(answer))

    def register(self, name: str, *, bot: bool = False) -> models.NewPlayer:
        """Creates an account and acts for it from now on; `token` is what to keep."""
        made = self.send(operations.create_player({"name": name, "bot": bot}))
        self.token = made["token"]["secret"]
        return made

    def open(
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
    ) -> "Table":
        """Opens a table; a seat is `me`, `open`, the level of an AI player, or as the API has it."""
        more = {"options": options, "visibility": visibility, "clock": clock, "arbiter": arbiter}
        more |= {"disputes": disputes, "contribution": contribution}
        return Table(self, self.send(shorthand.opening(game, seats, more)))

    def table(self, table: str) -> "Table":
        """A table by its id."""
        return Table(self, self.send(operations.get_table(table)))

    def transcribe(self, text: str, *, visibility: models.Visibility = "private") -> "Table":
        """Loads a text in notation, to be looked at as a table: it replays by the rules, and no record proves it."""
        loaded = self.send(operations.load_transcript({"text": text, "visibility": visibility}))
        return self.table(loaded["id"])

    def tables(self, status: models.TableStatus = "running") -> Iterator[models.LobbyRow]:
        """The public tables of a status."""
        cursor: str | None = None
        while True:
            page = self.send(operations.list_tables(status=status, cursor=cursor))
            yield from page["tables"]
            if (cursor := page["next"]) is None:
                return

    def waiting(self) -> Iterator[models.Waiting]:
        """The decisions that wait for me at all my tables, and each further one as soon as it does; for ever."""
        return self.follow(Inbox())

    def feed_pages(self, cursor: str | None = None, **wanted: Unpack[FeedFilters]) -> Iterator[models.Feed]:
        """The pages of the feed of all public tables behind a cursor, to its end; `next` is the place behind each.

        Keep `next` together with what you made of the page: whoever goes on from there misses and repeats nothing.
        """
        while True:
            page = self.send(shorthand.feed_page(wanted, cursor, shorthand.FEED_PAGE))
            yield page
            if not page["lag"]:
                return
            cursor = page["next"]

    def feed(self, cursor: str | None = None, **wanted: Unpack[FeedFilters]) -> Iterator[models.FeedBatch]:
        """The batches of those pages; each has the `cursor` behind it."""
        for page in self.feed_pages(cursor, **wanted):
            yield from page["batches"]

    def stream_feed(self, cursor: str | None = None, **wanted: Unpack[FeedFilters]) -> Iterator[models.FeedBatch]:
        """The same, and all that are recorded from now on; for ever."""
        return self.follow(Batches(shorthand.feed_page(wanted), cursor))

    def follow(self, following: Following[T]) -> Iterator[T]:
        """What a stream tells, to its end, however often it breaks off."""
        patience = Patience(following.call(), self.patience_s)
        while not following.is_over:
            answer, lost = None, None
            try:
                with self._streaming(following.call()) as answer:
                    for frame in self._frames(following, answer):
                        patience.renew()
                        yield from following.read(frame)
            except httpx.TransportError as error:
                lost = error
            if not following.is_over:
                sleep(patience.after_break(answer, lost))

    @contextmanager
    def _streaming(self, call: Call[object]) -> Iterator[httpx.Response]:
        request = self._http.build_request(**call.arguments(self.url, self.token), timeout=TIMEOUT)
        answer = self._http.send(request, stream=True)
        try:
            yield answer
        finally:
            answer.close()

    @staticmethod
    def _frames(following: Following[T], answer: httpx.Response) -> Iterator[ServerSentEvent]:
        if following.opens(answer):
            yield from EventSource(answer).iter_sse()
        else:
            answer.read()  # while the connection is open: a refusal says why


class Table:
    """A table, as its client's account may see it and play at it."""

    def __init__(self, client: Client, opened: models.Table) -> None:
        self.id, self.game, self._client = opened["id"], opened["game"], client

    def now(self) -> models.Table:
        """The table as it is, seen from my seat if I have one."""
        return self.at()

    def at(self, version: int | None = None, *, seat: int | Literal["all"] | None = None) -> models.Table:
        """The table at a version, as a seat saw it; `all` shows every seat's cards when the game is over."""
        eyes = None if seat is None else str(seat)
        return self._client.send(operations.get_table(self.id, at=version, seat=eyes))

    def events(self, after: int = 0, *, language: Language | None = None) -> Iterator[models.Event]:
        """The events behind a version, so far; with a language each has its sentence as `words`."""
        following: int | None = after
        while following is not None:
            page = self._client.send(operations.list_events(self.id, after=following, limit=PAGE, language=language))
            yield from page["events"]
            following = page["next"]

    def stream(self, after: int = 0, *, language: Language | None = None) -> Iterator[models.Event]:
        """The events behind a version, and those to come, until the table is closed."""
        return self._client.follow(Events(self.id, after, language))

    def moves(self) -> models.Moves:
        """The decisions that are open to me, with the legal moves of each."""
        return self._client.send(operations.list_moves(self.id))

    def turns(self) -> Iterator[models.Moves]:
        """The same each time I have any, until the table is closed: answer, and go on with the loop."""
        turns = Turns()
        yield from self._news(turns)
        for event in self.stream(turns.seen):
            if turns.may_follow(event):
                yield from self._news(turns)

    def _news(self, turns: Turns) -> Iterator[models.Moves]:
        while turns.are_new(moves := self.moves()):
            yield moves

    def play(
        self, move: Move, decision: OpenDecision | None = None, *, seen: shorthand.Seen | None = None
    ) -> models.Played:
        """Plays a move as the answer to a decision, of which it may be the only one; raises `Problem` if it is refused.

        With `seen` (a table, an event, a receipt) the move counts only if nothing has happened since (412 otherwise).
        """
        answered = decision or shorthand.only_decision(self.moves())
        return self._client.send(shorthand.playing(self.id, self.game, move, answered, seen))

    def check(self, move: Move, seat: int) -> models.Check:
        """Whether a seat may play a move now, and if not the rule that forbids it."""
        return self._client.send(shorthand.checking(self.id, self.game, move, seat))

    def sit(self, seat: int, *, arbiter: str | None = None) -> models.Table:
        """Takes a seat; a table with an arbiter asks for consent to that arbiter by name."""
        return self._client.send(operations.take_seat(self.id, seat, {"arbiter": arbiter} if arbiter else {}))

    def leave(self, seat: int) -> models.Table:
        """Leaves a seat, as long as the game has not begun."""
        return self._client.send(operations.leave_seat(self.id, seat))
