"""Analyses of finished tables: who asked for which, how far each has come, and what came of it.

Every change is made by a script that compares how the analysis stood, so that a change that is repeated, or made by
two workers, is made once. Nothing here is a record: an analysis follows from its table, and is made again when lost.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from events.scripts import Client, script
from projections.history import TableHistory
from service.accounts.callers import Caller
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.believing import is_line_laid_open
from service.tables.viewing import authorise_table

DUE = "{analyses}:due"
KEPT_S = 30 * 86_400  # after the last change; then whoever wants it asks again
HELD_S = 86_400  # for which one that nobody works on counts: perhaps no worker of this release can read the table
LEASE_MS = 30_000  # after which a slice is enqueued again that a worker was given
LONGEST_MS = 2 * LEASE_MS  # by machines that keep time
PART = "part"  # the field with what is done of the decision that is being looked at
WHOLE = "whole"  # the field with the analysis, once it is done
MOST_TAKEN = 100

log = logging.getLogger(__name__)

LUCK = "luck"
Kind = str  # `quick`, `deep` or `luck`
Status = Literal["waiting", "running", "done", "failed"]


class Name(NamedTuple):
    """Which analysis: of which table, and of which kind."""

    table: str
    kind: str

    def __str__(self) -> str:
        return f"{self.table}:{self.kind}"

    @classmethod
    def read(cls, text: str) -> "Name":
        """The name that is written so."""
        return cls(*text.split(":"))


class AnalysisStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How an analysis stands. `head` is the table's when it was asked for; `by` asked, as long as it is not done.

    `versions` are the decisions to be looked at, or the events whose luck is told, known once a worker has begun;
    `done` of them are, and for the next one `rollouts` games were played out.
    `changes` makes any two states differ.
    """

    head: str
    by: str | None
    asked_at: str
    status: Status = "waiting"
    choices: int | None = None
    versions: tuple[int, ...] | None = None
    done: int = 0
    rollouts: int = 0
    detail: str | None = None
    changes: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in ("done", "failed")

    def becoming(self, **changes: Any) -> "AnalysisStatus":
        """How it stands after a change."""
        return msgspec.structs.replace(self, changes=self.changes + 1, **changes)


class KeptAnalysis(NamedTuple):
    """An analysis as it was read: what the store keeps, and what that says."""

    kept: bytes
    analysis: AnalysisStatus


class Analyses:
    """The analyses of a store; an account may have `most` at once that are not done."""

    def __init__(self, client: Client, now_ms: Callable[[], int], most: int = 0) -> None:
        self._client, self._now_ms, self.most = client, now_ms, most
        self._change = script(client, "service", "analyses.lua")

    def find(self, name: Name) -> KeptAnalysis | None:
        """How an analysis stands; None if nobody has asked for it."""
        kept = self._client.hget(_key(name), "state")
        return KeptAnalysis(kept, msgspec.json.decode(kept, type=AnalysisStatus)) if kept else None

    def whole(self, name: Name) -> bytes | None:
        """The analysis (JSON), if it is done."""
        found: bytes | None = self._client.hget(_key(name), WHOLE)
        return found

    def fields(self, name: Name, fields: Sequence[str]) -> list[bytes | None]:
        """What is kept of the parts that are done."""
        return list(self._client.hmget(_key(name), fields)) if fields else []

    def held(self, player: str) -> int:
        """How many of an account's analyses are not done, of those that have changed within a day."""
        return int(self._client.zcount(_of(player), self._counts_since_ms(), "+inf"))

    def ask(self, name: Name, was: KeptAnalysis | None, wanted: AnalysisStatus) -> bool:
        """Begins an analysis in the place of what there was; raises `Refused` beyond the quota."""
        answer = self._replace(name, AnalysisChange(was, wanted, self.most))
        if answer < 0:
            told = f"an account may have {self.most} analyses that are not done: wait for one, or cancel it"
            raise Refused("quota_reached", told, quota="analyses", most=self.most)
        return bool(answer)

    def note(self, name: Name, was: KeptAnalysis, becomes: AnalysisStatus, parts: Mapping[str, bytes]) -> bool:
        """Notes what a slice has done, unless the analysis has changed meanwhile; the next slice is due at once."""
        return bool(self._replace(name, AnalysisChange(was, becomes, parts=parts)))

    def remove(self, name: Name, was: KeptAnalysis) -> bool:
        """Ends an analysis, unless it has changed meanwhile; a slice of it that is under way comes to nothing."""
        return bool(self._replace(name, AnalysisChange(was, None)))

    def of(self, player: str) -> dict[Name, KeptAnalysis]:
        """What an account has asked for that is not done, in the order in which it was asked for."""
        names = [Name.read(member.decode()) for member in self._client.zrange(_of(player), 0, -1)]
        found = {name: self.find(name) for name in names}
        return {name: one for name, one in found.items() if one and one.analysis.by == player}

    def forget(self, player: str) -> None:
        """Ends what an account has asked for that is not done, and what tells of it; a repeat goes on with it."""
        while asked := self.of(player):
            for name, found in asked.items():
                self.remove(name, found)
        self._client.delete(_of(player))

    def lease(self) -> list[Name]:
        """Analyses that go on now, each for one worker; they are due again if nothing is heard of them.

        One that is damaged is told and left, and told again when its lease ends.
        """
        now_ms = self._now_ms()
        found = self._client.zrangebyscore(DUE, "-inf", now_ms, start=0, num=MOST_TAKEN)
        for member in found:
            self._client.zadd(DUE, {member: now_ms + LEASE_MS}, xx=True)
        return [name for member in found if (name := self._going_on(member))]

    def bring_forward(self) -> None:
        """Makes due now what a clock that ran ahead has put off for longer than any lease."""
        now_ms = self._now_ms()
        late = self._client.zrangebyscore(DUE, f"({now_ms + LONGEST_MS}", "+inf")
        if late:
            self._client.zadd(DUE, dict.fromkeys(late, now_ms), xx=True, lt=True)

    def _going_on(self, member: bytes) -> Name | None:
        """The analysis of that name; None if it is there no more, or damaged."""
        try:
            name = Name.read(member.decode())
            return name if self._is_there(name) else None
        except (TypeError, ValueError, msgspec.MsgspecError):
            log.error("%r is no analysis, and is left: `ZREM %s` removes it", member, DUE)
            return None

    def _is_there(self, name: Name) -> bool:
        """Whether there is such an analysis; one that has expired is due no more."""
        return self.find(name) is not None or not self._replace(name, AnalysisChange(None, None))

    def _counts_since_ms(self) -> int:
        return self._now_ms() - HELD_S * 1000

    def _replace(self, name: Name, change: "AnalysisChange") -> int:
        was, becomes = change.was, change.becomes
        former = (was.analysis.by if was else None) or ""
        player = (becomes.by if becomes else None) or former
        states = [was.kept if was else b"", msgspec.json.encode(becomes) if becomes else b""]
        due_ms = change.due_ms(self._now_ms())
        most = "" if change.most is None else change.most
        fields = [item for pair in change.parts.items() for item in pair]
        keys = [_key(name), DUE, _of(player), _of(former)]
        args = [*states, str(name), self._now_ms(), due_ms, KEPT_S, most, self._counts_since_ms(), *fields]
        return int(self._change(keys=keys, args=args))


