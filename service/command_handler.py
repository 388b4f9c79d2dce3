"""The command handler: the log, the tables in memory, the clock, and the only way to write."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol

import msgspec

from events.commitments import salt_key
from events.envelopes import START, BatchMetadata, NewEvent, Recorded, record
from events.log import Batch, Conflict, Log, LogDamaged, LogUnreadable, RequestReused, VersionRange
from events.times import millis, stamp
from projections.due_timers import timers
from projections.folding import verified_fold
from projections.history import TableCache, TableHistory
from projections.table import Table
from service.accounts.accounts_and_tokens import request_reused
from service.accounts.callers import Caller, Player
from service.accounts.personal_texts import Texts
from service.accounts.shown_names import NO_NAMES, DisplayNames, Presenter
from service.errors import Refused
from service.feed_cursors import Cursors, own_cursors
from service.limits.quotas import check_room
from service.machine_clock import Clock
from service.transcripts import NO_TRANSCRIPTS, Transcripts, is_transcript

TRIES = 20  # decisions of one command, when others write to the table first

log = logging.getLogger(__name__)


class Request(msgspec.Struct, frozen=True):
    """The key of a request, from its sender and its Idempotency-Key, and the fingerprint of its body."""

    key: str | None = None
    fingerprint: str = ""


class CommandContext(NamedTuple):
    """A request, its player, and the scopes of the token where a command depends on them."""

    player: Player
    request: Request
    scopes: tuple[str, ...] = ()

    @property
    def caller(self) -> Caller:
        """The player with these scopes."""
        return Caller(self.player, self.scopes)

    @property
    def by(self) -> dict[str, Any]:
        """The player as the cause of a batch."""
        return {"kind": "player", "player": self.player.id}


class Decision(msgspec.Struct, frozen=True):
    """What a command wants to record: new events, their cause, and the secrets and draws of the batch.

    `now_ms` is the time of the decision where a deadline depends on it; by default the time of recording.
    """

    new_events: tuple[NewEvent, ...]
    by: dict[str, Any]
    sealed: dict[str, Any] = {}
    draws: dict[str, int] = {}
    now_ms: int | None = None


class Outcome(NamedTuple):
    """The table's history after a request, and the versions that the request added."""

    history: TableHistory
    span: VersionRange

    @property
    def table(self) -> Table:
        """The table as the request left it."""
        return self.history.at(self.span.last)


class Prepared(NamedTuple):
    """The batch to record for a decision, and the table that it leads to."""

    batch: Batch
    after: Table


class TableHandler(Protocol):
    """What commands need: the command handler, or a rerun of a recorded batch."""

    texts: Texts

    def now_ms(self) -> int:
        """Returns Unix time in milliseconds."""

    def history(self, table: str) -> TableHistory:
        """Returns the table's newest history; raises `Refused` if there is none."""

    def change(self, table: str, decide: Callable[[TableHistory], Decision], request: Request) -> Outcome:
        """Decides on the newest history and records the decision; raises what `decide` raises."""


Parameters = ParamSpec("Parameters")


def command(
    decide: Callable[Concatenate[TableHandler, TableHistory, CommandContext, Parameters], Decision],
) -> Callable[Concatenate[TableHandler, str, CommandContext, Parameters], Outcome]:
    """Makes a command of a decision on the newest history, which is taken again when others write first."""

    @wraps(decide)
    def run(
        handler: TableHandler, table: str, sent: CommandContext, /, *args: Parameters.args, **options: Parameters.kwargs
    ) -> Outcome:
        return handler.change(table, lambda history: decide(handler, history, sent, *args, **options), sent.request)

    return run


def by_clock(
    handler: TableHandler,
    table: str,
    name: str,
    decide: Callable[[TableHistory, int], tuple[NewEvent, ...]],
    *past: str,
) -> Outcome | None:
    """Records what follows from the time alone; returns None if `decide` refuses it with one of the codes `past`."""
    now_ms = handler.now_ms()

    def timed(history: TableHistory) -> Decision:
        return Decision(decide(history, now_ms), {"kind": "clock"}, now_ms=now_ms)

    try:
        return handler.change(table, timed, Request(f"{name}|{now_ms}"))
    except Refused as refusal:
        if refusal.code in past:
            return None
        raise


