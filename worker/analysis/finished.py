"""Analyses the decisions of a finished table; the same table, effort and player give the same analysis."""

import hashlib
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.envelopes import Recorded
from projections.finished_games.statistics import share
from projections.history import TableHistory, effective_events
from projections.table import Table
from worker.analysis.evaluating import (
    DIGITS,
    SURE,
    Effort,
    Evaluation,
    Mean,
    Position,
    Question,
    evaluate,
    foresees,
    moves_tried,
)
from worker.analysis.playing_on import is_forced


class TakenDecision(NamedTuple):
    """A decision between several moves: the version that it led to, what the seat knew, and the table after it."""

    version: int
    seat: int
    made: Any
    position: Position
    after: Any


def decisions(history: TableHistory) -> Iterator[TakenDecision]:
    """Yields the decisions that were not undone and in which the seat had a choice."""
    table = None
    for event in filter(is_move, effective_events(history.events)):
        table = history.at(event.version - 1, table)
        if not is_forced(table.game, table.state, event.envelope.by["seat"]):
            yield _decision(history, table, event)


def is_move(event: Recorded) -> bool:
    """Returns whether an event is the first one of a move."""
    return event.version == event.envelope.batch[0] and "move" in event.sealed


def decision_at(history: TableHistory, version: int) -> TakenDecision:
    """Returns the decision that led to a version."""
    return _decision(history, history.at(version - 1), history.events[version - 1])


def _decision(history: TableHistory, then: Table, event: Recorded) -> TakenDecision:
    seat = event.envelope.by["seat"]
    position = Position(then.game, then.game.view(then.state, seat), history.feed(seat, until=then.version))
    made, after = then.game.read_move(event.sealed["move"].value), history.at(event.envelope.batch[1], then).state
    return TakenDecision(event.version, seat, made, position, after)


TURNING_POINTS = 5  # that are named
GOOD = "good"
NAMES = ("inaccuracy", "mistake", "blunder")
# The margins from which a sure loss is a mistake, and a blunder: see docs/analysis.md.
THRESHOLDS: Mapping[str, tuple[float, float]] = {
    "big-manitou": (1.8, 3.2),
    "manitou": (5.0, 9.0),
    "plenty-coups": (1.3, 2.0),
    "tomahawk": (7.0, 9.8),
}


def verdict(game: str, found: Evaluation) -> str:
    """Returns `good`, or the name of a sure loss: without thresholds for the game, `inaccuracy`."""
    return NAMES[bisect(THRESHOLDS.get(game, ()), found.loss.mean)] if found.is_sure else GOOD


PLAYERS = {False: ("greedy", 2), True: ("search", 4)}  # of the rollouts: whether they end early
QUICK, DEEP = "quick", "deep"
EFFORTS = {QUICK: Effort(8, 4), DEEP: Effort(16, 4, whole=True)}


class Weighed(msgspec.Struct, frozen=True):
    """A decision and its evaluation; `verdict` is `good`, `inaccuracy`, `mistake` or `blunder`.

    `swings` are the sure changes of each seat's expected victory since the decision before.
    """

    version: int
    seat: int
    verdict: str
    evaluation: Evaluation
    swings: tuple[float, ...] = ()


