"""What analyses are made of: parts that are looked at one after the other, each by games that are played out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from projections.history import History
from service.analyses import LUCK, Name
from worker.analysis.choices import TakenDecision, decision_at
from worker.analysis.evaluating import Effort, evaluation_of, moves_tried, results
from worker.analysis.finished import EFFORTS, Weighed, asked_of, named, seed_of, whole
from worker.analysis.luck import valuing as luck
from worker.analysis.luck.courses import course_of
from worker.analysis.luck.steps import Step, Told, check
from worker.analysis.rollouts import Result


class AnalysisPart(Protocol):
    """A part of an analysis, for which so many games are played out, always the same ones."""

    @property
    def rollouts(self) -> int: ...

    def results(self, first: int) -> Iterator[Any]:
        """What comes of each game but the `first` ones; raises `NoWorld`."""

    def read(self, kept: bytes) -> list[Any]:
        """What came of games, as it was kept."""

    def found(self, played: Sequence[Any]) -> Any:
        """What all games say."""


class Work(Protocol):
    """What an analysis is made of: parts that are looked at one after the other."""

    def asked(self) -> tuple[int | None, tuple[int, ...]]:
        """How many decisions there were with a choice, if that is told, and the numbers of the parts."""

    def part(self, number: int, last: bytes | None) -> AnalysisPart:
        """What is to be looked at; `last`: what was found of the part before it, as it was kept."""

    def whole(self, choices: int | None, found: Sequence[bytes]) -> Any:
        """What all parts say."""


def results_in(kept: bytes) -> list[Result]:
    """What came of games, as it was kept."""
    return msgspec.json.decode(kept, type=list[Result])


class OfDecision(NamedTuple):
    """A decision: every move that is tried is played out in every world."""

    decision: TakenDecision
    moves: list[Any]
    effort: Effort
    seed: bytes

    @property
    def rollouts(self) -> int:
        """Games, world by world one for each move."""
        return self.effort.worlds * len(self.moves)

    def results(self, first: int) -> Iterator[Result]:
        """What each move comes to in each world."""
        return results(self.decision.position, self.moves, self.effort.worlds, self.seed, first)

    def read(self, kept: bytes) -> list[Result]:
        """What came of games, as it was kept."""
        return results_in(kept)

    def found(self, played: Sequence[Result]) -> Weighed:
        """The decision evaluated."""
        return named(self.decision, evaluation_of(self.moves, played))


class OfDecisions:
    """The decisions of a table, as `worker.analysis.finished` looks at them."""

    def __init__(self, history: History, kind: str) -> None:
        self.history, self.kind, self.effort = history, kind, EFFORTS[kind]

    def asked(self) -> tuple[int, tuple[int, ...]]:
        """The choices, and the versions of the decisions that are looked at."""
        choices, asked = asked_of(self.history, self.kind)
        return choices, tuple([decision.version for decision in asked])

    def part(self, number: int, last: bytes | None) -> OfDecision:  # noqa: ARG002 - as `Work` has it
        """The decision at that version."""
        decision, seed = decision_at(self.history, number), seed_of(self.history.table.id, number, self.effort)
        return OfDecision(decision, moves_tried(decision.position, decision.made, self.effort, seed), self.effort, seed)

    def whole(self, choices: int | None, found: Sequence[bytes]) -> Any:
        """The analysis."""
        read = [msgspec.json.decode(one, type=Weighed) for one in found]
        return whole(self.history.table, self.kind, self.effort, choices or 0, read)


class OfEvent(NamedTuple):
    """An event and its luck: told in every world, from what each made of the event before it."""

    step: Step
    last: list[Told] | None

    @property
    def rollouts(self) -> int:
        """Worlds, in each of which at most three games are played out."""
        return luck.WORLDS

    def results(self, first: int) -> Iterator[Told]:
        """What each world makes of it."""
        for world in range(first, self.rollouts):
            yield self.step.told(world, self.last[world].after if self.last else None)

    def read(self, kept: bytes) -> list[Told]:
        """What worlds made of it, as it was kept."""
        return told_in(kept)

    def found(self, played: Sequence[Told]) -> Sequence[Told]:
        """All of that."""
        return played


class OfLuck:
    """The luck of a game, event by event, the deal first: a version is that of the event."""

    def __init__(self, history: History, _: str) -> None:
        self.course = course_of(history)

    def asked(self) -> tuple[None, tuple[int, ...]]:
        """The versions of the events; raises `ValueError` for a game that is not known so well."""
        check(self.course)
        return None, (0, *[turn.version for turn in self.course.turns])

    def part(self, number: int, last: bytes | None) -> OfEvent:
        """The event at that version."""
        place = next((place for place, turn in enumerate(self.course.turns, 1) if turn.version == number), 0)
        return OfEvent(Step(self.course, place), told_in(last) if last else None)

    def whole(self, choices: int | None, found: Sequence[bytes]) -> Any:  # noqa: ARG002 - as `Work` has it
        """The luck of the game."""
        return luck.whole(self.course, [told_in(one) for one in found])


def told_in(kept: bytes) -> list[Told]:
    """What worlds made of an event, as it was kept."""
    return msgspec.json.decode(kept, type=list[Told])


WORKS: Mapping[str, Callable[[History, str], Work]] = {**dict.fromkeys(EFFORTS, OfDecisions), LUCK: OfLuck}


def work_of(name: Name, history: History) -> Work:
    """What the analysis of that name is made of."""
    return WORKS[name.kind](history, name.kind)
