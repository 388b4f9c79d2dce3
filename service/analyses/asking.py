"""Asking for an analysis of a finished table, how far it is, and calling it off."""

from projections.history import History
from service.accounts.callers import Caller
from service.analyses.keeping import Analyses, AnalysisStatus, KeptAnalysis, Kind, Name
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.believing import is_line_laid_open
from service.tables.viewing import table_for

TRIES = 20  # how often a change is made again when others change the analysis first


class TableAnalyses:
    """The analyses of the tables that a command handler knows."""

    def __init__(self, handler: CommandHandler, analyses: Analyses) -> None:
        self._handler, self.analyses = handler, analyses

    def check(self, history: History) -> None:
        """Raises `Refused` unless all of the table may be told: it is over, and so is what it is a branch of."""
        if not is_line_laid_open(self._handler, history):
            raise Refused("table-not-over", "ask again when this game, and any that it is a branch of, is over")

    def is_of(self, table: str, head: str, caller: Caller) -> bool:
        """Whether a table still has the head that an analysis was made of; raises `Refused` if its caller may not see.

        Whoever sees the table may see how far its analysis is as long as all of it may be told.
        """
        history = table_for(self._handler, table, caller)
        self.check(history)
        return head_of(history) == head

    def stands(self, history: History, kind: Kind) -> KeptAnalysis | None:
        """How an analysis of the table as it is now stands: one that was made of other events is none."""
        found = self.analyses.find(Name(history.table.id, kind))
        return found if found and found.analysis.head == head_of(history) else None

    def ask(self, history: History, kind: Kind, caller: Caller, at: str) -> AnalysisStatus:
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

    def cancel(self, history: History, kind: Kind, caller: Caller) -> None:
        """Ends an analysis that is not done; raises `Refused` for what others asked for."""
        name = Name(history.table.id, kind)
        for _ in range(TRIES):
            found = self.stands(history, kind)
            if found is None or found.analysis.over:
                raise Refused("no-such-analysis", f"nothing called {kind!r} is being worked out for this table")
            if found.analysis.by != caller.id and "admin" not in caller.scopes:
                raise Refused("not-allowed", "only whoever asked for an analysis cancels it")
            if self.analyses.remove(name, found):
                return
        raise busy()


def head_of(history: History) -> str:
    """The hash of the last event, as the analysis tells it."""
    return history.table.head.hash.hex()


def busy() -> Refused:
    """What is told when a change could not be made for all the others."""
    return Refused("conflict", "the analysis changes all the time; come again", retry_after=1)