class CommandHandler:
    """The service without the web, which the commands in `service.tables` share."""

    idle_days = 0  # of new tables

    def __init__(
        self,
        log: Log,
        kept_tables: int = 2000,
        names: DisplayNames = NO_NAMES,
        cursors: Cursors | None = None,
        transcripts: Transcripts = NO_TRANSCRIPTS,
    ) -> None:
        self.log, self.cache, self.clock = log, TableCache(log, kept_tables), Clock()
        self.names, self.texts = names, names.texts
        self.cursors, self.transcripts = cursors or own_cursors(), transcripts
        self.private: OrderedDict[str, None] = OrderedDict()  # tables that the feed has found to be private

    def now_ms(self) -> int:
        """Returns Unix time in milliseconds."""
        return self.clock.now_ms()

    def presenter(self, language: str = "en") -> Presenter:
        """Returns the presenter of people's names and texts in a language."""
        return Presenter(language, self.names)

    def history(self, table: str) -> TableHistory:
        """Returns the table's newest history; raises `Refused` if there is none."""
        if is_transcript(table):
            raise Refused("transcribed", f"{table} is a transcript: it has no record")
        found = self.cache.load(table)
        if found is None:
            raise Refused("no_such_table", f"there is no table {table!r}")
        return found

    def append(self, table: str, batch: Batch) -> VersionRange:
        """Appends to the log; drops the history in memory if the store does not hold it."""
        try:
            return self.log.append(table, batch)
        except LogDamaged:
            self.cache.drop(table, batch.head)
            raise

    def intact(self, tables: Iterable[str]) -> Iterator[TableHistory]:
        """Yields the newest histories of tables; logs damaged tables and omits them."""
        for table in tables:
            try:
                if found := self.cache.load(table):
                    yield found
            except LogUnreadable as damage:
                log.critical("%s", damage)

    def open(self, table: str, decided: Decision, request: Request) -> Outcome:
        """Records the first batch of a table, or returns the first answer to a repeated request."""
        try:
            return self._record(self.prepare(table, None, decided, request), request)
        except Conflict:
            raise Refused("conflict", "this table is open already") from None
        except RequestReused:
            raise request_reused() from None

    def repeated(self, table: str, request: Request) -> Outcome | None:
        """Returns the first outcome of a repeated request, else None; raises `Refused` for another body."""
        first = self._first_answer(table, request)
        return _first_outcome(self.history(table), first, request) if first else None

    def change(self, table: str, decide: Callable[[TableHistory], Decision], request: Request) -> Outcome:
        """Decides on the newest history and records the decision; decides again when others write first.

        A repeated request gets its first outcome. Raises what `decide` raises on the newest history.
        """
        history = self.cache.peek(table) or self.history(table)
        for _ in range(TRIES):
            try:
                return self._record(self.prepare(table, history, decide(history), request), request)
            except Conflict as conflict:
                history = self.cache.add(table, conflict.missed) or self.history(table)
            except RequestReused:
                raise request_reused() from None
            except Refused:
                newest = self.history(table)
                if first := self._first_answer(table, request):
                    return _first_outcome(newest, first, request)
                if newest.table.version == history.table.version:
                    raise
                history = newest
        raise Refused("conflict", "the table changed faster than the request could be decided; send it again")

    def _first_answer(self, table: str, request: Request) -> VersionRange | None:
        known = self.log.find_answer(table, request.key) if request.key else None
        if known and known[0] != request.fingerprint:
            raise request_reused()
        return known[1] if known else None

    def prepare(self, table: str, history: TableHistory | None, decided: Decision, request: Request) -> Prepared:
        """Returns the decision recorded, chained and folded, but not yet appended; raises `Refused`."""
        if history:
            check_room(history, decided.new_events)
        before = history.table if history else None
        at, now = self._times(before, decided)
        key = salt_key(str(before.opened.seed if before else decided.new_events[0].payload["seed"]))
        metadata = BatchMetadata(at, decided.by, key, request.key, decided.sealed, decided.draws, now)
        events = record(table, before.head if before else START, decided.new_events, metadata)
        after = verified_fold(before, events, [event.leads_to for event in decided.new_events])
        return Prepared(batch_of(before, after, events, request), after)

    def adopt(self, prepared: Prepared, span: VersionRange) -> Outcome | None:
        """Returns the outcome of an append from memory; None for a repeat, or a table that is not in memory."""
        if span.repeated:
            return None
        history = self.cache.adopt(prepared.batch, prepared.after)
        return Outcome(history, span) if history else None

    def _record(self, prepared: Prepared, request: Request) -> Outcome:
        """Appends a prepared batch; reads the outcome from the store if it is not in memory."""
        table = prepared.after.id
        span = self.append(table, prepared.batch)
        return self.adopt(prepared, span) or _first_outcome(self.history(table), span, request)

    def _times(self, before: Table | None, decided: Decision) -> tuple[str, str | None]:
        """Returns the table's time for a batch, and the machine's if that is earlier, as after a clock's jump."""
        now_ms = self.now_ms() if decided.now_ms is None else decided.now_ms
        if before is None or now_ms >= (table_ms := millis(before.at)):
            return stamp(now_ms), None
        self.clock.is_behind(before.id, table_ms, now_ms)
        return before.at, stamp(now_ms)


def _first_outcome(history: TableHistory, span: VersionRange, request: Request) -> Outcome:
    """Returns the first outcome of a request; raises `LogDamaged` if its events are lost, and others in their place."""
    if not history.has_batch(span.first, span.last, request.key):
        detail = f"the store names versions {span.first} to {span.last} as the answer to a request, wrongly"
        raise LogDamaged(f"{history.table.id}: {detail}")
    return Outcome(history, span)


def batch_of(before: Table | None, after: Table, events: tuple[Recorded, ...], request: Request) -> Batch:
    """Returns the batch with its changes to timers."""
    was, will = timers(before) if before else {}, timers(after)
    completed_timers = tuple(member for member in was if member not in will)
    due = tuple(entry for member, entry in will.items() if was.get(member) != entry)
    head = before.head if before else START
    return Batch(head, events, request.key, request.fingerprint, completed_timers, due)
