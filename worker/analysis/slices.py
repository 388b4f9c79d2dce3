"""An analysis in slices: each goes on where the last one ended, so that in the end it is the same as in one go.

An analysis is made of parts that are looked at one after the other, each by games that are played out. What a slice has
done is noted with a compare-and-set. If the worker is killed, the slice is done again; if two workers are at it, one of
them notes something, and it is the same.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from games.kernel import NoWorld
from projections.history import TableHistory
from service.analyses import LUCK, PART, WHOLE, Analyses, AnalysisStatus, KeptAnalysis, Name, row
from worker.analysis import luck
from worker.analysis.evaluating import Result, evaluation_of, moves_tried, results
from worker.analysis.finished import EFFORTS, Weighed, asked_of, decision_at, named, seed_of, whole
from worker.analysis.luck import Step, Told, check, course_of

GoesOn = Callable[[], bool]
Change = tuple[AnalysisStatus, dict[str, bytes]]  # what the next change of an analysis is, and the parts that it keeps


class AnalysisPart(NamedTuple):
    """A part of an analysis, for which so many games are played out, always the same ones."""

    rollouts: int
    results: Callable[[int], Iterator[Any]]  # what comes of each game but the first so many; raises `NoWorld`
    kept_as: Any  # the type of all that
    found: Callable[[list[Any]], Any]  # what all games say


class OfDecisions:
    """The decisions of a table: every move that is tried is played out in every world."""

    def __init__(self, history: TableHistory, kind: str) -> None:
        self.history, self.kind, self.effort = history, kind, EFFORTS[kind]

    def asked(self) -> tuple[int | None, tuple[int, ...]]:
        """The choices, and the versions of the decisions that are looked at."""
        choices, asked = asked_of(self.history, self.kind)
        return choices, tuple([decision.version for decision in asked])

    def part(self, number: int, _last: bytes | None) -> AnalysisPart:
        """The decision at that version."""
        decision, seed = decision_at(self.history, number), seed_of(self.history.table.id, number, self.effort)
        moves, worlds = moves_tried(decision.position, decision.made, self.effort, seed), self.effort.worlds
        return AnalysisPart(
            worlds * len(moves),
            lambda first: results(decision.position, moves, worlds, seed, first),
            list[Result],
            lambda played: named(decision, evaluation_of(moves, played)),
        )

    def whole(self, choices: int | None, found: Sequence[bytes]) -> Any:
        """The analysis."""
        read = [msgspec.json.decode(one, type=Weighed) for one in found]
        return whole(self.history.table, self.kind, self.effort, choices or 0, read)


class OfLuck:
    """The luck of a game, event by event, the deal first: a version is that of the event.

    An event is told in every world, from what each made of the event before it; in each at most three games are played
    out.
    """

    def __init__(self, history: TableHistory, _kind: str) -> None:
        self.course = course_of(history)

    def asked(self) -> tuple[int | None, tuple[int, ...]]:
        """The versions of the events; raises `ValueError` for a game that is not known so well."""
        check(self.course)
        return None, (0, *[turn.version for turn in self.course.turns])

    def part(self, number: int, last: bytes | None) -> AnalysisPart:
        """The event at that version; `last`: what was found of the event before it, as it was kept."""
        place = next((place for place, turn in enumerate(self.course.turns, 1) if turn.version == number), 0)
        step, before = Step(self.course, place), _told_in(last) if last else None

        def results(first: int) -> Iterator[Told]:
            for world in range(first, luck.WORLDS):
                yield step.told(world, before[world].after if before else None)

        return AnalysisPart(luck.WORLDS, results, list[Told], lambda played: played)

    def whole(self, _choices: int | None, found: Sequence[bytes]) -> Any:
        """The luck of the game."""
        return luck.whole(self.course, [_told_in(one) for one in found])


def _told_in(kept: bytes) -> list[Told]:
    return msgspec.json.decode(kept, type=list[Told])


def work_of(name: Name, history: TableHistory) -> OfDecisions | OfLuck:
    """What the analysis of that name is made of."""
    return (OfLuck if name.kind == LUCK else OfDecisions)(history, name.kind)


def go_on(analyses: Analyses, name: Name, history: TableHistory, goes_on: GoesOn) -> bool:
    """Does a slice of an analysis; returns whether something is left to do.

    It ends when `goes_on()` is false, which is asked after each game that is played out.
    """
    found = analyses.find(name)
    if found is None or found.analysis.over:
        return False
    becomes, parts = _next(analyses, name, history, found, goes_on)
    return analyses.note(name, found, becomes, parts) and not becomes.over


def give_up(analyses: Analyses, name: Name, why: str) -> bool:
    """Ends an analysis that fails, unless it has changed meanwhile; nothing is left to do (False)."""
    found = analyses.find(name)
    if found and not found.analysis.over:
        analyses.note(name, found, *_failed(found.analysis, why))
    return False


def _next(analyses: Analyses, name: Name, history: TableHistory, found: KeptAnalysis, goes_on: GoesOn) -> Change:
    state = found.analysis
    if state.head != history.table.head.hash.hex():
        return _failed(state, "the table has other events now")
    work = work_of(name, history)
    if state.versions is None:
        try:
            choices, asked = work.asked()
        except ValueError as unknown:
            return _failed(state, unknown)
        return state.becoming(status="running", choices=choices, versions=asked), {}
    if state.done == len(state.versions):
        kept = analyses.fields(name, [row(number) for number in range(state.done)])
        whole_of_it = work.whole(state.choices, [one or b"" for one in kept])
        return state.becoming(status="done", by=None), {WHOLE: msgspec.json.encode(whole_of_it)}
    try:
        kept_part, last = analyses.fields(name, [PART, row(state.done - 1)])
        return _looked_at(work.part(state.versions[state.done], last), state, kept_part, goes_on)
    except NoWorld as none:
        return _failed(state, none)


def _failed(state: AnalysisStatus, why: object) -> Change:
    return state.becoming(status="failed", by=None, detail=str(why)), {}


def _looked_at(part: AnalysisPart, state: AnalysisStatus, kept: bytes | None, goes_on: GoesOn) -> Change:
    """A part, as far as this slice comes; `kept` is what is done of it."""
    played = msgspec.json.decode(kept, type=part.kept_as) if kept and state.rollouts else []
    for found in part.results(len(played)):
        played.append(found)
        if len(played) < part.rollouts and not goes_on():
            return state.becoming(rollouts=len(played)), {PART: msgspec.json.encode(played)}
    done = msgspec.json.encode(part.found(played))
    return state.becoming(done=state.done + 1, rollouts=0), {row(state.done): done}
