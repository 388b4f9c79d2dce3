"""Analyses of finished tables: who asked for which, the progress of each, and the results.

A script compares the former state with each change, so that a change that is repeated, or made by two workers, is made
once. Nothing here is a record: a lost analysis is computed again.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from events.scripts import Client, script
from projections.history import TableHistory
from service.accounts.callers import Caller
from service.command_handler import CommandHandler
from service.errors import Refused
from service.tables.authorisation import authorise_table
from service.tables.beliefs import is_line_laid_open

DUE = "{analyses}:due"
KEPT_S = 30 * 86_400  # after the last change
HELD_S = 86_400  # during which an unfinished analysis counts in the quota
LEASE_MS = 30_000  # of a slice, before another worker gets it
LONGEST_MS = 2 * LEASE_MS  # a later time in the schedule comes from a clock that ran ahead
PART = "part"  # the field with the current decision's partial result
WHOLE = "whole"  # the field with the finished analysis
MOST_TAKEN = 100

log = logging.getLogger(__name__)

LUCK = "luck"
Kind = str  # `quick`, `deep` or `luck`
Status = Literal["waiting", "running", "done", "failed"]


class Name(NamedTuple):
    """The table and the kind of an analysis."""

    table: str
    kind: str

    def __str__(self) -> str:
        return f"{self.table}:{self.kind}"

    @classmethod
    def read(cls, text: str) -> "Name":
        """Parses a name."""
        return cls(*text.split(":"))


class AnalysisStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an analysis. `head` is the table's when it began, `by` its player while it is not done.

    `versions` are the decisions or draws to analyse; `done` of them are finished, and the next has had `rollouts`.
    `changes` makes any two states differ.
    """

    head: str
    by: str | None
    asked_at: str
    status: Status = "waiting"
    versions: tuple[int, ...] | None = None
    done: int = 0
    rollouts: int = 0
    detail: str | None = None
    changes: int = 0

    @property
    def over(self) -> bool:
        """Whether it is done or failed."""
        return self.status in ("done", "failed")

    def becoming(self, **changes: Any) -> "AnalysisStatus":
        """Returns the state after a change."""
        return msgspec.structs.replace(self, changes=self.changes + 1, **changes)


class KeptAnalysis(NamedTuple):
    """An analysis as the store holds it, and decoded."""

    kept: bytes
    analysis: AnalysisStatus


class Analyses:
    """The analyses in a store; an account may have `most` unfinished ones."""

    def __init__(self, client: Client, now_ms: Callable[[], int], most: int = 0) -> None:
        self._client, self._now_ms, self.most = client, now_ms, most
        self._change = script(client, "service", "analyses.lua")

    def find(self, name: Name) -> KeptAnalysis | None:
        """Returns the state of an analysis; None if there is none."""
        kept = self._client.hget(_key(name), "state")
        return KeptAnalysis(kept, msgspec.json.decode(kept, type=AnalysisStatus)) if kept else None

    def whole(self, name: Name) -> bytes | None:
        """Returns the finished analysis (JSON), else None."""
        found: bytes | None = self._client.hget(_key(name), WHOLE)
        return found

    def fields(self, name: Name, fields: Sequence[str]) -> list[bytes | None]:
        """Returns finished parts."""
        return list(self._client.hmget(_key(name), fields)) if fields else []

    def held(self, player: str) -> int:
        """Returns how many unfinished analyses of an account have changed within a day."""
        return int(self._client.zcount(_of(player), self._counts_since_ms(), "+inf"))

    def ask(self, name: Name, was: KeptAnalysis | None, wanted: AnalysisStatus) -> bool:
        """Begins an analysis in place of `was`; raises `Refused` beyond the quota."""
        answer = self._replace(name, was, wanted, self.most)
        if answer < 0:
            detail = f"an account may have {self.most} unfinished analyses: wait for one, or cancel it"
            raise Refused("quota_reached", detail, quota="analyses", most=self.most)
        return bool(answer)

    def note(self, name: Name, was: KeptAnalysis, becomes: AnalysisStatus, parts: Mapping[str, bytes]) -> bool:
        """Stores the result of a slice, unless the analysis has changed since."""
        return bool(self._replace(name, was, becomes, parts=parts))

    def remove(self, name: Name, was: KeptAnalysis) -> bool:
        """Removes an analysis, unless it has changed since; a running slice is then discarded."""
        return bool(self._replace(name, was, None))

    def of(self, player: str) -> dict[Name, KeptAnalysis]:
        """Returns an account's unfinished analyses, oldest first."""
        names = [Name.read(member.decode()) for member in self._client.zrange(_of(player), 0, -1)]
        found = {name: self.find(name) for name in names}
        return {name: one for name, one in found.items() if one and one.analysis.by == player}

    def forget(self, player: str) -> None:
        """Removes an account's unfinished analyses. It may be repeated."""
        while asked := self.of(player):
            for name, found in asked.items():
                self.remove(name, found)
        self._client.delete(_of(player))

    def lease(self) -> list[Name]:
        """Leases the analyses that are due, each to one worker; logs damaged ones."""
        now_ms = self._now_ms()
        found = self._client.zrangebyscore(DUE, "-inf", now_ms, start=0, num=MOST_TAKEN)
        for member in found:
            self._client.zadd(DUE, {member: now_ms + LEASE_MS}, xx=True)
        return [name for member in found if (name := self._going_on(member))]

    def bring_forward(self) -> None:
        """Makes analyses due now that a clock that ran ahead has postponed for longer than any lease."""
        now_ms = self._now_ms()
        late = self._client.zrangebyscore(DUE, f"({now_ms + LONGEST_MS}", "+inf")
        if late:
            self._client.zadd(DUE, dict.fromkeys(late, now_ms), xx=True, lt=True)

    def _going_on(self, member: bytes) -> Name | None:
        """Returns the name of an analysis; None if it is damaged, or expired, which takes it from the schedule."""
        try:
            name = Name.read(member.decode())
            expired = self.find(name) is None and self._replace(name, None, None)
            return None if expired else name
        except (TypeError, ValueError, msgspec.MsgspecError):
            log.error("%r is not an analysis: remove it with `ZREM %s`", member, DUE)
            return None

    def _counts_since_ms(self) -> int:
        return self._now_ms() - HELD_S * 1000

    def _replace(
        self,
        name: Name,
        was: KeptAnalysis | None,
        becomes: AnalysisStatus | None,
        most: int | None = None,
        parts: Mapping[str, bytes] = {},
    ) -> int:
        """Replaces an analysis; one that begins is due at once, another after the lease of the worker that has it."""
        now_ms, is_over = self._now_ms(), becomes is None or becomes.over
        due_ms = "" if is_over else now_ms if most is not None else now_ms + LEASE_MS
        former = (was.analysis.by if was else None) or ""
        player = (becomes.by if becomes else None) or former
        states = [was.kept if was else b"", msgspec.json.encode(becomes) if becomes else b""]
        fields = [item for pair in parts.items() for item in pair]
        keys = [_key(name), DUE, _of(player), _of(former)]
        quota = ("" if most is None else most, self._counts_since_ms())
        args = [*states, str(name), now_ms, due_ms, KEPT_S, *quota, *fields]
        return int(self._change(keys=keys, args=args))


