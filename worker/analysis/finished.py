"""Analyses the decisions of a finished table; the same table, effort and player give the same analysis."""

import hashlib
import random
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.recorded import Recorded
from projections.history import TableHistory, effective_events
from projections.table import Table
from worker.analysis.evaluating import DIGITS, Effort, Evaluation, Position, evaluate, key_of
from worker.analysis.playing_on import is_forced
from worker.players import weigh

OF_QUICK = 7  # decisions of a quick analysis


class TakenDecision(NamedTuple):
    """A decision between several moves: the version that it led to, and what the seat knew."""

    version: int
    seat: int
    made: Any
    position: Position


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
    return TakenDecision(event.version, seat, then.game.read_move(event.sealed["move"].value), position)


def quick_choices(choices: Sequence[TakenDecision]) -> list[TakenDecision]:
    """Returns the decisions for a quick analysis, in the order of the game.

    First come those at which the greedy player's heuristic prefers another move most. The rest is spread over the game
    and the seats, among decisions whose moves differ by the heuristic.
    """
    sights = [first_sight(decision) for decision in choices]
    found = doubtful(sights)[:OF_QUICK]
    missing = min(OF_QUICK, len(choices)) - len(found)
    found += spread([choice.seat for choice in choices], found, at_stake(sights, found, missing), missing)
    return [choices[at] for at in sorted(found)]


class FirstSight(NamedTuple):
    """The heuristic's difference between the best move and the one made (`gap`), and the worst one (`span`).

    Both are 0 where the greedy player draws a move by luck.
    """

    gap: float
    span: float


def first_sight(decision: TakenDecision) -> FirstSight:
    """Rates a decision by the greedy player's heuristic."""
    game, view, feed = decision.position
    rows = weigh(game, view, feed, random.Random(0))  # noqa: S311 - repeatable
    values = {key_of(row.move): row.value for row in rows}
    best, worst = max(values.values()), min(values.values())
    return FirstSight(best - values.get(key_of(decision.made), worst), best - worst)


def doubtful(sights: Sequence[FirstSight]) -> list[int]:
    """Returns the decisions at which the heuristic prefers another move, the largest gap first."""
    gaps = [(-sight.gap, at) for at, sight in enumerate(sights) if sight.gap > 0]
    return [at for _, at in sorted(gaps)]


def at_stake(sights: Sequence[FirstSight], found: Sequence[int], count: int) -> list[int]:
    """Returns the other decisions whose moves differ by the heuristic; all others if these are too few."""
    others = [at for at in range(len(sights)) if at not in found]
    differing = [at for at in others if sights[at].span > 0]
    return differing if len(differing) >= count else others


