"""A finished table analysed, decision by decision; the same table, effort and player give the same analysis."""

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
from games.kernel import MoveSet
from projections.history import TableHistory, effective_events
from projections.table import Table
from worker.analysis.evaluating import DIGITS, Effort, Evaluation, Position, evaluated, key_of
from worker.players import weigh

OF_QUICK = 7  # decisions that a quick analysis looks at


class TakenDecision(NamedTuple):
    """A decision that a seat took when it had a choice: the version that it led to, and what the seat knew."""

    version: int
    seat: int
    made: Any
    position: Position


def decisions(history: TableHistory) -> Iterator[TakenDecision]:
    """The decisions that stand, where the seat had a choice, with what it knew then and no more."""
    table = None
    for event in effective_events(history.events):
        if event.version == event.envelope.batch[0] and "move" in event.sealed:
            table = history.at(event.version - 1, table)
            if not _is_forced(table, event.envelope.by["seat"]):
                yield _decision(history, table, event)


def decision_at(history: TableHistory, version: int) -> TakenDecision:
    """The decision that led to a version."""
    return _decision(history, history.at(version - 1), history.events[version - 1])


def _decision(history: TableHistory, then: Table, event: Recorded) -> TakenDecision:
    seat = event.envelope.by["seat"]
    position = Position(then.game, then.game.view(then.state, seat), history.feed(seat, until=then.version))
    return TakenDecision(event.version, seat, then.game.read_move(event.sealed["move"].value), position)


def _is_forced(then: Table, seat: int) -> bool:
    """Whether the seat was told of one move alone: its legal moves follow from what it sees."""
    moves = then.game.legal_moves(then.state, seat)
    return len(moves) == 1 and not isinstance(moves[0], MoveSet)


def quick_count(choices: int) -> int:
    """How many of so many decisions a quick analysis looks at."""
    return min(OF_QUICK, choices)


def quick_choices(choices: Sequence[TakenDecision]) -> list[TakenDecision]:
    """The decisions that a quick analysis looks at, in the order of the game.

    First those at which the rule of thumb likes another move better, by most. The others are from all over the game, of
    the seat that was looked at least, where moves differ by that rule: it has no doubt about how its own player moves.
    """
    sights = [first_sight(decision) for decision in choices]
    found = doubtful(sights)[:OF_QUICK]
    missing = quick_count(len(choices)) - len(found)
    found += spread([choice.seat for choice in choices], found, at_stake(sights, found, missing), missing)
    return [choices[at] for at in sorted(found)]


class FirstSight(NamedTuple):
    """How much less the move made looks worth than the best by the rule of thumb, and than the best the worst does.

    Both are 0 where the greedy player draws a move by luck.
    """

    gap: float
    span: float


def first_sight(decision: TakenDecision) -> FirstSight:
    """What the greedy player's rule of thumb makes of a decision."""
    game, view, feed = decision.position
    rows = weigh(game, view, feed, random.Random(0))  # noqa: S311 - repeatable
    values = {key_of(row.move): row.value for row in rows}
    best, worst = max(values.values()), min(values.values())
    return FirstSight(best - values.get(key_of(decision.made), worst), best - worst)


def doubtful(sights: Sequence[FirstSight]) -> list[int]:
    """Where the rule of thumb likes another move better, by most first."""
    gaps = [(-sight.gap, at) for at, sight in enumerate(sights) if sight.gap > 0]
    return [at for _, at in sorted(gaps)]


def at_stake(sights: Sequence[FirstSight], found: Sequence[int], count: int) -> list[int]:
    """The other places where moves differ by the rule of thumb; all others, if these are fewer than are wanted."""
    others = [at for at in range(len(sights)) if at not in found]
    differing = [at for at in others if sights[at].span > 0]
    return differing if len(differing) >= count else others