def row(number: int) -> str:
    """Returns the field with the result of a decision, counted from 0."""
    return f"row:{number}"


def _key(name: Name) -> str:
    return f"{{analyses}}:{name}"


def _of(player: str) -> str:
    return f"{{analyses}}:of:{player}"


TRIES = 20  # of a change, when others change the analysis first


class TableAnalyses:
    """The analyses of the tables that a command handler knows."""

    def __init__(self, handler: CommandHandler, analyses: Analyses) -> None:
        self._handler, self.analyses = handler, analyses

    def check(self, history: TableHistory) -> None:
        """Raises `Refused` unless the table and all its ancestors are over."""
        if not is_line_laid_open(self._handler, history):
            raise Refused("table_not_over", "ask again when this game, and any that it is a branch of, is over")

    def is_of(self, table: str, head: str, caller: Caller) -> bool:
        """Whether a table still has the head that was analysed; raises `Refused` if the caller may not see it."""
        history = authorise_table(self._handler, table, caller)
        self.check(history)
        return head_of(history) == head

    def stands(self, history: TableHistory, kind: Kind) -> KeptAnalysis | None:
        """Returns the state of the analysis of the table as it is now; None for one of other events."""
        found = self.analyses.find(Name(history.table.id, kind))
        return found if found and found.analysis.head == head_of(history) else None

    def ask(self, history: TableHistory, kind: Kind, caller: Caller, at: str) -> AnalysisStatus:
        """Begins an analysis unless there is one that has not failed; raises `Refused` beyond the quota."""
        if kind == LUCK and history.table.closed != "game_over":
            raise Refused("ended_early", "luck is split from choices only in a game that was played to its end")
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
        """Cancels an unfinished analysis; raises `Refused` for those of others."""
        name = Name(history.table.id, kind)
        for _ in range(TRIES):
            found = self.stands(history, kind)
            if found is None or found.analysis.over:
                raise Refused("no_such_analysis", f"no {kind} analysis of this table is running")
            if found.analysis.by != caller.id and "admin" not in caller.scopes:
                raise Refused("not_allowed", "you can cancel only your own analyses")
            if self.analyses.remove(name, found):
                return
        raise busy()


def head_of(history: TableHistory) -> str:
    """Returns the hash of the last event in hexadecimal."""
    return history.table.head.hash.hex()


def busy() -> Refused:
    """Returns the refusal of a change that was never made because others were faster."""
    return Refused("conflict", "the analysis keeps changing; try again", retry_after=1)
