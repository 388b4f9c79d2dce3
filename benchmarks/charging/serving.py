"""The service in this process, and what a request to it is charged and takes of the processor."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from flask import Flask
from werkzeug.test import Client

from events.store import RedisLog
from projections.history import History
from projections.runner import Runner
from service.accounts.callers import NOBODY, OWN_SCOPES, Caller, Player
from service.api.admission import LOOPBACK
from service.api.common import Services
from service.config import Settings
from service.limits.budgets import Limits
from service.runtime.app import create_app, services_from
from service.stores import log_at
from service.streams.follows import FOLLOW, Followed
from worker.explaining import Explainer
from worker.players.chosen import Chosen
from worker.thinking import Question, Thinker, think_here

ADMIN = "the operator's own token"
UNBOUNDED = dict.fromkeys(
    (
        *("work_ms", "thinking_s", "accounts", "changes", "refused_moves", "open_tables", "ai_seats", "forks"),
        *("open_disputes", "tokens", "sign_ins", "passkeys", "blocks", "invitations", "reports", "analyses"),
        *("transcripts", "streams", "streams_per_client"),
    ),
    10**9,
)
STILL_S = 0.15  # a stream that has told nothing for so long has caught up
LONGEST_S = 20.0  # that a stream is followed
T = TypeVar("T")
clock_s = time.process_time  # of all threads: some of what a request takes is done in others


class Asked(NamedTuple):
    """An answer: its status and size, what it was charged of each budget, and what it took of the processor."""

    status: int
    size: int
    work_ms: int
    thinking_s: int
    took_ms: float
    problem: str | None = None


class Person(NamedTuple):
    """Somebody with an account, as use cases and as requests know them."""

    player: Player
    token: str


class ThinkerHere(Thinker):
    """Thinks in this process, whose processor time is what is measured."""

    def __call__(self, asked: Question) -> Chosen:
        """The player's choice."""
        return think_here(asked)


class ExplainerAnew(Explainer):
    """Computes every answer: that it keeps them for a while helps whoever asks next."""

    def _ask(self, history: History, version: int, answer: Callable[[], T]) -> T:  # noqa: ARG002 - as it is asked
        return answer()


class Served:
    """The service on a store. Budgets count what is spent, and refuse nothing.

    Tables that are not in memory have to be read: `kept_tables` says how many there may be.
    """

    def __init__(self, url: str, data: Path, kept_tables: int = 2000) -> None:
        given: dict[str, Any] = {"data": str(data), "archive": str(data / "archive"), "kept_tables": kept_tables}
        self.settings = Settings(admin_token=ADMIN, **UNBOUNDED | given)
        self.log: RedisLog = log_at(url, self.settings)
        made = services_from(self.settings, url)
        self.services: Services = made._replace(explainer=ExplainerAnew(ThinkerHere()))
        self.app: Flask = create_app(self.services)
        self._environ: dict[str, Any] = {}  # of the last request, where the app leaves what is to become a stream
        self._client = Client(self._answered)

    def close(self) -> None:
        """Ends what goes on in the background."""
        self.services.close()
        self.log.client.close()

    def _answered(self, environ: dict[str, Any], start_response: Any) -> Any:
        self._environ = environ
        return self.app(environ, start_response)

    @property
    def limits(self) -> Limits:
        """The budgets."""
        return self.services.limits

    def person(self, name: str, **more: Any) -> Person:
        """A new account with a token of its own that may do all that people may."""
        made = self.open("POST", "/v1/players", json={"name": name} | more).get_json()
        scopes = {"scopes": list(OWN_SCOPES)}
        first = made["token"]["secret"]
        token = self.open("POST", "/v1/players/me/tokens", first, json=scopes).get_json()["secret"]
        player = self.services.accounts.player(made["player"])
        if player is None:
            raise RuntimeError("an account that was made is there")
        return Person(player, token)

    def caller(self, token: str | None) -> Caller:
        """Whose token it is."""
        return self.services.accounts.caller(token) if token else NOBODY

    def catch_up(self) -> None:
        """Brings lists and standings up to date."""
        Runner(self.log, self.services.handler.histories).catch_up(range(self.log.partitions))

    def open(self, method: str, path: str, token: str | None = None, **request: Any) -> Any:
        """The answer to a request, read whole."""
        headers = dict(request.pop("headers", {}))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return self._client.open(path, method=method, headers=headers, buffered=True, **request)

    def ask(self, method: str, path: str, token: str | None = None, **request: Any) -> Asked:
        """Sends a request, follows the stream that comes of it until it has caught up, and says what that cost."""
        caller = self.caller(token)  # what is known of a token is in memory, as of whoever asks often
        self.limits.counts.reset()
        begun = clock_s()
        answer = self.open(method, path, token, **request)
        size = len(answer.data)
        if follow := self._environ.get(FOLLOW):
            size += asyncio.run(self._follow(follow))
        took_ms = 1000 * (clock_s() - begun)
        problem = answer.get_json()["code"] if answer.mimetype == "application/problem+json" else None
        work_ms, thinking_s = (self.spent(caller, name) for name in ("work", "thinking"))
        return Asked(answer.status_code, size, work_ms, thinking_s, took_ms, problem)

    def spent(self, caller: Caller, name: str, address: str = LOOPBACK) -> int:
        """What was counted of a budget since it was last forgotten: of the account, else of the address."""
        budget = next(iter(self.limits.budgets(caller, address, name)), None)
        if budget is None:
            return 0
        before, _, present, _ = self.limits.counts.get_sliding_window(
            budget.item.key_for(*budget.key), budget.item.get_expiry()
        )
        return before + present

    async def _follow(self, follow: Followed) -> int:
        """The bytes that a stream tells until it is still, or ends."""
        frames, size, end = self.services.hub.frames(follow), 0, time.monotonic() + LONGEST_S
        try:
            while (frame := await _next(frames)) is not None and time.monotonic() < end:
                size += len(frame)
        finally:
            self.services.hub.dismiss(follow)
        return size


async def _next(frames: AsyncGenerator[bytes, None]) -> bytes | None:
    """The next frame; None if none comes for a while, or no more."""
    with contextlib.suppress(TimeoutError, StopAsyncIteration):
        async with asyncio.timeout(STILL_S):
            return await anext(frames)
    return None


@contextlib.contextmanager
def serving(url: str, data: Path, kept_tables: int = 2000) -> Iterator[Served]:
    """The service for as long as the block lasts."""
    with contextlib.closing(Served(url, data, kept_tables)) as found:
        yield found