def spread(seats: Sequence[int], found: Sequence[int], places: Sequence[int], count: int) -> list[int]:
    """Returns `count` of the places, one from each stretch of the game, preferring the seat chosen least so far.

    `seats` are the seats that decided at each place. Within a stretch, places near the middle are preferred.
    """
    looked, taken = Counter([seats[at] for at in found]), []
    for stretch in stretches(places, count):
        ranked = {at: (looked[seats[at]], abs(at - stretch[len(stretch) // 2]), at) for at in stretch}
        taken.append(min(stretch, key=ranked.__getitem__))
        looked[seats[taken[-1]]] += 1
    return taken


def stretches(places: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    """Yields the places in `count` parts of nearly equal length, or in fewer if there are fewer places."""
    count = min(count, len(places))
    for number in range(count):
        yield places[number * len(places) // count : (number + 1) * len(places) // count]


GOOD = "good"
NAMES = ("inaccuracy", "mistake", "blunder")
PERCENTILES = (33, 67)  # of AI players' losses, among decisions that lose anything

# The margins from which a loss is a mistake, and a blunder: measured by `python -m benchmarks.losses`.
THRESHOLDS: Mapping[str, tuple[float, float]] = {
    "big-manitou": (1.8, 3.2),
    "manitou": (5.0, 9.0),
    "plenty-coups": (1.3, 2.0),
    "tomahawk": (7.0, 9.8),
}


def verdict(game: str, loss: float) -> str:
    """Returns `good`, or the name of a loss; without thresholds for the game, every loss is an inaccuracy."""
    return NAMES[bisect(THRESHOLDS.get(game, ()), loss)] if loss > 0 else GOOD


PLAYER = ("greedy", 2)  # of the rollouts
QUICK, DEEP = "quick", "deep"
EFFORTS = {QUICK: Effort(6, 3), DEEP: Effort(40, 4)}


class Weighed(msgspec.Struct, frozen=True):
    """A decision and its evaluation; `verdict` is `good`, `inaccuracy`, `mistake` or `blunder`."""

    version: int
    seat: int
    verdict: str
    evaluation: Evaluation


class SeatSummary(msgspec.Struct, frozen=True):
    """The losses of a seat's evaluated decisions; the mean is in points of margin."""

    seat: int
    evaluated: int
    mean_loss: float
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
    choices: int
    evaluations: tuple[Weighed, ...]
    seats: tuple[SeatSummary, ...]


def analyse(history: TableHistory, kind: str, effort: Effort | None = None) -> Iterator[Weighed | Analysis]:
    """Yields the evaluated decisions, then the analysis; raises `ValueError` before the game is over."""
    table = history.table
    effort = effort or EFFORTS[kind]
    choices, asked = decisions_to_analyse(history, kind)
    found = []
    for decision in asked:
        found.append(evaluate_decision(table.id, decision, effort))
        yield found[-1]
    yield analysis_of(table, kind, effort, choices, found)


def decisions_to_analyse(history: TableHistory, kind: str) -> tuple[int, list[TakenDecision]]:
    """Returns the number of decisions with a choice, and those to evaluate; raises `ValueError`."""
    if not history.table.laid_open:
        raise ValueError(f"{history.table.id} is not over: its moves are still secret")
    choices = list(decisions(history))
    return len(choices), quick_choices(choices) if kind == QUICK else choices


def analysis_of(table: Table, kind: str, effort: Effort, choices: int, found: Sequence[Weighed]) -> Analysis:
    """Returns the analysis with these decisions."""
    return Analysis(
        table=table.id,
        game=table.opened.game,
        players=table.opened.players,
        head=table.head.hash.hex(),
        player=PLAYER[0],
        version=PLAYER[1],
        kind=kind,
        worlds=effort.worlds,
        width=effort.width,
        choices=choices,
        evaluations=tuple(found),
        seats=tuple([_summary(seat, found) for seat in range(1, table.opened.players + 1)]),
    )


def count_of(history: TableHistory, kind: str) -> int:
    """Returns the number of decisions that an analysis evaluates."""
    choices = sum(1 for _ in decisions(history))
    return min(OF_QUICK, choices) if kind == QUICK else choices


def evaluate_decision(table: str, decision: TakenDecision, effort: Effort) -> Weighed:
    """Evaluates one decision."""
    found = evaluate(decision.position, decision.made, effort, seed_of(table, decision.version, effort))
    return with_verdict(decision, found)


def seed_of(table: str, version: int, effort: Effort) -> bytes:
    """Returns the seed of a decision's evaluation, which contains nothing secret."""
    return hashlib.sha256(canonical(["analysis", table, version, *effort])).digest()


def with_verdict(decision: TakenDecision, found: Evaluation) -> Weighed:
    """Adds the verdict to a decision's evaluation."""
    return Weighed(decision.version, decision.seat, verdict(decision.position.game.slug, found.loss), found)


def _summary(seat: int, found: Sequence[Weighed]) -> SeatSummary:
    own = [row for row in found if row.seat == seat]
    loss = round(fmean([row.evaluation.loss for row in own]), DIGITS) if own else 0.0
    counts = [sum(row.verdict == name for row in own) for name in NAMES]
    return SeatSummary(seat, len(own), loss, *counts)