class SeatSummary(msgspec.Struct, frozen=True):
    """What a seat lost by its decisions: on average in points of margin, and the counts of sure losses.

    `accuracy` is the share of decisions without a sure loss, and its 95 % interval; empty without a decision.
    """

    seat: int
    evaluated: int
    accuracy: tuple[float, ...]
    mean_loss: Mean
    inaccuracies: int
    mistakes: int
    blunders: int


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a finished table: its head, the player and effort of the rollouts, and the decisions."""

    table: str
    game: str
    players: int
    head: str
    player: str
    version: int
    kind: str
    worlds: int
    width: int
    evaluations: tuple[Weighed, ...]
    seats: tuple[SeatSummary, ...]


def analyse(history: TableHistory, kind: str, effort: Effort | None = None) -> Iterator[Weighed | Analysis]:
    """Yields the evaluated decisions, then the analysis; raises `ValueError` before the game is over."""
    table = history.table
    effort = effort or EFFORTS[kind]
    asked, found = decisions_to_analyse(history), []
    for decision in asked:
        found.append(evaluate_decision(table.id, decision, effort))
        yield found[-1]
    yield analysis_of(table, kind, effort, found)


def decisions_to_analyse(history: TableHistory) -> list[TakenDecision]:
    """Returns the decisions to evaluate; raises `ValueError` before the game is over."""
    if not history.table.laid_open:
        raise ValueError(f"{history.table.id} is not over: its moves are still secret")
    return list(decisions(history))


def analysis_of(table: Table, kind: str, effort: Effort, found: Sequence[Weighed]) -> Analysis:
    """Returns the analysis with these decisions."""
    player, version = PLAYERS[not effort.whole and foresees(table.game)]
    return Analysis(
        table=table.id,
        game=table.opened.game,
        players=table.opened.players,
        head=table.head.hash.hex(),
        player=player,
        version=version,
        kind=kind,
        worlds=effort.worlds,
        width=effort.width,
        evaluations=tuple(with_swings(found)),
        seats=tuple([_summary(seat, found) for seat in range(1, table.opened.players + 1)]),
    )


def evaluate_decision(table: str, decision: TakenDecision, effort: Effort) -> Weighed:
    """Evaluates one decision."""
    return with_verdict(decision, evaluate(question_of(table, decision, effort)))


def question_of(table: str, decision: TakenDecision, effort: Effort) -> Question:
    """Returns a decision with the moves to try."""
    seed = seed_of(table, decision.version, effort)
    moves = moves_tried(decision.position, decision.made, effort, seed)
    return Question(decision.position, moves, decision.after, effort, seed)


def seed_of(table: str, version: int, effort: Effort) -> bytes:
    """Returns the seed of a decision's evaluation, which contains nothing secret."""
    return hashlib.sha256(canonical(["analysis", table, version, *effort])).digest()


def with_verdict(decision: TakenDecision, found: Evaluation) -> Weighed:
    """Adds the verdict to a decision's evaluation."""
    return Weighed(decision.version, decision.seat, verdict(decision.position.game.slug, found), found)


def _summary(seat: int, found: Sequence[Weighed]) -> SeatSummary:
    own = [row for row in found if row.seat == seat]
    counts = [sum(row.verdict == name for row in own) for name in NAMES]
    return SeatSummary(
        seat,
        len(own),
        share(len(own) - sum(counts), len(own), SURE, DIGITS) or (),
        mean_loss([row.evaluation for row in own]),
        *counts,
    )


def mean_loss(found: Sequence[Evaluation]) -> Mean:
    """Returns the mean of losses that were estimated independently."""
    count = max(1, len(found))
    mean, error = sum(row.loss.mean for row in found) / count, sqrt(sum(row.loss.error**2 for row in found)) / count
    return Mean(round(mean, DIGITS), round(error, DIGITS))


def with_swings(found: Sequence[Weighed]) -> Iterator[Weighed]:
    """Yields the decisions with the changes of each seat's expected victory that are larger than errors explain."""
    for before, now in pairwise([*found[:1], *found]):
        pairs = zip(before.evaluation.after, now.evaluation.after, strict=True)
        yield msgspec.structs.replace(now, swings=tuple([_swing(old.victory, new.victory) for old, new in pairs]))


def _swing(before: Mean, after: Mean) -> float:
    change = after.mean - before.mean
    return round(change, DIGITS) if abs(change) > SURE * hypot(before.error, after.error) else 0.0


def turning_points(found: Sequence[Weighed]) -> list[Weighed]:
    """Returns the decisions with the largest swings, the largest first."""
    swung = [row for row in found if any(row.swings)]
    return sorted(swung, key=lambda row: -max(map(abs, row.swings)))[:TURNING_POINTS]
