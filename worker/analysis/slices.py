"""An analysis in slices: each goes on where the last one ended, so that in the end it is the same as in one go.

What a slice has done is noted with a compare-and-set. If the worker is killed, the slice is done again; if two workers
are at it, one of them notes something, and it is the same.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from games.kernel import NoWorld
from projections.history import History
from service.analyses.keeping import PART, WHOLE, Analyses, Analysis, Found, Name, row
from worker.analysis.evaluating import evaluation_of, moves_tried, results
from worker.analysis.finished import EFFORTS, Weighed, asked_of, decision_at, named, seed_of, whole
from worker.analysis.rollouts import Result

GoesOn = Callable[[], bool]
Part = list[Result]  # of the decision that is being looked at: world by world a result of each move


class Step(NamedTuple):
    """What the next change of an analysis is."""

    becomes: Analysis
    parts: dict[str, bytes]


def go_on(analyses: Analyses, name: Name, history: History, goes_on: GoesOn) -> bool:
    """Does a slice of an analysis; returns whether something is left to do.

    It ends when `goes_on()` is false, which is asked after each game that is played out.
    """
    found = analyses.find(name)
    if found is None or found.analysis.over:
        return False
    step = _next(analyses, name, history, found, goes_on)
    return analyses.note(name, found, *step) and not step.becomes.over


def give_up(analyses: Analyses, name: Name, why: str) -> bool:
    """Ends an analysis that fails, unless it has changed meanwhile; nothing is left to do (False)."""
    found = analyses.find(name)
    if found and not found.analysis.over:
        analyses.note(name, found, found.analysis.becoming(status="failed", by=None, detail=why), {})
    return False


def _next(analyses: Analyses, name: Name, history: History, found: Found, goes_on: GoesOn) -> Step:
    state = found.analysis
    if state.head != history.table.head.hash.hex():
        return Step(state.becoming(status="failed", by=None, detail="the table has other events now"), {})
    if state.versions is None:
        choices, asked = asked_of(history, name.kind)
        versions = tuple([decision.version for decision in asked])
        return Step(state.becoming(status="running", choices=choices, versions=versions), {})
    if state.done == len(state.versions):
        return Step(state.becoming(status="done", by=None), {WHOLE: _whole(analyses, name, history, state)})
    try:
        return _looked_at(analyses, name, history, state, goes_on)
    except NoWorld as none:
        return Step(state.becoming(status="failed", by=None, detail=str(none)), {})


def _looked_at(analyses: Analyses, name: Name, history: History, state: Analysis, goes_on: GoesOn) -> Step:
    """The next decision, as far as this slice comes."""
    decision = decision_at(history, (state.versions or ())[state.done])
    (kept,) = analyses.fields(name, [PART])
    before: Part = msgspec.json.decode(kept, type=Part) if kept and state.rollouts else []
    effort, seed = EFFORTS[name.kind], seed_of(name.table, decision.version, EFFORTS[name.kind])
    moves = moves_tried(decision.position, decision.made, effort, seed)
    part = list(before)
    for found in results(decision.position, moves, effort.worlds, seed, len(before)):
        part.append(found)
        if len(part) < effort.worlds * len(moves) and not goes_on():
            return Step(state.becoming(rollouts=len(part)), {PART: msgspec.json.encode(part)})
    weighed = named(decision, evaluation_of(moves, part))
    return Step(state.becoming(done=state.done + 1, rollouts=0), {row(state.done): msgspec.json.encode(weighed)})


def _whole(analyses: Analyses, name: Name, history: History, state: Analysis) -> bytes:
    """The analysis, of all decisions that were looked at."""
    kept = analyses.fields(name, [row(number) for number in range(state.done)])
    found = [msgspec.json.decode(one or b"", type=Weighed) for one in kept]
    return msgspec.json.encode(whole(history.table, name.kind, EFFORTS[name.kind], state.choices or 0, found))
