"""An analysis in slices: each goes on where the last one ended, so that in the end it is the same as in one go.

What a slice has done is noted with a compare-and-set. If the worker is killed, the slice is done again; if two workers
are at it, one of them notes something, and it is the same.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from games.kernel import NoWorld
from projections.history import History
from service.analyses import PART, WHOLE, Analyses, AnalysisStatus, KeptAnalysis, Name, row
from worker.analysis.works import AnalysisPart, Work, work_of

GoesOn = Callable[[], bool]


class Change(NamedTuple):
    """What the next change of an analysis is."""

    becomes: AnalysisStatus
    parts: dict[str, bytes]


def go_on(analyses: Analyses, name: Name, history: History, goes_on: GoesOn) -> bool:
    """Does a slice of an analysis; returns whether something is left to do.

    It ends when `goes_on()` is false, which is asked after each game that is played out.
    """
    found = analyses.find(name)
    if found is None or found.analysis.over:
        return False
    change = _next(analyses, name, history, found, goes_on)
    return analyses.note(name, found, *change) and not change.becomes.over


def give_up(analyses: Analyses, name: Name, why: str) -> bool:
    """Ends an analysis that fails, unless it has changed meanwhile; nothing is left to do (False)."""
    found = analyses.find(name)
    if found and not found.analysis.over:
        analyses.note(name, found, found.analysis.becoming(status="failed", by=None, detail=why), {})
    return False


def _next(analyses: Analyses, name: Name, history: History, found: KeptAnalysis, goes_on: GoesOn) -> Change:
    state = found.analysis
    if state.head != history.table.head.hash.hex():
        return Change(state.becoming(status="failed", by=None, detail="the table has other events now"), {})
    work = work_of(name, history)
    if state.versions is None:
        return _begun(work, state)
    if state.done == len(state.versions):
        kept = analyses.fields(name, [row(number) for number in range(state.done)])
        whole_of_it = work.whole(state.choices, [one or b"" for one in kept])
        return Change(state.becoming(status="done", by=None), {WHOLE: msgspec.json.encode(whole_of_it)})
    try:
        kept_part, last = analyses.fields(name, [PART, row(state.done - 1)])
        return _looked_at(work.part(state.versions[state.done], last), state, kept_part, goes_on)
    except NoWorld as none:
        return Change(state.becoming(status="failed", by=None, detail=str(none)), {})


def _begun(work: Work, state: AnalysisStatus) -> Change:
    try:
        choices, asked = work.asked()
    except ValueError as unknown:
        return Change(state.becoming(status="failed", by=None, detail=str(unknown)), {})
    return Change(state.becoming(status="running", choices=choices, versions=asked), {})


def _looked_at(part: AnalysisPart, state: AnalysisStatus, kept: bytes | None, goes_on: GoesOn) -> Change:
    """A part, as far as this slice comes; `kept` is what is done of it."""
    played = part.read(kept) if kept and state.rollouts else []
    for found in part.results(len(played)):
        played.append(found)
        if len(played) < part.rollouts and not goes_on():
            return Change(state.becoming(rollouts=len(played)), {PART: msgspec.json.encode(played)})
    done = msgspec.json.encode(part.found(played))
    return Change(state.becoming(done=state.done + 1, rollouts=0), {row(state.done): done})
