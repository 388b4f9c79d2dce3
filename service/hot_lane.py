"""Answers the four most frequent requests on the event loop: a table, its legal moves, its latest events, a move.

Anything unusual goes to a thread; its WSGI environment then holds the caller, the request id, the idempotency key and
the time of the request. If an append was already sent, the log recognises the repeat by that key.
"""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple

from flask import Flask
from redis.exceptions import RedisError

from events.envelopes import START, Head
from events.log import Conflict, LogUnreadable, RequestReused
from events.pipelined import MOST_MISSED, PipelinedLog, TooManyInFlight, Unanswered
from projections.history import TableHistory
from service.accounts.key_store import KeysUnavailable
from service.accounts.shown_names import Presenter
from service.api import table_requests as requests
from service.api.admission import ADMITTED, REFUSED, Admission
from service.api.common import DEPENDS_ON
from service.api.idempotency import APPENDED, named
from service.api.media_types import JSON
from service.command_handler import CommandHandler, Decision, Outcome, Request
from service.errors import Refused
from service.http import BEGAN, BOUNDED_AT_ONCE, NAMED, Sent, finished, record_answer, request_id, too_long
from service.limits.rates import MOVES, TABLE
from service.logs import job

EVENTS = f"{TABLE}/events"
PATH = re.compile(r"/v1/tables/([^/]+)(/moves|/events)?")
OPERATIONS = {("GET", None): TABLE, ("GET", "/events"): EVENTS, ("GET", "/moves"): MOVES, ("POST", "/moves"): MOVES}
QUERIES = {  # that this lane answers
    ("POST", "/moves"): "include=table",
    ("GET", "/moves"): r"wait=\d{1,2}",
    ("GET", "/events"): r"after=\d{1,9}(&limit=\d{1,9})?",
}
MOST_BYTES = 8192  # of a body
TRIES = 3  # decisions of one move, when others write first
MOST_WAITING = 64  # moves that wait for the lock of a table
UNUSUAL = (Refused, RedisError, LogUnreadable, RequestReused, KeysUnavailable)

log = logging.getLogger(__name__)


class Operation(NamedTuple):
    """A request to this lane: method, rule of rate limits, and table."""

    method: str
    rule: str
    table: str


def operation_of(environ: Mapping[str, Any]) -> Operation | None:
    """Returns the operation of a request; None if this lane does not have it."""
    found = PATH.fullmatch(environ["PATH_INFO"])
    method, query = environ["REQUEST_METHOD"], environ["QUERY_STRING"]
    if found is None or (query and not re.fullmatch(QUERIES.get((method, found[2]), ""), query)):
        return None
    rule = OPERATIONS.get((method, found[2]))
    return Operation(method, rule, found[1]) if rule else None


class _TableLock(asyncio.Lock):
    """The lock of a table, with the number of moves that hold it or wait for it."""

    waiting = 0


def _head_of(history: TableHistory | None) -> Head:
    return history.table.head if history else START


