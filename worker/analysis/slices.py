"""An analysis in slices: each goes on where the last one ended, so that in the end it is the same as in one go.

What a slice has done is noted with a compare-and-set. If the worker is killed, the slice is done again; if two workers
are at it, one of them notes something, and it is the same.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import msgspec

from games.kernel import NoWorld
from projections.history import History
from service.analyses.keeping import PART, WHOLE, Analyses, Analysis, Found, Name, row
from worker.analysis import readings
from worker.analysis.evaluating import evaluation_of, moves_tried, rows
from worker.analysis.finished import EFFORTS, Weighed, asked_of, decision_at, named, seed_of, whole
from worker.analysis.readings import Comparison, SeatWorth, disputed
from worker.analysis.rollouts import Result

GoesOn = Callable[[], bool]
Part = list[list[Result]]  # of what is being looked at: a row a world


class Work(Protocol):
    """What an analysis is made of: parts that are looked at one after the other, each in so many worlds."""

    @property
    def worlds(self) -> int: ...

    def asked(self) -> tuple[int | None, tuple[int, ...]]:
        """How many decisions there were with a choice, if that is told, and what is looked at."""

    def rows(self, asked: int, first: int) -> Iterator[list[Result]]:
        """What comes of each world of a part but the `first` ones; raises `NoWorld`."""

    def found(self, asked: int, part: Part) -> Any:
        """What all worlds of a part say."""

    def whole(self, choices: int | None, found: list[bytes]) -> Any:
        """What all parts say."""


class OfDecisions:
    """The decisions of a table, as `worker.analysis.finished` looks at them."""

    def __init__(self, history: History, kind: str) -> None:
        self.history, self.kind, self.effort = history, kind, EFFORTS[kind]
        self.worlds = self.effort.worlds

    def asked(self) -> tuple[int, tuple[int, ...]]:
        """The choices, and the versions of the decisions that are looked at."""
        choices, asked = asked_of(self.history, self.kind)
        return choices, tuple([decision.version for decision in asked])

    def rows(self, asked: int, first: int) -> Iterator[list[Result]]:
        """What each move of a decision comes to in each world."""
        return rows(
            decision_at(self.history, asked).position, self._moves(asked), self.worlds, self._seed(asked), first
        )

    def found(self, asked: int, part: Part) -> Weighed:
        """The decision evaluated."""
        return named(decision_at(self.history, asked), evaluation_of(self._moves(asked), part))

    def whole(self, choices: int | None, found: list[bytes]) -> Any:
        """The analysis."""
        read = [msgspec.json.decode(one, type=Weighed) for one in found]
        return whole(self.history.table, self.kind, self.effort, choices or 0, read)

    def _moves(self, version: int) -> list[Any]:
        decision = decision_at(self.history, version)
        return moves_tried(decision.position, decision.made, self.effort, self._seed(version))

    def _seed(self, version: int) -> bytes:
        return seed_of(self.history.table.id, version, self.effort)


class OfReading:
    """The other reading of a disputed ruling, seat by seat."""

    def __init__(self, history: History, dispute: str) -> None:
        self.comparison = Comparison(history, disputed(history, dispute), readings.WORLDS)
        self.worlds = self.comparison.worlds

    def asked(self) -> tuple[None, tuple[int, ...]]:
        """The seats."""
        return None, self.comparison.seats

    def rows(self, asked: int, first: int) -> Iterator[list[Result]]:
        """What comes of both readings in each world of a seat."""
        return self.comparison.rows(asked, first)

    def found(self, asked: int, part: Part) -> SeatWorth:
        """What they are worth to a seat."""
        return self.comparison.worth(asked, part)

    def whole(self, choices: int | None, found: list[bytes]) -> Any:  # noqa: ARG002 - as `Work` has it
        """What is told of all seats."""
        return self.comparison.whole([msgspec.json.decode(one, type=SeatWorth) for one in found])


class Step(NamedTuple):
    """What the next change of an analysis is."""

    becomes: Analysis
    parts: dict[str, bytes]


def go_on(analyses: Analyses, name: Name, history: History, goes_on: GoesOn) -> bool:
    """Does a slice of an analysis, until `goes_on()` is false; returns whether something is left to do."""
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


def _work(name: Name, history: History) -> Work:
    return OfDecisions(history, name.kind) if name.kind in EFFORTS else OfReading(history, name.kind)


def _next(analyses: Analyses, name: Name, history: History, found: Found, goes_on: GoesOn) -> Step:
    state = found.analysis
    if state.head != history.table.head.hash.hex():
        return Step(state.becoming(status="failed", by=None, detail="the table has other events now"), {})
    work = _work(name, history)
    if state.versions is None:
        choices, asked = work.asked()
        return Step(state.becoming(status="running", choices=choices, versions=asked), {})
    if state.done == len(state.versions):
        kept = analyses.fields(name, [row(number) for number in range(state.done)])
        whole_of_it = work.whole(state.choices, [one or b"" for one in kept])
        return Step(state.becoming(status="done", by=None), {WHOLE: msgspec.json.encode(whole_of_it)})
    try:
        (kept_part,) = analyses.fields(name, [PART])
        return _looked_at(work, state, kept_part, goes_on)
    except NoWorld as none:
        return Step(state.becoming(status="failed", by=None, detail=str(none)), {})


def _looked_at(work: Work, state: Analysis, kept: bytes | None, goes_on: GoesOn) -> Step:
    """The next part, as far as this slice comes; `kept` is what is done of it."""
    asked = (state.versions or ())[state.done]
    part: Part = msgspec.json.decode(kept, type=Part) if kept and state.worlds else []
    for found in work.rows(asked, len(part)):
        part.append(found)
        if len(part) < work.worlds and not goes_on():
            return Step(state.becoming(worlds=len(part)), {PART: msgspec.json.encode(part)})
    done = work.found(asked, part)
    return Step(state.becoming(done=state.done + 1, worlds=0), {row(state.done): msgspec.json.encode(done)})