def spread(seats: Sequence[int], found: Sequence[int], places: Sequence[int], count: int) -> list[int]:
    """So many of the places of a game, one of each stretch of it, of the seat that was found least by then.

    `seats`: who decided at each place. Of a seat's places in a stretch the one nearest its middle is taken.
    """
    looked, taken = Counter([seats[at] for at in found]), []
    for stretch in stretches(places, count):
        ranked = {at: (looked[seats[at]], abs(at - stretch[len(stretch) // 2]), at) for at in stretch}
        taken.append(min(stretch, key=ranked.__getitem__))
        looked[seats[taken[-1]]] += 1
    return taken


def stretches(places: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    """The places in so many parts of nearly the same length; in as many as there are, if these are fewer."""
    count = min(count, len(places))
    for number in range(count):
        yield places[number * len(places) // count : (number + 1) * len(places) // count]


GOOD = "good"
NAMES = ("inaccuracy", "mistake", "blunder")
PERCENTILES = (33, 67)  # of the losses of AI players by decisions that lose anything

# Points of margin from which on a loss is a mistake, and a blunder: `python -m benchmarks.losses` measures them.
THRESHOLDS: Mapping[str, tuple[float, float]] = {
    "big-manitou": (1.8, 3.2),
    "manitou": (5.0, 9.0),
    "plenty-coups": (1.3, 2.0),
    "tomahawk": (7.0, 9.8),
}


def verdict(game: str, loss: float) -> str:
    """`good`, or the name of a loss in points of margin; a game without thresholds knows only inaccuracies."""
    return NAMES[bisect(THRESHOLDS.get(game, ()), loss)] if loss > 0 else GOOD


PLAYER = ("greedy", 2)  # who plays the rollouts out
QUICK, DEEP = "quick", "deep"
EFFORTS = {QUICK: Effort(6, 3), DEEP: Effort(40, 4)}


class Weighed(msgspec.Struct, frozen=True):
    """A decision and what it was worth; `verdict` is `good`, `inaccuracy`, `mistake` or `blunder`."""

    version: int
    seat: int
    verdict: str
    evaluation: Evaluation


class SeatSummary(msgspec.Struct, frozen=True):
    """What a seat's decisions lost, of those that were looked at; the mean is in points of margin."""

    seat: int
    decisions: int
    mean_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


class Analysis(msgspec.Struct, frozen=True):
    """A finished table analysed: by whom, with what effort, and from which head of its log."""

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
    decisions: tuple[Weighed, ...]
    seats: tuple[SeatSummary, ...]


def analysed(history: TableHistory, kind: str, effort: Effort | None = None) -> Iterator[Weighed | Analysis]:
    """The decisions one after the other, and in the end the analysis; raises `ValueError` before the game is over.

    A quick one looks only at the decisions that are the most doubtful, and at some from all over the game.
    """
    table = history.table
    effort = effort or EFFORTS[kind]
    choices, asked = asked_of(history, kind)
    found = []
    for decision in asked:
        found.append(weighed(table.id, decision, effort))
        yield found[-1]
    yield whole(table, kind, effort, choices, found)


def asked_of(history: TableHistory, kind: str) -> tuple[int, list[TakenDecision]]:
    """How many decisions there were with a choice, and those that an analysis looks at; raises `ValueError`."""
    if not history.table.laid_open:
        raise ValueError(f"{history.table.id} is not over: its moves are still secret")
    choices = list(decisions(history))
    return len(choices), quick_choices(choices) if kind == QUICK else choices


def whole(table: Table, kind: str, effort: Effort, choices: int, found: Sequence[Weighed]) -> Analysis:
    """The analysis that these decisions make up."""
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
        decisions=tuple(found),
        seats=tuple([_summary(seat, found) for seat in range(1, table.opened.players + 1)]),
    )


def count_of(history: TableHistory, kind: str) -> int:
    """How many decisions an analysis looks at."""
    choices = sum(1 for _ in decisions(history))
    return quick_count(choices) if kind == QUICK else choices


def weighed(table: str, decision: TakenDecision, effort: Effort) -> Weighed:
    """One decision evaluated."""
    found = evaluated(decision.position, decision.made, effort, seed_of(table, decision.version, effort))
    return named(decision, found)


def seed_of(table: str, version: int, effort: Effort) -> bytes:
    """The seed of a decision's evaluation: nothing secret is in it."""
    return hashlib.sha256(canonical(["analysis", table, version, *effort])).digest()


def named(decision: TakenDecision, found: Evaluation) -> Weighed:
    """A decision's evaluation, with the name of its loss."""
    return Weighed(decision.version, decision.seat, verdict(decision.position.game.slug, found.loss), found)


def _summary(seat: int, found: Sequence[Weighed]) -> SeatSummary:
    own = [row for row in found if row.seat == seat]
    loss = round(fmean([row.evaluation.loss for row in own]), DIGITS) if own else 0.0
    counts = [sum(row.verdict == name for row in own) for name in ("inaccuracy", "mistake", "blunder")]
    return SeatSummary(seat, len(own), loss, *counts)
