"""Runs an analysis in slices; the result is the same as in one run.

An analysis consists of parts, which are done one after the other by playing games out. A slice stores its progress
with a compare-and-set. If the worker is killed, the slice is done again; if two workers do it, one result is stored.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from games.kernel import NoWorld
from projections.history import TableHistory
from service.analyses import LUCK, PART, WHOLE, Analyses, AnalysisStatus, KeptAnalysis, Name, row
from worker.analysis import luck
from worker.analysis.evaluating import Results, rollouts, summarise
from worker.analysis.finished import (
    EFFORTS,
    Weighed,
    analysis_of,
    decision_at,
    decisions_to_analyse,
    question_of,
    with_verdict,
)
from worker.analysis.luck import EventMargins, Step, check, course_of

GoesOn = Callable[[], bool]
Change = tuple[AnalysisStatus, dict[str, bytes]]  # the new status, and the fields to store with it


class AnalysisPart(NamedTuple):
    """A part of an analysis."""

    results: Callable[[list[Any]], Iterator[Any]]  # the results that follow these; raises `NoWorld`
    kept_as: Any  # the type of the list of results
    found: Callable[[list[Any]], Any]  # makes the part's value from all results


class OfDecisions:
    """An analysis of decisions."""

    def __init__(self, history: TableHistory, kind: str) -> None:
        self.history, self.kind, self.effort = history, kind, EFFORTS[kind]

    def asked(self) -> tuple[int, ...]:
        """Returns the versions of the decisions."""
        return tuple([decision.version for decision in decisions_to_analyse(self.history)])

    def part(self, number: int, _last: bytes | None) -> AnalysisPart:
        """Returns the part for the decision that led to a version."""
        decision = decision_at(self.history, number)
        question = question_of(self.history.table.id, decision, self.effort)
        return AnalysisPart(
            partial(rollouts, question),
            list[Results],
            lambda played: with_verdict(decision, summarise(question, played)),
        )

    def outcome(self, found: Sequence[bytes]) -> Any:
        """Returns the analysis, from the stored values of its parts."""
        read = [msgspec.json.decode(one, type=Weighed) for one in found]
        return analysis_of(self.history.table, self.kind, self.effort, read)


class OfLuck:
    """An analysis of luck: the deal, then each event, in each world with at most three play-outs."""

    def __init__(self, history: TableHistory, _kind: str) -> None:
        self.course = course_of(history)

    def asked(self) -> tuple[int, ...]:
        """Returns the versions of the events; raises `ValueError` as `check` does."""
        check(self.course)
        return (0, *[turn.version for turn in self.course.turns])

    def part(self, number: int, last: bytes | None) -> AnalysisPart:
        """Returns the part for the event at a version; `last` is the stored value of the previous part."""
        place = next((place for place, turn in enumerate(self.course.turns, 1) if turn.version == number), 0)
        step, before = Step(self.course, place), _decoded(last) if last else None

        def results(played: list[EventMargins]) -> Iterator[EventMargins]:
            for world in range(len(played), luck.WORLDS):
                yield step.told(world, before[world].after if before else None)

        return AnalysisPart(results, list[EventMargins], lambda played: played)

    def outcome(self, found: Sequence[bytes]) -> Any:
        """Returns the luck of the game, from the stored values of its parts."""
        return luck.luck_of(self.course, [_decoded(one) for one in found])


def _decoded(kept: bytes) -> list[EventMargins]:
    return msgspec.json.decode(kept, type=list[EventMargins])


def work_for(name: Name, history: TableHistory) -> OfDecisions | OfLuck:
    """Returns the kind of work that an analysis needs."""
    return (OfLuck if name.kind == LUCK else OfDecisions)(history, name.kind)


def run_slice(analyses: Analyses, name: Name, history: TableHistory, goes_on: GoesOn) -> bool:
    """Does a slice of an analysis, until `goes_on()` is false after a rollout; returns whether work is left."""
    found = analyses.find(name)
    if found is None or found.analysis.over:
        return False
    becomes, parts = _next(analyses, name, history, found, goes_on)
    return analyses.note(name, found, becomes, parts) and not becomes.over


def give_up(analyses: Analyses, name: Name, why: str) -> bool:
    """Ends an analysis that fails, unless it has changed meanwhile; returns False: no work is left."""
    found = analyses.find(name)
    if found and not found.analysis.over:
        analyses.note(name, found, *_failed(found.analysis, why))
    return False


def _next(analyses: Analyses, name: Name, history: TableHistory, found: KeptAnalysis, goes_on: GoesOn) -> Change:
    state = found.analysis
    if state.head != history.table.head.hash.hex():
        return _failed(state, "the table has other events now")
    work = work_for(name, history)
    if state.versions is None:
        try:
            versions = work.asked()
        except ValueError as unknown:
            return _failed(state, unknown)
        return state.becoming(status="running", versions=versions), {}
    if state.done == len(state.versions):
        kept = analyses.fields(name, [row(number) for number in range(state.done)])
        outcome = work.outcome([one or b"" for one in kept])
        return state.becoming(status="done", by=None), {WHOLE: msgspec.json.encode(outcome)}
    try:
        kept_part, last = analyses.fields(name, [PART, row(state.done - 1)])
        return _continue_part(work.part(state.versions[state.done], last), state, kept_part, goes_on)
    except NoWorld as none:
        return _failed(state, none)


def _failed(state: AnalysisStatus, why: object) -> Change:
    return state.becoming(status="failed", by=None, detail=str(why)), {}


def _continue_part(part: AnalysisPart, state: AnalysisStatus, kept: bytes | None, goes_on: GoesOn) -> Change:
    """Continues a part until the slice ends; `kept` are its stored results."""
    played = msgspec.json.decode(kept, type=part.kept_as) if kept and state.rollouts else []
    for found in part.results(played[:]):
        played.append(found)
        if not goes_on():
            return state.becoming(rollouts=len(played)), {PART: msgspec.json.encode(played)}
    done = msgspec.json.encode(part.found(played))
    return state.becoming(done=state.done + 1, rollouts=0), {row(state.done): done}
