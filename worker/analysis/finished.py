"""A finished table analysed, decision by decision; the same table, effort and player give the same analysis."""

import hashlib
from collections.abc import Iterator, Sequence
from statistics import fmean

import msgspec

from events.canonical import canonical
from projections.history import History
from projections.table import Table
from worker.analysis.choices import TakenDecision, decisions, quick_choices, quick_count
from worker.analysis.evaluating import DIGITS, Effort, Evaluation, evaluated
from worker.analysis.verdicts import verdict

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


def analysed(history: History, kind: str, effort: Effort | None = None) -> Iterator[Weighed | Analysis]:
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


def asked_of(history: History, kind: str) -> tuple[int, list[TakenDecision]]:
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


def count_of(history: History, kind: str) -> int:
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