class HotLane:
    """Answers from tables in memory, and uses the store through one pipelined connection."""

    def __init__(self, app: Flask, handler: CommandHandler, store: PipelinedLog) -> None:
        self._handler, self._cache, self.store = handler, handler.cache, store
        self._admission: Admission = app.extensions["admission"]
        self._plays = not store.waits_for_replica  # a wait would delay all other requests
        self._locks: dict[str, _TableLock] = {}
        self._tasks: set[asyncio.Task[requests.Reply | None]] = set()

    async def answer(self, environ: dict[str, Any], body: bytes) -> Sent | None:
        """Returns the answer to an ordinary request; None if a thread has to answer."""
        operation = operation_of(environ)
        if operation is None or len(body) > MOST_BYTES or too_long(environ, BOUNDED_AT_ONCE):
            return None
        method, rule, _ = operation
        if method == "POST" and not self._plays:
            return None
        environ[BEGAN] = time.perf_counter()
        name = request_id(environ)
        replying = self._replying(environ, operation, body)
        reply = await (self._unbroken(replying) if method == "POST" else replying)
        if reply is None:
            return None
        sent = finished(environ, name, reply)
        before = job.set(name)  # nothing is awaited until it is reset
        record_answer("loop", (method, rule), environ, sent)
        job.reset(before)
        return sent

    async def _unbroken(self, replying: Coroutine[Any, Any, requests.Reply | None]) -> requests.Reply | None:
        """Returns the reply of a task that runs to its end even if the client hangs up."""
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[requests.Reply | None] = loop.create_future()

        def give(task: asyncio.Task[requests.Reply | None]) -> None:
            self._tasks.discard(task)
            if not reply.done():
                reply.set_result(task.result())

        task = loop.create_task(replying)
        self._tasks.add(task)
        task.add_done_callback(give)
        return await reply

    async def _replying(self, environ: dict[str, Any], operation: Operation, body: bytes) -> requests.Reply | None:
        """Returns the reply; None for anything unusual, such as a refusal."""
        method, rule, table = operation
        try:
            if not self._admission.peek(method, rule, environ):
                return None
            asked = requests.asked_in(environ, table, environ[ADMITTED].caller, body)
            return await (self._move(environ, asked) if method == "POST" else self._read(environ, asked, rule))
        except TooManyInFlight:
            environ[REFUSED] = Refused("too_busy", "too many moves wait for the store; nothing was done, send it again")
        except UNUSUAL:  # a thread repeats the request and words the problem
            pass
        except Exception:
            log.exception("%s %s, on the event loop", method, rule)
        return None

    # --- reading ---

    async def _read(self, environ: dict[str, Any], asked: requests.Asked, rule: str) -> requests.Reply | None:
        """Returns the table, its moves or its events, as the store has them now."""
        if (history := await self._current(asked.table)) is None:
            return None
        if rule == EVENTS:
            is_page = environ.get("HTTP_ACCEPT", JSON) in (JSON, "*/*") and "HTTP_LAST_EVENT_ID" not in environ
            if reply := requests.list_latest(asked, history) if is_page else None:
                environ[DEPENDS_ON] = ["Accept", "Accept-Language"]  # also where `If-Match` refuses it
            return reply
        if rule == MOVES:
            return None if requests.seconds_to_wait(asked, history.table) else requests.list_moves(asked, history)
        presenter = self._presenter(history, asked.language)
        return requests.read_table(asked, history, presenter) if presenter else None

    async def _current(self, table: str) -> TableHistory | None:
        """Returns the table as the store has it now; None if memory lacks more than a few events."""
        known = _head_of(self._cache.peek(table))
        head = await self.store.head(table)
        history = self._cache.peek(table)  # others may have added events
        if head.version < known.version:
            return None
        if 0 < head.version - (newest := _head_of(history)).version <= MOST_MISSED:
            history = self._cache.add(table, await self.store.between(table, newest, head))
        return history if history and history.holds(head) else None

    def _presenter(self, history: TableHistory, language: str) -> Presenter | None:
        """Returns the presenter, if the names of all seated players are in memory."""
        seated = [seat.player for seat in history.table.seats if seat.player]
        names = self._handler.names.remembered(seated)
        return Presenter(language, names) if names else None

    # --- playing ---

    async def _move(self, environ: dict[str, Any], asked: requests.Asked) -> requests.Reply | None:
        """Plays a move under the lock of its table."""
        job.set(environ[NAMED])  # of this task alone
        move, request = requests.move_of(asked), named(environ, asked.body, asked.caller.id)
        history = self._cache.peek(asked.table) or await self._current(asked.table)
        if history is None or history.table.game.is_slow:
            return None
        if (presenter := self._presenter(history, asked.language)) is None:
            return None
        if (lock := self._locks.get(asked.table)) is None:
            lock = self._locks[asked.table] = _TableLock()
        elif lock.waiting >= MOST_WAITING:
            return None
        lock.waiting += 1
        try:
            async with lock:
                outcome = await self.outcome(environ, asked.table, requests.deciding(move, asked.caller), request)
        finally:
            lock.waiting -= 1
            if not lock.waiting:
                del self._locks[asked.table]
        return requests.played(asked, outcome, presenter) if outcome else None

    async def outcome(
        self, environ: dict[str, Any], table: str, decide: Callable[[TableHistory], Decision], request: Request
    ) -> Outcome | None:
        """Decides, appends and adopts; decides again when others write first."""
        history = self._cache.peek(table)
        for _ in range(TRIES):
            if history is None:
                return None
            try:
                prepared = self._handler.prepare(table, history, decide(history), request)
            except Refused:  # perhaps because others have written since
                newest = await self._current(table)
                if newest is None or newest.table.version == history.table.version:
                    raise
                history = newest
                continue
            try:
                span = await self.store.append(table, prepared.batch)
            except Conflict as conflict:
                if not conflict.missed:  # there are too many
                    return None
                history = self._cache.add(table, conflict.missed)
                continue
            except Unanswered:
                environ[APPENDED] = True
                raise
            if not span.repeated:
                environ[APPENDED] = True
            return self._handler.adopt(prepared, span)
        return None

    async def close(self) -> None:
        """Waits for running moves, and closes the connections."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.store.close()