class AnalysisChange(NamedTuple):
    """How an analysis stood and what it becomes (None: there is none); begun by an account that may have `most`."""

    was: KeptAnalysis | None
    becomes: AnalysisStatus | None
    most: int | None = None
    parts: Mapping[str, bytes] = {}

    def due_ms(self, now_ms: int) -> int | str:
        """When it is enqueued: at once if it begins, else if its worker, which goes on by itself, is lost."""
        if self.becomes is None or self.becomes.over:
            return ""
        return now_ms if self.most is not None else now_ms + LEASE_MS


def row(number: int) -> str:
    """The field with the decision of that number, from 0, once it is done."""
    return f"row:{number}"


def _key(name: Name) -> str:
    return f"{{analyses}}:{name}"


def _of(player: str) -> str:
    return f"{{analyses}}:of:{player}"


TRIES = 20  # how often a change is made again when others change the analysis first


class TableAnalyses:
    """The analyses of the tables that a command handler knows."""

    def __init__(self, handler: CommandHandler, analyses: Analyses) -> None:
        self._handler, self.analyses = handler, analyses

    def check(self, history: TableHistory) -> None:
        """Raises `Refused` unless all of the table may be told: it is over, and so is what it is a branch of."""
        if not is_line_laid_open(self._handler, history):
            raise Refused("table_not_over", "ask again when this game, and any that it is a branch of, is over")

    def is_of(self, table: str, head: str, caller: Caller) -> bool:
        """Whether a table still has the head that an analysis was made of; raises `Refused` if its caller may not see.

        Whoever sees the table may see how far its analysis is as long as all of it may be told.
        """
        history = authorise_table(self._handler, table, caller)
        self.check(history)
        return head_of(history) == head

    def stands(self, history: TableHistory, kind: Kind) -> KeptAnalysis | None:
        """How an analysis of the table as it is now stands: one that was made of other events is none."""
        found = self.analyses.find(Name(history.table.id, kind))
        return found if found and found.analysis.head == head_of(history) else None

    def ask(self, history: TableHistory, kind: Kind, caller: Caller, at: str) -> AnalysisStatus:
        """Begins an analysis, or finds it; one that failed is begun anew. Raises `Refused` beyond the quota."""
        name, player = Name(history.table.id, kind), caller.needs("play").id
        wanted = AnalysisStatus(head=head_of(history), by=player, asked_at=at)
        for _ in range(TRIES):
            kept = self.analyses.find(name)
            if kept and kept.analysis.head == wanted.head and kept.analysis.status != "failed":
                return kept.analysis
            if self.analyses.ask(name, kept, wanted):
                return wanted
        raise busy()

    def cancel(self, history: TableHistory, kind: Kind, caller: Caller) -> None:
        """Ends an analysis that is not done; raises `Refused` for what others asked for."""
        name = Name(history.table.id, kind)
        for _ in range(TRIES):
            found = self.stands(history, kind)
            if found is None or found.analysis.over:
                raise Refused("no_such_analysis", f"nothing called {kind!r} is being worked out for this table")
            if found.analysis.by != caller.id and "admin" not in caller.scopes:
                raise Refused("not_allowed", "only whoever asked for an analysis cancels it")
            if self.analyses.remove(name, found):
                return
        raise busy()


def head_of(history: TableHistory) -> str:
    """The hash of the last event, as the analysis tells it."""
    return history.table.head.hash.hex()


def busy() -> Refused:
    """What is told when a change could not be made for all the others."""
    return Refused("conflict", "the analysis changes all the time; come again", retry_after=1)
